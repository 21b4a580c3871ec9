/* SPDX-License-Identifier: Apache-2.0 */
/* A program whose source has tags, and which loads modules whose source has some. It prints where each module lies, and
 * how many interrupts each threshold had. Arguments:
 *   together FILE...    loads all files, then calls each
 *   rounds N FILE...    loads and unloads one file after the other, N times over; in between it uses their memory. The
 *                       modules' tags need a block of the device that the program's tags do not; in every second
 *                       round the modules are elsewhere, and need the same block for this memory
 * With -DEMBEDDED="FILE" and no arguments, it loads that module, which is linked in. */
#include <gnomon.h>
#include <gnomon_module.h>
#include <gnomon_tag.h>
#include <gnomon_tags.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    STEPS = 16,
    MOST_MODULES = 8,
    USED_BYTES = 8192,
    BLOCK_BYTES = 1 << 16,
    ALL_BYTES = 1 << 20,
    FIRST = 20,
    LAST = 80
};

GNOMON_THRESHOLD("0=300,500:interrupt")

GNOMON_TAGGED("read") static volatile int other = 1;

GNOMON_TAGGED("stop=0") static __attribute__((noinline)) void finish(void) {
    other--;
}

GNOMON_TAGGED("start=0") static __attribute__((noinline)) void begin(void) {
    other++;
}

static __attribute__((noinline)) void work(int n) {
    begin();
    for (int i = 0; i < n; i++)
        other += i;
    finish();
}

#ifndef WITHOUT_HANDLER
static volatile unsigned seen[STEPS];

GNOMON_INTERRUPT void gnomon_profile_interrupt(void) {
    const uint32_t causes = gnomon_tag_interrupt(NULL, NULL);
    for (unsigned step = 0; step < STEPS; step++)
        seen[step] += causes >> (GNOMON_TAGS_INTERRUPT_STEP_SHIFT + step) & 1;
}

static void print_seen(void) {
    for (unsigned step = 0; step < STEPS; step++)
        printf("step %u %u\n", step, seen[step]);
}
#else
static void print_seen(void) {
}
#endif

#ifdef EMBEDDED
extern const char embedded[], embedded_end[];
__asm__(".section .rodata.embedded,\"a\"\n\t.balign 4\n\t.globl embedded, embedded_end\n"
        "embedded:\n\t.incbin \"" EMBEDDED "\"\nembedded_end:\n\t.previous");
#endif

static struct gnomon_module *open_module(const char *name) {
#ifdef EMBEDDED
    if (!name)
        return gnomon_module_load(embedded, (size_t)(embedded_end - embedded));
#endif
    return gnomon_module_open(name);
}

static struct gnomon_module *load(const char *name) {
    struct gnomon_module *module = open_module(name);
    if (!module) {
        printf("refused %s\n", gnomon_module_error());
        exit(1);
    }
    printf("run %p\n", gnomon_module_symbol(module, "run"));
    return module;
}

static int call(struct gnomon_module *module) {
    void *address = gnomon_module_symbol(module, "run");
    int (*run)(int);
    int sum = 0;
    memcpy(&run, &address, sizeof run);
    for (int n = FIRST; n < LAST; n += 20)
        sum += run(n);
    return sum;
}

/* If unloaded modules still had tags, these accesses would count, and clear tags of code. */
static void use_memory(void) {
    volatile unsigned char *memory = malloc(USED_BYTES);
    for (int i = 0; memory && i < USED_BYTES; i++)
        memory[i] = (unsigned char)i;
    free((void *)memory);
}

static int together(int count, char **names) {
    struct gnomon_module *modules[MOST_MODULES];
    int sum = 0;
    for (int i = 0; i < count && i < MOST_MODULES; i++)
        modules[i] = load(names[i]);
    for (int i = 0; i < count && i < MOST_MODULES; i++)
        sum += call(modules[i]);
    return sum;
}

static int rounds(int times, int count, char **names) {
    void *volatile between = malloc(BLOCK_BYTES);
    int sum = 0;
    for (int round = 0; round < times; round++) {
        void *volatile below = round % 2 ? malloc(ALL_BYTES) : NULL;
        for (int i = 0; i < count; i++) {
            struct gnomon_module *module = load(names[i]);
            sum += call(module);
            gnomon_module_unload(module);
            use_memory();
        }
        free(below);
    }
    free(between);
    return sum;
}

int main(int argc, char **argv) {
    gnomon_irq_enable(GNOMON_IRQ_PROFILE);
    gnomon_interrupts_on();
    for (int n = 0; n < 100; n += 5)
        work(n);
    int sum = 0;
    if (argc > 2 && strcmp(argv[1], "together") == 0)
        sum = together(argc - 2, argv + 2);
    if (argc > 3 && strcmp(argv[1], "rounds") == 0)
        sum = rounds(atoi(argv[2]), argc - 3, argv + 3);
#ifdef EMBEDDED
    sum += call(load(NULL));
#endif
    gnomon_interrupts_off();
    printf("sum %d\n", sum);
    print_seen();
    return 0;
}
