/* SPDX-License-Identifier: Apache-2.0 */
/* Which numbers the functions of a module have. A module that comes again gets the numbers that it had, so that they
 * mean one thing as long as there are enough; what has not been loaded for longest gives way where there are not. */
#ifndef GNOMON_RUNTIME_MODULE_NUMBERS_H
#define GNOMON_RUNTIME_MODULE_NUMBERS_H

#include "module_elf.h"

struct number_range {
    struct number_range *next; /* by number */
    uint32_t first, count;
    uint32_t used;  /* when it was last taken */
    uint32_t loads; /* of this module that are there now */
    uint8_t key[MODULE_KEY_BYTES];
};

/* Numbers for the module of that key, with `near` such as a store from x0 reaches; `count` is not 0. NULL: there are
 * none, or no memory. */
struct number_range *__gnomon_numbers_take(const uint8_t *key, uint32_t count, bool near);
void __gnomon_numbers_release(struct number_range *range);

#endif
