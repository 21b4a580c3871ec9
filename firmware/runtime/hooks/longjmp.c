/* SPDX-License-Identifier: Apache-2.0 */
/* setjmp and longjmp in place of libc's. longjmp sends one additional message. It says that calls are being left; no
 * other message says so if longjmp comes back to a function without hooks. It also says whether longjmp goes to a lower
 * stack address than the present one. In that case longjmp goes to another stack and leaves no calls. */
#include <setjmp.h>
#include <stdint.h>

#include <gnomon/trace.h>

/* jmp_buf holds ra, s0 to s11 and sp, one word each. */
#define EACH(instruction)                                                                                              \
    instruction " ra, 0(a0)\n\t" instruction " s0, 4(a0)\n\t" instruction " s1, 8(a0)\n\t" instruction                 \
                " s2, 12(a0)\n\t" instruction " s3, 16(a0)\n\t" instruction " s4, 20(a0)\n\t" instruction              \
                " s5, 24(a0)\n\t" instruction " s6, 28(a0)\n\t" instruction " s7, 32(a0)\n\t" instruction              \
                " s8, 36(a0)\n\t" instruction " s9, 40(a0)\n\t" instruction " s10, 44(a0)\n\t" instruction             \
                " s11, 48(a0)\n\t" instruction " sp, 52(a0)\n\t"

_Static_assert(sizeof(jmp_buf) >= 14 * sizeof(uint32_t), "setjmp keeps 14 words");

__attribute__((naked)) int setjmp(__attribute__((unused)) jmp_buf place) {
    __asm__ volatile(EACH("sw") "li a0, 0\n\tret");
}

/* Returns 1 if the value is 0, as C requires. */
__attribute__((naked)) void longjmp(__attribute__((unused)) jmp_buf place, __attribute__((unused)) int value) {
    __asm__ volatile(
        "mv t0, sp\n\t" EACH("lw") "sltu t0, sp, t0\n\tor t0, t0, sp\n\tsw t0, %0(zero)\n\t"
                                   "seqz a0, a1\n\tadd a0, a0, a1\n\tret" ::"i"(-4 - 4 * GNOMON_CHANNEL_LONGJMP));
}
