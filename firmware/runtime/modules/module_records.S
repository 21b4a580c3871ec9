/* SPDX-License-Identifier: Apache-2.0 */
/* Linked into each module that keeps records in memory: the ends of the module's own arrays, and the hook that passes
 * their address on. All other hooks are the program's (records.S). */

    .section .data.gnomon.records, "aw"
    .balign 4
    .globl __gnomon_module_ends
    .type __gnomon_module_ends, @object
__gnomon_module_ends: /* of the arrays outside interrupts and in interrupts; the loader sets them */
    .word 0, 0
    .size __gnomon_module_ends, . - __gnomon_module_ends

    .section .text.gnomon.records, "ax"
    .globl __gnomon_records_enter
    .hidden __gnomon_records_enter
    .type __gnomon_records_enter, @function
__gnomon_records_enter:
    lla t4, __gnomon_module_ends
1:  auipc t3, %got_pcrel_hi(__gnomon_records_enter_module)
    lw t3, %pcrel_lo(1b)(t3)
    jr t3
    .size __gnomon_records_enter, . - __gnomon_records_enter
