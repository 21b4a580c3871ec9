/* SPDX-License-Identifier: Apache-2.0 */
/* An array that grows. */
#ifndef GNOMON_LIB_ARRAY_H
#define GNOMON_LIB_ARRAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Makes room for `needed` items of `size` bytes. `array` points to the pointer to the first item; that pointer can
 * change. *room is the number of items that the array has room for: 0 if the pointer is NULL. New items are not
 * cleared. False: out of memory, and nothing has changed. */
bool gnomon_array_room(void *array, size_t *room, size_t needed, size_t size);

/* Returns the index of the first item whose key is at least `least`; `count`: there is none. The items are sorted by
 * this key: a uint32_t at byte `key` of each item. An item has `size` bytes. `least` may be larger than any key. */
size_t gnomon_array_from(const void *items, size_t count, size_t size, size_t key, uint64_t least);

#endif
