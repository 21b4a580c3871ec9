/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/run/record_cpi.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/interrupt.h"
#include "lib/run/measure.h"
#include "lib/util/file.h"

#define SIM_OPTION "--instructions"

/* ---- Options ---- */

static bool writes_elsewhere(const struct cli_list *options) {
    for (size_t i = 0; i < options->count; i++)
        if (!strncmp(options->items[i], SIM_OPTION, strlen(SIM_OPTION)))
            return true;
    return false;
}

enum gnomon_status cpi_begin(struct cpi *cpi, const char *what, const struct target_values *values,
                             struct gnomon_error *error) {
    *cpi = (struct cpi){.what = what, .values = *values};
    if (!what || writes_elsewhere(&values->sim_options))
        return GNOMON_OK;
    const char *folder = getenv("TMPDIR");
    int length = snprintf(cpi->file, sizeof cpi->file, "%s/gnomon-cpi-XXXXXX", folder && *folder ? folder : "/tmp");
    if (length >= (int)sizeof cpi->file)
        snprintf(cpi->file, sizeof cpi->file, "/tmp/gnomon-cpi-XXXXXX");
    int file = mkstemp(cpi->file);
    if (file < 0) {
        gnomon_fail_errno(error, GNOMON_ERR_SYSTEM, "cannot create %s", cpi->file);
        cpi->file[0] = '\0';
        return GNOMON_ERR_SYSTEM;
    }
    close(file);
    size_t count = values->sim_options.count;
    cpi->options = calloc(count + 2, sizeof *cpi->options);
    if (!cpi->options)
        return gnomon_fail_memory(error);
    for (size_t i = 0; i < count; i++)
        cpi->options[i] = values->sim_options.items[i];
    cpi->options[count] = SIM_OPTION;
    cpi->options[count + 1] = cpi->file;
    cpi->values.sim_options = (struct cli_list){count + 2, cpi->options};
    return GNOMON_OK;
}

enum gnomon_status cpi_choose(struct cpi *cpi, const struct target *target, const struct gnomon_symbols *symbols,
                              struct gnomon_error *error) {
    const struct gnomon_board *board = &target->board;
    cpi->whole = cpi->file[0] && target->device->transport->own_simulator;
    if (!cpi->whole && !board->code_window) {
        gnomon_fail(error, GNOMON_ERR_UNSUPPORTED, "%s does not count cycles by instruction", board->address);
        return gnomon_remedy(error, GNOMON_ERR_UNSUPPORTED,
                             "leave out --cpi, or record on the simulated board; gnomon info shows what a device has");
    }
    return gnomon_code_windows_choose(&cpi->windows, cpi->what, cpi->whole ? 0 : board->code_window,
                                      target->image->path, symbols, error);
}

unsigned cpi_harts(const struct cpi *cpi, const struct target *target, const struct gnomon_session *session) {
    return session->both_harts && (cpi->whole || target->board.other_window) ? 2 : 1;
}

static enum gnomon_status set_windows(struct gnomon_device *device, unsigned harts, uint32_t start,
                                      struct gnomon_error *error) {
    enum gnomon_status status = GNOMON_OK;
    for (unsigned hart = 0; hart < harts && !status; hart++)
        status = gnomon_code_window_set(device, hart, start, error);
    return status;
}

enum gnomon_status cpi_prepare(const struct cpi *cpi, const struct target *target, unsigned harts,
                               struct gnomon_error *error) {
    return cpi->windows.count ? set_windows(target->device, harts, cpi->windows.starts[0], error) : GNOMON_OK;
}

/* ---- Figures ---- */

static void keep_range(const struct gnomon_code_windows *windows, struct gnomon_instructions *instructions) {
    size_t first = gnomon_instructions_from(instructions, windows->start);
    size_t after = gnomon_instructions_from(instructions, windows->end);
    instructions->count = after - first;
    memmove(instructions->list, instructions->list + first, instructions->count * sizeof *instructions->list);
}

static enum gnomon_status read_whole(const struct cpi *cpi, unsigned harts, struct gnomon_instructions *instructions,
                                     struct gnomon_error *error) {
    uint8_t *data = NULL;
    size_t size = 0;
    enum gnomon_status status = gnomon_read_file(cpi->file, &data, &size, error);
    if (status)
        return status;
    json_t *json = json_loadb((const char *)data, size, 0, NULL);
    free(data);
    if (json)
        status = gnomon_instructions_parse(json, &instructions[0], error);
    else
        status = gnomon_fail(error, GNOMON_ERR_SYSTEM,
                             "the simulator did not write the cycles of the program's instructions");
    if (!status && harts > 1)
        status =
            gnomon_instructions_parse(json_object_get(json, GNOMON_INSTRUCTIONS_OF_HART1), &instructions[1], error);
    json_decref(json);
    for (unsigned hart = 0; hart < harts && !status && !cpi->windows.all; hart++)
        keep_range(&cpi->windows, &instructions[hart]);
    return status;
}

struct again {
    struct cli_progress progress;
    struct gnomon_device *device;
    unsigned harts;
    uint32_t window; /* start of the code window of this run */
    size_t run, runs;
};

static bool on_tick(void *context) {
    struct again *again = context;
    if (cli_progress_due(&again->progress))
        cli_progress_draw(&again->progress, "  run %zu of %zu, each with another part of the code", again->run + 1,
                          again->runs);
    return cli_interrupted();
}

static enum gnomon_status set_window(void *context, struct gnomon_error *error) {
    const struct again *again = context;
    return set_windows(again->device, again->harts, again->window, error);
}

/* Every run must equal the first one: only then the figures of all runs together are those of one run. */
static enum gnomon_status same(size_t run, const struct gnomon_instructions *first,
                               const struct gnomon_instructions *now, const struct gnomon_measured *measured,
                               uint64_t cycles, struct gnomon_error *error) {
    if (measured->end == GNOMON_END_STOPPED)
        return gnomon_fail(error, GNOMON_ERR_INTERRUPTED, "interrupted in run %zu of the runs for --cpi", run + 1);
    if (measured->end == GNOMON_END_EXIT && now->cycles == first->cycles && cycles == first->cycles &&
        !memcmp(now->causes, first->causes, sizeof now->causes))
        return GNOMON_OK;
    gnomon_fail(error, GNOMON_ERR_MISMATCH,
                "run %zu took %" PRIu64 " cycles, the first %" PRIu64
                ", or the cycles of the causes differ: the runs cannot be combined",
                run + 1, cycles, first->cycles);
    return gnomon_remedy(error, GNOMON_ERR_MISMATCH,
                         "choose a function that needs one run, --cpi=FUNCTION, or record on the simulated board");
}

static enum gnomon_status run_again(const struct target *target, struct again *again,
                                    const struct gnomon_instructions *first, struct gnomon_error *error) {
    struct gnomon_session session = target_session(target, again);
    session.tick = on_tick;
    session.both_harts = again->harts > 1;
    struct gnomon_measured measured;
    enum gnomon_status status = gnomon_measure(&session, set_window, &measured, error);
    for (unsigned hart = 0; hart < again->harts && !status; hart++) {
        struct gnomon_instructions now = {0};
        if (measured.end != GNOMON_END_STOPPED)
            status = gnomon_stall_causes_read(target->device, hart, &now, error);
        if (!status)
            status = same(again->run, &first[hart], &now, &measured, hart ? measured.other.last_cycle : measured.cycles,
                          error);
    }
    return status;
}

static enum gnomon_status read_windows(const struct cpi *cpi, const struct target *target, struct again *again,
                                       struct gnomon_instructions *instructions, struct gnomon_error *error) {
    const struct gnomon_code_windows *windows = &cpi->windows;
    enum gnomon_status status = GNOMON_OK;
    for (unsigned hart = 0; hart < again->harts && !status; hart++)
        status = gnomon_stall_causes_read(target->device, hart, &instructions[hart], error);
    for (again->run = 0; again->run < windows->count && !status; again->run++) {
        again->window = windows->starts[again->run];
        if (again->run > 0)
            status = run_again(target, again, instructions, error);
        for (unsigned hart = 0; hart < again->harts && !status; hart++)
            status = gnomon_code_window_read(target->device, hart, again->window,
                                             gnomon_code_windows_end(windows, again->run), &instructions[hart], error);
    }
    return status;
}

/* What is known of the figures, and do they add up? */
static enum gnomon_status complete(const struct cpi *cpi, const struct target *target, uint64_t cycles,
                                   struct gnomon_instructions *instructions, struct gnomon_error *error) {
    instructions->runs = cpi->whole ? 1 : (unsigned)cpi->windows.count;
    instructions->code_window = !cpi->windows.all;
    instructions->start = cpi->windows.start;
    instructions->end = cpi->windows.end;
    if (instructions->cycles == cycles)
        return GNOMON_OK;
    gnomon_fail(error, GNOMON_ERR_PROTOCOL, "%s counted causes of %" PRIu64 " cycles, and %" PRIu64 " cycles",
                target->board.address, instructions->cycles, cycles);
    return gnomon_remedy(error, GNOMON_ERR_PROTOCOL, "report this with the device's gnomon info");
}

enum gnomon_status cpi_collect(const struct cpi *cpi, struct cli_context *context, const struct target *target,
                               unsigned harts, const uint64_t *cycles, struct gnomon_instructions *instructions,
                               struct gnomon_error *error) {
    struct again again = {.device = target->device, .harts = harts, .runs = cpi->windows.count};
    enum gnomon_status status;
    if (cpi->whole) {
        status = read_whole(cpi, harts, instructions, error);
    } else {
        cli_progress_begin(&again.progress, context);
        status = read_windows(cpi, target, &again, instructions, error);
        cli_progress_end(&again.progress);
    }
    for (unsigned hart = 0; hart < harts && !status; hart++)
        status = complete(cpi, target, cycles[hart], &instructions[hart], error);
    return status;
}

void cpi_end(struct cpi *cpi) {
    if (cpi->file[0])
        unlink(cpi->file);
    gnomon_code_windows_free(&cpi->windows);
    free(cpi->options);
}
