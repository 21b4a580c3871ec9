/* SPDX-License-Identifier: Apache-2.0 */
/* The program of the generated recordings: FUNCTIONS functions of FUNCTION_BYTES bytes, f0, f1, ..., with a function table as
 * the compiler and linker make it. It is never run. */
#include "events.h"

    .file "functions.S"
    .altmacro
    .macro function number
    .type f\number, @function
f\number:
    .rept FUNCTION_BYTES / 4
    ret
    .endr
    .size f\number, . - f\number
    .pushsection .gnomon.map, "", @progbits
    .4byte 0xFFFFFFFF - \number, f\number
    .popsection
    .endm

    .option norvc
    .text
    .globl _start
_start: /* f0 does not begin here: the assembler has a symbol of its own at the start */
    j _start
    .balign FUNCTION_BYTES
    .set n, 0
    .rept FUNCTIONS
    function %n
    .set n, n + 1
    .endr

    .globl __gnomon_func_total
    .set __gnomon_func_total, FUNCTIONS
