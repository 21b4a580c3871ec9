/* SPDX-License-Identifier: Apache-2.0 */
/* The call graph of a program, read from its machine code. It tells which functions dropped calls can have gone to. It
 * errs on the safe side: an indirect call can go to every function whose address is found anywhere in the program. */
#ifndef GNOMON_LIB_CALLGRAPH_H
#define GNOMON_LIB_CALLGRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/util/error.h"

struct gnomon_callgraph;

/* Programs with overlays are not supported: an address does not tell which overlay's code lies there. */
enum gnomon_status gnomon_callgraph_load(struct gnomon_callgraph **graph, const char *path, struct gnomon_error *error);
void gnomon_callgraph_free(struct gnomon_callgraph *graph); /* may be NULL */

/* Marks everything as reached that can be called, directly or indirectly, from the function at `address`. Earlier marks
 * stay. False: out of memory, or there is no such function. */
bool gnomon_callgraph_reach_from(struct gnomon_callgraph *graph, uint32_t address);
/* The same for the handlers of traps, which can come at any time. *any: there are handlers that do more than end the
 * program. */
bool gnomon_callgraph_reach_from_traps(struct gnomon_callgraph *graph, bool *any);

/* Has the function at `address` been reached? True where there is no such function. */
bool gnomon_callgraph_reached(const struct gnomon_callgraph *graph, uint32_t address);

/* Can the function at `from` end with a jump to the one at `to` (a tail call)? Jumps to an address in a register are
 * not known. */
bool gnomon_callgraph_jumps(const struct gnomon_callgraph *graph, uint32_t from, uint32_t to);

#endif
