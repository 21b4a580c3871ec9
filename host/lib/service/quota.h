/* SPDX-License-Identifier: Apache-2.0 */
/* How much the store may hold: rows of each source, sources, and rows in all. The counts in memory are upper bounds;
 * the database is asked only where they reach a limit, so that names that were stored before are always added to. */
#ifndef GNOMON_LIB_SERVICE_QUOTA_H
#define GNOMON_LIB_SERVICE_QUOTA_H

#include "lib/service/limits.h"
#include "lib/store/fleet_store.h"

struct gnomon_quota;

/* The caller closes *quota. */
enum gnomon_status gnomon_quota_open(struct gnomon_quota **quota, const char *database, unsigned shards,
                                     const struct gnomon_fleet_limits *limits, struct gnomon_error *error);
void gnomon_quota_close(struct gnomon_quota *quota); /* may be NULL */

/* Is there room for the profile's new names? GNOMON_ERR_TOO_BIG: no. Submissions at the same time, and other services
 * on the same database, can exceed a limit by what they have at that moment. */
enum gnomon_status gnomon_quota_take(struct gnomon_quota *quota, const struct gnomon_api_profile *profile,
                                     struct gnomon_error *error);

/* The store's sequence and submissions, over the same connection: it is never in use for long. */
enum gnomon_status gnomon_quota_counts(struct gnomon_quota *quota, struct gnomon_fleet_counts *counts,
                                       struct gnomon_error *error);

#endif
