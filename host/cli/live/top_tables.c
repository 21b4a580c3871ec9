/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of gnomon top. */
#include <stdlib.h>
#include <string.h>

#include "cli/live/top.h"
#include "cli/print_names.h"
#include "lib/model/instructions.h"
#include "lib/util/array.h"

static const struct {
    const char *view, *titles[TOP_COLUMNS];
} views[TOP_VIEWS] = {
    [TOP_FUNCTIONS] = {"functions",
                       {"self %", "self", "calls", "all %", "all self", "all calls", "cyc/call", "", "", "",
                        "function"}},
    [TOP_CAUSES] = {"causes", {"now %", "cycles", "", "all %", "all cycles", "", "", "", "", "", "cause"}},
    [TOP_THREADS] = {"threads",
                     {"run %", "cycles", "runs", "all %", "all cycles", "all runs", "cyc/run", "", "", "", "thread"}},
    [TOP_LOCKS] = {"locks",
                   {"wait %", "waited", "waits", "all %", "all waited", "all waits", "cyc/wait", "held", "all held",
                    "cyc/hold", "lock"}},
};

/* For --sort. */
static const char *const column_names[TOP_COLUMNS] = {
    [TOP_NOW_SHARE] = "now-share", [TOP_NOW] = "now",       [TOP_NOW_COUNT] = "now-calls",
    [TOP_ALL_SHARE] = "all-share", [TOP_ALL] = "all",       [TOP_ALL_COUNT] = "all-calls",
    [TOP_EACH] = "each",           [TOP_NOW_HELD] = "held", [TOP_ALL_HELD] = "all-held",
    [TOP_EACH_HELD] = "each-held", [TOP_NAME] = "name",
};

const char *top_title(enum top_view view, enum top_column column) {
    return views[view].titles[column];
}

const char *top_view_name(enum top_view view) {
    return views[view].view;
}

bool top_find_view(const char *name, enum top_view *view) {
    for (*view = 0; *view < TOP_VIEWS; ++*view)
        if (!strcmp(views[*view].view, name))
            return true;
    return false;
}

bool top_find_column(const char *name, enum top_column *column) {
    for (*column = 0; *column < TOP_COLUMNS; ++*column)
        if (!strcmp(column_names[*column], name))
            return true;
    return false;
}

/* ---- Rows ---- */

static struct top_row *add_row(struct top_table *table, const char *name) {
    char clean[CLI_CLEAN_BYTES];
    if (!gnomon_array_room(&table->rows, &table->room, table->count + 1, sizeof *table->rows))
        return NULL;
    struct top_row *row = &table->rows[table->count];
    *row = (struct top_row){.name = strdup(cli_clean(clean, name))};
    if (!row->name)
        return NULL;
    table->count++;
    return row;
}

/* Of the same number in the interval; both lists are sorted. NULL: nothing was counted in it. */
static const struct gnomon_record *find_record(const struct gnomon_records *records, uint32_t number) {
    const size_t at = gnomon_array_from(records->list, records->count, sizeof *records->list,
                                        offsetof(struct gnomon_record, number), number);
    return at < records->count && records->list[at].number == number ? &records->list[at] : NULL;
}

static bool put_function(struct top_table *table, const struct live_target *live, const struct top_figures *figures,
                         const struct gnomon_record *all) {
    const struct gnomon_records *records = &figures->all.records;
    const struct gnomon_record *now = find_record(&figures->interval.records, all->number);
    const uint32_t id = gnomon_live_id(&live->live, records, all->number);
    struct gnomon_name name = {.text = "[unprofiled]"};
    char where[CLI_WHERE_BYTES] = "";
    if (id != GNOMON_PROFILE_UNPROFILED) {
        gnomon_name_of(&name, &live->live.analysis, id);
        cli_where(where, &name);
    }
    struct top_row *row = add_row(table, name.text);
    if (!row)
        return false;
    row->where = *where ? strdup(where) : NULL;
    row->all = all->self;
    row->all_count = all->calls;
    row->all_total = all->total;
    row->now = now ? now->self : 0;
    row->now_count = now ? now->calls : 0;
    return true;
}

/* A row of cycles that are in no function. False: out of memory. */
static bool put_rest(struct top_table *table, const char *name, uint64_t now, uint64_t all) {
    struct top_row *row = all ? add_row(table, name) : NULL;
    if (row) {
        row->now = now;
        row->all = all;
    }
    return row || !all;
}

/* With events. The interval has the functions of the whole run, in the same order. */
static bool put_calls(struct top_table *table, const struct live_target *live, const struct top_figures *figures) {
    size_t count;
    const struct gnomon_profile *now = figures->interval.profile, *all = figures->all.profile;
    const struct gnomon_profile_function *of_now = gnomon_profile_functions(now, &count),
                                         *of_all = gnomon_profile_functions(all, &count);
    const struct gnomon_profile_sums *now_sums = gnomon_profile_sums(now), *all_sums = gnomon_profile_sums(all);
    for (size_t i = 0; i < count; i++) {
        struct gnomon_name name;
        char where[CLI_WHERE_BYTES];
        if (!of_all[i].calls && !of_all[i].self)
            continue;
        gnomon_name_of(&name, &live->live.analysis, of_all[i].id);
        struct top_row *row = add_row(table, name.text);
        if (!row)
            return false;
        row->where = *cli_where(where, &name) ? strdup(where) : NULL;
        row->all = of_all[i].self;
        row->all_count = of_all[i].calls;
        row->all_total = of_all[i].total;
        row->now = of_now[i].self;
        row->now_count = of_now[i].calls;
    }
    return put_rest(table, "[unprofiled]", now_sums->unprofiled, all_sums->unprofiled) &&
           put_rest(table, "[lost]", now_sums->lost, all_sums->lost);
}

static bool put_functions(struct top_table *table, const struct live_target *live, const struct top_figures *figures) {
    bool good = true;
    table->now_whole = figures->interval.cycles;
    table->all_whole = figures->all.cycles;
    if (figures->all.profile)
        return put_calls(table, live, figures);
    for (size_t i = 0; i < figures->all.records.count && good; i++)
        good = put_function(table, live, figures, &figures->all.records.list[i]);
    return good;
}

static bool put_causes(struct top_table *table, const struct live_target *live, const struct top_figures *figures) {
    if (!live->target.board.causes)
        table->none = "this device does not count stall causes";
    for (unsigned i = 0; i < GNOMON_CAUSES; i++) {
        const uint64_t all = figures->now.causes[i] - figures->base.causes[i];
        if (!all)
            continue;
        struct top_row *row = add_row(table, gnomon_cause_name(i));
        if (!row)
            return false;
        row->all = all;
        row->now = figures->now.causes[i] - figures->before.causes[i];
        table->all_whole += row->all;
        table->now_whole += row->now;
    }
    return true;
}

static const struct gnomon_profile_thread *find_thread(const struct gnomon_thread_times *times, uint32_t thread) {
    static const struct gnomon_profile_thread none;
    for (size_t i = 0; i < times->count; i++)
        if (times->threads[i].thread == thread)
            return &times->threads[i];
    return &none;
}

/* Threads can have equal names. NULL: out of memory. */
static char *describe_number(unsigned thread) {
    char *text = NULL;
    return asprintf(&text, "thread %u", thread) < 0 ? NULL : text;
}

static bool put_threads(struct top_table *table, const struct live_target *live, const struct top_figures *figures) {
    for (size_t i = 0; i < figures->threads.count; i++) {
        const struct gnomon_profile_thread *thread = &figures->threads.threads[i],
                                           *before = find_thread(&figures->threads_before, thread->thread),
                                           *base = find_thread(&figures->threads_base, thread->thread);
        char name[GNOMON_THREAD_NAME_BYTES];
        struct top_row *row = add_row(table, gnomon_thread_name(&live->live.names, thread->thread, name));
        if (!row)
            return false;
        row->number = thread->thread;
        const bool numbered = row->number >= GNOMON_THREADS_MOST || !strncmp(row->name, "thread ", strlen("thread "));
        if (!numbered && !(row->where = describe_number(row->number)))
            return false;
        row->now = thread->cycles - before->cycles;
        row->now_count = thread->runs - before->runs;
        row->all = row->all_total = thread->cycles - base->cycles;
        row->all_count = thread->runs - base->runs;
        table->now_whole += row->now;
        table->all_whole += row->all;
    }
    if (figures->threads.unknown)
        table->none = "messages of threads were lost: their times are not known";
    else if (!figures->threads.count)
        table->none = "no message has come yet";
    return true;
}

static const struct gnomon_contention_lock *find_lock(const struct gnomon_contention_locks *locks, unsigned lock) {
    static const struct gnomon_contention_lock none;
    for (size_t i = 0; i < locks->count; i++)
        if (locks->list[i].lock == lock)
            return &locks->list[i];
    return &none;
}

/* Who has the lock now. NULL: out of memory. */
static char *describe_owner(const struct live_target *live, int owner) {
    char *text = NULL, name[GNOMON_LOCK_NAME_BYTES];
    if (owner == GNOMON_LOCK_FREE)
        return strdup("free");
    if (owner == GNOMON_LOCK_NOT_KNOWN)
        return strdup("not known who has it");
    const char *thread = gnomon_thread_name(&live->live.names, (uint32_t)owner, name);
    return asprintf(&text, "%s has it", thread) < 0 ? NULL : text;
}

/* Which variable a lock is says a table in the program's memory, which can be read when the program has ended. Until
 * then a lock is known by the first place that uses it. */
static const char *name_lock(const struct live_target *live, const struct gnomon_contention_lock *lock,
                             char text[GNOMON_LOCK_NAME_BYTES]) {
    const struct gnomon_lock_names *names = &live->live.names;
    char caller[GNOMON_LOCK_NAME_BYTES];
    if (names->tables->known || !lock->caller)
        return gnomon_lock_name(names, lock->lock, text);
    snprintf(text, GNOMON_LOCK_NAME_BYTES, "lock %u of %.280s", lock->lock,
             gnomon_lock_caller_text(names, lock->caller, caller));
    return text;
}

static bool put_locks(struct top_table *table, const struct live_target *live, const struct top_figures *figures) {
    for (size_t i = 0; i < figures->locks.count; i++) {
        const struct gnomon_contention_lock *lock = &figures->locks.list[i],
                                            *before = find_lock(&figures->locks_before, lock->lock),
                                            *base = find_lock(&figures->locks_base, lock->lock);
        char name[GNOMON_LOCK_NAME_BYTES];
        struct top_row *row = add_row(table, name_lock(live, lock, name));
        if (!row || !(row->where = describe_owner(live, lock->owner)))
            return false;
        row->number = lock->lock;
        row->now = lock->cycles - before->cycles;
        row->now_count = lock->waits - before->waits;
        row->all = row->all_total = lock->cycles - base->cycles;
        row->all_count = lock->waits - base->waits;
        row->now_held = lock->held_cycles - before->held_cycles;
        row->all_held = lock->held_cycles - base->held_cycles;
        row->all_holds = lock->holds - base->holds;
        table->now_whole += row->now;
        table->all_whole += row->all;
    }
    if (!figures->locks.count)
        table->none = "no message about a lock has come yet (gnomon cc --gnomon-locks)";
    return true;
}

/* ---- Cells ---- */

static void put_share(uint64_t part, uint64_t whole, char text[CLI_COUNT_BYTES]) {
    snprintf(text, CLI_COUNT_BYTES, "%.1f", whole ? 100.0 * (double)part / (double)whole : 0.0);
}

static void put_mean(uint64_t sum, uint64_t count, char text[CLI_COUNT_BYTES]) {
    *text = 0;
    if (count)
        cli_count(text, sum / count);
}

void top_cell(const struct top_table *table, const struct top_row *row, enum top_column column,
              char text[CLI_COUNT_BYTES]) {
    switch (column) {
    case TOP_NOW_SHARE:
        put_share(row->now, table->now_whole, text);
        break;
    case TOP_ALL_SHARE:
        put_share(row->all, table->all_whole, text);
        break;
    case TOP_NOW:
        cli_count(text, row->now);
        break;
    case TOP_NOW_COUNT:
        cli_count(text, row->now_count);
        break;
    case TOP_ALL:
        cli_count(text, row->all);
        break;
    case TOP_ALL_COUNT:
        cli_count(text, row->all_count);
        break;
    case TOP_NOW_HELD:
        cli_count(text, row->now_held);
        break;
    case TOP_ALL_HELD:
        cli_count(text, row->all_held);
        break;
    case TOP_EACH_HELD:
        put_mean(row->all_held, row->all_holds, text);
        break;
    default:
        put_mean(row->all_total, row->all_count, text);
    }
}

/* ---- Order ---- */

static double mean(uint64_t sum, uint64_t count) {
    return count ? (double)sum / (double)count : 0;
}

static int compare(double left, double right) {
    return (left < right) - (left > right);
}

static int by_name(const struct top_row *left, const struct top_row *right) {
    return strcmp(left->name, right->name);
}

static int by_column(const void *a, const void *b, void *context) {
    const struct top_row *left = a, *right = b;
    int order = 0;
    switch (*(const enum top_column *)context) {
    case TOP_NOW_COUNT:
        order = compare((double)left->now_count, (double)right->now_count);
        break;
    case TOP_ALL:
    case TOP_ALL_SHARE:
        order = compare((double)left->all, (double)right->all);
        break;
    case TOP_ALL_COUNT:
        order = compare((double)left->all_count, (double)right->all_count);
        break;
    case TOP_EACH:
        order = compare(mean(left->all_total, left->all_count), mean(right->all_total, right->all_count));
        break;
    case TOP_NOW_HELD:
        order = compare((double)left->now_held, (double)right->now_held);
        break;
    case TOP_ALL_HELD:
        order = compare((double)left->all_held, (double)right->all_held);
        break;
    case TOP_EACH_HELD:
        order = compare(mean(left->all_held, left->all_holds), mean(right->all_held, right->all_holds));
        break;
    case TOP_NAME:
        return by_name(left, right);
    default:
        order = compare((double)left->now, (double)right->now);
    }
    if (!order)
        order = compare((double)left->all, (double)right->all);
    return order ? order : by_name(left, right);
}

static void apply_filter(struct top_table *table, const char *filter) {
    size_t kept = 0;
    for (size_t i = 0; i < table->count; i++) {
        if (strstr(table->rows[i].name, filter)) {
            table->rows[kept++] = table->rows[i];
            continue;
        }
        free(table->rows[i].name);
        free(table->rows[i].where);
    }
    table->count = kept;
}

bool top_table_make(struct top_table *table, enum top_view view, enum top_column sort, const char *filter,
                    const struct live_target *live, const struct top_figures *figures) {
    static bool (*const makers[TOP_VIEWS])(struct top_table *, const struct live_target *,
                                           const struct top_figures *) = {[TOP_FUNCTIONS] = put_functions,
                                                                          [TOP_CAUSES] = put_causes,
                                                                          [TOP_THREADS] = put_threads,
                                                                          [TOP_LOCKS] = put_locks};
    *table = (struct top_table){.view = view, .sort = sort};
    const bool good = makers[view](table, live, figures);
    apply_filter(table, filter);
    if (table->count)
        qsort_r(table->rows, table->count, sizeof *table->rows, by_column, &table->sort);
    return good;
}

void top_table_free(struct top_table *table) {
    for (size_t i = 0; i < table->count; i++) {
        free(table->rows[i].name);
        free(table->rows[i].where);
    }
    free(table->rows);
    *table = (struct top_table){0};
}
