/* SPDX-License-Identifier: Apache-2.0 */
/* Which functions of a program are measured this time: some at random, without hooks. */
#ifndef GNOMON_LIB_COLLECT_CHOICE_H
#define GNOMON_LIB_COLLECT_CHOICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/elf/symbols.h"
#include "lib/fleet/hypergeometric.h"

/* Which functions may be measured. */
struct gnomon_collect_filter {
    const char *const *functions; /* names, or patterns of a shell; none, and no header: all functions */
    size_t function_count;
    const char *const *headers; /* functions that they declare may be, too */
    size_t header_count;
};

/* What a device has room for. */
struct gnomon_collect_room {
    size_t watched; /* functions that it can watch */
    size_t full;    /* of these, the first ones, whose calls it counts by their cost */
};

struct gnomon_collect_choice {
    size_t candidates;    /* names of functions that could have been chosen */
    size_t count;         /* that are */
    const char **symbols; /* the linker's names of these, sorted; the texts are those of the program's symbols */
    /* Where the functions of these names begin, and after them those to which they can jump at their ends: a function
     * that ends with a jump to one that is not watched would seem to go on. */
    size_t watch_count, watch_room;
    uint32_t *watch;
};

/* Draws `most` names at random, or all. Parts of functions, labels in assembly and names that the compiler has made of
 * a file's path are not among them. A drawn one is left out again if there is no room for the functions that would be
 * watched with it. GNOMON_ERR_NOT_FOUND: there is none. The caller frees `choice`, whatever the status is. */
enum gnomon_status gnomon_collect_choose(struct gnomon_collect_choice *choice, const struct gnomon_symbols *symbols,
                                         const struct gnomon_collect_filter *filter, size_t most,
                                         const struct gnomon_collect_room *room, uint64_t seed,
                                         struct gnomon_error *error);
bool gnomon_collect_chosen(const struct gnomon_collect_choice *choice, const char *symbol);
void gnomon_collect_choice_free(struct gnomon_collect_choice *choice);

/* Draws `some` different ones of the numbers from 0 to before `count`, each set with the same probability, into the
 * first places of `numbers`, which has room for `count`. */
void gnomon_collect_draw(struct gnomon_random *random, size_t *numbers, size_t count, size_t some);

#endif
