/* SPDX-License-Identifier: Apache-2.0 */
/* gnomon record --sample: where the program was at every N-th cycle or event, in place of its calls. */
#ifndef GNOMON_CLI_RECORD_SAMPLE_H
#define GNOMON_CLI_RECORD_SAMPLE_H

#include "cli/run/target.h"
#include "lib/elf/address_range.h"
#include "lib/model/lock_tables.h"
#include "lib/profile/profile_samples.h"
#include "lib/run/pc_sampler.h"
#include "lib/run/recorder.h"
#include "lib/trace/gnt.h"

/* Options of the user. */
struct record_sample_values {
    bool sample;
    uint64_t frequency, period;
    const char *event, *thread, *range;
};

/* Lines of an option table, for values with a struct record_sample_values `sample`. */
#define RECORD_SAMPLE_OPTIONS(values)                                                                                  \
    {0,        "sample",                                                                                               \
     NULL,     "sample where the program is, without any code in it, in place of recording its calls",                 \
     CLI_FLAG, offsetof(values, sample.sample)},                                                                       \
        {'F',        "freq",                                                                                           \
         "HZ",       "with --sample: take about HZ samples a second of the device's time (default: 4000)",             \
         CLI_NUMBER, offsetof(values, sample.frequency)},                                                              \
        {'c',        "count",                                                                                          \
         "N",        "with --sample: take a sample at every N-th cycle or event",                                      \
         CLI_NUMBER, offsetof(values, sample.period)},                                                                 \
        {'e',        "event",                                                                                          \
         "EVENT",    "with --sample: sample at events (names: gnomon stat --list) in place of cycles",                 \
         CLI_STRING, offsetof(values, sample.event)},                                                                  \
        {0,          "thread",                                                                                         \
         "NAME",     "with --sample: keep only the samples of the thread of this name or number",                      \
         CLI_STRING, offsetof(values, sample.thread)},                                                                 \
    {                                                                                                                  \
        0, "range", "FUNCTION", "with --sample: keep only samples in FUNCTION, or in the addresses START-END",         \
            CLI_STRING, offsetof(values, sample.range)                                                                 \
    }

#define RECORD_SAMPLE_TICK_MS 5 /* how often the device's samples are read: it has room for 512 */

struct record_sample {
    bool on;
    const struct record_sample_values *values;
    struct gnomon_pmu_setting event;
    bool ranged;
    struct gnomon_address_range range;
    struct gnomon_pc_sampler device;
    struct gnomon_samples samples;
    struct gnomon_error error; /* of a tick; status OK: none */
};

/* True if an option asks for samples. */
bool record_samples(const struct record_sample_values *values);
/* NULL, or what is wrong with the options. */
const char *record_sample_wrong(const struct record_sample_values *values);

/* Prepares for the opened target. The caller calls record_sample_free, whatever the status is. */
enum gnomon_status record_sample_open(struct record_sample *sample, const struct record_sample_values *values,
                                      const struct target *target, struct gnomon_error *error);
/* Call it between gnomon_session_prepare and gnomon_session_run. */
enum gnomon_status record_sample_begin(struct record_sample *sample, struct gnomon_error *error);
/* For the session's `tick`; true: it failed, and the program should stop. */
bool record_sample_tick(struct record_sample *sample);
/* After the run: takes the rest. */
enum gnomon_status record_sample_end(struct record_sample *sample, struct gnomon_error *error);
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
