/* SPDX-License-Identifier: Apache-2.0 */
#include "module_numbers.h"

#include <stdlib.h>
#include <string.h>

#include "internal.h"

extern char __gnomon_func_total[]; /* the symbol's address is the value */

static struct number_range *ranges;
static uint32_t takes;

/* The first number after those of the program, and after those that the host has given to functions without hooks. */
static uint32_t first_free(void) {
    const struct gnomon_param *param = __gnomon_param();
    uint32_t total;
    __asm__("" : "=r"(total) : "0"(__gnomon_func_total));
    return param && param->numbers > total ? param->numbers : total;
}

static uint32_t config(uint32_t mask, unsigned shift) {
    return (GNOMON_REG(GNOMON_SYSCTL_CONFIG) & mask) >> shift;
}

/* The first number that may be reused. A number for which the profiler keeps a record must mean the same function for
 * the whole run. */
static uint32_t first_reusable(void) {
    const uint32_t log2 = config(GNOMON_SYSCTL_CONFIG_RECORDS_LOG2, GNOMON_SYSCTL_CONFIG_RECORDS_LOG2_SHIFT);
    return log2 ? 1u << log2 : 0;
}

/* The number of function numbers of the device. */
static uint32_t all_numbers(void) {
    return 1u << (16 + 4 * config(GNOMON_SYSCTL_CONFIG_NUMBERS, GNOMON_SYSCTL_CONFIG_NUMBERS_SHIFT));
}

static struct number_range *find_known(const uint8_t *key, uint32_t count) {
    for (struct number_range *range = ranges; range; range = range->next)
        if (range->count == count && memcmp(range->key, key, MODULE_KEY_BYTES) == 0)
            return range;
    return NULL;
}

/* Finds `count` free numbers below `limit`. Returns the link after which they are to be inserted, and the first number
 * in FIRST; NULL: there are not enough. */
static struct number_range **find_gap(uint32_t count, uint32_t limit, uint32_t *first) {
    struct number_range **place = &ranges;
    *first = first_free();
    while (*place && (*place)->first - *first < count) {
        *first = (*place)->first + (*place)->count;
        place = &(*place)->next;
    }
    return *first <= limit && count <= limit - *first ? place : NULL;
}

/* Forgets the module that has been unloaded for the longest time. */
static bool give_way(uint32_t limit) {
    struct number_range **oldest = NULL;
    for (struct number_range **place = &ranges; *place; place = &(*place)->next)
        if ((*place)->loads == 0 && (*place)->first >= first_reusable() && (*place)->first < limit &&
            (!oldest || takes - (*place)->used > takes - (*oldest)->used))
            oldest = place;
    if (!oldest)
        return false;
    struct number_range *range = *oldest;
    *oldest = range->next;
    free(range);
    return true;
}

struct number_range *__gnomon_numbers_take(const uint8_t *key, uint32_t count, bool near) {
    const uint32_t limit = near ? NEAR_NUMBERS : all_numbers();
    struct number_range *range = find_known(key, count), **place;
    if (!range) {
        uint32_t first;
        while (!(place = find_gap(count, limit, &first)))
            if (!give_way(limit))
                return NULL;
        range = calloc(1, sizeof *range);
        if (!range)
            return NULL;
        *range = (struct number_range){.next = *place, .first = first, .count = count};
        memcpy(range->key, key, sizeof range->key);
        *place = range;
    }
    range->used = ++takes;
    range->loads++;
    return range;
}

void __gnomon_numbers_release(struct number_range *range) {
    range->loads--;
}
