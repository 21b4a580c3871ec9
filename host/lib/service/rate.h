/* SPDX-License-Identifier: Apache-2.0 */
/* How often, and how much, each token may submit: an allowance of a minute, which fills again as time passes. */
#ifndef GNOMON_LIB_SERVICE_RATE_H
#define GNOMON_LIB_SERVICE_RATE_H

#include <stdbool.h>
#include <stdint.h>

struct gnomon_rate;

/* At most `times` and `bytes` in a minute. NULL: out of memory. */
struct gnomon_rate *gnomon_rate_new(uint64_t times, uint64_t bytes);
void gnomon_rate_free(struct gnomon_rate *rate); /* may be NULL */

/* Takes one time and `bytes` of what `id` has left at `now_ms`. 0: taken; else after how many seconds to try again. */
unsigned gnomon_rate_take(struct gnomon_rate *rate, int64_t id, uint64_t bytes, uint64_t now_ms);

#endif
