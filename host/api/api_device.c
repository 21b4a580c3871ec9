/* SPDX-License-Identifier: Apache-2.0 */
/* Devices and programs. */
#include <stdlib.h>
#include <string.h>

#include "api.h"
#include "gnomon/registers.h"
#include "lib/device/pmu.h"
#include "lib/device/stall_causes.h"
#include "lib/elf/address_range.h"
#include "lib/run/code_windows.h"
#include "lib/run/measure.h"

#define MOST_WORDS ((size_t)1 << 20)

_Static_assert(LIBGNOMON_CAUSES == GNOMON_CAUSES, "libgnomon.h has another number of causes");

int libgnomon_open(const char *address, const char *const *options, struct libgnomon_device **device,
                   struct libgnomon_error *error) {
    struct gnomon_error why;
    struct gnomon_transport_options words = {.sim_options = options};
    while (options && options[words.sim_option_count])
        words.sim_option_count++;
    struct libgnomon_device *opened = calloc(1, sizeof *opened);
    enum gnomon_status status =
        opened ? gnomon_device_open(address, &words, &opened->device, &why) : gnomon_fail_memory(&why);
    if (!status)
        status = gnomon_board_read(opened->device, &opened->board, &why);
    if (status) {
        libgnomon_close(opened);
        opened = NULL;
    }
    *device = opened;
    return api_result(status, &why, error);
}

static void stop_recording(struct libgnomon_device *device) {
    if (device->recorder)
        gnomon_recorder_free(device->recorder);
    free(device->recorder);
    free(device->recording);
    device->recorder = NULL;
    device->recording = NULL;
}

static void unload(struct libgnomon_device *device) {
    stop_recording(device);
    api_tags_free(device);
    for (int i = 0; i < device->argc; i++)
        free(device->argv[i]);
    free(device->argv);
    gnomon_files_free(&device->placed);
    device->argv = NULL;
    device->argc = 0;
    device->placed = (struct gnomon_files){0};
    gnomon_image_close(device->image);
    gnomon_param_free(&device->param);
    device->image = NULL;
    device->param = (struct gnomon_param_block){0};
    device->loaded = device->exited = false;
}

void libgnomon_close(struct libgnomon_device *device) {
    if (!device)
        return;
    gnomon_device_close(device->device);
    unload(device);
    gnomon_files_free(&device->inputs);
    free(device);
}

int libgnomon_info(struct libgnomon_device *device, char **text, struct libgnomon_error *error) {
    struct gnomon_error why;
    json_t *json = gnomon_board_json(&device->board);
    *text = json ? json_dumps(json, JSON_INDENT(2)) : NULL;
    json_decref(json);
    return api_result(*text ? GNOMON_OK : gnomon_fail_memory(&why), &why, error);
}

/* ---- Words ---- */

static enum gnomon_status check_words(uint32_t address, size_t count, struct gnomon_error *error) {
    if (address % 4 == 0 && count <= MOST_WORDS)
        return GNOMON_OK;
    return gnomon_fail(error, GNOMON_ERR_ARGUMENT, "invalid request for %zu words at 0x%08x", count, (unsigned)address);
}

int libgnomon_read(struct libgnomon_device *device, uint32_t address, uint32_t *words, size_t count,
                   struct libgnomon_error *error) {
    struct gnomon_error why;
    enum gnomon_status status = check_words(address, count, &why);
    if (!status)
        status = gnomon_device_read(device->device, address, words, count, &why);
    return api_result(status, &why, error);
}

int libgnomon_write(struct libgnomon_device *device, uint32_t address, const uint32_t *words, size_t count,
                    struct libgnomon_error *error) {
    struct gnomon_error why;
    enum gnomon_status status = check_words(address, count, &why);
    if (!status)
        status = gnomon_device_write(device->device, address, words, count, &why);
    return api_result(status, &why, error);
}

/* ---- Programs ---- */

int libgnomon_put(struct libgnomon_device *device, const char *path, const char *name, struct libgnomon_error *error) {
    struct gnomon_error why;
    return api_result(gnomon_files_add(&device->inputs, name, path, &why), &why, error);
}

static struct gnomon_session session_of(struct libgnomon_device *device) {
    return (struct gnomon_session){
        .device = device->device, .board = &device->board, .image = device->image, .param = &device->param};
}

/* Keeps the program's arguments for the header of a recording. */
static enum gnomon_status keep_arguments(struct libgnomon_device *device, int count, const char *const *arguments,
                                         struct gnomon_error *error) {
    device->argv = calloc((size_t)count + 1, sizeof *device->argv);
    for (; device->argv && device->argc < count; device->argc++)
        if (!(device->argv[device->argc] = strdup(arguments[device->argc])))
            break;
    return device->argv && device->argc == count ? GNOMON_OK : gnomon_fail_memory(error);
}

int libgnomon_load(struct libgnomon_device *device, const char *path, int count, const char *const *arguments,
                   struct libgnomon_error *error) {
    struct gnomon_error why;
    uint32_t end = 0;
    unload(device);
    enum gnomon_status status = gnomon_image_open(path, &device->image, &why);
    if (!status)
        status = gnomon_image_fits(device->image, &device->board, &end, &why);
    if (!status)
        status = gnomon_param_build(&device->board, end, count, arguments, &device->inputs, &device->param, &why);
    device->placed = device->inputs;
    device->inputs = (struct gnomon_files){0};
    if (!status)
        status = keep_arguments(device, count, arguments, &why);
    if (!status) {
        struct gnomon_session session = session_of(device);
        status = gnomon_measure_prepare(&session, &why);
    }
    device->loaded = !status;
    return api_result(status, &why, error);
}

/* ---- Runs ---- */

enum gnomon_status api_not_loaded(struct gnomon_error *error) {
    return gnomon_fail(error, GNOMON_ERR_ARGUMENT, "no program has been loaded since the last run");
}

static enum gnomon_status begin_recording(struct libgnomon_device *device, const char *path, bool events,
                                          struct gnomon_error *error) {
    struct gnomon_session session = session_of(device);
    session.profile_control = GNOMON_PROFILE_CONTROL_ENABLE | GNOMON_PROFILE_CONTROL_FUNCTIONS |
                              GNOMON_PROFILE_CONTROL_TRAPS | GNOMON_PROFILE_CONTROL_CHANNELS |
                              GNOMON_PROFILE_CONTROL_LOCKS | GNOMON_PROFILE_CONTROL_MODULES |
                              (events ? 0 : GNOMON_PROFILE_CONTROL_RECORDS);
    stop_recording(device);
    if (!events && !device->board.records)
        return gnomon_fail(error, GNOMON_ERR_UNSUPPORTED, "%s keeps no records", device->board.address);
    device->recording = strdup(path);
    device->recorder = calloc(1, sizeof *device->recorder);
    if (!device->recording || !device->recorder)
        return gnomon_fail_memory(error);
    device->recorder->board = &device->board;
    device->recorder->path = device->recording;
    device->recorder->records = !events;
    json_t *header = gnomon_recorder_header(&session, device->argc, (const char *const *)device->argv, &device->placed,
                                            NULL, !events);
    enum gnomon_status status = gnomon_recorder_open(device->recorder, header, error);
    json_decref(header);
    if (status)
        return status;
    return gnomon_device_set(device->device, GNOMON_PROFILE_CONTROL, session.profile_control, error);
}

int libgnomon_record(struct libgnomon_device *device, const char *path, bool events, struct libgnomon_error *error) {
    struct gnomon_error why;
    enum gnomon_status status = device->loaded ? begin_recording(device, path, events, &why) : api_not_loaded(&why);
    if (status)
        stop_recording(device);
    return api_result(status, &why, error);
}

/* The context of the session's callbacks. */
struct running {
    struct libgnomon_run *run;
    struct gnomon_recorder *recorder;
};

static void on_console(void *context, const uint8_t *data, size_t size) {
    const struct libgnomon_run *run = ((const struct running *)context)->run;
    if (run->console)
        run->console(run->context, data, size);
}

static bool on_tick(void *context) {
    const struct running *running = context;
    return (running->run->tick && running->run->tick(running->run->context)) ||
           (running->recorder && running->recorder->error.status);
}

static bool on_frame(void *context, const uint8_t *frame) {
    return gnomon_recorder_frame(((const struct running *)context)->recorder, frame);
}

/* Does the same as gnomon_measure_run, and also writes the trace into the recording. */
static enum gnomon_status run_recorded(struct libgnomon_device *device, struct gnomon_session *session,
                                       struct gnomon_measured *measured, struct gnomon_error *error) {
    struct gnomon_recorder *recorder = device->recorder;
    session->profile_control = GNOMON_PROFILE_CONTROL_ENABLE;
    session->frame = on_frame;
    enum gnomon_status status = gnomon_session_run(session, error);
    if (!status && recorder->error.status) {
        *error = recorder->error;
        status = error->status;
    }
    if (!status)
        status = gnomon_recorder_take_records(recorder, device->device, error);
    if (!status)
        status = gnomon_recorder_put_records(recorder, error);
    if (!status)
        status = gnomon_recorder_close(recorder, session, gnomon_recorder_reason(recorder, session), error);
    if (!status)
        status = gnomon_recorder_place(recorder, error);
    const struct gnomon_trace_stats *stats = gnomon_trace_stats(recorder->trace);
    *measured = (struct gnomon_measured){.end = session->end,
                                         .exit_status = session->exit_status,
                                         .debug_cause = session->debug_cause,
                                         .timed_out = session->timed_out,
                                         .asked_host = session->asked_host,
                                         .cycles = stats->last_cycle,
                                         .instructions = stats->end.instructions,
                                         .overflow = session->overflow};
    return status;
}

int libgnomon_run(struct libgnomon_device *device, struct libgnomon_run *run, struct libgnomon_error *error) {
    struct gnomon_error why;
    if (!device->loaded)
        return api_result(api_not_loaded(&why), &why, error);
    struct gnomon_session session = session_of(device);
    struct gnomon_measured measured;
    struct running running = {run, device->recorder};
    session.context = &running;
    session.console = on_console;
    session.tick = on_tick;
    device->loaded = false;
    enum gnomon_status status = api_tags_load(device, &why);
    if (!status)
        status = device->recorder ? run_recorded(device, &session, &measured, &why)
                                  : gnomon_measure_run(&session, &measured, &why);
    stop_recording(device);
    if (!status) {
        run->end = (int)measured.end;
        run->exit_status = measured.exit_status;
        run->cycles = measured.cycles;
        run->instructions = measured.instructions;
        device->exited = measured.end == GNOMON_END_EXIT;
    }
    return api_result(status, &why, error);
}

_Static_assert((int)LIBGNOMON_END_EXIT == (int)GNOMON_END_EXIT && (int)LIBGNOMON_END_DEBUG == (int)GNOMON_END_DEBUG &&
                   (int)LIBGNOMON_END_STOPPED == (int)GNOMON_END_STOPPED,
               "libgnomon.h and session.h have different lists");

int libgnomon_get(struct libgnomon_device *device, const char *name, const char *path, struct libgnomon_error *error) {
    struct gnomon_error why;
    struct gnomon_output *outputs = NULL;
    size_t count = 0;
    if (!device->exited)
        return api_result(gnomon_fail(&why, GNOMON_ERR_ARGUMENT, "there are no files: no program has ended"), &why,
                          error);
    enum gnomon_status status =
        gnomon_param_outputs(device->device, &device->board, device->param.address, &outputs, &count, &why);
    if (!status) {
        const struct gnomon_output *found = NULL;
        for (size_t i = 0; i < count; i++)
            if (!strcmp(outputs[i].name, name))
                found = &outputs[i];
        status = found ? gnomon_param_fetch(device->device, found, path, &why)
                       : gnomon_fail(&why, GNOMON_ERR_NOT_FOUND, "the program wrote no file %s", name);
    }
    free(outputs);
    return api_result(status, &why, error);
}

/* ---- Counters ---- */

static enum gnomon_status open_pmu(struct libgnomon_device *device, struct gnomon_pmu *pmu, struct gnomon_error *why) {
    return gnomon_pmu_open(pmu, device->device, &device->board, why);
}

int libgnomon_counters(struct libgnomon_device *device, unsigned *counters, unsigned *ranges,
                       struct libgnomon_error *error) {
    struct gnomon_error why;
    struct gnomon_pmu pmu = {0};
    enum gnomon_status status = open_pmu(device, &pmu, &why);
    if (!status) {
        *counters = pmu.counters;
        *ranges = pmu.ranges + pmu.data_ranges;
    }
    return api_result(status, &why, error);
}

int libgnomon_count(struct libgnomon_device *device, unsigned index, const char *event, struct libgnomon_error *error) {
    struct gnomon_error why;
    struct gnomon_pmu pmu;
    struct gnomon_pmu_setting setting = {0};
    enum gnomon_status status = open_pmu(device, &pmu, &why);
    if (!status && event)
        status = gnomon_pmu_parse(event, &setting, &why);
    if (!status)
        status = gnomon_pmu_program(&pmu, index, event ? &setting : NULL, &why);
    return api_result(status, &why, error);
}

int libgnomon_counter(struct libgnomon_device *device, unsigned index, uint64_t *value, struct libgnomon_error *error) {
    struct gnomon_error why;
    struct gnomon_pmu pmu;
    struct gnomon_pmu_value values[GNOMON_PMU_COUNTERS];
    enum gnomon_status status = open_pmu(device, &pmu, &why);
    if (!status && index >= pmu.counters)
        status = gnomon_fail(&why, GNOMON_ERR_UNSUPPORTED, "%s has %u counters; there is no counter %u",
                             device->board.address, pmu.counters, index);
    if (!status)
        status = gnomon_pmu_read(&pmu, values, &why);
    if (!status)
        *value = values[index].count;
    return api_result(status, &why, error);
}

int libgnomon_range(struct libgnomon_device *device, unsigned index, uint32_t base, uint32_t limit,
                    struct libgnomon_error *error) {
    struct gnomon_error why;
    struct gnomon_pmu pmu;
    enum gnomon_status status = open_pmu(device, &pmu, &why);
    if (!status)
        status = gnomon_pmu_range(&pmu, index, base, limit, &why);
    return api_result(status, &why, error);
}

int libgnomon_range_read(struct libgnomon_device *device, unsigned index, struct libgnomon_range *range,
                         struct libgnomon_error *error) {
    struct gnomon_error why;
    struct gnomon_pmu pmu;
    struct gnomon_pmu_range_value value;
    enum gnomon_status status = open_pmu(device, &pmu, &why);
    if (!status)
        status = gnomon_pmu_range_read(&pmu, index, &value, &why);
    if (!status)
        *range = (struct libgnomon_range){value.entries, value.instructions, value.cycles, value.reads, value.writes};
    return api_result(status, &why, error);
}

int libgnomon_find(const char *path, const char *name, bool variable, uint32_t *base, uint32_t *limit,
                   struct libgnomon_error *error) {
    struct gnomon_error why;
    struct gnomon_address_range range;
    enum gnomon_status status = gnomon_address_range_find(
        path, name, variable ? GNOMON_ADDRESS_RANGE_VARIABLE : GNOMON_ADDRESS_RANGE_FUNCTION, &range, &why);
    if (!status) {
        *base = range.start;
        *limit = range.end;
    }
    return api_result(status, &why, error);
}

int libgnomon_causes(struct libgnomon_device *device, uint64_t cycles[LIBGNOMON_CAUSES],
                     struct libgnomon_error *error) {
    struct gnomon_error why;
    struct gnomon_instructions counted = {0};
    enum gnomon_status status =
        device->board.causes
            ? gnomon_stall_causes_read(device->device, 0, &counted, &why)
            : gnomon_fail(&why, GNOMON_ERR_UNSUPPORTED, "%s does not count cycles by cause", device->board.address);
    for (unsigned i = 0; i < LIBGNOMON_CAUSES && !status; i++)
        cycles[i] = counted.causes[i];
    gnomon_instructions_free(&counted);
    return api_result(status, &why, error);
}

const char *libgnomon_cause(unsigned number) {
    return number < LIBGNOMON_CAUSES ? gnomon_cause_key(number) : NULL;
}

static enum gnomon_status choose_windows(const struct libgnomon_device *device, const char *what,
                                         struct gnomon_code_windows *windows, struct gnomon_error *error) {
    struct gnomon_symbols *symbols = NULL;
    if (!device->loaded)
        return api_not_loaded(error);
    if (!device->board.code_window)
        return gnomon_fail(error, GNOMON_ERR_UNSUPPORTED, "%s does not count cycles by instruction",
                           device->board.address);
    if (gnomon_symbols_load_any(&symbols, device->image->path, NULL))
        symbols = NULL;
    enum gnomon_status status =
        gnomon_code_windows_choose(windows, what, device->board.code_window, device->image->path, symbols, error);
    gnomon_symbols_free(symbols);
    return status;
}

int libgnomon_code_windows(struct libgnomon_device *device, const char *what, uint32_t *starts, size_t most,
                           size_t *count, uint32_t *bytes, struct libgnomon_error *error) {
    struct gnomon_error why;
    struct gnomon_code_windows windows = {0};
    enum gnomon_status status = choose_windows(device, what, &windows, &why);
    for (size_t i = 0; !status && i < windows.count && i < most; i++)
        starts[i] = windows.starts[i];
    if (!status) {
        *count = windows.count;
        *bytes = windows.bytes;
    }
    gnomon_code_windows_free(&windows);
    return api_result(status, &why, error);
}
