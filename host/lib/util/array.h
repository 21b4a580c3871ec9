/* SPDX-License-Identifier: Apache-2.0 */
/* An array that grows. */
#ifndef GNOMON_LIB_ARRAY_H
#define GNOMON_LIB_ARRAY_H

#include <stdbool.h>
#include <stddef.h>

/* Makes room for `needed` items of `size` bytes. `array` points to the pointer to the first item; that pointer can
 * change. *room is the number of items that the array has room for: 0 if the pointer is NULL. New items are not
 * cleared. False: out of memory, and nothing has changed. */
bool gnomon_array_room(void *array, size_t *room, size_t needed, size_t size);

#endif
