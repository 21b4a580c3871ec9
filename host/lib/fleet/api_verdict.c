/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/fleet/api_verdict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/fleet/hypergeometric.h"
#include "lib/fleet/saturate.h"
#include "lib/util/array.h"

#define PLAIN 200 /* permutations that cost as much, of which p is told well */
#define FEWEST_PERMUTATIONS 10000
#define MOST_EXACT 10000 /* ways to draw that are all gone through */
#define NEARLY 1e-9      /* two sums that differ by less are the same, computed in another order */

/* Calls of both profiles in one scenario, of which it is known how many there are, their mean and their variance. */
struct group {
    uint64_t count;
    double mean, variance; /* variance 0: all cost the same */
};

struct stratum {
    size_t first, last; /* groups */
    uint64_t count, ours;
};

struct test {
    struct group *groups;
    size_t group_count, group_room;
    struct stratum *strata;
    size_t stratum_count, stratum_room;
    double observed; /* what ours cost */
};

/* ---- From buckets to groups ---- */

static bool add_group(struct test *test, uint64_t count, double mean, double variance) {
    if (!gnomon_array_room(&test->groups, &test->group_room, test->group_count + 1, sizeof *test->groups))
        return false;
    test->groups[test->group_count++] = (struct group){count, mean, variance};
    return true;
}

static bool add_bucket(struct test *test, const struct gnomon_bucket *bucket) {
    const double mean = gnomon_bucket_mean(bucket), deviation = gnomon_bucket_deviation(bucket);
    if (bucket->calls == 2 && deviation > 0) /* the two are at equal distances from their mean */
        return add_group(test, 1, mean - deviation, 0) && add_group(test, 1, mean + deviation, 0);
    return add_group(test, bucket->calls, mean, deviation * deviation);
}

static bool add_row(struct test *test, const struct gnomon_api_row *row) {
    bool good = true;
    for (int i = 0; i < __builtin_popcount(row->used) && good; i++)
        good = add_bucket(test, &row->buckets[i]);
    return good;
}

static bool add_stratum(struct test *test, const struct gnomon_api_row *ours, const struct gnomon_api_row *before) {
    const struct gnomon_bucket one = gnomon_api_row_sum(ours), other = gnomon_api_row_sum(before);
    if (!gnomon_array_room(&test->strata, &test->stratum_room, test->stratum_count + 1, sizeof *test->strata))
        return false;
    struct stratum *stratum = &test->strata[test->stratum_count++];
    *stratum = (struct stratum){.first = test->group_count, .count = one.calls + other.calls, .ours = one.calls};
    const bool good = add_row(test, ours) && add_row(test, before);
    stratum->last = test->group_count;
    test->observed += (double)one.cycles;
    return good;
}

/* ---- All permutations ---- */

struct walk {
    const struct test *test;
    uint64_t budget;            /* ways that may still be gone through */
    double all, reached, first; /* weights: of all ways, of those that cost as much, and ln of a typical one */
};

static bool go_on(struct walk *walk, size_t stratum, size_t group, uint64_t left, double sum, double weight);

static bool next_stratum(struct walk *walk, size_t stratum, double sum, double weight) {
    const struct test *test = walk->test;
    if (stratum < test->stratum_count)
        return go_on(walk, stratum, test->strata[stratum].first, test->strata[stratum].ours, sum, weight);
    if (!walk->budget--)
        return false;
    const double ways = exp(weight - walk->first);
    walk->all += ways;
    if (sum >= test->observed - NEARLY * fabs(test->observed))
        walk->reached += ways;
    return true;
}

/* Draws 0, 1, 2 ... calls of a group, and goes on with the next one. False: there are too many ways. */
static bool go_on(struct walk *walk, size_t stratum, size_t group, uint64_t left, double sum, double weight) {
    const struct stratum *in = &walk->test->strata[stratum];
    if (group == in->last)
        return left || next_stratum(walk, stratum + 1, sum, weight);
    const struct group *from = &walk->test->groups[group];
    uint64_t later = 0;
    for (size_t i = group + 1; i < in->last; i++)
        later += walk->test->groups[i].count;
    const uint64_t least = left > later ? left - later : 0, most = left < from->count ? left : from->count;
    bool good = true;
    for (uint64_t drawn = least; drawn <= most && good; drawn++)
        good = go_on(walk, stratum, group + 1, left - drawn, sum + (double)drawn * from->mean,
                     weight + gnomon_log_choose(from->count, drawn));
    return good;
}

/* False: there are too many, or what single calls cost is not known. */
static bool exact_p(const struct test *test, double *p) {
    struct walk walk = {.test = test, .budget = MOST_EXACT};
    for (size_t i = 0; i < test->group_count; i++)
        if (test->groups[i].variance > 0)
            return false;
    for (size_t i = 0; i < test->stratum_count; i++)
        walk.first += gnomon_log_choose(test->strata[i].count, test->strata[i].ours);
    if (!next_stratum(&walk, 0, 0, 0))
        return false;
    *p = walk.reached / walk.all;
    return true;
}

/* ---- Some at random ---- */

/* What `drawn` of the group's calls cost together. */
static double cost_of(struct gnomon_random *random, const struct group *group, uint64_t drawn) {
    const double sum = (double)drawn * group->mean;
    if (group->variance <= 0 || !drawn || drawn == group->count)
        return sum;
    const double rest = (double)(group->count - drawn) / (double)(group->count - 1);
    return sum + sqrt((double)drawn * rest * group->variance) * gnomon_random_normal(random);
}

static double draw(const struct test *test, struct gnomon_random *random) {
    double sum = 0;
    for (size_t i = 0; i < test->stratum_count; i++) {
        const struct stratum *stratum = &test->strata[i];
        uint64_t all = stratum->count, left = stratum->ours;
        for (size_t j = stratum->first; j < stratum->last && left; j++) {
            const struct group *group = &test->groups[j];
            const uint64_t drawn = gnomon_hypergeometric(random, all, group->count, left);
            sum += cost_of(random, group, drawn);
            all -= group->count;
            left -= drawn;
        }
    }
    return sum;
}

/* The observed way is one of those that are possible, so it counts. With `enough` below 1, p is known well enough once
 * it is plainly above that: its standard error is 1/14 of it at most. */
static double random_p(const struct test *test, uint64_t permutations, double enough, uint64_t seed) {
    struct gnomon_random random;
    uint64_t reached = 1, drawn = 1;
    gnomon_random_start(&random, seed);
    while (drawn <= permutations && !(reached >= PLAIN && (double)reached > enough * (double)drawn)) {
        reached += draw(test, &random) >= test->observed - NEARLY * fabs(test->observed);
        drawn++;
    }
    return (double)reached / (double)drawn;
}

/* ---- One function ---- */

/* Function and cost, then scenario, size and device; not program and build, which change. */
static int compare_functions(const struct gnomon_api_row *a, const struct gnomon_api_row *b) {
    int order = strcmp(a->function, b->function);
    if (!order && !(order = strcmp(a->file, b->file)))
        order = strcmp(a->cost, b->cost);
    return order;
}

static int compare_rows(const void *left, const void *right) {
    const struct gnomon_api_row *a = *(struct gnomon_api_row *const *)left, *b = *(struct gnomon_api_row *const *)right;
    int order = compare_functions(a, b);
    if (!order && !(order = strcmp(a->source->scenario, b->source->scenario)) &&
        !(order = (a->source->size > b->source->size) - (a->source->size < b->source->size)))
        order = strcmp(a->source->device, b->source->device);
    return order;
}

struct side {
    struct gnomon_api_row **rows;
    size_t count, at;
};

static bool open_side(struct side *side, const struct gnomon_api_profile *profile) {
    side->rows = gnomon_api_profile_rows(profile, &side->count);
    if (side->rows)
        qsort(side->rows, side->count, sizeof *side->rows, compare_rows);
    return side->rows;
}

static const struct gnomon_api_row *row_at(const struct side *side) {
    return side->at < side->count ? side->rows[side->at] : NULL;
}

static void add_calls(struct gnomon_bucket *sum, const struct gnomon_api_row *row) {
    const struct gnomon_bucket one = gnomon_api_row_sum(row);
    sum->calls = gnomon_saturate_add(sum->calls, one.calls);
    sum->cycles = gnomon_saturate_add(sum->cycles, one.cycles);
    sum->squares = gnomon_saturate_add_wide(sum->squares, one.squares);
}

/* Takes the strata of the next function that both have. *row NULL: there is none. False: out of memory. */
static bool next_function(struct test *test, struct gnomon_api_verdict *verdict, struct side *ours,
                          struct side *before) {
    struct gnomon_bucket now = {0}, then = {0};
    const struct gnomon_api_row *one, *other;
    bool good = true;
    test->group_count = test->stratum_count = 0;
    test->observed = 0;
    *verdict = (struct gnomon_api_verdict){0};
    while (good && (one = row_at(ours)) && (other = row_at(before))) {
        const int order = compare_rows(&one, &other);
        const struct gnomon_api_row *next = order < 0 ? one : other;
        if (verdict->row && compare_functions(verdict->row, next) != 0)
            break;
        ours->at += order <= 0;
        before->at += order >= 0;
        if (order || !one->used || !other->used || gnomon_api_of_runs(one->cost))
            continue;
        verdict->row = one;
        verdict->doubtful |=
            one->doubt || other->doubt || gnomon_api_row_saturated(one) || gnomon_api_row_saturated(other);
        add_calls(&now, one);
        add_calls(&then, other);
        good = add_stratum(test, one, other);
    }
    const struct gnomon_bucket all = {gnomon_saturate_add(now.calls, then.calls),
                                      gnomon_saturate_add(now.cycles, then.cycles),
                                      gnomon_saturate_add_wide(now.squares, then.squares)};
    const double deviation = gnomon_bucket_deviation(&all);
    verdict->strata = test->stratum_count;
    verdict->calls = now.calls;
    verdict->calls_before = then.calls;
    verdict->mean = gnomon_bucket_mean(&now);
    verdict->mean_before = gnomon_bucket_mean(&then);
    verdict->effect = deviation > 0 ? (verdict->mean - verdict->mean_before) / deviation : 0;
    return good;
}

/* What ours are expected to cost if nothing has changed. */
static double expected(const struct test *test) {
    double sum = 0;
    for (size_t i = 0; i < test->stratum_count; i++) {
        double all = 0;
        for (size_t j = test->strata[i].first; j < test->strata[i].last; j++)
            all += (double)test->groups[j].count * test->groups[j].mean;
        sum += all * (double)test->strata[i].ours / (double)test->strata[i].count;
    }
    return sum;
}

/* The same function has the same numbers at random, whichever others there are. */
static uint64_t seed_for(const struct gnomon_api_row *row, uint64_t seed) {
    for (const char *at = row->function; *at; at++)
        seed = (seed ^ (unsigned char)*at) * UINT64_C(0x100000001B3);
    return seed;
}

static void judge(const struct test *test, struct gnomon_api_verdict *verdict, uint64_t permutations, double enough,
                  uint64_t seed) {
    double ways = 0;
    for (size_t i = 0; i < test->stratum_count; i++)
        ways += gnomon_log_choose(test->strata[i].count, test->strata[i].ours);
    verdict->least_p = exp(-ways);
    verdict->exact = true;
    verdict->p = 1;
    if (test->observed <= expected(test) * (1 + NEARLY)) /* not worse at all */
        return;
    verdict->exact = exact_p(test, &verdict->p);
    if (!verdict->exact)
        verdict->p = random_p(test, permutations, enough, seed_for(verdict->row, seed));
}

/* ---- All functions ---- */

static int by_p(const void *left, const void *right) {
    const struct gnomon_api_verdict *a = left, *b = right;
    return a->p < b->p ? -1 : a->p > b->p ? 1 : compare_functions(a->row, b->row);
}

/* Holm, "A simple sequentially rejective multiple test procedure", 1979. */
static void adjust(struct gnomon_api_verdict *verdicts, size_t count, double level) {
    double least = 0;
    for (size_t i = 0; i < count; i++) {
        least = fmax(least, fmin(1, verdicts[i].p * (double)(count - i)));
        verdicts[i].adjusted = least;
        verdicts[i].worse = least <= level * (1 + NEARLY);
        verdicts[i].few = !verdicts[i].worse && verdicts[i].least_p * (double)count > level * (1 + NEARLY);
    }
}

static uint64_t permutations_for(const struct gnomon_api_rule *rule, size_t count) {
    const double needed = 2 * (double)count / rule->level;
    return rule->permutations             ? rule->permutations
           : needed > FEWEST_PERMUTATIONS ? (uint64_t)needed
                                          : FEWEST_PERMUTATIONS;
}

struct gnomon_api_verdict *gnomon_api_verdicts(const struct gnomon_api_profile *ours,
                                               const struct gnomon_api_profile *before,
                                               const struct gnomon_api_rule *rule, size_t *count) {
    struct side sides[2] = {0};
    struct test test = {0};
    bool good = open_side(&sides[0], ours) && open_side(&sides[1], before);
    struct gnomon_api_verdict *verdicts = good ? calloc(sides[0].count + 1, sizeof *verdicts) : NULL;
    const uint64_t permutations = permutations_for(rule, sides[0].count);
    const double enough = rule->permutations ? 1 : 2 * rule->level; /* no function above the level is flagged */
    *count = 0;
    for (good = verdicts; good;) {
        struct gnomon_api_verdict *verdict = &verdicts[*count];
        good = !(rule->stop && rule->stop(rule->context)) && next_function(&test, verdict, &sides[0], &sides[1]);
        if (!good || !verdict->row)
            break;
        judge(&test, verdict, permutations, enough, rule->seed);
        ++*count;
    }
    if (good && *count)
        qsort(verdicts, *count, sizeof *verdicts, by_p);
    if (good)
        adjust(verdicts, *count, rule->level);
    free(test.groups);
    free(test.strata);
    free(sides[0].rows);
    free(sides[1].rows);
    if (good)
        return verdicts;
    free(verdicts);
    return NULL;
}
