/* SPDX-License-Identifier: Apache-2.0 */
/* Sends what the spool has to the service, and asks it for its policy. */
#ifndef GNOMON_LIB_COLLECT_SENDER_H
#define GNOMON_LIB_COLLECT_SENDER_H

#include "lib/collect/policy.h"
#include "lib/collect/settings.h"
#include "lib/collect/spool.h"

struct gnomon_sending {
    size_t sent, known; /* submissions that the service has taken now; and those that it had already */
    size_t refused;     /* that it will never take: they were put aside */
    size_t left;        /* that wait */
};

/* The spool of this host, under the policy. */
struct gnomon_spool gnomon_collect_spool(const struct gnomon_collect_settings *settings,
                                         const struct gnomon_collect_places *places,
                                         const struct gnomon_collect_policy *policy);
/* What the service has said last. */
void gnomon_collect_ledger(struct gnomon_collect_ledger *ledger, const struct gnomon_collect_places *places);

/* Is there something to do for gnomon_collect_send with `due`? */
bool gnomon_collect_due(const struct gnomon_collect_settings *settings, const struct gnomon_collect_places *places);

/* Asks for the policy if that was an hour ago, and sends all submissions, oldest first, until one gets no answer.
 * `due`: only what is large or old enough, and not while it is to wait after a failure; nothing if another process
 * does that. Without it the open profile is sent, too; GNOMON_ERR_BUSY: the service has said how long to wait. */
enum gnomon_status gnomon_collect_send(const struct gnomon_collect_settings *settings,
                                       const struct gnomon_collect_places *places, bool due,
                                       struct gnomon_sending *sending, struct gnomon_error *error);

#endif
