/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/service/rate.h"

#include <pthread.h>
#include <search.h>
#include <stdlib.h>

#define MINUTE_S 60
#define MINUTE_MS (1000 * MINUTE_S)

/* What an id has left. */
struct left {
    int64_t id;
    uint64_t since;      /* ms: when this was true */
    double times, bytes; /* below 0: of a submission that was larger than what was left */
};

struct gnomon_rate {
    pthread_mutex_t mutex;
    double times, bytes;
    void *all; /* tree (tsearch) */
};

static int compare(const void *left, const void *right) {
    const struct left *a = left, *b = right;
    return (a->id > b->id) - (a->id < b->id);
}

struct gnomon_rate *gnomon_rate_new(uint64_t times, uint64_t bytes) {
    struct gnomon_rate *rate = calloc(1, sizeof *rate);
    if (!rate)
        return NULL;
    pthread_mutex_init(&rate->mutex, NULL);
    rate->times = (double)times;
    rate->bytes = (double)bytes;
    return rate;
}

void gnomon_rate_free(struct gnomon_rate *rate) {
    if (!rate)
        return;
    tdestroy(rate->all, free);
    pthread_mutex_destroy(&rate->mutex);
    free(rate);
}

/* NULL: out of memory. */
static struct left *find(struct gnomon_rate *rate, int64_t id, uint64_t now_ms) {
    const struct left wanted = {.id = id};
    struct left *const *found = tfind(&wanted, &rate->all, compare);
    if (found)
        return *found;
    struct left *made = malloc(sizeof *made);
    if (!made)
        return NULL;
    *made = (struct left){id, now_ms, rate->times, rate->bytes};
    if (tsearch(made, &rate->all, compare))
        return made;
    free(made);
    return NULL;
}

static void fill(const struct gnomon_rate *rate, struct left *left, uint64_t now_ms) {
    const double minutes = (double)(now_ms - left->since) / MINUTE_MS;
    left->since = now_ms;
    left->times += minutes * rate->times;
    left->bytes += minutes * rate->bytes;
    left->times = left->times > rate->times ? rate->times : left->times;
    left->bytes = left->bytes > rate->bytes ? rate->bytes : left->bytes;
}

/* Seconds until `missing` of a minute's `all` has come. */
static unsigned wait_for(double missing, double all) {
    return missing <= 0 ? 0 : all <= 0 ? 3600 : 1 + (unsigned)(missing / all * MINUTE_S);
}

unsigned gnomon_rate_take(struct gnomon_rate *rate, int64_t id, uint64_t bytes, uint64_t now_ms) {
    pthread_mutex_lock(&rate->mutex);
    struct left *left = find(rate, id, now_ms);
    unsigned wait = 1;
    if (left) {
        fill(rate, left, now_ms);
        const unsigned for_time = wait_for(1 - left->times, rate->times),
                       for_bytes = wait_for(-left->bytes, rate->bytes);
        wait = for_time > for_bytes ? for_time : for_bytes;
    }
    if (left && !wait) {
        left->times -= 1;
        left->bytes -= (double)bytes;
    }
    pthread_mutex_unlock(&rate->mutex);
    return wait;
}
