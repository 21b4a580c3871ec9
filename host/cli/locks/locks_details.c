/* SPDX-License-Identifier: Apache-2.0 */
/* Everything about one lock. */
#include <stdlib.h>
#include <string.h>

#include "cli/locks/locks.h"
#include "cli/locks/locks_sentence.h"

static void put_times(const struct locks *locks, FILE *stream, const char *what,
                      const struct gnomon_lock_times *times) {
    if (!times->count)
        return;
    struct sentence sentence = {0};
    say(&sentence,
        "  %s: %s, mean %.6g cycles, shortest %s, 50 %% up to %s, 90 %% up to %s, 99 %% up to %s, longest %s", what,
        COUNT(times->count), (double)times->total / (double)times->count, COUNT(times->min),
        COUNT(gnomon_lock_times_percentile(times, 50)), COUNT(gnomon_lock_times_percentile(times, 90)),
        COUNT(gnomon_lock_times_percentile(times, 99)), COUNT(times->max));
    put_sentence(locks->context, stream, CLI_PLAIN, &sentence, "    ");
}

/* ---- The histogram ---- */

enum { FROM, TO, HOLDS, HOLD_SHARE, WAITS, WAIT_SHARE, HISTOGRAM_COLUMNS };
static const struct screen_column histogram_columns[HISTOGRAM_COLUMNS] = {
    [FROM] = {.title = "      cycles"}, [TO] = {.title = "to"},       [HOLDS] = {.title = "holds"},
    [HOLD_SHARE] = {.title = "%"},      [WAITS] = {.title = "waits"}, [WAIT_SHARE] = {.title = "%"},
};

static void put_share(struct screen_table *table, const struct gnomon_lock_times *times, unsigned octave) {
    const uint64_t count = gnomon_lock_times_octave(times, octave);
    char text[16];
    if (!times->count) {
        screen_none(table);
        screen_none(table);
        return;
    }
    screen_count(table, count);
    snprintf(text, sizeof text, "%.1f", 100.0 * (double)count / (double)times->count);
    screen_cell(table, text);
}

static void put_histogram(const struct locks *locks, FILE *stream, const struct gnomon_lock_figures *figures) {
    unsigned first = GNOMON_TIMES_OCTAVES, last = 0;
    for (unsigned i = 0; i < GNOMON_TIMES_OCTAVES; i++)
        if (gnomon_lock_times_octave(&figures->hold, i) || gnomon_lock_times_octave(&figures->wait, i)) {
            first = i < first ? i : first;
            last = i;
        }
    if (first == GNOMON_TIMES_OCTAVES)
        return;
    struct screen_table *table = screen_table_new(histogram_columns, HISTOGRAM_COLUMNS);
    for (unsigned i = first; i <= last; i++) {
        screen_count(table, i ? UINT64_C(1) << i : 0);
        screen_count(table, i == 63 ? UINT64_MAX : (UINT64_C(1) << (i + 1)) - 1);
        put_share(table, &figures->hold, i);
        put_share(table, &figures->wait, i);
    }
    screen_table_print(table, locks->context, stream);
    screen_table_free(table);
}

/* ---- Threads and call sites ---- */

enum { NAME, ACQUIRED, REFUSED, CONTENDED, WAIT, WAIT_MAX, HOLD, HOLD_MAX, PART_COLUMNS };
static const struct screen_column part_columns[PART_COLUMNS] = {
    [NAME] = {.title = "  by", .left = true, .least = 16},
    [ACQUIRED] = {.title = "acquired"},
    [REFUSED] = {.title = "refused", .gives = 1},
    [CONTENDED] = {.title = "contended"},
    [WAIT] = {.title = "wait"},
    [WAIT_MAX] = {.title = "longest", .gives = 2},
    [HOLD] = {.title = "hold"},
    [HOLD_MAX] = {.title = "longest", .gives = 3},
};

static void put_part(struct screen_table *table, const char *name, const struct gnomon_lock_counts *counts) {
    char text[GNOMON_LOCK_NAME_BYTES + 2];
    snprintf(text, sizeof text, "  %s", name);
    screen_cell(table, text);
    screen_count(table, counts->acquisitions);
    screen_count(table, counts->refused);
    screen_count(table, counts->contended);
    screen_count(table, counts->wait.total);
    screen_count(table, counts->wait.max);
    screen_count(table, counts->hold.total);
    screen_count(table, counts->hold.max);
}

static int by_time(const void *a, const void *b) {
    const struct gnomon_lock_part *left = *(const struct gnomon_lock_part *const *)a,
                                  *right = *(const struct gnomon_lock_part *const *)b;
    const struct gnomon_lock_counts *one = &left->counts, *other = &right->counts;
    if (one->wait.total != other->wait.total)
        return one->wait.total > other->wait.total ? -1 : 1;
    if (one->hold.total != other->hold.total)
        return one->hold.total > other->hold.total ? -1 : 1;
    if (left->thread != right->thread)
        return left->thread < right->thread ? -1 : 1;
    if (left->hart != right->hart)
        return left->hart < right->hart ? -1 : 1;
    return left->caller < right->caller ? -1 : left->caller > right->caller;
}

enum part { OF_THREAD, OF_CALLER, OF_HART };
static const char *const hart_names[GNOMON_MAX_HARTS] = {"hart 0", "hart 1"};

/* A table of the parts of one lock. */
static void put_parts(const struct locks *locks, FILE *stream, unsigned lock, const struct gnomon_lock_part **parts,
                      size_t count, enum part of) {
    const struct gnomon_lock_part **shown = calloc(count + 1, sizeof *shown);
    struct screen_table *table = shown ? screen_table_new(part_columns, PART_COLUMNS) : NULL;
    size_t filled = 0;
    for (size_t i = 0; shown && i < count; i++)
        if (parts[i]->lock == lock && (of != OF_CALLER || !locks_only_releases(&parts[i]->counts)))
            shown[filled++] = parts[i];
    if (shown)
        qsort(shown, filled, sizeof *shown, by_time);
    for (size_t i = 0; i < filled; i++)
        put_part(table,
                 of == OF_THREAD   ? THREAD_NAME(shown[i]->thread)
                 : of == OF_CALLER ? CALLER_NAME(shown[i]->caller)
                                   : hart_names[shown[i]->hart],
                 &shown[i]->counts);
    if (!screen_table_print(table, locks->context, stream))
        cli_warn(locks->context, "out of memory: a table is missing");
    screen_table_free(table);
    free(shown);
}

/* ---- Longest holds ---- */

static void put_longest(const struct locks *locks, FILE *stream, const struct gnomon_lock_figures *figures) {
    for (unsigned i = 0; i < figures->longest_count; i++) {
        const struct gnomon_lock_hold *hold = &figures->longest[i];
        struct sentence sentence = {0};
        say(&sentence, "  held %s cycles from cycle %s on by %s: acquired in %s", COUNT(hold->cycles),
            COUNT(hold->from), THREAD_NAME(hold->thread), CALLER_NAME(hold->acquired_by));
        if (gnomon_analysis_of_both(&locks->analysis))
            say(&sentence, " on hart %u", hold->hart);
        say(&sentence, ", released in %s", CALLER_NAME(hold->released_by));
        if (hold->released_on != hold->hart)
            say(&sentence, " on hart %u", hold->released_on);
        put_sentence(locks->context, stream, CLI_PLAIN, &sentence, "    ");
        locks_stack(locks, stream, &hold->stack);
    }
}

/* What the lock is: a line in bold, and its requests. */
static void put_head(const struct locks *locks, FILE *stream, const struct gnomon_lock_figures *figures) {
    const struct gnomon_table_lock *entry = &locks->run.tables.locks[figures->lock];
    struct sentence head = {0}, requests = {0};
    say(&head, "%s, %s, number %u", LOCK_NAME(figures->lock), gnomon_lock_kind_name(figures->kind), figures->lock);
    if (entry->state != GNOMON_LOCK_UNUSED)
        say(&head, " at 0x%08x%s, registered in %s", (unsigned)entry->address,
            entry->state == GNOMON_LOCK_DESTROYED ? " (destroyed)" : "", CALLER_NAME(entry->caller));
    say(&requests, "  %s request%s, %s without, %s recursive; at most %s waited at one time",
        COUNT(figures->counts.requests), figures->counts.requests == 1 ? "" : "s", COUNT(figures->tries),
        COUNT(figures->recursive), COUNT(figures->most_waiting));
    fputc('\n', stream);
    put_sentence(locks->context, stream, CLI_BOLD, &head, "  ");
    put_sentence(locks->context, stream, CLI_PLAIN, &requests, "    ");
}

static void put_lock(const struct locks *locks, FILE *stream, const struct gnomon_lock_figures *figures) {
    const struct gnomon_lock_results *results = locks->run.results;
    put_head(locks, stream, figures);
    put_times(locks, stream, "holds", &figures->hold);
    put_times(locks, stream, "waits", &figures->wait);
    put_histogram(locks, stream, figures);
    put_parts(locks, stream, figures->lock, results->by_thread, results->by_thread_count, OF_THREAD);
    put_parts(locks, stream, figures->lock, results->by_caller, results->by_caller_count, OF_CALLER);
    if (gnomon_analysis_of_both(&locks->analysis))
        put_parts(locks, stream, figures->lock, results->by_hart, results->by_hart_count, OF_HART);
    put_longest(locks, stream, figures);
}

void locks_details(const struct locks *locks, FILE *stream) {
    const struct gnomon_lock_results *results = locks->run.results;
    for (size_t i = 0; i < results->lock_count; i++)
        if (locks_wanted(locks, results->locks[i]->lock))
            put_lock(locks, stream, results->locks[i]);
    fputc('\n', stream);
}
