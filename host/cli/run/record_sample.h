/* SPDX-License-Identifier: Apache-2.0 */
/* gnomon record --sample: where the program was at every N-th cycle or event, in place of its calls. */
#ifndef GNOMON_CLI_RECORD_SAMPLE_H
#define GNOMON_CLI_RECORD_SAMPLE_H

#include "cli/run/target.h"
#include "lib/elf/address_range.h"
#include "lib/model/lock_tables.h"
#include "lib/profile/profile_samples.h"
#include "lib/run/epoch_sampler.h"
#include "lib/run/pc_sampler.h"
#include "lib/run/recorder.h"
#include "lib/run/stack_sampler.h"
#include "lib/trace/gnt.h"

/* Options of the user. */
struct record_sample_values {
    bool sample, stacks;
    uint64_t frequency, period, table, depth;
    const char *event, *thread, *range;
};

/* Lines of an option table, for values with a struct record_sample_values `sample`. */
/* clang-format off */
#define RECORD_SAMPLE_OPTION(short, long, argument, about, kind, values, member)                                       \
    {short, long, argument, about, kind, offsetof(values, sample.member)}
#define RECORD_SAMPLE_OPTIONS(values)                                                                                  \
    RECORD_SAMPLE_OPTION(0, "sample", NULL,                                                                            \
        "sample where the program is, without any code in it, in place of recording its calls",                        \
        CLI_FLAG, values, sample),                                                                                     \
    RECORD_SAMPLE_OPTION('F', "freq", "HZ",                                                                            \
        "with --sample: take about HZ samples a second of the device's time (default: 4000; 1000 with -g)",            \
        CLI_NUMBER, values, frequency),                                                                                \
    RECORD_SAMPLE_OPTION('c', "count", "N", "with --sample: take a sample at every N-th cycle or event",               \
        CLI_NUMBER, values, period),                                                                                   \
    RECORD_SAMPLE_OPTION('e', "event", "EVENT",                                                                        \
        "with --sample: sample at occurrences of EVENT, as in gnomon stat -e, in place of cycles",                     \
        CLI_STRING, values, event),                                                                                    \
    RECORD_SAMPLE_OPTION('g', "call-graph", NULL,                                                                      \
        "with --sample: take whole stacks, by a monitor in the program (gnomon cc --gnomon-monitor), else by the "     \
        "device, whose function records know which calls are open",                                                    \
        CLI_FLAG, values, stacks),                                                                                     \
    RECORD_SAMPLE_OPTION(0, "stack-table", "N",                                                                        \
        "with -g: stacks for which the monitor's table has room (default: 256)", CLI_NUMBER, values, table),           \
    RECORD_SAMPLE_OPTION(0, "stack-depth", "N",                                                                        \
        "with -g: most functions of a stack, the innermost ones (default: 32)", CLI_NUMBER, values, depth),            \
    RECORD_SAMPLE_OPTION(0, "thread", "NAME",                                                                          \
        "with --sample: keep only the samples of the thread of this name or number", CLI_STRING, values, thread),      \
    RECORD_SAMPLE_OPTION(0, "range", "FUNCTION",                                                                       \
        "with --sample: keep only samples in FUNCTION, or in the addresses START-END", CLI_STRING, values, range)
/* clang-format on */

#define RECORD_SAMPLE_TICK_MS 5 /* how often the device's samples are read: it has room for 512 */
#define RECORD_STACKS_TICK_MS 1 /* the same for stacks that the device knows: for one, and only now */

struct record_sample {
    bool on;
    const struct record_sample_values *values;
    struct gnomon_pmu_setting event;
    bool ranged;
    struct gnomon_address_range range;
    bool stacks;
    struct gnomon_pc_sampler device;     /* without `stacks` */
    struct gnomon_stack_sampler monitor; /* with `stacks` */
    struct gnomon_epoch_sampler epochs;  /* with `stacks` and `samples.functions` */
    uint32_t sets, depth;                /* of its table */
    struct gnomon_samples samples;
    struct gnomon_error error; /* of a tick; status OK: none */
};

/* True if an option asks for samples. */
bool record_samples(const struct record_sample_values *values);
/* NULL, or what is wrong with the options. */
const char *record_sample_wrong(const struct record_sample_values *values);

/* Prepares for the opened target. `watched`: the user wants calls to be watched, so the device takes the stacks. The
 * caller calls record_sample_free, whatever the status is. */
enum gnomon_status record_sample_open(struct record_sample *sample, const struct record_sample_values *values,
                                      bool watched, const struct target *target, struct gnomon_error *error);
/* For stacks that the device takes, when the functions with numbers are chosen: checks that each has a record. `watch`
 * NULL: none is watched. The caller keeps both. */
enum gnomon_status record_sample_functions(struct record_sample *sample, const struct gnomon_symbols *symbols,
                                           const struct gnomon_watch *watch, const struct target *target,
                                           struct gnomon_error *error);
/* Tells the recorder, before the run, which events are needed. */
void record_sample_listen(struct record_sample *sample, struct gnomon_recorder *recorder);
/* PROFILE.CONTROL of a sampled run. */
uint32_t record_sample_control(const struct record_sample *sample);
/* Call it between gnomon_session_prepare and gnomon_session_run. */
enum gnomon_status record_sample_begin(struct record_sample *sample, struct gnomon_error *error);
/* For the session's `tick`; true: it failed, and the program should stop. */
bool record_sample_tick(struct record_sample *sample);
/* After the run: takes the rest. */
enum gnomon_status record_sample_end(struct record_sample *sample, struct gnomon_recorder *recorder,
                                     struct gnomon_error *error);
/* Leaves out the samples that were not asked for. `tables` have the names of threads. */
enum gnomon_status record_sample_filter(struct record_sample *sample, const struct gnomon_lock_tables *tables,
                                        const struct gnomon_symbols *symbols, struct gnomon_error *error);
enum gnomon_status record_sample_write(const struct record_sample *sample, struct gnomon_gnt_writer *writer,
                                       struct gnomon_error *error);
/* Tells what was written. `exactness`: of the run; gets that of the samples, too. `next`: what the user can do next. */
void record_sample_summary(const struct record_sample *sample, const struct cli_context *context,
                           const struct gnomon_recorder *recorder, struct gnomon_exactness *exactness,
                           const char *next);
void record_sample_free(struct record_sample *sample);

#endif
