/* SPDX-License-Identifier: Apache-2.0 */
/* Results on disk, until a service has them. Runs are added to one open profile. When it is large or old enough it gets
 * an identity, and is never changed again: so a service that gets it twice counts it once. Any number of processes can
 * use a spool at a time, and each may end at any moment: a run has been added as a whole, or not at all. */
#ifndef GNOMON_LIB_COLLECT_SPOOL_H
#define GNOMON_LIB_COLLECT_SPOOL_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/fleet/api_profile.h"
#include "lib/util/error.h"

#define GNOMON_SPOOL_ID_BYTES 33 /* 32 hexadecimal digits, and the end */

struct gnomon_spool {
    const char *folder;    /* is made; the caller's */
    const char *member;    /* nothing is added if this file is not there; the caller's */
    uint64_t most_bytes;   /* in submissions that wait: beyond, runs are added to the open profile only */
    uint64_t pack_bytes;   /* of the open profile when it becomes a submission */
    uint64_t pack_seconds; /* or this is its age */
};

/* A file of the spool. */
struct gnomon_spool_file {
    char path[PATH_MAX];
    char id[GNOMON_SPOOL_ID_BYTES]; /* "": the open profile */
    int64_t begun;                  /* when its first run was added, in seconds of this machine's clock */
    uint64_t bytes;
};

/* Adds one run's profile, and packs if it is time. GNOMON_ERR_TOO_BIG: the spool is full, and nothing was added;
 * GNOMON_ERR_NOT_FOUND: `member` is not there. */
enum gnomon_status gnomon_spool_add(const struct gnomon_spool *spool, const struct gnomon_api_profile *profile,
                                    struct gnomon_error *error);
/* Makes the open profile a submission if it is time, or with `now`, whatever its size and age are. */
enum gnomon_status gnomon_spool_pack(const struct gnomon_spool *spool, bool now, struct gnomon_error *error);
/* Would gnomon_spool_add refuse a run? */
bool gnomon_spool_full(const struct gnomon_spool *spool);

/* What waits, oldest first, the open profile last. The caller frees *files; *count is 0 without a folder. */
enum gnomon_status gnomon_spool_list(const struct gnomon_spool *spool, struct gnomon_spool_file **files, size_t *count,
                                     struct gnomon_error *error);
/* Takes a submission out, because the service has it. */
void gnomon_spool_sent(const struct gnomon_spool_file *file);
/* Puts a submission that the service refuses into the folder "refused", which keeps the newest few. */
enum gnomon_status gnomon_spool_refused(const struct gnomon_spool *spool, const struct gnomon_spool_file *file,
                                        struct gnomon_error *error);
/* Removes the folder with all that is in it. */
void gnomon_spool_remove(const char *folder);

#endif
