/* SPDX-License-Identifier: Apache-2.0 */
/* Data that host and program exchange to sample stacks (docs/guide/sample.md). The host writes the request into the
 * program's variable __gnomon_stacks_request before the hart starts, and reads __gnomon_stacks_results and the table
 * when the program has ended. Both sides use this definition; all words are little endian. */
#ifndef GNOMON_STACKS_FORMAT_H
#define GNOMON_STACKS_FORMAT_H

#include <stdint.h>

#define GNOMON_STACKS_MAGIC 0x4B545347u /* "GSTK" */
#define GNOMON_STACKS_VERSION 1u
#define GNOMON_STACKS_WAYS 4u      /* stacks with the same hash that the table holds */
#define GNOMON_STACKS_DEEPEST 256u /* most addresses of a stack */
#define GNOMON_STACKS_SETS 65536u  /* most sets of a table */

struct gnomon_stacks_request {
    uint32_t magic; /* any other value: there is no request */
    uint32_t version;
    uint32_t event;  /* enum gnomon_event: what is counted from sample to sample */
    uint32_t period; /* events from sample to sample, on average */
    uint32_t seed;   /* of the random distances */
    uint32_t sets;   /* of the table: each has room for GNOMON_STACKS_WAYS stacks */
    uint32_t depth;  /* most addresses of a stack: the innermost ones are kept */
};

enum gnomon_stacks_state { GNOMON_STACKS_ON = 1, GNOMON_STACKS_NO_MEMORY };

struct gnomon_stacks_results {
    uint32_t magic, version;
    uint32_t state;   /* enum gnomon_stacks_state */
    uint32_t table;   /* address of its first stack */
    uint32_t bytes;   /* of the table */
    uint32_t samples; /* that were counted; the host may stop the hart when one more is in the table */
    uint32_t evictions;
    uint32_t leaving; /* address of the stack that is being sent; 0: none is */
};

/* A stack of the table; its addresses follow, the innermost first, and there is room for `depth` of the request. A
 * stack that leaves the table is sent as the message STACK, whose value is `what`, and STACK_WORD for `count` and for
 * each address. */
struct gnomon_stack_head {
    uint32_t count; /* samples; 0: the entry is free */
    uint32_t what;  /* number of addresses, flag, thread */
};
#define GNOMON_STACK_DEPTH 0x7FFFu
#define GNOMON_STACK_CUT 0x8000u /* the outermost callers are missing */
#define GNOMON_STACK_THREAD_SHIFT 16

#define GNOMON_STACKS_INTERRUPT 13u /* of the counter */

#endif
