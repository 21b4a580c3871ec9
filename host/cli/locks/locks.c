/* SPDX-License-Identifier: Apache-2.0 */
/* gnomon locks: who waited for whom. */
#include "cli/locks/locks.h"

#include <stdlib.h>
#include <string.h>

static const struct cli_option options[] = {
    {0, "elf", "FILE", "the program, where it is not where it was when it was recorded", CLI_STRING,
     offsetof(struct locks_values, elf)},
    {0, "module", "FILE", "a module that the program loaded and whose file was not at hand then, or has moved",
     CLI_LIST, offsetof(struct locks_values, modules)},
    {0, "lock", "NAME", "everything about the lock of this name or number", CLI_STRING,
     offsetof(struct locks_values, lock)},
    {0, "thread", "NAME", "only what the thread of this name or number did", CLI_STRING,
     offsetof(struct locks_values, thread)},
    {0, "by-caller", NULL, "a line for each call site of each lock", CLI_FLAG,
     offsetof(struct locks_values, by_caller)},
    {0, "order", NULL, "in which order locks were taken, and circles in these orders", CLI_FLAG,
     offsetof(struct locks_values, order)},
    {'s', "sort", "KEY", "order of the lines: " LOCKS_SORT_KEYS " (default: wait)", CLI_STRING,
     offsetof(struct locks_values, sort)},
    {'n', "limit", "N", "show the first N lines", CLI_NUMBER, offsetof(struct locks_values, limit)},
    {0, "strict", NULL, "exit with status 3 when messages were lost or the end is missing", CLI_FLAG,
     offsetof(struct locks_values, strict)},
    {0},
};

/* ---- Names ---- */

static void clean(char *text) {
    for (; *text; text++)
        if ((unsigned char)*text < 0x20 || *text == 0x7F)
            *text = '?';
}

const char *locks_name(const struct locks *locks, unsigned lock, char text[GNOMON_LOCK_NAME_BYTES]) {
    gnomon_lock_name(&locks->run.names, lock, text);
    clean(text);
    return text;
}

const char *locks_thread(const struct locks *locks, unsigned thread, char text[GNOMON_LOCK_NAME_BYTES]) {
    gnomon_thread_name(&locks->run.names, thread, text);
    clean(text);
    return text;
}

const char *locks_caller(const struct locks *locks, uint32_t caller, char text[GNOMON_LOCK_NAME_BYTES]) {
    gnomon_lock_caller_text(&locks->run.names, caller, text);
    clean(text);
    return text;
}

bool locks_wanted(const struct locks *locks, unsigned lock) {
    const char *wanted = locks->values->lock;
    char *end, text[GNOMON_LOCK_NAME_BYTES];
    if (!wanted)
        return true;
    const unsigned long number = strtoul(wanted, &end, 10);
    return (*wanted && !*end && number == lock) || !strcmp(gnomon_lock_name(&locks->run.names, lock, text), wanted);
}

const struct gnomon_lock_figures *locks_figures(const struct locks *locks, unsigned lock) {
    const struct gnomon_lock_results *results = locks->run.results;
    for (size_t i = 0; i < results->lock_count; i++)
        if (results->locks[i]->lock == lock)
            return results->locks[i];
    return NULL;
}

bool locks_unsure(const struct gnomon_lock_figures *figures) {
    return figures->holds_unknown || figures->waits_unknown || figures->contended_unknown;
}

bool locks_only_releases(const struct gnomon_lock_counts *counts) {
    return !(counts->requests + counts->acquisitions + counts->refused);
}

void locks_stack(const struct locks *locks, FILE *stream, const struct gnomon_lock_stack *stack) {
    const int width = screen_width(stream), indent = 6;
    char buffer[SCREEN_TEXT_BYTES];
    for (unsigned i = 0; i < stack->count; i++) {
        struct gnomon_name name;
        gnomon_name_of(&name, &locks->analysis, stack->ids[i]);
        fprintf(stream, "%*s%s\n", indent, "", screen_shorten(buffer, name.text, width ? width - indent : 0));
    }
}

/* ---- Rows ---- */

static void add_row(struct locks *locks, unsigned lock, const struct gnomon_lock_counts *counts, uint32_t caller) {
    struct locks_row *row = &locks->rows[locks->row_count];
    row->figures = locks_figures(locks, lock);
    row->counts = counts;
    if (!row->figures)
        return;
    locks_name(locks, lock, row->name);
    if (locks->values->by_caller)
        locks_caller(locks, caller, row->caller);
    locks->row_count++;
}

/* Finds the threads of --thread. False: there are none among those that used a lock. */
static bool find_threads(struct locks *locks) {
    bool any = false;
    for (size_t i = 0; i < locks->run.results->by_thread_count; i++) {
        const unsigned thread = locks->run.results->by_thread[i]->thread;
        if (gnomon_thread_is(&locks->run.names, thread, locks->values->thread)) {
            gnomon_thread_set_add(&locks->threads, thread);
            any = true;
        }
    }
    return any;
}

static bool any_lock(const struct locks *locks) {
    for (size_t i = 0; i < locks->run.results->lock_count; i++)
        if (locks_wanted(locks, locks->run.results->locks[i]->lock))
            return true;
    return false;
}

static enum gnomon_status check_wanted(struct locks *locks, struct gnomon_error *error) {
    const struct locks_values *values = locks->values;
    if (!locks->run.results->messages) {
        gnomon_fail(error, GNOMON_ERR_NOT_FOUND, "%s has no lock messages", locks->analysis.path);
        return gnomon_remedy(error, GNOMON_ERR_NOT_FOUND,
                             "link the program with gnomon cc --gnomon-locks, or record it with --watch-locks; and "
                             "without --no-locks");
    }
    if (values->lock && !any_lock(locks)) {
        gnomon_fail(error, GNOMON_ERR_NOT_FOUND, "no lock named %s was used", values->lock);
        return gnomon_remedy(error, GNOMON_ERR_NOT_FOUND, "gnomon locks lists the locks that were used");
    }
    if (values->thread && !find_threads(locks)) {
        gnomon_fail(error, GNOMON_ERR_NOT_FOUND, "no thread named %s used a lock", values->thread);
        return gnomon_remedy(error, GNOMON_ERR_NOT_FOUND, "gnomon report --threads lists the threads");
    }
    return GNOMON_OK;
}

static enum gnomon_status make_rows(struct locks *locks, struct gnomon_error *error) {
    const struct gnomon_lock_results *results = locks->run.results;
    const struct locks_values *values = locks->values;
    const size_t most = results->lock_count + results->by_thread_count + results->by_caller_count;
    const char *key = values->sort ? values->sort : "wait";
    locks->rows = calloc(most + 1, sizeof *locks->rows);
    if (!locks->rows)
        return gnomon_fail_memory(error);
    if (values->thread) {
        for (size_t i = 0; i < results->by_thread_count; i++) {
            const struct gnomon_lock_part *part = results->by_thread[i];
            if (locks_wanted(locks, part->lock) && gnomon_thread_set_has(&locks->threads, part->thread))
                add_row(locks, part->lock, &part->counts, 0);
        }
    } else if (values->by_caller && !locks->context->json) { /* the JSON has the call sites of each lock */
        for (size_t i = 0; i < results->by_caller_count; i++)
            if (locks_wanted(locks, results->by_caller[i]->lock) &&
                !locks_only_releases(&results->by_caller[i]->counts))
                add_row(locks, results->by_caller[i]->lock, &results->by_caller[i]->counts,
                        results->by_caller[i]->caller);
    } else {
        for (size_t i = 0; i < results->lock_count; i++)
            if (locks_wanted(locks, results->locks[i]->lock))
                add_row(locks, results->locks[i]->lock, &results->locks[i]->counts, 0);
    }
    if (locks_sort(locks, key))
        return GNOMON_OK;
    gnomon_fail(error, GNOMON_ERR_ARGUMENT, "--sort does not know \"%s\"", key);
    return gnomon_remedy(error, GNOMON_ERR_ARGUMENT, "the keys are " LOCKS_SORT_KEYS);
}

/* ---- The first line ---- */

static size_t count_threads(const struct locks *locks) {
    bool seen[GNOMON_THREADS_MOST] = {false};
    size_t count = 0;
    for (size_t i = 0; i < locks->run.results->by_thread_count; i++) {
        bool *one = &seen[locks->run.results->by_thread[i]->thread];
        count += !*one;
        *one = true;
    }
    return count;
}

static void put_first_line(const struct locks *locks, FILE *stream) {
    const struct gnomon_analysis *analysis = &locks->analysis;
    const struct gnomon_lock_results *results = locks->run.results;
    char text[2 * CLI_CLEAN_BYTES + GNOMON_EXACTNESS_BYTES + 200], program[CLI_CLEAN_BYTES], device[CLI_CLEAN_BYTES],
        phrase[GNOMON_EXACTNESS_BYTES], time[64] = "";
    const size_t threads = count_threads(locks);
    if (analysis->clock_hz)
        snprintf(time, sizeof time, " = %.4g s at %.6g MHz", (double)locks->cycles / (double)analysis->clock_hz,
                 (double)analysis->clock_hz / 1e6);
    snprintf(text, sizeof text, "# %s%s%s, %s cycles%s%s, %zu lock%s, %zu thread%s, %s lock message%s, %s",
             cli_clean(program, cli_basename(gnomon_symbols_path(analysis->symbols))), *analysis->device ? " on " : "",
             cli_clean(device, analysis->device), COUNT(locks->cycles), time,
             gnomon_analysis_of_both(analysis) ? " on two harts" : "", results->lock_count,
             results->lock_count == 1 ? "" : "s", threads, threads == 1 ? "" : "s", COUNT(results->messages),
             results->messages == 1 ? "" : "s", gnomon_exactness_phrase(&locks->exactness, NULL, phrase));
    const bool complete = gnomon_exactness_complete(&locks->exactness);
    fputs(complete ? "" : cli_style(locks->context, stream, CLI_RED), stream);
    screen_sentence(stream, text, "#   ");
    fputs(complete ? "" : cli_style(locks->context, stream, CLI_PLAIN), stream);
}

/* ---- The command ---- */

static int print_text(const struct locks *locks) {
    FILE *stream = cli_pager_begin(locks->context);
    put_first_line(locks, stream);
    if (locks->values->order) {
        locks_orders(locks, stream);
    } else {
        locks_table(locks, stream);
        if (locks->values->lock)
            locks_details(locks, stream);
        locks_problems(locks, stream);
    }
    return cli_pager_end(locks->context, stream);
}

static int show(struct locks *locks, const char *path) {
    struct gnomon_error error;
    if (gnomon_analysis_open(&locks->analysis, path, locks->values->elf, GNOMON_WITH_SYMBOLS, &error) ||
        gnomon_analysis_select(&locks->analysis, GNOMON_BOTH_HARTS, &error) ||
        cli_add_modules(&locks->analysis, &locks->values->modules, &error))
        return cli_error(locks->context, &error);
    locks->analysis.raw_names = locks->context->raw_names;
    if (locks->analysis.memory) {
        gnomon_fail(&error, GNOMON_ERR_UNSUPPORTED, "%s has records, and no messages", path);
        gnomon_error_remedy(&error, "gnomon record writes a file with messages");
        return cli_error(locks->context, &error);
    }
    if (gnomon_lock_run_read(&locks->run, &locks->analysis, &error))
        return cli_error(locks->context, &error);
    locks->cycles = gnomon_analysis_stats(&locks->analysis)->last_cycle;
    gnomon_lock_run_exactness(&locks->run, &locks->analysis, &locks->exactness);
    const int worth = cli_reasons(locks->context, &locks->exactness, locks->values->strict);
    if (check_wanted(locks, &error) || make_rows(locks, &error))
        return cli_error(locks->context, &error);
    const int printed = locks->context->json ? locks_json(locks) : print_text(locks);
    return printed ? printed : worth;
}

static int run(struct cli_context *context) {
    const struct locks_values *values = context->values;
    struct gnomon_error error;
    if (values->thread && values->by_caller)
        return cli_usage(context, "--thread and --by-caller exclude each other");
    struct locks *locks = calloc(1, sizeof *locks);
    if (!locks) {
        gnomon_fail_memory(&error);
        return cli_error(context, &error);
    }
    locks->context = context;
    locks->values = values;
    const int status = show(locks, context->argc > 0 ? context->argv[0] : context->input);
    gnomon_lock_run_close(&locks->run);
    gnomon_analysis_close(&locks->analysis);
    free(locks->rows);
    free(locks);
    return status;
}

const struct command command_locks = {
    .name = "locks",
    .summary = "show who waited for which lock, how long, and in which order locks were taken",
    .synopsis = "[OPTION...] [FILE]",
    .description =
        "Reads a trace that `gnomon record` wrote (FILE, or -i, or gnomon.gnt) of a program built with gnomon cc "
        "--gnomon-locks, or recorded with --watch-locks, and prints for each lock how often it was acquired, which "
        "share of the requests found it "
        "held by another thread, how long threads waited for it, and how long they held it. After the table it says "
        "what is wrong: a deadlock at the end of the run, orders of locks that can end in one, priority inversion, "
        "waits "
        "with a lock held, convoys, and misuse. Figures are counted in cycles, not sampled.\n\nThe first line says "
        "what was "
        "lost. After a loss the state of each lock is unknown until messages tell it again; what depends on it is "
        "counted as unknown, and the lock is marked with +: its figures are lower bounds.\n\nExit status: 0 good; 1 "
        "the file cannot be read, has no lock messages, or is damaged (what could be read is shown); 2 wrong usage; "
        "3 with --strict, when messages were lost or the end of the trace is missing.",
    .examples = "gnomon locks\tThe locks of gnomon.gnt, most waited for first.\n"
                "gnomon locks --lock pool_lock run.gnt\tEverything about one lock.\n"
                "gnomon locks --by-caller --sort hold\tThe call sites that held locks longest.\n"
                "gnomon locks --order\tWhich lock was taken while which one was held.\n"
                "gnomon locks --json\tFor programs.\n",
    .common = CLI_INPUT | CLI_JSON | CLI_NAMES,
    .options = options,
    .values_size = sizeof(struct locks_values),
    .max_operands = 1,
    .run = run,
};
