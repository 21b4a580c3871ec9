/* SPDX-License-Identifier: Apache-2.0 */
/* Litmus tests of the RISC-V weak memory model with two harts: the harness. litmus_rows.h has the tests.
 *
 * Each hart has two accesses. The harness starts the harts at each distance from -WINDOW to WINDOW cycles, with their
 * accesses close together and with more cycles between those of one hart. It makes the outcomes of sequential
 * consistency from all orders of the accesses. It checks that
 * - each distance was measured; with code that changes, a distance may be missing between two that were;
 * - no other outcome comes. Where a test is "allowed" the manual permits more outcomes; the harts here are sequentially
 *   consistent and never show them;
 * - each outcome of sequential consistency comes;
 * - with the accesses of one hart in reversed order, as a hart that reorders would execute them, an outcome comes that
 *   is not sequentially consistent. So the test would find such a hart.
 * A line has the test, what the manual says, each outcome with its count (loaded values of hart 0, of hart 1, and the
 * last value of a word that is written twice), and the forbidden outcomes with hart 0 and with hart 1 reversed.
 *
 * usage: litmus [WINDOW [REPEATS]] */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <gnomon_harts.h>

#include "check.h"
#include "litmus_rows.h"

enum {
    AHEAD = 80,       /* cycles from the decision when to start until the start; the harts meet within */
    MOST_WINDOW = 80, /* the sled of litmus_launch has room for AHEAD + MOST_WINDOW cycles */
    FLUSH = 272,      /* cycles that fence.i takes; it clears one line of 32 bytes in a cycle */
    LATE = 12,        /* cycles that waits for the bus can add to a distance */
    ATTEMPTS = 156,   /* to start the harts at a distance that did not come yet */
    OUTCOMES = 32,    /* different ones of a test */
    FIELDS = 6,       /* of an outcome: four registers, x and y, two bits each */
};
struct result {
    uint32_t reg[2], start;
};

/* Each in a line of its own. */
uint32_t litmus_x __attribute__((aligned(64))), litmus_y __attribute__((aligned(64)));
static volatile uint32_t arrived[2] __attribute__((aligned(64)));
static struct {
    void (*body)(void); /* NULL: return */
    uint32_t start;
    int flush;
} command; /* to hart 1 */
static struct result result[2];
static int window = 10, repeats = 1;
static char stack[4096] __attribute__((aligned(16)));

/* Executes BODY, which begins when mcycle is START or at once. The registers of the bodies are in litmus_rows.h. */
void litmus_launch(void (*body)(void), uint32_t start, struct result *result);
__asm__(".pushsection .text\n"
        ".balign 64\n"
        ".type litmus_launch, @function\n"
        "litmus_launch:\n"
        "addi sp, sp, -16\n"
        "sw ra, 12(sp)\n"
        "sw a2, 8(sp)\n"
        "mv a6, a0\n"
        "mv a7, a1\n"
        "lla a0, litmus_x\n"
        "lla a1, litmus_y\n"
        "lla t4, litmus_code\n"
        "li t3, " LITMUS_CODE_NEW "\n"
        "li a2, 0\n"
        "li a3, 0\n"
        "li a4, 1\n"
        "li a5, 2\n"
        "li t0, 1\n"
        "mv t1, a1\n"
        "mv t2, a0\n"
        "lla t6, 2f\n"
        "csrr t5, mcycle\n"
        "sub t5, a7, t5\n"
        "sltiu a7, t5, 180\n"
        "neg a7, a7\n"
        "and t5, t5, a7\n" /* too late: no wait */
        "slli t5, t5, 1\n"
        "sub t6, t6, t5\n"
        "jr t6\n"
        ".option push\n"
        ".option rvc\n"
        ".rept 180\n"
        "c.nop\n"
        ".endr\n"
        "2:\n"
        ".option pop\n"
        "csrr a7, mcycle\n"
        "jalr a6\n"
        "lw t0, 8(sp)\n"
        "sw a2, 0(t0)\n"
        "sw a3, 4(t0)\n"
        "sw a7, 8(t0)\n"
        "lw ra, 12(sp)\n"
        "addi sp, sp, 16\n"
        "ret\n"
        ".size litmus_launch, . - litmus_launch\n"
        ".popsection\n");

static uint32_t cycles(void) {
    uint32_t now;
    __asm__ volatile("csrr %0, mcycle" : "=r"(now)::"memory");
    return now;
}

static void meet(unsigned hart) {
    __asm__ volatile("fence rw, rw" ::: "memory");
    uint32_t number = arrived[hart] + 1;
    arrived[hart] = number;
    while (arrived[1 - hart] < number)
        ;
    __asm__ volatile("fence rw, rw" ::: "memory");
}

static struct {
    struct {
        unsigned key, count, allowed; /* allowed by sequential consistency */
    } outcomes[OUTCOMES];
    unsigned known;
    unsigned shown; /* a bit for each field that tells outcomes apart */
    unsigned distances[2 * MOST_WINDOW + 1];
} state;

static void note_outcome(const uint32_t reg[4], uint32_t x, uint32_t y, unsigned count, unsigned allowed) {
    unsigned key = reg[0] << 10 | reg[1] << 8 | reg[2] << 6 | reg[3] << 4 | x << 2 | y, i = 0;
    while (i < state.known && state.outcomes[i].key != key)
        i++;
    if (i == OUTCOMES) {
        CHECK(!"room for outcomes");
        return;
    }
    if (i == state.known)
        state.known++;
    state.outcomes[i].key = key;
    state.outcomes[i].count += count;
    state.outcomes[i].allowed |= allowed;
}

struct order {
    const char *left[2]; /* accesses to come: "Wx1 Ry" */
    uint32_t reg[4], value[2];
    unsigned loads[2];
};

/* Marks the outcome of each order of the accesses. */
static void enumerate(struct order order) {
    int ended = 1;
    for (unsigned hart = 0; hart < 2; hart++) {
        const char *access = order.left[hart];
        if (*access == 0)
            continue;
        ended = 0;
        struct order next = order;
        unsigned place = access[1] == 'y';
        if (access[0] == 'W')
            next.value[place] = (uint32_t)(access[2] - '0');
        else
            next.reg[2 * hart + next.loads[hart]++] = order.value[place];
        next.left[hart] = access + (access[0] == 'W' ? 3 : 2);
        next.left[hart] += *next.left[hart] == ' ';
        enumerate(next);
    }
    if (ended)
        note_outcome(order.reg, order.value[0], order.value[1], 0, 1);
}

/* Shows the registers that are loaded, and the last value of a place that is written twice. */
static void choose_shown(const struct row *row) {
    unsigned writes[2] = {0, 0};
    for (unsigned hart = 0; hart < 2; hart++) {
        unsigned loads = 0;
        for (const char *s = row->half[hart]->accesses; *s; s++) {
            if (*s == 'R')
                state.shown |= 32u >> (2 * hart + loads++);
            if (*s == 'W')
                writes[s[1] == 'y']++;
        }
    }
    state.shown |= (writes[0] > 1 ? 2 : 0) | (writes[1] > 1 ? 1 : 0);
}

static void serve(void *argument) {
    (void)argument;
    for (;;) {
        meet(1);
        if (!command.body)
            return;
        if (command.flush)
            __asm__ volatile("fence.i" ::: "memory");
        litmus_launch(command.body, command.start, &result[1]);
        meet(1);
    }
}

/* The changed code gets its old content, and hart 1 has that and the sled in its instruction cache. */
static void restore_code(void) {
    litmus_code[0] = LITMUS_CODE_OLD;
    command.body = (void (*)(void))(uintptr_t)litmus_code;
    command.start = cycles() + AHEAD + MOST_WINDOW;
    command.flush = 1;
    meet(0);
    meet(0);
    command.flush = 0;
}

/* One execution of both bodies, hart 0's DISTANCE cycles before hart 1's. */
static void execute(const struct row *row, enum version first, enum version second, int distance) {
    if (row->code)
        restore_code();
    litmus_x = litmus_y = 0;
    command.body = row->half[1]->body[second];
    uint32_t start = cycles() + AHEAD;
    command.start = start + (uint32_t)(distance > 0 ? distance : 0);
    meet(0);
    start += (uint32_t)(distance < 0 ? -distance : 0);
    while ((int32_t)(start - cycles()) > AHEAD + MOST_WINDOW)
        ;
    litmus_launch(row->half[0]->body[first], start, &result[0]);
    meet(0);
    uint32_t reg[4] = {result[0].reg[0], result[0].reg[1], result[1].reg[0], result[1].reg[1]};
    note_outcome(reg, row->code ? 1 : litmus_x, litmus_y, 1, 0);
    int measured = (int)(result[1].start - result[0].start) + MOST_WINDOW;
    if (measured >= 0 && measured <= 2 * MOST_WINDOW)
        state.distances[measured]++;
}

static char line[200], *line_end;

static void append(const char *text) {
    while (*text && line_end < line + sizeof line - 1)
        *line_end++ = *text++;
}

/* printf would take longer than the tests. */
static void append_number(unsigned number) {
    char text[12], *first = text + sizeof text;
    *--first = 0;
    do
        *--first = (char)('0' + number % 10);
    while (number /= 10);
    append(first);
}

static void append_outcome(unsigned key) {
    char text[FIELDS + 1], *end = text;
    for (unsigned field = FIELDS; field-- > 0;)
        if (state.shown >> field & 1)
            *end++ = (char)('0' + (key >> 2 * field & 3));
    *end = 0;
    append(text);
}

/* Executions whose outcome sequential consistency forbids. */
static unsigned forbidden(void) {
    unsigned sum = 0;
    for (unsigned i = 0; i < state.known; i++)
        if (!state.outcomes[i].allowed)
            sum += state.outcomes[i].count;
    return sum;
}

/* Executes one version of both bodies at each distance, or at every STEPth. With code that changes, hart 0 also begins
 * when hart 1 has executed fence.i. */
static void sweep(const struct row *row, enum version first, enum version second, int step) {
    for (int repeat = 0; repeat < repeats; repeat++)
        for (int distance = -window; distance <= window; distance += step) {
            execute(row, first, second, distance);
            if (row->code)
                execute(row, first, second, distance - FLUSH);
        }
}

static int came(int distance) {
    return distance >= -MOST_WINDOW && distance <= MOST_WINDOW && state.distances[distance + MOST_WINDOW] > 0;
}

/* Waits for the bus can change a distance. Tries those again that did not come, from nearby distances, too. With code
 * that changes, both harts also fetch at that time, and some distances never come: then both next to them must. */
static void fill_distances(const struct row *row) {
    for (int distance = -window; distance <= window; distance++) {
        for (int i = 0; i < ATTEMPTS && !came(distance); i++)
            execute(row, PLAIN, PLAIN, distance + (i % 2 ? 1 : -1) * (i / 2 % (LATE + 1)));
        CHECK(came(distance) || (row->code && came(distance - 1) && came(distance + 1)));
    }
}

static void check_outcomes(void) {
    for (unsigned i = 0; i < state.known; i++) {
        append(" ");
        append_outcome(state.outcomes[i].key);
        append(state.outcomes[i].allowed ? ":" : "!");
        append_number(state.outcomes[i].count);
        CHECK(state.outcomes[i].allowed);
        CHECK(state.outcomes[i].count > 0);
    }
}

static void check_reversed(const struct row *row, unsigned hart) {
    append(hart == 0 ? ", reversed " : " ");
    if (row->half[hart]->single) {
        append("-");
        return;
    }
    unsigned before = forbidden();
    sweep(row, hart == 0 ? REVERSED : PLAIN, hart == 1 ? REVERSED : PLAIN, 2);
    append_number(forbidden() - before);
    CHECK(forbidden() > before);
}

static void run(const struct row *row) {
    memset(&state, 0, sizeof state);
    choose_shown(row);
    enumerate((struct order){.left = {row->half[0]->accesses, row->half[1]->accesses}});
    sweep(row, PLAIN, PLAIN, 1);
    sweep(row, APART, PLAIN, 1);
    sweep(row, PLAIN, APART, 1);
    fill_distances(row);
    line_end = line;
    append(row->name);
    while (line_end < line + 23)
        append(" ");
    append(row->ordered ? "forbidden" : "allowed  ");
    check_outcomes();
    check_reversed(row, 0);
    check_reversed(row, 1);
    *line_end = 0;
    puts(line);
}

int main(int count, char **words) {
    if (count > 1)
        window = atoi(words[1]);
    if (count > 2)
        repeats = atoi(words[2]);
    CHECK(window <= MOST_WINDOW);
    CHECK(gnomon_hart_start(serve, NULL, stack, sizeof stack) == 0);
    for (unsigned i = 0; i < ROWS; i++)
        run(&rows[i]);
    command.body = NULL;
    meet(0);
    return check_failed;
}
