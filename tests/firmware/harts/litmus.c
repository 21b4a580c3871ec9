/* SPDX-License-Identifier: Apache-2.0 */
/* Litmus tests of the RISC-V weak memory order with two harts. An outcome that the manual forbids ends the test; the
 * others are counted. Without fences MP, SB and LB forbid nothing; the harts here are sequentially consistent, which
 * the last line of each test shows: its weak outcome never comes. */
#include <stdint.h>

#include <gnomon_harts.h>

#include "check.h"

enum { ROUNDS = 400, SPREAD = 20 };
#define FENCE __asm__ volatile("fence rw, rw" ::: "memory")
#define NONE __asm__ volatile("" ::: "memory")

static volatile uint32_t arrived[2], x, apart[16], y;
static uint32_t r[2][2];
static char stack[4096] __attribute__((aligned(16)));

static void meet(unsigned hart) {
    FENCE;
    uint32_t number = arrived[hart] + 1;
    arrived[hart] = number;
    while (arrived[1 - hart] < number)
        ;
    FENCE;
}

static void wait(unsigned loops) {
    for (volatile unsigned i = 0; i < loops; i++)
        ;
}

/* The instructions of each hart, with FENCED in between. */
#define STORE_STORE(a, b, fence)                                                                                       \
    do {                                                                                                               \
        a = 1;                                                                                                         \
        fence;                                                                                                         \
        b = 1;                                                                                                         \
    } while (0)
#define LOAD_LOAD(hart, a, b, fence)                                                                                   \
    do {                                                                                                               \
        uint32_t first = a;                                                                                            \
        fence;                                                                                                         \
        uint32_t second = b;                                                                                           \
        r[hart][0] = first;                                                                                            \
        r[hart][1] = second;                                                                                           \
    } while (0)
#define STORE_LOAD(hart, a, b, fence)                                                                                  \
    do {                                                                                                               \
        a = 1;                                                                                                         \
        fence;                                                                                                         \
        r[hart][0] = b;                                                                                                \
    } while (0)
#define LOAD_STORE(hart, a, b, fence)                                                                                  \
    do {                                                                                                               \
        uint32_t first = a;                                                                                            \
        fence;                                                                                                         \
        b = 1;                                                                                                         \
        r[hart][0] = first;                                                                                            \
    } while (0)

static void mp0(void) {
    STORE_STORE(x, y, NONE);
}
static void mp1(void) {
    LOAD_LOAD(1, y, x, NONE);
}
static void mp0f(void) {
    STORE_STORE(x, y, FENCE);
}
static void mp1f(void) {
    LOAD_LOAD(1, y, x, FENCE);
}
static void sb0(void) {
    STORE_LOAD(0, x, y, NONE);
}
static void sb1(void) {
    STORE_LOAD(1, y, x, NONE);
}
static void sb0f(void) {
    STORE_LOAD(0, x, y, FENCE);
}
static void sb1f(void) {
    STORE_LOAD(1, y, x, FENCE);
}
static void lb0(void) {
    LOAD_STORE(0, x, y, NONE);
}
static void lb1(void) {
    LOAD_STORE(1, y, x, NONE);
}
static void lb0f(void) {
    LOAD_STORE(0, x, y, FENCE);
}
static void lb1f(void) {
    LOAD_STORE(1, y, x, FENCE);
}
static void corr0(void) {
    x = 1;
}
static void corr1(void) {
    LOAD_LOAD(1, x, x, NONE);
}

static int mp(void) {
    return r[1][0] == 1 && r[1][1] == 0;
}
static int sb(void) {
    return r[0][0] == 0 && r[1][0] == 0;
}
static int lb(void) {
    return r[0][0] == 1 && r[1][0] == 1;
}

static const struct {
    const char *name;
    void (*code[2])(void);
    int (*weak)(void); /* the outcome that sequential consistency forbids */
    int forbidden;     /* the manual forbids it */
} tests[] = {
    {"MP", {mp0, mp1}, mp, 0},          {"MP+fences", {mp0f, mp1f}, mp, 1}, {"SB", {sb0, sb1}, sb, 0},
    {"SB+fences", {sb0f, sb1f}, sb, 1}, {"LB", {lb0, lb1}, lb, 0},          {"LB+fences", {lb0f, lb1f}, lb, 1},
    {"CoRR", {corr0, corr1}, mp, 1},
};
enum { TESTS = sizeof tests / sizeof tests[0] };

static void run(unsigned hart, unsigned test) {
    unsigned outcomes[16] = {0}, weak = 0;
    for (unsigned i = 0; i < ROUNDS; i++) {
        if (hart == 0) {
            x = y = 0;
            r[0][0] = r[0][1] = r[1][0] = r[1][1] = 0;
        }
        meet(hart);
        wait(hart == 0 ? i % SPREAD : i / SPREAD);
        tests[test].code[hart]();
        meet(hart);
        if (hart == 0) {
            outcomes[r[0][0] << 2 | r[1][0] << 1 | r[1][1]]++;
            weak += (unsigned)tests[test].weak();
        }
    }
    if (hart != 0)
        return;
    printf("%-10s", tests[test].name);
    unsigned kinds = 0;
    for (unsigned k = 0; k < 8; k++) {
        printf(" %u", outcomes[k]);
        kinds += outcomes[k] != 0;
    }
    printf("  %s %u\n", tests[test].forbidden ? "forbidden" : "weak", weak);
    CHECK(weak == 0);
    CHECK(kinds > 1); /* the harts ran at the same time */
}

static void other(void *argument) {
    (void)argument;
    for (unsigned test = 0; test < TESTS; test++)
        run(1, test);
}

int main(void) {
    CHECK(gnomon_hart_start(other, NULL, stack, sizeof stack) == 0);
    for (unsigned test = 0; test < TESTS; test++)
        run(0, test);
    return check_failed;
}
