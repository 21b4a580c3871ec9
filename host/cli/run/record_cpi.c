/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/run/record_cpi.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/elf/extent.h"
#include "lib/run/measure.h"
#include "lib/util/file.h"

#define SIM_OPTION "--instructions"
#define MOST_NAMED 8
#define MOST_BEYOND 65536 /* bytes assumed for a function if no symbol gives its end */

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

static bool parse_range(struct cpi *cpi) {
    struct gnomon_extent extent;
    if (!gnomon_extent_parse(cpi->what, &extent) || extent.start % 2 || extent.end % 2 || extent.start >= extent.end)
        return false;
    cpi->start = extent.start;
    cpi->end = extent.end;
    return true;
}

static enum gnomon_status find_function(struct cpi *cpi, const char *path, const struct gnomon_symbols *symbols,
                                        struct gnomon_error *error) {
    uint32_t starts[MOST_NAMED], start;
    size_t count = symbols ? gnomon_symbols_named(symbols, cpi->what, starts, MOST_NAMED) : 0;
    if (count == 1) {
        gnomon_symbols_range(symbols, starts[0], &cpi->start, &cpi->end);
        if (cpi->end - cpi->start > MOST_BEYOND && cpi->end == UINT32_MAX)
            cpi->end = cpi->start + MOST_BEYOND;
        return GNOMON_OK;
    }
    if (count == 0) {
        gnomon_fail(error, GNOMON_ERR_NOT_FOUND, "%s has no function %s", path, cpi->what);
        return gnomon_remedy(error, GNOMON_ERR_NOT_FOUND, "--cpi takes all, the name of a function, or START-END");
    }
    gnomon_symbols_range(symbols, starts[0], &start, &cpi->end);
    gnomon_fail(error, GNOMON_ERR_ARGUMENT, "%s has %zu functions %s", path, count, cpi->what);
    return gnomon_remedy(error, GNOMON_ERR_ARGUMENT, "say which by its addresses, --cpi=0x%x-0x%x for the first",
                         (unsigned)start, (unsigned)cpi->end);
}

/* ---- Regions ---- */

static enum gnomon_status add_region(struct cpi *cpi, uint32_t start, struct gnomon_error *error) {
    uint32_t *regions = realloc(cpi->regions, (cpi->count + 1) * sizeof *regions);
    if (!regions)
        return gnomon_fail_memory(error);
    cpi->regions = regions;
    cpi->regions[cpi->count++] = start;
    return GNOMON_OK;
}

/* Regions do not overlap: adds regions for the addresses from `from` to before `end` that are not covered yet. *covered
 * is the end of the last region. */
static enum gnomon_status cover(struct cpi *cpi, uint32_t size, uint64_t from, uint64_t end, uint64_t *covered,
                                struct gnomon_error *error) {
    enum gnomon_status status = GNOMON_OK;
    for (uint64_t at = from > *covered ? from : *covered; at < end && !status; at = *covered) {
        status = add_region(cpi, (uint32_t)at, error);
        *covered = at + size;
    }
    return status;
}

static enum gnomon_status cover_functions(struct cpi *cpi, uint32_t size, const struct gnomon_symbols *symbols,
                                          struct gnomon_error *error) {
    uint64_t covered = 0;
    enum gnomon_status status = GNOMON_OK;
    const struct gnomon_function *function = gnomon_symbols_next(symbols, 0);
    while (function && !status) {
        uint32_t start = function->address;
        function = start == UINT32_MAX ? NULL : gnomon_symbols_next(symbols, start + 1);
        uint64_t end = (uint64_t)start + MOST_BEYOND;
        if (function && function->address < end)
            end = function->address;
        else if (!function && end > (uint64_t)start + size)
            end = (uint64_t)start + size;
        status = cover(cpi, size, start, end, &covered, error);
    }
    return status;
}

enum gnomon_status cpi_choose(struct cpi *cpi, const struct target *target, const struct gnomon_symbols *symbols,
                              struct gnomon_error *error) {
    const struct gnomon_board *board = &target->board;
    cpi->whole = cpi->file[0] && !strncmp(board->address, "sim:", 4);
    if (!cpi->whole && !board->region) {
        gnomon_fail(error, GNOMON_ERR_UNSUPPORTED, "%s does not count cycles by instruction", board->address);
        return gnomon_remedy(error, GNOMON_ERR_UNSUPPORTED,
                             "leave out --cpi, or record on the simulated board; gnomon info tells what a device has");
    }
    cpi->all = !strcmp(cpi->what, "all");
    enum gnomon_status status = GNOMON_OK;
    if (!cpi->all && !parse_range(cpi))
        status = find_function(cpi, target->image->path, symbols, error);
    if (status || cpi->whole)
        return status;
    uint64_t covered = 0;
    if (!cpi->all)
        return cover(cpi, board->region, cpi->start, cpi->end, &covered, error);
    if (symbols)
        status = cover_functions(cpi, board->region, symbols, error);
    if (status || cpi->count)
        return status;
    gnomon_fail(error, GNOMON_ERR_NOT_FOUND, "%s has no symbols, by which its code could be found",
                target->image->path);
    return gnomon_remedy(error, GNOMON_ERR_NOT_FOUND, "say where it is with --cpi=START-END");
}

enum gnomon_status cpi_prepare(const struct cpi *cpi, const struct target *target, struct gnomon_error *error) {
    return cpi->count ? gnomon_region_set(target->device, cpi->regions[0], error) : GNOMON_OK;
}

/* ---- Figures ---- */

static void keep_range(const struct cpi *cpi, struct gnomon_instructions *instructions) {
    size_t first = gnomon_instructions_from(instructions, cpi->start);
    size_t behind = gnomon_instructions_from(instructions, cpi->end);
    instructions->count = behind - first;
    memmove(instructions->list, instructions->list + first, instructions->count * sizeof *instructions->list);
}

static enum gnomon_status read_whole(const struct cpi *cpi, struct gnomon_instructions *instructions,
                                     struct gnomon_error *error) {
    uint8_t *data = NULL;
    size_t size = 0;
    enum gnomon_status status = gnomon_read_file(cpi->file, &data, &size, error);
    if (status)
        return status;
    json_t *json = json_loadb((const char *)data, size, 0, NULL);
    free(data);
    if (json)
        status = gnomon_instructions_parse(json, instructions, error);
    else
        status = gnomon_fail(error, GNOMON_ERR_SYSTEM, "the simulator left no account of the program's instructions");
    json_decref(json);
    if (!status && !cpi->all)
        keep_range(cpi, instructions);
    return status;
}

struct again {
    struct cli_progress progress;
    struct gnomon_device *device;
    uint32_t region; /* start of the region of this run */
    size_t run, runs;
};

static bool on_tick(void *context) {
    struct again *again = context;
    if (cli_progress_due(&again->progress))
        cli_progress_draw(&again->progress, "  run %zu of %zu, each with another region of the code", again->run + 1,
                          again->runs);
    return target_interrupted();
}

static enum gnomon_status set_region(void *context, struct gnomon_error *error) {
    const struct again *again = context;
    return gnomon_region_set(again->device, again->region, error);
}

/* Every run must equal the first one: only then the figures of all runs together are those of one run. */
static enum gnomon_status same(size_t run, const struct gnomon_instructions *first,
                               const struct gnomon_instructions *now, const struct gnomon_measured *measured,
                               struct gnomon_error *error) {
    if (measured->end == GNOMON_END_STOPPED)
        return gnomon_fail(error, GNOMON_ERR_INTERRUPTED, "interrupted in run %zu of those that --cpi needs", run + 1);
    if (measured->end == GNOMON_END_EXIT && now->cycles == first->cycles && measured->cycles == first->cycles &&
        !memcmp(now->causes, first->causes, sizeof now->causes))
        return GNOMON_OK;
    gnomon_fail(error, GNOMON_ERR_MISMATCH,
                "run %zu took %" PRIu64 " cycles, the first %" PRIu64 ", or to other causes: they are not one run's",
                run + 1, measured->cycles, first->cycles);
    return gnomon_remedy(error, GNOMON_ERR_MISMATCH,
                         "choose a function that needs one run, --cpi=FUNCTION, or record on the simulated board");
}

static enum gnomon_status run_again(const struct target *target, struct again *again,
                                    const struct gnomon_instructions *first, struct gnomon_error *error) {
    struct gnomon_session session = target_session(target, again);
    session.tick = on_tick;
    struct gnomon_measured measured;
    struct gnomon_instructions now = {0};
    enum gnomon_status status = gnomon_measure(&session, set_region, &measured, error);
    if (!status && measured.end != GNOMON_END_STOPPED)
        status = gnomon_causes_read(target->device, &now, error);
    return status ? status : same(again->run, first, &now, &measured, error);
}

static enum gnomon_status read_regions(const struct cpi *cpi, const struct target *target, struct again *again,
                                       struct gnomon_instructions *instructions, struct gnomon_error *error) {
    enum gnomon_status status = gnomon_causes_read(target->device, instructions, error);
    for (again->run = 0; again->run < cpi->count && !status; again->run++) {
        uint32_t start = cpi->regions[again->run], size = target->board.region;
        uint32_t end = start > UINT32_MAX - size ? UINT32_MAX : start + size;
        if (!cpi->all && end > cpi->end)
            end = cpi->end;
        again->region = start;
        if (again->run > 0)
            status = run_again(target, again, instructions, error);
        if (!status)
            status = gnomon_region_read(target->device, start, end, instructions, error);
    }
    return status;
}

enum gnomon_status cpi_collect(const struct cpi *cpi, struct cli_context *context, const struct target *target,
                               uint64_t cycles, struct gnomon_instructions *instructions, struct gnomon_error *error) {
    struct again again = {.device = target->device, .runs = cpi->count};
    enum gnomon_status status;
    if (cpi->whole) {
        status = read_whole(cpi, instructions, error);
    } else {
        cli_progress_begin(&again.progress, context);
        status = read_regions(cpi, target, &again, instructions, error);
        cli_progress_end(&again.progress);
    }
    instructions->runs = cpi->whole ? 1 : (unsigned)cpi->count;
    instructions->region = !cpi->all;
    instructions->start = cpi->start;
    instructions->end = cpi->end;
    if (status || instructions->cycles == cycles)
        return status;
    gnomon_fail(error, GNOMON_ERR_PROTOCOL, "%s counted causes of %" PRIu64 " cycles, and %" PRIu64 " cycles",
                target->board.address, instructions->cycles, cycles);
    return gnomon_remedy(error, GNOMON_ERR_PROTOCOL, "report this with the device's gnomon info");
}

void cpi_end(struct cpi *cpi) {
    if (cpi->file[0])
        unlink(cpi->file);
    free(cpi->regions);
    free(cpi->options);
}
