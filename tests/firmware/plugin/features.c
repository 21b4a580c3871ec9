/* SPDX-License-Identifier: Apache-2.0 */
/* One function per feature that makes hooks difficult. The table EXPECT of test_plugin.py gives the expected hooks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define NOINLINE __attribute__((noinline, noclone, noipa))

volatile int sink;
int (*pointer)(int);
jmp_buf resume;
int other_file(int x);

NOINLINE static int same_name(int x) {
    return x * 3 + sink;
}

NOINLINE int leaf(int x) {
    return x + 1;
}

NOINLINE int several_returns(int x) {
    if (x == 1)
        return sink;
    if (x == 2) {
        sink = 4;
        return leaf(x) + sink;
    }
    while (x-- > 7)
        if (sink == x)
            return 9;
    return leaf(x) * 5 + x;
}

NOINLINE int tail_direct(int x) {
    return leaf(x ^ 5);
}
NOINLINE int tail_pointer(int x) {
    return pointer(x + 2);
}
NOINLINE int tail_or_return(int x) {
    return x > 3 ? pointer(x) : x > 1 ? leaf(x) : 17;
}
NOINLINE int tail_many(int a, int b, int c, int d, int e, int f, int g, int h) {
    int (*call)(int, int, int, int, int, int, int, int) = (int (*)(int, int, int, int, int, int, int, int))pointer;
    return call(h, g, f, e, d, c, b, a);
}

NOINLINE int recursion(int n) {
    return n < 2 ? n : recursion(n - 1) + recursion(n - 2) + sink;
}

NOINLINE _Noreturn void never_returns(int x) {
    sink = x;
    longjmp(resume, x);
}

NOINLINE int with_setjmp(int x) {
    if (setjmp(resume) == 0)
        never_returns(x);
    return sink;
}

NOINLINE int with_alloca(int n) {
    char *buffer = __builtin_alloca((size_t)n);
    memset(buffer, n, (size_t)n);
    return buffer[n / 2];
}

NOINLINE int big_frame(int n) {
    char buffer[6000];
    memset(buffer, n, sizeof buffer);
    sink = buffer[n];
    return leaf(buffer[17]);
}

NOINLINE int switchy(int x) {
    switch (x) {
    case 0:
        return sink;
    case 1:
        return leaf(3);
    case 2:
        sink = 2;
        break;
    case 3:
        sink = 9;
        return 1;
    case 4:
        sink = 11;
        return other_file(x);
    case 5:
        sink = 12;
        break;
    case 6:
        return pointer(6);
    default:
        sink = x;
    }
    return sink + 1;
}

NOINLINE int variadic(int count, ...) {
    va_list list;
    int sum = 0;
    va_start(list, count);
    while (count-- > 0)
        sum += va_arg(list, int);
    va_end(list);
    return sum;
}

NOINLINE int starts_with_loop(int *p) {
    for (;;) {
        if (*p++ == sink)
            return 3;
    }
}

/* Nested functions take their frame in t2, the static chain. */
NOINLINE int nested(int x) {
    int scale = sink;
    __attribute__((noinline)) int inner(int y) {
        return y * scale + x;
    }
    return inner(x) + inner(scale);
}

__attribute__((cold)) NOINLINE void cold_path(int x) {
    sink = x;
}
NOINLINE int has_cold_part(int x) {
    if (__builtin_expect(x == 77, 0)) {
        cold_path(x);
        return leaf(sink);
    }
    return x + sink;
}

__attribute__((interrupt)) void on_interrupt(void) {
    sink++;
}
__attribute__((interrupt)) void on_interrupt_calling(void) {
    if (sink == 3)
        return;
    leaf(sink);
    pointer(2);
}

__attribute__((naked)) void naked_function(void) {
    __asm__ volatile("ret");
}
__attribute__((gnomon_off)) NOINLINE int left_out(int x) {
    return x * 7;
}
__attribute__((no_instrument_function)) NOINLINE int not_instrumented(int x) {
    return x * 9;
}
NOINLINE int never_called(int x) {
    return x * 11;
}
NOINLINE int never_called_either(int x) {
    return never_called(x);
}

__attribute__((constructor)) static void constructed(void) {
    pointer = leaf;
}

int main(int argc, char **argv) {
    int numbers[] = {3, 4, sink};
    (void)argv;
    naked_function();
    sink = same_name(argc) + several_returns(argc) + tail_direct(1) + tail_pointer(2) + tail_or_return(argc) +
           tail_many(1, 2, 3, 4, 5, 6, 7, 8) + recursion(7) + with_setjmp(3) + with_alloca(30) + big_frame(3) +
           switchy(argc) + variadic(3, 1, 2, 3) + starts_with_loop(numbers) + nested(2) + has_cold_part(argc) +
           left_out(1) + not_instrumented(2) + other_file(4);
    __asm__ volatile("" ::"r"(on_interrupt), "r"(on_interrupt_calling));
    if (sink == 12345)
        abort();
    return 0;
}
