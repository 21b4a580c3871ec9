/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/run/record_sample.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/print_names.h"
#include "gnomon/registers.h"

#define DEFAULT_HZ 4000
#define DEFAULT_STACKS_HZ 1000 /* a walk up the stack takes thousands of cycles */
#define DEFAULT_TABLE 256
#define DEFAULT_DEPTH 32
#define DEFAULT_PERIOD 1000 /* of events that are no cycles */
#define SEED 1              /* of the distances between samples: a run can be repeated */
#define LEAST_PERIOD 16     /* cycles: more often, the host cannot read the samples */

bool record_samples(const struct record_sample_values *values) {
    return values->sample || values->stacks || values->table || values->depth || values->frequency || values->period ||
           values->event || values->thread || values->range;
}

static bool of_cycles(const struct record_sample_values *values) {
    return !values->event || !strcmp(values->event, GNOMON_SAMPLED_CYCLES);
}

const char *record_sample_wrong(const struct record_sample_values *values) {
    if (values->frequency && values->period)
        return "-F and -c exclude each other";
    if (values->frequency && !of_cycles(values))
        return "-F takes samples by time; use -c for events";
    if (values->period > UINT32_MAX || (values->period && of_cycles(values) && values->period < LEAST_PERIOD))
        return "-c is a number of events from 1 to 4294967295, and of cycles 16 or more";
    if (!values->stacks && (values->table || values->depth))
        return "--stack-table and --stack-depth need -g";
    if (values->table % GNOMON_STACKS_WAYS || values->table > GNOMON_STACKS_SETS * GNOMON_STACKS_WAYS)
        return "--stack-table is a multiple of 4, 262144 at most";
    if (values->depth > GNOMON_STACKS_DEEPEST)
        return "--stack-depth is 256 at most";
    if (values->thread && strlen(values->thread) >= GNOMON_SAMPLED_FILTER_BYTES)
        return "the name in --thread is too long";
    if (values->range && strlen(values->range) >= GNOMON_SAMPLED_FILTER_BYTES)
        return "the name in --range is too long; give addresses";
    return NULL;
}

/* ---- What is sampled ---- */

static bool is_prime(uint64_t number) {
    for (uint64_t divisor = 2; divisor * divisor <= number; divisor++)
        if (number % divisor == 0)
            return false;
    return true;
}

/* A prime number of cycles: few loops run in step with it. */
static enum gnomon_status period_of(const struct record_sample_values *values, const struct gnomon_board *board,
                                    uint32_t *period, struct gnomon_error *error) {
    const uint64_t hz = values->frequency ? values->frequency : values->stacks ? DEFAULT_STACKS_HZ : DEFAULT_HZ;
    uint64_t cycles = board->clock_hz / hz;
    *period = values->period ? (uint32_t)values->period : DEFAULT_PERIOD;
    if (values->period || !of_cycles(values))
        return GNOMON_OK;
    if (cycles <= LEAST_PERIOD || cycles > UINT32_MAX) {
        gnomon_fail(error, GNOMON_ERR_ARGUMENT, "%s has %llu cycles a second: it cannot take %llu samples",
                    board->address, (unsigned long long)board->clock_hz, (unsigned long long)hz);
        return gnomon_remedy(error, GNOMON_ERR_ARGUMENT,
                             "give another -F, or the cycles from sample to sample with "
                             "-c; there are %d at least",
                             LEAST_PERIOD);
    }
    while (!is_prime(cycles))
        cycles--;
    *period = (uint32_t)cycles;
    return GNOMON_OK;
}

static enum gnomon_status event_of(struct record_sample *sample, struct gnomon_error *error) {
    const char *name = sample->values->event ? sample->values->event : GNOMON_SAMPLED_CYCLES;
    if (strpbrk(name, ":,")) {
        gnomon_fail(error, GNOMON_ERR_ARGUMENT, "\"%s\": samples are of one event, without filters", name);
        return gnomon_remedy(error, GNOMON_ERR_ARGUMENT,
                             "--thread and --range choose samples; gnomon stat -e counts events with filters");
    }
    return gnomon_pmu_parse(name, &sample->event, error);
}

static enum gnomon_status range_of(struct record_sample *sample, const struct target *target,
                                   struct gnomon_error *error) {
    const char *range = sample->values->range;
    sample->ranged = range != NULL;
    if (!range || gnomon_address_range_parse(range, &sample->range))
        return GNOMON_OK;
    return gnomon_address_range_find(target->image->path, range, GNOMON_ADDRESS_RANGE_FUNCTION, &sample->range, error);
}

static void describe(struct record_sample *sample) {
    const struct record_sample_values *values = sample->values;
    struct gnomon_samples *samples = &sample->samples;
    snprintf(samples->event, sizeof samples->event, "%s", sample->event.event->name);
    if (values->thread)
        snprintf(samples->thread, sizeof samples->thread, "%s", values->thread);
    if (values->range)
        snprintf(samples->range, sizeof samples->range, "%s", values->range);
}

static bool needs_monitor(const struct record_sample_values *values) {
    return values->table || values->depth || !of_cycles(values);
}

/* The monitor takes the stacks if the program has one, or if an option is about it. */
static enum gnomon_status stacks_open(struct record_sample *sample, bool watched, const struct target *target,
                                      struct gnomon_error *error) {
    const struct record_sample_values *values = sample->values;
    enum gnomon_status status = GNOMON_ERR_UNSUPPORTED;
    if (watched && needs_monitor(values)) {
        gnomon_fail(error, GNOMON_ERR_ARGUMENT, "with --watch the device takes the stacks, at random cycles");
        return gnomon_remedy(error, GNOMON_ERR_ARGUMENT,
                             "leave out --stack-table, --stack-depth and -e, or leave out --watch and --watch-only");
    }
    sample->stacks = sample->samples.stacks = true;
    sample->sets = (uint32_t)(values->table ? values->table : DEFAULT_TABLE) / GNOMON_STACKS_WAYS;
    sample->depth = values->depth ? (uint32_t)values->depth : DEFAULT_DEPTH;
    if (!watched)
        status = gnomon_stack_sampler_open(&sample->monitor, &sample->samples, target->device, &target->board,
                                           target->image->path, error);
    if (status != GNOMON_ERR_UNSUPPORTED || needs_monitor(values))
        return status;
    sample->samples.functions = true;
    return gnomon_epoch_sampler_open(&sample->epochs, &sample->samples, target->device, &target->board, error);
}

enum gnomon_status record_sample_functions(struct record_sample *sample, const struct gnomon_symbols *symbols,
                                           const struct gnomon_watch *watch, const struct target *target,
                                           struct gnomon_error *error) {
    const size_t count = (symbols ? gnomon_symbols_total(symbols) : 0) + (watch ? watch->count : 0);
    const size_t most = target->board.records - GNOMON_RECORD_TRAPS;
    sample->epochs.starts = (struct gnomon_function_starts){.symbols = symbols, .watch = watch};
    if (symbols && count && count <= most)
        return GNOMON_OK;
    if (count > most) {
        gnomon_fail(error, GNOMON_ERR_UNSUPPORTED, "%s has %zu functions, and %s has records for %zu",
                    target->image->path, count, target->board.address, most);
        return gnomon_remedy(error, GNOMON_ERR_UNSUPPORTED,
                             "choose functions with --watch-only, or with --gnomon-exclude when you compile; or link "
                             "the program with gnomon cc --gnomon-monitor");
    }
    gnomon_fail(error, GNOMON_ERR_UNSUPPORTED, "%s has neither a monitor nor functions that %s could follow",
                target->image->path, target->board.address);
    return gnomon_remedy(error, GNOMON_ERR_UNSUPPORTED,
                         "compile it with gnomon cc, for hooks, or with gnomon cc --gnomon-monitor; or leave out -g");
}

enum gnomon_status record_sample_open(struct record_sample *sample, const struct record_sample_values *values,
                                      bool watched, const struct target *target, struct gnomon_error *error) {
    *sample = (struct record_sample){.on = true, .values = values};
    enum gnomon_status status = event_of(sample, error);
    if (!status)
        status = period_of(values, &target->board, &sample->samples.period, error);
    if (!status)
        status = range_of(sample, target, error);
    if (status)
        return status;
    describe(sample);
    if (!values->stacks)
        return gnomon_pc_sampler_open(&sample->device, &sample->samples, target->device, &target->board, error);
    return stacks_open(sample, watched, target, error);
}

/* ---- The run ---- */

static void on_event(void *context, const struct gnomon_event *event) {
    struct record_sample *sample = context;
    gnomon_stack_sampler_event(&sample->monitor, event);
}

void record_sample_listen(struct record_sample *sample, struct gnomon_recorder *recorder) {
    recorder->event = sample->stacks && !sample->samples.functions ? on_event : NULL;
    recorder->event_context = sample;
}

/* The trace tells where modules were, and the device, from the messages, whether a switch of threads was not told of.
 * The monitor's stacks and interrupts are in it, too. */
uint32_t record_sample_control(const struct record_sample *sample) {
    return GNOMON_PROFILE_CONTROL_ENABLE | GNOMON_PROFILE_CONTROL_MODULES | GNOMON_PROFILE_CONTROL_CHANNELS |
           (sample->stacks ? GNOMON_PROFILE_CONTROL_TRAPS : 0) |
           (sample->samples.functions ? GNOMON_PROFILE_CONTROL_FUNCTIONS : 0);
}

enum gnomon_status record_sample_begin(struct record_sample *sample, struct gnomon_error *error) {
    if (sample->samples.functions)
        return GNOMON_OK;
    if (sample->stacks)
        return gnomon_stack_sampler_begin(&sample->monitor, sample->event.event, sample->sets, sample->depth, SEED,
                                          error);
    return gnomon_pc_sampler_begin(&sample->device, sample->event.event, error);
}

bool record_sample_tick(struct record_sample *sample) {
    if (!sample->on || (sample->stacks && !sample->samples.functions))
        return false;
    return sample->stacks ? gnomon_epoch_sampler_take(&sample->epochs, &sample->error)
                          : gnomon_pc_sampler_take(&sample->device, &sample->error);
}

struct wanted {
    const struct record_sample *sample;
    const struct gnomon_lock_tables *tables;
    const struct gnomon_symbols *symbols;
};

static bool is_thread(const struct wanted *wanted, uint32_t thread, const char *name) {
    char text[GNOMON_THREAD_NAME_BYTES], number[16];
    snprintf(number, sizeof number, "%u", (unsigned)thread);
    return !strcmp(name, number) ||
           !strcmp(name, gnomon_table_thread_name(wanted->tables, wanted->symbols, thread, text));
}

static bool keep(void *context, uint32_t thread, uint32_t address) {
    const struct wanted *wanted = context;
    const struct record_sample *sample = wanted->sample;
    if (sample->ranged && (address < sample->range.start || address >= sample->range.end))
        return false;
    return !sample->values->thread || is_thread(wanted, thread, sample->values->thread);
}

/* The records are of the cycles after the last sample: only what they say of the whole run is kept. */
static void end_epochs(struct record_sample *sample, struct gnomon_recorder *recorder) {
    struct gnomon_records *records = &recorder->kept[0];
    records->count = records->arc_count = records->bucket_count = records->bucketed = 0;
    records->with_arcs = records->with_losses = false;
    records->arc_overflow = 0;
    gnomon_epoch_sampler_end(&sample->epochs, gnomon_recorder_stats(recorder).last_cycle);
}

enum gnomon_status record_sample_end(struct record_sample *sample, struct gnomon_recorder *recorder,
                                     struct gnomon_error *error) {
    if (sample->samples.functions) {
        end_epochs(sample, recorder);
        return GNOMON_OK;
    }
    return sample->stacks ? gnomon_stack_sampler_end(&sample->monitor, error)
                          : gnomon_pc_sampler_end(&sample->device, error);
}

enum gnomon_status record_sample_filter(struct record_sample *sample, const struct gnomon_lock_tables *tables,
                                        const struct gnomon_symbols *symbols, struct gnomon_error *error) {
    struct wanted wanted = {sample, tables, symbols};
    if (!gnomon_samples_merge(&sample->samples))
        return gnomon_fail_memory(error);
    gnomon_samples_keep(&sample->samples, keep, &wanted);
    return GNOMON_OK;
}

enum gnomon_status record_sample_write(const struct record_sample *sample, struct gnomon_gnt_writer *writer,
                                       struct gnomon_error *error) {
    json_t *json = gnomon_samples_json(&sample->samples);
    const enum gnomon_status status = json ? gnomon_gnt_writer_samples(writer, json, error) : gnomon_fail_memory(error);
    json_decref(json);
    return status;
}

void record_sample_summary(const struct record_sample *sample, const struct cli_context *context,
                           const struct gnomon_recorder *recorder, struct gnomon_exactness *exactness,
                           const char *next) {
    char cycles[CLI_COUNT_BYTES], phrase[GNOMON_EXACTNESS_BYTES];
    gnomon_samples_exactness(&sample->samples, exactness);
    cli_note(context, "wrote %s (%llu KiB): %s cycles, %s. %s", recorder->path,
             (unsigned long long)(recorder->bytes + 1023) / 1024,
             cli_count(cycles, gnomon_recorder_stats(recorder).last_cycle),
             gnomon_exactness_phrase(exactness, NULL, phrase), next);
    if (!context->quiet) /* the file has these reasons, too */
        cli_reasons(context, exactness, false);
    if (sample->samples.excluded && !sample->samples.count)
        cli_warn(context, "no sample is of what --thread and --range ask for");
}

void record_sample_free(struct record_sample *sample) {
    gnomon_samples_free(&sample->samples);
}
