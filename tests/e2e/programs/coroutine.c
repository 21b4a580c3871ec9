/* SPDX-License-Identifier: Apache-2.0 */
/* Two stacks that take turns without a trap and, if there is no argument, without a message. */
#include <gnomon.h>
#include <stdbool.h>

#define KEEP __attribute__((noinline))

struct context {
    unsigned sp;
};

static struct context here, there;
static unsigned stack[1024] __attribute__((aligned(16)));
static bool told;
static volatile unsigned sum;

/* Saves ra and s0 to s11 on the present stack and continues on the other one. */
void change(struct context *from, const struct context *to);
__asm__(".globl change\n"
        "change:\n"
        "  addi sp, sp, -64\n"
        "  sw ra, 0(sp)\n  sw s0, 4(sp)\n  sw s1, 8(sp)\n  sw s2, 12(sp)\n  sw s3, 16(sp)\n  sw s4, 20(sp)\n"
        "  sw s5, 24(sp)\n  sw s6, 28(sp)\n  sw s7, 32(sp)\n  sw s8, 36(sp)\n  sw s9, 40(sp)\n  sw s10, 44(sp)\n  sw "
        "s11, 48(sp)\n"
        "  sw sp, 0(a0)\n"
        "  lw sp, 0(a1)\n"
        "  lw ra, 0(sp)\n  lw s0, 4(sp)\n  lw s1, 8(sp)\n  lw s2, 12(sp)\n  lw s3, 16(sp)\n  lw s4, 20(sp)\n"
        "  lw s5, 24(sp)\n  lw s6, 28(sp)\n  lw s7, 32(sp)\n  lw s8, 36(sp)\n  lw s9, 40(sp)\n  lw s10, 44(sp)\n  lw "
        "s11, 48(sp)\n"
        "  addi sp, sp, 64\n"
        "  ret\n");

KEEP static void burn(unsigned rounds) {
    for (unsigned i = 0; i < rounds; i++)
        sum += i;
}

KEEP static void answer(void) {
    burn(30);
    if (told)
        GNOMON_THREAD(0);
    change(&there, &here);
    burn(20);
}

static void other(void) {
    for (;;)
        answer();
}

KEEP static void ask(void) {
    burn(100);
    if (told)
        GNOMON_THREAD(1);
    change(&here, &there);
    burn(50);
}

int main(int argc, char **argv) {
    (void)argv;
    told = argc > 1;
    unsigned *top = stack + sizeof stack / sizeof *stack - 16;
    top[0] = (unsigned)other;
    there.sp = (unsigned)top;
    for (int i = 0; i < 10; i++)
        ask();
    return 0;
}
