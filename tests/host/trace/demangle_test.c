/* SPDX-License-Identifier: Apache-2.0 */
/* Tests readable names of C++ and Rust symbols; damaged symbols run under the sanitizers.
 *
 * usage: demangle_test COUNT */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/elf/demangle.h"

/* The Rust symbols are from rustc 1.95, its test suite, and RFC 2603. */
static const struct {
    const char *symbol, *name; /* name NULL: no other name exists */
} known[] = {
    {"main", NULL},
    {"_Zzz", NULL},
    {"_R", NULL},
    {"_RNvC6_123foo", NULL},
    {"_RNvC6_123foo3bar", "123foo::bar"},
    {"_ZN3foo3barEi", "foo::bar(int)"},
    {"_ZN3foo3barEi.cold", "foo::bar(int) [clone .cold]"},
    {"_ZN5ShapeIiE4areaEv", "Shape<int>::area()"},
    {"_ZN4core3fmt5Write9write_fmt17h0123456789abcdefE", "core::fmt::Write::write_fmt"},
    {"_ZN50_$LT$T$u20$as$u20$core..convert..Into$LT$U$GT$$GT$4into17h0123456789abcdefE",
     "<T as core::convert::Into<U>>::into"},
    {"_RNCNCNgCs6DXkGYLi8lr_2cc5spawn00B5_", "cc::spawn::{closure#0}::{closure#0}"},
    {"_RINbNbCskIICzLVDPPb_5alloc5alloc8box_freeDINbNiB4_5boxed5FnBoxuEp6OutputuEL_ECs1iopQbuBiw2_3std",
     "alloc::alloc::box_free::<dyn alloc::boxed::FnBox<(), Output = ()>>"},
    {"_RNvMC0INtC8arrayvec8ArrayVechKj7b_E3new", "<arrayvec::ArrayVec<u8, 123>>::new"},
    {"_RNvC9backtrace3foo.llvm.A5310EB9", "backtrace::foo"},
    {"_RIC0Kb1_E", "::<true>"},
    {"_RIC0Kc76_E", "::<'v'>"},
    {"_RIC0Kan5_E", "::<-5>"},
    {"_RINvC1a3tupTlQShPhFKCElEE", "a::tup::<(i32, &mut [u8], *const u8, extern \"C\" fn() -> i32)>"},
    {"_RINvC1a1fFG_RL0_eEBz_E", NULL}, /* a back reference that does not point backwards */
    {"_RINvC1a1fFG_RL0_eEuE", "a::f::<for<'a> fn(&'a str)>"},
    {"_RINvC1a1fAhj4_E", "a::f::<[u8; 4]>"},
    {"_RYC1aC1b", "<a as b>"},
};
#define KNOWN (sizeof known / sizeof *known)

static unsigned failed;

static void check(const char *symbol, const char *wanted) {
    char *name = gnomon_demangle(symbol);
    if ((name != NULL) != (wanted != NULL) || (name && strcmp(name, wanted) != 0)) {
        printf("%s: %s, not %s\n", symbol, name ? name : "(none)", wanted ? wanted : "(none)");
        failed++;
    }
    free(name);
}

static uint64_t state = 1;

static uint64_t draw(uint64_t below) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (state >> 11) % below;
}

/* Tests symbols that nest without end, and symbols whose names double with each step. */
static void check_bounds(void) {
    char deep[GNOMON_MOST_SYMBOL + 2];
    memset(deep, 'T', sizeof deep);
    memcpy(deep, "_RINvC1a1f", 10);
    deep[sizeof deep - 1] = '\0';
    check(deep, NULL);
    deep[GNOMON_MOST_SYMBOL - 1] = '\0';
    check(deep, NULL);
    char doubling[400] = "_RINvC1a1fTuuE";
    size_t before = 8; /* start of the last tuple, counted from after "_R" */
    for (unsigned i = 0; i < 40; i++) {
        static const char digits[] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
        char reference[8] = {'B'};
        size_t number = before - 1, used = 1;
        if (number >= 62)
            reference[used++] = digits[number / 62];
        reference[used++] = digits[number % 62];
        reference[used] = '_';
        before = strlen(doubling) - 2;
        sprintf(doubling + strlen(doubling), "T%s%sE", reference, reference);
    }
    strcat(doubling, "E");
    check(doubling, NULL);
}

static void damage(unsigned long count) {
    static const char letters[] = "0123456789_BCDEFGIKLMNOQRSTXYZabceghijlmnopsuvxyz$.";
    for (unsigned long i = 0; i < count; i++) {
        char symbol[256];
        snprintf(symbol, sizeof symbol, "%s", known[draw(KNOWN)].symbol);
        for (uint64_t changes = 1 + draw(4); changes > 0; changes--) {
            size_t length = strlen(symbol), at = 2 + (size_t)draw(length);
            if (at >= length)
                symbol[length > 3 ? length - 1 : 3] = '\0';
            else
                symbol[at] = letters[draw(sizeof letters - 1)];
        }
        /* The library demangles C++ names: damaged ones can expand without bounds. */
        if (strncmp(symbol, "_R", 2) == 0)
            free(gnomon_demangle(symbol));
    }
}

int main(int argc, char **argv) {
    for (size_t i = 0; i < KNOWN; i++)
        check(known[i].symbol, known[i].name);
    check_bounds();
    damage(argc > 1 ? strtoul(argv[1], NULL, 0) : 0);
    printf("%zu symbols, %u failed\n", KNOWN, failed);
    return failed != 0;
}
