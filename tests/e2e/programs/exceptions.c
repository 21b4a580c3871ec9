/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions that raise exceptions, some of them after a wait, to test which instruction gets the cycles of one
 * that did not retire. */
static volatile unsigned divisor = 3, taken;

static void __attribute__((interrupt("machine"), aligned(4))) handler(void) {
    unsigned pc;
    __asm__ volatile("csrr %0, mepc" : "=r"(pc));
    __asm__ volatile("csrw mepc, %0" : : "r"(pc + 4));
    taken++;
}

int main(void) {
    __asm__ volatile("csrw mtvec, %0" : : "r"(handler));
    for (unsigned i = 0; i < 100; i++) {
        unsigned quotient = i / divisor;
        __asm__ volatile(".option push\n\t.option norvc\n\tlw zero, 0(%0)\n\tecall\n\t.option pop"
                         :
                         : "r"(quotient & 0));
    }
    return taken != 200;
}
