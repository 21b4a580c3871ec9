/* SPDX-License-Identifier: Apache-2.0 */
/* The function numbers of modules. A module that is loaded again gets the same numbers, so a number has one meaning as
 * long as there are enough numbers. When there are not, the module that has been unloaded for the longest time loses
 * its numbers. */
#ifndef GNOMON_RUNTIME_MODULE_NUMBERS_H
#define GNOMON_RUNTIME_MODULE_NUMBERS_H

#include "module_elf.h"

struct number_range {
    struct number_range *next; /* list sorted by number */
    uint32_t first, count;
    uint32_t used;  /* when the range was last taken */
    uint32_t loads; /* how many times this module is loaded now */
    uint8_t key[MODULE_KEY_BYTES];
};

/* Takes `count` numbers (not 0) for the module with that key. `near`: only numbers that a store relative to x0 reaches.
 * Returns NULL if there are not enough numbers, or no memory. */
struct number_range *__gnomon_numbers_take(const uint8_t *key, uint32_t count, bool near);
void __gnomon_numbers_release(struct number_range *range);

#endif
