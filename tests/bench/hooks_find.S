/* SPDX-License-Identifier: Apache-2.0 */
/* Methods to find a function's record other than by its number: alternatives for the hooks of records.S
 * (docs/internals/hooks.md). Each finds t6 from t0, which is as unique as the function's address and costs nothing.
 * hooks_driver.c fills tables with the keys of HOOKS_LOG2 functions. Spare words of a record hold key and link. */

#define KEY 24
#define LINK 28
#define LEFT 4 /* node of a tree: key, left, right, record */
#define RIGHT 8
#define RECORD 12

#define MULTIPLIER 0x9E3779B1

/* Place in a table of 2^(HOOKS_LOG2 + 1) entries, at most half full. */
    .macro hash, entry_log2, table
    li t5, MULTIPLIER
    mul t5, t5, t0
    lw t4, \table
    srli t5, t5, 31 - HOOKS_LOG2
    slli t5, t5, \entry_log2
    add t5, t5, t4
    .endm

    .macro find_record
#if HOOKS_METHOD_open
    /* {key, record}; entries that do not fit at the end follow it. */
    hash 3, hooks_table
1:  lw t6, 0(t5)
    beq t6, t0, 2f
    addi t5, t5, 8
    bnez t6, 1b
    j enter_slow
2:  lw t6, 4(t5)
#elif HOOKS_METHOD_chained
    hash 2, hooks_table
    lw t6, 0(t5)
1:  beqz t6, enter_slow
    lw t5, KEY(t6)
    beq t5, t0, 2f
    lw t6, LINK(t6)
    j 1b
2:
#elif HOOKS_METHOD_search
    /* No comparison for equality within the loop: the number of steps is fixed, so the end of the loop is predicted. */
    lw t5, hooks_table
    li t6, 2 << HOOKS_LOG2
1:  add t4, t5, t6
    lw t1, 0(t4)
    srli t6, t6, 1
    bltu t0, t1, 2f
    mv t5, t4
2:  andi t1, t6, 2
    beqz t1, 1b
    lw t1, 0(t5)
    bne t1, t0, enter_slow
    lw t4, hooks_table
    sub t5, t5, t4
    lw t6, hooks_records
    slli t5, t5, 3
    add t6, t6, t5
#elif HOOKS_METHOD_tree
    lw t5, hooks_table
1:  beqz t5, enter_slow
    lw t4, 0(t5)
    beq t4, t0, 3f
    bltu t0, t4, 2f
    lw t5, RIGHT(t5)
    j 1b
2:  lw t5, LEFT(t5)
    j 1b
3:  lw t6, RECORD(t5)
#endif
    .endm
