/* SPDX-License-Identifier: Apache-2.0 */
/* gnomon record: run a program and keep its profile, or its event stream, in a file. */
#include <stdlib.h>
#include <string.h>

#include "cli/interrupt.h"
#include "cli/print_names.h"
#include "cli/run/record.h"
#include "cli/run/record_choice.h"
#include "cli/run/record_clock.h"
#include "cli/run/record_heap.h"
#include "cli/run/record_runs.h"
#include "gnomon/registers.h"
#include "lib/device/event_clock.h"

enum { MOST_RUNS = 1000 };

static bool on_frame(void *context, const uint8_t *frame) {
    struct recording *recording = context;
    return gnomon_recorder_frame(&recording->recorder, frame);
}

static void on_console(void *context, const uint8_t *data, size_t size) {
    struct recording *recording = context;
    cli_progress_end(&recording->progress);
    target_console(data, size);
}

static void on_progress(void *context, uint64_t cycles) {
    struct recording *recording = context;
    const struct gnomon_trace_stats *stats = gnomon_trace_stats(recording->recorder.trace);
    const double seconds = cli_progress_seconds(&recording->progress), millions = (double)cycles / 1e6;
    const uint64_t most = recording->target.most_cycles;
    char share[24] = "", functions[72] = "";
    if (most)
        snprintf(share, sizeof share, "  %.0f %%", 100.0 * (double)cycles / (double)most);
    if (!recording->records)
        snprintf(functions, sizeof functions, "   %zu functions   %llu events lost", recording->recorder.functions,
                 (unsigned long long)gnomon_trace_lost(stats));
    cli_progress_draw(&recording->progress, "%s  %.1f M cycles%s   %.1f M cycles/s", share, millions, functions,
                      seconds > 0 ? millions / seconds : 0.0);
}

static enum gnomon_status on_look(void *context, struct gnomon_error *error) {
    struct recording *recording = context;
    return gnomon_heap_reader_look(&recording->heap, false, error);
}

static bool on_tick(void *context) {
    struct recording *recording = context;
    return cli_interrupted() || recording->recorder.error.status || record_sample_tick(&recording->sample);
}

static uint32_t profile_control(const struct record_values *values) {
    return GNOMON_PROFILE_CONTROL_ENABLE | (values->no_functions ? 0 : GNOMON_PROFILE_CONTROL_FUNCTIONS) |
           (values->no_traps ? 0 : GNOMON_PROFILE_CONTROL_TRAPS) |
           (values->no_channels ? 0 : GNOMON_PROFILE_CONTROL_CHANNELS) |
           (values->no_locks ? 0 : GNOMON_PROFILE_CONTROL_LOCKS) |
           (values->no_modules ? 0 : GNOMON_PROFILE_CONTROL_MODULES) |
           (values->use_after_free ? GNOMON_PROFILE_CONTROL_LOCK_WORDS : 0) |
           (values->interrupts ? GNOMON_PROFILE_CONTROL_INTERRUPTS | GNOMON_PROFILE_CONTROL_TRAPS : 0);
}

static void announce(const struct recording *recording) {
    const struct gnomon_board *board = &recording->target.board;
    char isa[GNOMON_ISA_BYTES];
    char records[32] = "";
    if (recording->records)
        snprintf(records, sizeof records, ", %u records", board->records);
    cli_note(recording->context, "%s  %.6g MHz  %s  profiler %u.%u%s, %u hart%s", board->address, board->clock_hz / 1e6,
             gnomon_board_isa(board, isa), board->version_major, board->version_minor, records, board->harts,
             board->harts == 1 ? "" : "s");
}

/* A function without a number would be missing from the profile, and its cycles would count for its callers. */
static enum gnomon_status check_numbers(const struct recording *recording, struct gnomon_error *error) {
    const struct target *target = &recording->target;
    const uint32_t functions = recording->symbols ? gnomon_symbols_total(recording->symbols) : 0;
    if (functions <= target->board.numbers)
        return GNOMON_OK;
    gnomon_fail(error, GNOMON_ERR_UNSUPPORTED, "%s has %u profiled functions; %s has numbers for %u",
                target->image->path, (unsigned)functions, target->board.address, (unsigned)target->board.numbers);
    return gnomon_remedy(
        error, GNOMON_ERR_UNSUPPORTED,
        "leave functions out when you compile, with --gnomon-exclude, --gnomon-exclude-file or "
        "--gnomon-min-insns, or record on a device with more numbers; gnomon info shows how many a device "
        "has");
}

/* --tag: the trace is on only where tags say so. */
static enum gnomon_status gate_trace(struct recording *recording, struct gnomon_error *error) {
    static const struct cli_list no_thresholds;
    const struct record_values *values = recording->context->values;
    enum gnomon_status status = tag_setup_open(&recording->tags, recording->context, &recording->target, &values->tags,
                                               &no_thresholds, false, GNOMON_TAG_SHADOW_AUTO, error);
    if (status || recording->tags.plan.trace)
        return status;
    gnomon_fail(error, GNOMON_ERR_ARGUMENT, "no --tag starts or stops the trace");
    return gnomon_remedy(
        error, GNOMON_ERR_ARGUMENT,
        "give a tag the action trace-start, as in --tag WHAT:trace-start; gnomon tag has the other actions");
}

static enum gnomon_status open_recorder(struct recording *recording, struct gnomon_error *error) {
    const struct target *target = &recording->target;
    recording->recorder.board = &target->board;
    recording->recorder.path = recording->path;
    recording->recorder.records = recording->records;
    recording->recorder.both_harts = recording->session.both_harts;
    record_sample_listen(&recording->sample, &recording->recorder);
    json_t *header = gnomon_recorder_header(&recording->session, target->argc, target->argv, &target->inputs,
                                            recording->watches ? &recording->watch : NULL, recording->records);
    if (header && recording->sample.on)
        json_object_set_new(header, "sampled", json_true());
    enum gnomon_status status = gnomon_recorder_open(&recording->recorder, header, error);
    json_decref(header);
    return status;
}

/* True if hart 1 is recorded, too: it has what the recording needs. It has no tags. */
static bool records_both(const struct recording *recording) {
    const struct record_values *values = recording->context->values;
    const struct gnomon_board *board = &recording->target.board;
    return board->harts > 1 && !recording->sample.on && (!recording->records || board->other_records) &&
           (!recording->watches || board->other_watch) && !values->tags.count;
}

/* Which functions' calls are recorded, how, and what else of them. */
static enum gnomon_status choose_calls(struct recording *recording, struct gnomon_error *error) {
    const struct target *target = &recording->target;
    const struct record_values *values = recording->context->values;
    enum gnomon_status status = values->no_functions ? GNOMON_OK : check_numbers(recording, error);
    if (!status && record_wants_watch(&values->watch, target, recording->symbols, !values->no_functions))
        status = record_choose_watch(recording->context, &values->watch, &recording->target, &recording->symbols,
                                     &recording->watch, error);
    recording->watches = recording->watch.count > 0;
    if (!status && recording->cpi.what)
        status = cpi_choose(&recording->cpi, target, recording->symbols, error);
    if (!status && values->tags.count)
        status = gate_trace(recording, error);
    if (!status)
        recording->records = record_takes_records(recording->context, &target->board, recording->symbols,
                                                  recording->watch.count, values->records, values->events);
    return status;
}

/* Of a sampled run: which functions the device follows, if it takes whole stacks. */
static enum gnomon_status choose_samples(struct recording *recording, struct gnomon_error *error) {
    const struct target *target = &recording->target;
    const struct record_values *values = recording->context->values;
    const bool asked = values->watch.functions || values->watch.only.count;
    enum gnomon_status status = record_sample_open(&recording->sample, &values->sample, asked, target, error);
    if (status || !recording->sample.samples.functions)
        return status;
    status = check_numbers(recording, error);
    if (!status && record_wants_watch(&values->watch, target, recording->symbols, true))
        status = record_choose_watch(recording->context, &values->watch, &recording->target, &recording->symbols,
                                     &recording->watch, error);
    recording->watches = recording->watch.count > 0;
    recording->records = true;
    return status ? status
                  : record_sample_functions(&recording->sample, recording->symbols,
                                            recording->watches ? &recording->watch : NULL, target, error);
}

static enum gnomon_status prepare(struct recording *recording, struct gnomon_error *error) {
    const struct target *target = &recording->target;
    const struct record_values *values = recording->context->values;
    if (!target->board.profiler) {
        gnomon_fail(error, GNOMON_ERR_UNSUPPORTED, "%s has no profiler", target->board.address);
        return gnomon_remedy(error, GNOMON_ERR_UNSUPPORTED,
                             "run the program without a profile (gnomon run), or take another device (gnomon list)");
    }
    if (values->records && !target->board.records) {
        gnomon_fail(error, GNOMON_ERR_UNSUPPORTED, "%s keeps no records", target->board.address);
        return gnomon_remedy(error, GNOMON_ERR_UNSUPPORTED, "leave out --records; gnomon info shows what a device has");
    }
    cli_note_stripped(recording->context, recording->symbols);
    enum gnomon_status status = values->calibrate ? gnomon_calibrate_check(&target->board, error) : GNOMON_OK;
    if (!status && values->use_after_free)
        status = record_heap_words(target, error);
    if (!status)
        status = record_samples(&values->sample) ? choose_samples(recording, error) : choose_calls(recording, error);
    if (status)
        return status;
    struct gnomon_session *session = &recording->session;
    *session = target_session(target, recording);
    session->profile_control =
        (recording->sample.on ? record_sample_control(&recording->sample) : profile_control(values)) |
        (recording->records ? GNOMON_PROFILE_CONTROL_RECORDS : 0) |
        (recording->watches ? GNOMON_PROFILE_CONTROL_WATCH : 0);
    session->flush_cycles = (uint32_t)values->flush_cycles;
    session->both_harts = records_both(recording);
    session->watch = recording->watches ? &recording->watch : NULL;
    session->console = on_console;
    session->frame = on_frame;
    session->tick = on_tick;
    session->look = on_look;
    session->tick_ms = recording->sample.samples.functions ? RECORD_STACKS_TICK_MS
                       : recording->sample.on              ? RECORD_SAMPLE_TICK_MS
                                                           : 0;
    session->clock = values->calibrate ? &recording->clock : NULL;
    announce(recording);
    status = record_clock_set(recording, error);
    if (!status)
        status = open_recorder(recording, error);
    if (!status)
        status = gnomon_session_prepare(&recording->session, error);
    if (!status && recording->sample.on)
        status = record_sample_begin(&recording->sample, error);
    if (!status && values->tags.count)
        status = gnomon_tags_load(&recording->tags.tags, &recording->tags.plan, error);
    if (!status)
        status = record_heap_open(&recording->heap, session, values->leak_check, error);
    if (!status && values->use_after_free)
        status = gnomon_heap_watch(session, error);
    return status ? status : cpi_prepare(&recording->cpi, target, cpi_harts(&recording->cpi, target, session), error);
}

static int record(struct recording *recording) {
    struct gnomon_error error;
    if (prepare(recording, &error))
        return cli_error(recording->context, &error);
    cli_progress_begin(&recording->progress, recording->context);
    recording->session.progress = recording->progress.enabled ? on_progress : NULL;
    enum gnomon_status status = gnomon_session_run(&recording->session, &error);
    cli_progress_end(&recording->progress);
    if (recording->recorder.error.status)
        return record_keep_partial(recording, &recording->recorder.error);
    if (recording->sample.error.status)
        return record_keep_partial(recording, &recording->sample.error);
    return status ? record_keep_partial(recording, &error) : record_finish(recording);
}

/* True if the run needs only function records and events; functions without hooks need more units. */
static bool suits_lean(const struct recording *recording) {
    const struct record_values *values = recording->context->values;
    if (record_samples(&values->sample) || values->watch.functions || values->watch.only.count ||
        record_watches_locks(&values->watch) || values->tags.count || recording->cpi.what || values->use_after_free ||
        recording->event)
        return false;
    return values->no_functions ||
           (recording->symbols && (gnomon_symbols_total(recording->symbols) || record_tells_calls(recording->symbols)));
}

/* True if an option is about calls, or about the events of a run. */
static bool records_calls(const struct record_values *values) {
    return values->records || values->events ||
           (!values->sample.stacks && (values->watch.functions || values->watch.only.count)) ||
           record_watches_locks(&values->watch) || values->tags.count || values->cpi || values->interrupts ||
           values->no_functions || values->no_traps || values->no_channels || values->no_locks || values->no_modules;
}

/* One run into the file `path`. */
static int record_once(struct cli_context *context, const char *path) {
    struct gnomon_error error;
    const struct record_values *values = context->values;
    struct recording *recording = calloc(1, sizeof *recording);
    if (!recording) {
        gnomon_fail_memory(&error);
        return cli_error(context, &error);
    }
    recording->context = context;
    recording->path = path;
    cli_watch_interrupts(true);
    /* Without symbols nothing can be watched; record_choose_watch reports that if it matters. */
    if (gnomon_symbols_load_any(&recording->symbols, context->argv[0], NULL))
        recording->symbols = NULL;
    int result;
    if (gnomon_event_clock_parse(values->clock ? values->clock : "cycles", &recording->event, &error) ||
        cpi_begin(&recording->cpi, values->cpi, &values->target, &error) ||
        target_open_for(&recording->target, context, &recording->cpi.values, suits_lean(recording), &error)) {
        result = cli_error(context, &error);
    } else {
        result = record(recording);
        target_close(&recording->target);
    }
    gnomon_recorder_free(&recording->recorder);
    gnomon_lock_tables_free(&recording->tables);
    gnomon_heap_reader_free(&recording->heap);
    gnomon_symbols_free(recording->symbols);
    gnomon_watch_free(&recording->watch);
    tag_setup_close(&recording->tags);
    record_sample_free(&recording->sample);
    cpi_end(&recording->cpi);
    free(recording);
    return result;
}

static int run_record(struct cli_context *context) {
    const struct record_values *values = context->values;
    if (values->records && values->events)
        return cli_usage(context, "--records and --events exclude each other");
    if (values->interrupts && !values->events)
        return cli_usage(context, "--interrupts needs --events: function records have no order of events");
    const char *wrong = record_samples(&values->sample) ? record_sample_wrong(&values->sample) : NULL;
    if (!wrong)
        wrong = record_clock_wrong(values);
    if (wrong)
        return cli_usage(context, "%s", wrong);
    if (record_samples(&values->sample) && records_calls(values))
        return cli_usage(context, "--sample records no calls: leave out --records, --events, --watch and --watch-only "
                                  "(without -g), --watch-locks, --tag, --cpi and --no-...");
    const bool locks = record_watches_locks(&values->watch),
               watches = values->watch.functions || values->watch.only.count;
    if (values->no_functions && (watches || locks))
        return cli_usage(context, "--watch and --no-functions exclude each other");
    if (locks && watches)
        return cli_usage(context, "--watch-locks and --watch exclude each other: a lock function's call must be the "
                                  "only one that is watched");
    if (values->use_after_free && (!values->events || values->no_channels))
        return cli_usage(context, "--use-after-free needs --events with channel messages: they say who it was");
    if (locks && !values->events)
        return cli_usage(context, "--watch-locks needs --events: function records have no order of events");
    if (locks && (values->no_channels || values->no_traps))
        return cli_usage(context, "--watch-locks needs channel messages and traps");
    if (values->flush_cycles > UINT32_MAX)
        return cli_usage(context, "--flush-cycles is at most 4294967295");
    if (values->repeat > MOST_RUNS)
        return cli_usage(context, "--repeat is at most %u", MOST_RUNS);
    const char *path = context->output ? context->output : RECORD_DEFAULT_OUTPUT;
    return values->repeat ? record_runs(context, values->repeat, path, record_once) : record_once(context, path);
}

#define WITHOUT(name, what)                                                                                            \
    { 0, "no-" #name, NULL, "leave out " what, CLI_FLAG, offsetof(struct record_values, no_##name) }

static const struct cli_option options[] = {
    TARGET_OPTIONS,
    {0, "records", NULL,
     "keep a record of each function in the device, instead of sending its events (default if the "
     "device has a record for each function)",
     CLI_FLAG, offsetof(struct record_values, records)},
    {0, "events", NULL,
     "send every enter and exit, for gnomon dump; events that USB cannot carry are lost, and counted", CLI_FLAG,
     offsetof(struct record_values, events)},
    {0, "watch", NULL,
     "also profile functions without hooks, from their calls and returns (default if the program has no "
     "hooks)",
     CLI_FLAG, offsetof(struct record_values, watch.functions)},
    {0, "watch-only", "GLOB", "restrict --watch to functions matching GLOB", CLI_LIST,
     offsetof(struct record_values, watch.only)},
    {0, "watch-locks", NULL,
     "with --events: for gnomon locks, watch the calls of the functions of pthread.h, semaphore.h and threads.h, and "
     "of FreeRTOS's mutexes and semaphores, in a program that sends no messages about its locks",
     CLI_FLAG, offsetof(struct record_values, watch.locks)},
    {0, "lock-function", "ROLE=FUNCTION",
     "the same for FUNCTION, a name or an address; ROLE: acquire, try (returns true if it got the lock), release, or a "
     "function that does the same, as pthread_mutex_lock",
     CLI_LIST, offsetof(struct record_values, watch.lock_functions)},
    RECORD_SAMPLE_OPTIONS(struct record_values),
    {0, "tag", "WHAT:ACTION",
     "record functions' enters and exits only between tags: trace-start, trace-stop, trace-toggle, as "
     "for gnomon tag -t",
     CLI_LIST, offsetof(struct record_values, tags)},
    WITHOUT(functions, "function enters and exits"),
    WITHOUT(traps, "traps entered and left"),
    WITHOUT(channels, "channel messages (threads, heap, marks, values)"),
    WITHOUT(locks, "lock accesses"),
    WITHOUT(modules, "module messages"),
    {0, "interrupts", NULL,
     "with --events: also each instruction that switches interrupts off or on, and how long interrupts waited, for "
     "gnomon locks, report and dump",
     CLI_FLAG, offsetof(struct record_values, interrupts)},
    {0, "cpi", "WHAT",
     "count the cycles of each instruction by cause, for gnomon annotate; WHAT is all, a FUNCTION, or "
     "START-END",
     CLI_STRING, offsetof(struct record_values, cpi)},
    {0, "clock", "EVENT",
     "measure calls in this event of gnomon stat -e list (retired, dcache-misses, io-bytes ...) in place of cycles, "
     "for "
     "gnomon merge and gnomon api list",
     CLI_STRING, offsetof(struct record_values, clock)},
    {0, "graph-runs", "N",
     "run the program up to N times if the device has no room for its whole call graph (default: 16 on "
     "the simulated board, whose runs are all the same, else 1)",
     CLI_NUMBER, offsetof(struct record_values, graph_runs)},
    {0, "calibrate", NULL, "also measure the host's time of the run's cycles, for gnomon calibrate FILE", CLI_FLAG,
     offsetof(struct record_values, calibrate)},
    {'r', "repeat", "N",
     "run the program N times, into FILE.1.gnt, FILE.2.gnt and so on (of FILE.gnt): gnomon diff FILE.gnt takes them "
     "all",
     CLI_NUMBER, offsetof(struct record_values, repeat)},
    {0, "leak-check", NULL,
     "of a program linked with --gnomon-heap: halt it when it exits and at each GNOMON_HEAP_MARK, and keep what it can "
     "reach then, for gnomon heap --mode; its cycles after the halt are not those of other runs",
     CLI_FLAG, offsetof(struct record_values, leak_check)},
    {0, "use-after-free", NULL,
     "with --events, of a program linked with --gnomon-heap=guard: the device traces reads and writes of the blocks "
     "freed last, and of the guards of the newest ones, for gnomon heap --mistakes",
     CLI_FLAG, offsetof(struct record_values, use_after_free)},
    {0, "flush-cycles", "N",
     "send a frame that is not full after N cycles without an event (default: 0, only full frames)", CLI_NUMBER,
     offsetof(struct record_values, flush_cycles)},
    {0},
};

const struct command command_record = {
    .name = "record",
    .summary = "run a program and write where its cycles went to a file",
    .synopsis = "[OPTION...] ELF [--] [ARG...]",
    .description =
        "Runs ELF like gnomon run, with the profiler on, and writes where its cycles went to a file "
        "(default: gnomon.gnt). If the device can, it keeps a record for each function and for each pair "
        "of caller and callee, exact at any practical rate of calls. Otherwise, and with --events, it "
        "sends every enter and exit. Some devices can also watch calls of functions without hooks, in "
        "programs of any compiler. gnomon's options end at ELF; what follows is the program's.\n\nWith "
        "--cpi the file also has the cycles of each instruction by cause. The simulated board counts all "
        "instructions in one run. Another device counts the instructions in one part of the code; if the "
        "code is larger, the program runs once for each part, and every run must take the same "
        "cycles.\n\nThe file is written as FILE.partial and gets its name when the trace is complete, so "
        "an earlier file survives any failure. Ctrl-C stops the program; the file then holds the run up to "
        "that point. If the device is lost, the events that arrived stay in FILE.partial, which the other "
        "commands can read. Function records are read at the end, so they are lost with the device.\n\n" TARGET_FILES,
    .examples = "gnomon record ./image.elf -- logo.png out.png\tRecord into gnomon.gnt.\ngnomon record "
                "--watch-only 'str*' ./image.elf\tAlso profile the library's functions for strings.\ngnomon record "
                "--cpi all ./image.elf\tAlso count the cycles of every instruction, for gnomon annotate.\ngnomon "
                "record -d usb -o slow.gnt ./image.elf\tRecord on the board, into slow.gnt.\n",
    .common = CLI_DEVICE | CLI_OUTPUT | CLI_NAMES,
    TARGET_COMMAND(struct record_values, 1),
    .run = run_record,
};
