/* SPDX-License-Identifier: Apache-2.0 */
/* A RISC-V program with a hand-written function table, as the compiler and linker make it: {address of the slot, function}. Slots
 * count down from the top of the address space. */
    .macro function name, slot
    .section .text.\name, "ax"
    .type \name, @function
\name:
    ret
    .size \name, . - \name
    .pushsection .gnomon.map, "", @progbits
    .4byte \slot, \name
    .popsection
    .endm

    .globl _start, twice
    .type _start, @function
    .text
_start:
    j _start
    .size _start, . - _start

    function alpha, 0xFFFFFFFF
    function beta, 0xFFFFFFFE
    function helper, 0xFFFFFFFC

    /* The linker leaves this entry of a dropped function. */
    .section .gnomon.map, "", @progbits
    .4byte 0, 0
    .4byte 0xFFFFFFFB, 0

    .globl __gnomon_func_total
    .set __gnomon_func_total, 4
