/* SPDX-License-Identifier: Apache-2.0 */
/* What a service lets its collectors do, within what this program does at most; and what the service said last. */
#ifndef GNOMON_LIB_COLLECT_POLICY_H
#define GNOMON_LIB_COLLECT_POLICY_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "lib/fleet/cost_names.h"
#include "lib/util/error.h"

struct gnomon_collect_policy {
    unsigned binaries;              /* programs that are measured at a time on a host */
    unsigned functions;             /* that are measured at a start of a program */
    uint64_t submit_bytes;          /* of results that are sent together, at least */
    uint64_t submit_seconds;        /* or when the first of them is so old */
    double load;                    /* nothing is measured above this average load of each processor; 0: never */
    struct gnomon_cost_names costs; /* each start is measured in one of them that the device has */
};

/* Of which values each field may be; what the service says beyond is taken as the nearest of these. */
struct gnomon_collect_bounds {
    const char *name;
    double least, usual, most;
};
extern const struct gnomon_collect_bounds gnomon_collect_bounds[]; /* the last has no name */

/* `json` NULL, or without a number for a field: the usual value. The usual cost is cycles. */
struct gnomon_collect_policy gnomon_collect_policy_of(const json_t *json);
json_t *gnomon_collect_policy_json(const struct gnomon_collect_policy *policy); /* NULL: out of memory */

/* A file of the state's folder. Times are seconds of this machine's clock, and are never sent. */
struct gnomon_collect_ledger {
    struct gnomon_collect_policy policy;
    int64_t policy_asked; /* when; 0: never */
    int64_t tried;        /* when something was asked last; 0: never */
    int64_t next;         /* nothing is sent before; 0: at any time */
    bool service_waits;   /* because the service says so */
    unsigned failures;    /* since the last success */
    char said[300];       /* its last answer, or why there was none */
};

/* A file that is missing or damaged is one that says nothing. */
void gnomon_collect_ledger_read(struct gnomon_collect_ledger *ledger, const char *path);
enum gnomon_status gnomon_collect_ledger_write(const struct gnomon_collect_ledger *ledger, const char *path,
                                               struct gnomon_error *error);

#endif
