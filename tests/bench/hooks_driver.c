/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the functions of bench_hooks.py in each pattern. Prints pattern, calls, cycles and instructions, and at the
 * end the used heap. The first round of each pattern does not count: it fills tables and caches. */
#include <gnomon.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct pattern {
    const char *name;
    const uint32_t *sequence;
    void (*code)(void);
    uint32_t calls;
};
extern const struct pattern hooks_patterns[];
void hooks_run(const uint32_t *sequence, void (*code)(void));

unsigned gnomon_records_depth = 256;

#if HOOKS_METHOD_array || HOOKS_METHOD_pointers
#include <gnomon_records.h>
static void prepare(void) {
    gnomon_records_thread(0);
}
#elif HOOKS_FINDS
#include <gnomon_records.h>

/* As in firmware/runtime/records/records.c. */
struct record {
    uint64_t calls, total, callees;
    uint32_t key;
    struct record *link;
};
struct node {
    uint32_t key;
    struct node *left, *right;
    struct record *record;
};
enum { FUNCTIONS = 1 << HOOKS_LOG2, ENTRIES = 2 * FUNCTIONS, MULTIPLIER = (int)0x9E3779B1 };

extern const uint32_t hooks_keys[FUNCTIONS]; /* in no order */
void *hooks_table;
struct record *hooks_records;
static struct record records[FUNCTIONS];

static uint32_t place_of(uint32_t key) {
    return (key * (uint32_t)MULTIPLIER) >> (31 - HOOKS_LOG2);
}

#if HOOKS_METHOD_open
static struct {
    uint32_t key;
    struct record *record;
} table[ENTRIES + 64];
static void fill(void) {
    for (uint32_t i = 0; i < FUNCTIONS; i++) {
        uint32_t at = place_of(hooks_keys[i]);
        while (table[at].key)
            at++;
        if (at + 1 >= sizeof table / sizeof *table)
            abort();
        table[at].key = hooks_keys[i];
        table[at].record = &records[i];
    }
    hooks_table = table;
}
#elif HOOKS_METHOD_chained
static struct record *table[ENTRIES];
static void fill(void) {
    for (uint32_t i = 0; i < FUNCTIONS; i++) {
        struct record **head = &table[place_of(hooks_keys[i])];
        records[i].key = hooks_keys[i];
        records[i].link = *head;
        *head = &records[i];
    }
    hooks_table = table;
}
#else
static uint32_t sorted[FUNCTIONS];
static int by_value(const void *left, const void *right) {
    const uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return (a > b) - (a < b);
}
#if HOOKS_METHOD_tree
static struct node nodes[FUNCTIONS];
static struct node *build(uint32_t from, uint32_t to) {
    if (from == to)
        return NULL;
    const uint32_t middle = from + (to - from) / 2;
    nodes[middle] = (struct node){sorted[middle], build(from, middle), build(middle + 1, to), &records[middle]};
    return &nodes[middle];
}
#endif
static void fill(void) {
    memcpy(sorted, hooks_keys, sizeof sorted);
    qsort(sorted, FUNCTIONS, sizeof *sorted, by_value);
    (void)place_of;
#if HOOKS_METHOD_tree
    hooks_table = build(0, FUNCTIONS);
#else
    hooks_table = sorted;
#endif
}
#endif
static void prepare(void) {
    gnomon_records_thread(0);
    hooks_records = records;
    fill();
}
#elif HOOKS_METHOD_mcount
/* As in gprof: one arc for each call site, chained by callee; the last callee is found at once. */
struct arc {
    uint32_t self;
    uint32_t count;
    uint32_t link;
};
enum { CODE_PER_FROM = 4 };
static uint32_t *froms, lowest, length, busy = 1;
static struct arc *arcs;
static uint32_t most;

void _mcount(uint32_t from);
void _mcount(uint32_t from) {
    if (busy)
        return;
    busy = 1;
    const uint32_t self = (uint32_t)(uintptr_t)__builtin_return_address(0);
    const uint32_t offset = from - lowest;
    if (offset > length)
        goto done;
    uint32_t *head = &froms[offset / CODE_PER_FROM];
    uint32_t at = *head;
    if (at == 0) {
        at = ++arcs[0].link;
        if (at >= most)
            goto full;
        *head = at;
        arcs[at] = (struct arc){self, 1, 0};
        goto done;
    }
    struct arc *top = &arcs[at];
    if (top->self == self) {
        top->count++;
        goto done;
    }
    for (;;) {
        if (top->link == 0) {
            at = ++arcs[0].link;
            if (at >= most)
                goto full;
            arcs[at] = (struct arc){self, 1, *head};
            *head = at;
            goto done;
        }
        struct arc *before = top;
        top = &arcs[top->link];
        if (top->self == self) {
            top->count++;
            at = before->link;
            before->link = top->link;
            top->link = *head;
            *head = at;
            goto done;
        }
    }
done:
    busy = 0;
    return;
full:
    abort();
}
static void prepare(void) {
    extern char _start[], _etext[];
    lowest = (uint32_t)(uintptr_t)_start;
    length = (uint32_t)(_etext - _start);
    most = (1 << HOOKS_LOG2) + 16384;
    froms = calloc(length / CODE_PER_FROM + 1, sizeof *froms);
    arcs = calloc(most, sizeof *arcs);
    if (!froms || !arcs)
        abort();
    busy = 0;
}
#elif HOOKS_METHOD_instrument
void __cyg_profile_func_enter(void *function, void *from);
void __cyg_profile_func_exit(void *function, void *from);
void __cyg_profile_func_enter(void *function, void *from) {
    (void)function;
    (void)from;
}
void __cyg_profile_func_exit(void *function, void *from) {
    (void)function;
    (void)from;
}
static void prepare(void) {
}
#else
static void prepare(void) {
}
#endif

int main(void) {
    prepare();
    for (const struct pattern *pattern = hooks_patterns; pattern->name; pattern++) {
        hooks_run(pattern->sequence, pattern->code);
        const uint32_t cycles = (uint32_t)gnomon_cycles(), instructions = (uint32_t)gnomon_instructions();
        hooks_run(pattern->sequence, pattern->code);
        const uint32_t took = (uint32_t)gnomon_cycles() - cycles;
        printf("%s %u %u %u\n", pattern->name, (unsigned)pattern->calls, (unsigned)took,
               (unsigned)((uint32_t)gnomon_instructions() - instructions));
    }
    extern char __heap_start[];
    printf("heap %u\n", (unsigned)((char *)sbrk(0) - __heap_start));
    return 0;
}
