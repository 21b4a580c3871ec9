/* SPDX-License-Identifier: Apache-2.0 */
/* longjmp into a function that may be open several times. The argument selects the landing: "once", in a function
 * that never calls itself; "nested", in the last activation of a recursive function; "outer", in another activation;
 * "calm", nowhere: setjmp returns once in functions that call themselves; "bare", in a function without hooks;
 * "exit", in a function that ends the program, without an unbalanced exit; "trap", from a trap to the function that
 * the trap interrupted; "within", from a trap to a function that is open in the trap, too; "stacks", on another
 * stack and back; "told", the same with a message; "own", by __builtin_longjmp; "goto", by goto out of a nested
 * function. */
#include <gnomon.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#define KEEP __attribute__((noinline))

static jmp_buf places[8];
static volatile unsigned sum;

KEEP static void add(unsigned rounds) {
    while (rounds--)
        sum++;
}
KEEP static void throws(unsigned depth, unsigned place, unsigned land) {
    add(3);
    if (depth == 0) {
        if (land)
            longjmp(places[place], 1);
        return;
    }
    throws(depth - 1, place, land);
    add(1);
}
KEEP static void once(void) {
    if (setjmp(places[0]) == 0)
        throws(4, 0, 1);
    add(200);
}
KEEP static void catches(unsigned depth, unsigned place, unsigned land) {
    if (setjmp(places[depth]) == 0) {
        if (depth > 0)
            catches(depth - 1, place, land);
        else
            throws(3, place, land);
    }
    add(100);
}

__attribute__((noinline, no_instrument_function)) static void bare(unsigned at_end) {
    if (setjmp(places[0]) == 0)
        throws(4, 0, 1);
    for (unsigned i = 0; i < 1000; i++)
        sum++;
    if (at_end)
        exit(0);
}
KEEP static void leaves_trap(void) {
    add(3);
    longjmp(places[0], 1);
}
static void (*in_trap)(void);
static __attribute__((interrupt("machine"), aligned(4))) void handler(void) {
    in_trap();
}
KEEP static void trapped(void) {
    in_trap = leaves_trap;
    __asm__ volatile("csrw mtvec, %0" ::"r"(handler));
    if (setjmp(places[0]) == 0)
        __asm__ volatile("ecall");
    add(300);
    exit(0);
}
KEEP static void within(void) {
    static unsigned inside;
    if (inside++) {
        add(5);
        longjmp(places[0], 1);
    }
    if (setjmp(places[0]) == 0)
        __asm__ volatile("ecall");
    add(300);
    exit(0);
}
KEEP static void trapped_within(void) {
    in_trap = within;
    __asm__ volatile("csrw mtvec, %0" ::"r"(handler));
    within();
}

enum { STACKS = 3, STACK_BYTES = 2048 };
static char stacks[STACKS][STACK_BYTES] __attribute__((aligned(16)));
static unsigned on_stack, tells;
KEEP static void yield(unsigned to) {
    const unsigned from = on_stack;
    if (setjmp(places[from]))
        return;
    on_stack = to;
    if (tells)
        GNOMON_THREAD(to);
    longjmp(places[to], 1);
}
KEEP static void coroutine(void) {
    for (;;) {
        add(20 * on_stack);
        yield(0);
    }
}
KEEP static void begins(unsigned stack) {
    if (setjmp(places[0]))
        return;
    on_stack = stack;
    if (tells)
        GNOMON_THREAD(stack);
    __asm__ volatile("mv sp, %0\n\tjr %1" ::"r"(stacks[stack] + STACK_BYTES - 16), "r"(coroutine) : "memory");
}
KEEP static void switches(unsigned tell) {
    tells = tell;
    for (unsigned stack = 1; stack < STACKS; stack++)
        begins(stack);
    for (unsigned i = 0; i < 6; i++) {
        add(100);
        yield(1 + i % 2);
    }
}

static void *own_place[5];
KEEP static void throws_own(unsigned depth) {
    add(2);
    if (depth == 0)
        __builtin_longjmp(own_place, 1);
    throws_own(depth - 1);
    add(1);
}
KEEP static void catches_own(void) {
    for (volatile unsigned round = 0; round < 20; round++) {
        if (__builtin_setjmp(own_place) == 0)
            throws_own(3);
        for (volatile unsigned i = 0; i < 100; i++)
            sum++;
    }
    exit(0);
}
KEEP static void calls(void (*function)(unsigned), unsigned depth) {
    add(1);
    function(depth);
    add(1);
}
KEEP static void catches_goto(void) {
    __label__ out;
    volatile unsigned round = 0;
    void inner(unsigned depth) {
        add(2);
        if (depth == 0)
            goto out;
        calls(inner, depth - 1);
    }
again:
    calls(inner, 2);
out:
    for (volatile unsigned i = 0; i < 100; i++)
        sum++;
    if (++round < 20)
        goto again;
    exit(0);
}

KEEP static void calls_bare(unsigned at_end) {
    bare(at_end);
    add(1);
}

int main(int argc, char **argv) {
    const char *where = argc > 1 ? argv[1] : "once";
    if (strcmp(where, "once") == 0)
        for (unsigned i = 0; i < 5; i++)
            once();
    if (strcmp(where, "nested") == 0)
        catches(3, 0, 1);
    if (strcmp(where, "outer") == 0)
        catches(3, 2, 1);
    if (strcmp(where, "calm") == 0)
        catches(3, 0, 0);
    if (strcmp(where, "trap") == 0)
        trapped();
    if (strcmp(where, "within") == 0)
        trapped_within();
    if (strcmp(where, "stacks") == 0 || strcmp(where, "told") == 0)
        switches(strcmp(where, "told") == 0);
    if (strcmp(where, "own") == 0)
        catches_own();
    if (strcmp(where, "goto") == 0)
        catches_goto();
    if (strcmp(where, "bare") == 0 || strcmp(where, "exit") == 0)
        calls_bare(strcmp(where, "exit") == 0);
    return 0;
}
