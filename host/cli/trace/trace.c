/* SPDX-License-Identifier: Apache-2.0 */
/* gnomon trace: runs a program, records the accesses of the bus that pass a filter, and prints them. */
#include <stdlib.h>
#include <string.h>

#include "cli/interrupt.h"
#include "cli/report/dump.h"
#include "cli/run/target.h"
#include "gnomon/registers.h"
#include "lib/device/lock_words.h"
#include "lib/elf/address_range.h"
#include "lib/run/recorder.h"

#define DEFAULT_OUTPUT "gnomon.gnt"
#define READS GNOMON_PROFILE_BUS_CONTROL_READS
#define WRITES GNOMON_PROFILE_BUS_CONTROL_WRITES

struct values {
    struct target_values target;
    const char *bus;
    struct cli_list ports, words;
    uint64_t limit;
    bool events, strict;
};

struct tracing {
    struct cli_context *context;
    struct target target;
    struct gnomon_session session;
    struct gnomon_recorder recorder;
    struct gnomon_bus_filter filter;
    struct gnomon_lock_words words;
};

/* The program's console goes to standard error, because the accesses go to standard output. */
static void on_console(void *context, const uint8_t *data, size_t size) {
    (void)context;
    target_end_progress();
    fwrite(data, 1, size, stderr);
}

static bool on_frame(void *context, const uint8_t *frame) {
    struct tracing *tracing = context;
    return gnomon_recorder_frame(&tracing->recorder, frame);
}

static bool on_tick(void *context) {
    struct tracing *tracing = context;
    return cli_interrupted() || tracing->recorder.error.status;
}

/* Takes ":r", ":w" or ":rw" off the end of `text`. A C++ name may contain "::". */
static uint32_t take_directions(char *text) {
    static const struct {
        const char *suffix;
        uint32_t bits;
    } all[] = {{":rw", READS | WRITES}, {":r", READS}, {":w", WRITES}};
    size_t length = strlen(text);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        size_t part = strlen(all[i].suffix);
        if (length > part && !strcmp(text + length - part, all[i].suffix) && text[length - part - 1] != ':') {
            text[length - part] = 0;
            return all[i].bits;
        }
    }
    return READS | WRITES;
}

static enum gnomon_status find_range(const char *option, const char *text, const char *elf,
                                     struct gnomon_address_range *range, struct gnomon_error *error) {
    if (gnomon_address_range_parse(text, range)) {
        if (range->start < range->end)
            return GNOMON_OK;
        gnomon_fail(error, GNOMON_ERR_ARGUMENT, "%s %s holds no address", option, text);
        return gnomon_remedy(error, GNOMON_ERR_ARGUMENT, "END is the first address after the range");
    }
    enum gnomon_status status = gnomon_address_range_find(elf, text, GNOMON_ADDRESS_RANGE_VARIABLE, range, error);
    struct gnomon_error of_function;
    if (status == GNOMON_ERR_NOT_FOUND &&
        !gnomon_address_range_find(elf, text, GNOMON_ADDRESS_RANGE_FUNCTION, range, &of_function))
        return GNOMON_OK;
    return status;
}

static enum gnomon_status choose_ports(const struct cli_list *names, uint32_t *control, struct gnomon_error *error) {
    static const struct {
        const char *name;
        uint32_t bit;
    } ports[] = {{"instruction", GNOMON_PROFILE_BUS_CONTROL_INSTRUCTION},
                 {"data", GNOMON_PROFILE_BUS_CONTROL_DATA},
                 {"host", GNOMON_PROFILE_BUS_CONTROL_HOST}};
    const size_t count = sizeof ports / sizeof *ports;
    for (size_t i = 0; !names->count && i < count; i++)
        *control |= ports[i].bit;
    for (size_t i = 0; i < names->count; i++) {
        size_t port = 0;
        while (port < count && strcmp(names->items[i], ports[port].name) != 0)
            port++;
        if (port == count) {
            gnomon_fail(error, GNOMON_ERR_ARGUMENT, "the bus has no port %s", names->items[i]);
            return gnomon_remedy(error, GNOMON_ERR_ARGUMENT, "give --port instruction, data or host");
        }
        *control |= ports[port].bit;
    }
    return GNOMON_OK;
}

static enum gnomon_status choose_filter(struct tracing *tracing, struct gnomon_error *error) {
    const struct values *values = tracing->context->values;
    struct gnomon_address_range range;
    char *text = strdup(values->bus);
    if (!text)
        return gnomon_fail_memory(error);
    tracing->filter.control = take_directions(text);
    enum gnomon_status status = find_range("--bus", text, tracing->target.image->path, &range, error);
    free(text);
    if (status)
        return status;
    tracing->filter.first = range.start;
    tracing->filter.last = range.end - 1;
    return choose_ports(&values->ports, &tracing->filter.control, error);
}

static enum gnomon_status check_device(const struct target *target, struct gnomon_error *error) {
    uint32_t control = 0;
    enum gnomon_status status = target->board.profiler
                                    ? gnomon_device_get(target->device, GNOMON_PROFILE_BUS_CONTROL, &control, error)
                                    : GNOMON_OK;
    if (status || control & GNOMON_PROFILE_BUS_CONTROL_PRESENT)
        return status;
    gnomon_fail(error, GNOMON_ERR_UNSUPPORTED, "%s has no bus filter", target->board.address);
    return gnomon_remedy(
        error, GNOMON_ERR_UNSUPPORTED,
        "use the simulated board full (-d sim:full), a board with an ECP5, or the bitstream fomu-bus of a Fomu; where "
        "locks are traced, accesses of 0xe0000000 to 0xe1ffffff are events of gnomon record --events");
}

/* Adds the words to the device. With --events the program may add words, too. */
static enum gnomon_status choose_words(struct tracing *tracing, struct gnomon_error *error) {
    const struct target *target = &tracing->target;
    const struct cli_list *names = &((const struct values *)tracing->context->values)->words;
    enum gnomon_status status = target->board.profiler
                                    ? gnomon_lock_words_clear(&tracing->words, target->device, &target->board, error)
                                    : GNOMON_OK;
    if (!status && names->count && !tracing->words.places_log2) {
        gnomon_fail(error, GNOMON_ERR_UNSUPPORTED, "%s cannot trace words of memory by their address",
                    target->board.address);
        return gnomon_remedy(error, GNOMON_ERR_UNSUPPORTED, "use the simulated board full (-d sim:full)");
    }
    for (size_t i = 0; !status && i < names->count; i++) {
        struct gnomon_address_range range;
        status = find_range("--word", names->items[i], target->image->path, &range, error);
        for (uint64_t at = range.start & ~3u; !status && at < range.end; at += 4)
            status = gnomon_lock_words_add(&tracing->words, target->device, &target->board, (uint32_t)at, error);
    }
    return status;
}

static enum gnomon_status prepare(struct tracing *tracing, struct gnomon_error *error) {
    const struct target *target = &tracing->target;
    const struct values *values = tracing->context->values;
    struct gnomon_session *session = &tracing->session;
    enum gnomon_status status = values->bus ? check_device(target, error) : GNOMON_OK;
    if (!status && values->bus)
        status = choose_filter(tracing, error);
    if (!status)
        status = choose_words(tracing, error);
    if (status)
        return status;
    *session = target_session(target, tracing);
    session->profile_control = GNOMON_PROFILE_CONTROL_ENABLE | (values->bus ? GNOMON_PROFILE_CONTROL_BUS : 0) |
                               (tracing->words.places_log2 ? GNOMON_PROFILE_CONTROL_LOCK_WORDS : 0);
    if (values->events)
        session->profile_control |= GNOMON_PROFILE_CONTROL_FUNCTIONS | GNOMON_PROFILE_CONTROL_TRAPS |
                                    GNOMON_PROFILE_CONTROL_CHANNELS | GNOMON_PROFILE_CONTROL_MODULES;
    session->bus = values->bus ? &tracing->filter : NULL;
    session->both_harts = target->board.harts > 1 && (!tracing->words.count || tracing->words.harts > 1);
    session->console = on_console;
    session->frame = on_frame;
    session->tick = on_tick;
    tracing->recorder.board = &target->board;
    tracing->recorder.both_harts = session->both_harts;
    json_t *header = gnomon_recorder_header(session, target->argc, target->argv, &target->inputs, NULL, false);
    if (header && tracing->words.places_log2)
        json_object_set_new(header, "lock_words", gnomon_lock_words_json(&tracing->words));
    status = gnomon_recorder_open(&tracing->recorder, header, error);
    json_decref(header);
    return status ? status : gnomon_session_prepare(session, error);
}

static void print_summary(const struct tracing *tracing) {
    const struct gnomon_trace_stats *stats = gnomon_trace_stats(tracing->recorder.trace);
    char accesses[CLI_COUNT_BYTES], lost[CLI_COUNT_BYTES], cycles[CLI_COUNT_BYTES];
    cli_note(tracing->context, "wrote %s: %s access%s in %s cycles, %s lost", tracing->recorder.path,
             cli_count(accesses, stats->accesses), stats->accesses == 1 ? "" : "es",
             cli_count(cycles, stats->last_cycle), cli_count(lost, stats->bus_lost));
}

/* Prints the recorded accesses, and then says how the program ended. */
static int print(struct tracing *tracing) {
    const struct values *values = tracing->context->values;
    const struct gnomon_session *session = &tracing->session;
    const struct dump_values of_dump = {
        .elf = tracing->target.image->path, .limit = values->limit, .hart = "both", .strict = values->strict};
    struct gnomon_error error;
    print_summary(tracing);
    int result = dump_file(tracing->context, &of_dump, tracing->recorder.path);
    if (session->end == GNOMON_END_DEBUG && target_explain_debug(session, &error))
        return cli_error(tracing->context, &error);
    if (session->end == GNOMON_END_STOPPED)
        return target_stopped(tracing->context, session->timed_out);
    return target_explain_crash(tracing->context, &tracing->target, &session->crash) ? CLI_FAILED : result;
}

static int finish(struct tracing *tracing) {
    struct gnomon_session *session = &tracing->session;
    struct gnomon_recorder *recorder = &tracing->recorder;
    struct gnomon_error error;
    if (recorder->error.status)
        return cli_error(tracing->context, &recorder->error);
    if (gnomon_recorder_close(recorder, session, gnomon_recorder_reason(recorder, session), &error) ||
        gnomon_recorder_place(recorder, &error))
        return cli_error(tracing->context, &error);
    if (session->end == GNOMON_END_EXIT && target_fetch(&tracing->target, tracing->context, &error))
        return cli_error(tracing->context, &error);
    int result = print(tracing);
    if (session->end == GNOMON_END_EXIT && gnomon_session_finish(session, &error))
        return cli_error(tracing->context, &error);
    return result;
}

static int run_trace(struct cli_context *context) {
    struct gnomon_error error;
    const struct values *values = context->values;
    if (!values->bus && !values->words.count)
        return cli_usage(context, "missing option: --bus START-END, or --word NAME");
    struct tracing *tracing = calloc(1, sizeof *tracing);
    if (!tracing) {
        gnomon_fail_memory(&error);
        return cli_error(context, &error);
    }
    tracing->context = context;
    tracing->recorder.path = context->output ? context->output : DEFAULT_OUTPUT;
    cli_watch_interrupts(true);
    int result;
    if (target_open_for(&tracing->target, context, &values->target, true, &error)) {
        result = cli_error(context, &error);
    } else {
        enum gnomon_status status = prepare(tracing, &error);
        if (!status)
            status = gnomon_session_run(&tracing->session, &error);
        target_end_progress();
        result = status ? cli_error(context, &error) : finish(tracing);
        target_close(&tracing->target);
    }
    gnomon_recorder_free(&tracing->recorder);
    free(tracing);
    return result;
}

static const struct cli_option options[] = {
    TARGET_OPTIONS,
    {0, "bus", "WHAT",
     "trace accesses of WHAT: START-END, a variable or a function; then :r for reads only, :w for writes only",
     CLI_STRING, offsetof(struct values, bus)},
    {0, "word", "WHAT",
     "trace the instructions that access a word of memory, with what it holds then: a variable (each of its words), or "
     "START-END; each use adds one",
     CLI_LIST, offsetof(struct values, words)},
    {0, "port", "PORT",
     "trace accesses of the port instruction, data or host only (default: all; one port for each use)", CLI_LIST,
     offsetof(struct values, ports)},
    {0, "events", NULL, "also trace functions, traps and messages, to see where the program was", CLI_FLAG,
     offsetof(struct values, events)},
    {'n', "limit", "N", "print the first N events; the file has all of them", CLI_NUMBER,
     offsetof(struct values, limit)},
    {0, "strict", NULL, "exit with status 3 when accesses were lost or the end is missing", CLI_FLAG,
     offsetof(struct values, strict)},
    {0},
};

const struct command command_trace = {
    .name = "trace",
    .summary = "run a program and print its accesses of the bus: cycle, port, address, data",
    .synopsis = "--bus WHAT | --word WHAT [OPTION...] ELF [--] [ARG...]",
    .description =
        "Runs ELF like gnomon run. Each access of the bus that passes the filter is printed with its cycle, its port "
        "(the hart's instruction or data port, or the host), its address, the name of the variable, function or "
        "register there, and what was written. END is the first address after the range. The accesses are also in a "
        "file (-o, default: gnomon.gnt), which gnomon dump prints again. They go to standard output, and the program's "
        "console to standard error.\n\nThe bus does not tell the data of reads, nor how many bytes a read takes. "
        "Behind "
        "a cache the bus has the cache's accesses: lines of reads, and writes some cycles after their instruction. "
        "Accesses by a debugger's instructions are left out. The program takes the same cycles as without the trace. "
        "If accesses come faster than USB takes them, some are lost; the trace says where, and how many.\n\n--word "
        "takes the accesses from the instructions instead, in their order and with the value of each, reads included: "
        "also of a variable that lies in a cache, and that serves as a lock without any call. A program adds words "
        "itself with gnomon_lock_word; they are traced with --events.\n\nExit "
        "status: 0 good; 1 the program crashed, or an error; 2 wrong usage; 3 with --strict, when something was lost "
        "or the end is missing.\n\n" TARGET_FILES,
    .examples = "gnomon trace --bus 0xf0002000-0xf0003000:w hello.elf\tWhat the program writes to the console's "
                "registers.\n"
                "gnomon trace --bus counter:w --events ./image.elf\tWho writes a variable, and when.\n"
                "gnomon trace --word lock --word pool ./image.elf\tWho takes a lock that is no call, and when.\n"
                "gnomon trace --bus 0x10000000-0x10001000 --port data --json ./image.elf\tLoads and stores, for "
                "programs.\n",
    .common = CLI_DEVICE | CLI_OUTPUT | CLI_JSON | CLI_NAMES,
    TARGET_COMMAND(struct values, 1),
    .run = run_trace,
};
