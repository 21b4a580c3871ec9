/* SPDX-License-Identifier: Apache-2.0 */
/* What of a program's memory points to its heap, as a trace file holds it: words that were read while the program stood
 * still, at its end or at a look in between (include/gnomon/heap.h). */
#ifndef GNOMON_LIB_HEAP_MEMORY_H
#define GNOMON_LIB_HEAP_MEMORY_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/util/error.h"

struct gnomon_heap_word {
    uint32_t at, value;
};

/* From `start` to before `end`. */
struct gnomon_heap_range {
    uint32_t start, end;
};

struct gnomon_heap_look {
    uint32_t number; /* from 1; 0: the program had ended */
    bool at_exit;    /* it had just called exit, or returned from main */
    uint64_t cycle;
    size_t root_count, root_room;
    struct gnomon_heap_range *roots; /* variables and the stack */
    size_t count, room;
    struct gnomon_heap_word *words; /* sorted by `at`, multiples of 4 */
};

struct gnomon_heap_memory {
    bool known;          /* the recording says something */
    bool exited;         /* the program called exit, or returned from main: destructors have run */
    uint64_t main_cycle; /* when the constructors had run; 0: not known */
    size_t look_count, look_room;
    struct gnomon_heap_look *looks;
};

/* A new, empty look; NULL: out of memory. It is valid until the next one is made. */
struct gnomon_heap_look *gnomon_heap_memory_add(struct gnomon_heap_memory *memory);
/* False: out of memory. */
bool gnomon_heap_look_add_root(struct gnomon_heap_look *look, uint32_t start, uint32_t end);
bool gnomon_heap_look_add_word(struct gnomon_heap_look *look, uint32_t at, uint32_t value);

/* A new object; NULL: out of memory. */
json_t *gnomon_heap_memory_json(const struct gnomon_heap_memory *memory);
/* `json` is not trusted; NULL: the recording says nothing. The caller frees `memory`, whatever the status is. */
enum gnomon_status gnomon_heap_memory_parse(const json_t *json, struct gnomon_heap_memory *memory,
                                            struct gnomon_error *error);
void gnomon_heap_memory_free(struct gnomon_heap_memory *memory);

#endif
