/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/run/code_windows.h"

#include <stdlib.h>
#include <string.h>

#include "lib/elf/address_range.h"
#include "lib/util/array.h"

#define MOST_NAMED 8
#define MOST_BEYOND 65536 /* bytes assumed for a function if no symbol gives its end */

/* ---- Addresses ---- */

static bool parse_range(struct gnomon_code_windows *windows, const char *what) {
    struct gnomon_address_range range;
    if (!gnomon_address_range_parse(what, &range) || range.start % 2 || range.end % 2 || range.start >= range.end)
        return false;
    windows->start = range.start;
    windows->end = range.end;
    return true;
}

static enum gnomon_status find_function(struct gnomon_code_windows *windows, const char *name, const char *path,
                                        const struct gnomon_symbols *symbols, struct gnomon_error *error) {
    uint32_t starts[MOST_NAMED], start;
    size_t count = symbols ? gnomon_symbols_named(symbols, name, starts, MOST_NAMED) : 0;
    if (count == 1) {
        gnomon_symbols_range(symbols, starts[0], &windows->start, &windows->end);
        if (windows->end - windows->start > MOST_BEYOND && windows->end == UINT32_MAX)
            windows->end = windows->start + MOST_BEYOND;
        return GNOMON_OK;
    }
    if (count == 0) {
        gnomon_fail(error, GNOMON_ERR_NOT_FOUND, "%s has no function %s", path, name);
        return gnomon_remedy(error, GNOMON_ERR_NOT_FOUND, "--cpi takes all, the name of a function, or START-END");
    }
    gnomon_symbols_range(symbols, starts[0], &start, &windows->end);
    gnomon_fail(error, GNOMON_ERR_ARGUMENT, "%s has %zu functions %s", path, count, name);
    return gnomon_remedy(error, GNOMON_ERR_ARGUMENT, "say which by its addresses, --cpi=0x%x-0x%x for the first",
                         (unsigned)start, (unsigned)windows->end);
}

/* ---- Windows ---- */

struct covering {
    struct gnomon_code_windows *windows;
    size_t room;
    uint64_t covered; /* end of the last window */
};

/* Adds windows for the addresses from `from` to before `end` that no window covers yet. */
static enum gnomon_status cover(struct covering *covering, uint64_t from, uint64_t end, struct gnomon_error *error) {
    struct gnomon_code_windows *windows = covering->windows;
    for (uint64_t at = from > covering->covered ? from : covering->covered; at < end; at = covering->covered) {
        if (!gnomon_array_room(&windows->starts, &covering->room, windows->count + 1, sizeof *windows->starts))
            return gnomon_fail_memory(error);
        windows->starts[windows->count++] = (uint32_t)at;
        covering->covered = at + windows->bytes;
    }
    return GNOMON_OK;
}

static enum gnomon_status cover_functions(struct covering *covering, const struct gnomon_symbols *symbols,
                                          struct gnomon_error *error) {
    enum gnomon_status status = GNOMON_OK;
    const struct gnomon_function *function = gnomon_symbols_next(symbols, 0);
    while (function && !status) {
        uint32_t start = function->address;
        function = start == UINT32_MAX ? NULL : gnomon_symbols_next(symbols, start + 1);
        uint64_t end = (uint64_t)start + MOST_BEYOND;
        if (function && function->address < end)
            end = function->address;
        else if (!function && end > (uint64_t)start + covering->windows->bytes)
            end = (uint64_t)start + covering->windows->bytes;
        status = cover(covering, start, end, error);
    }
    return status;
}

enum gnomon_status gnomon_code_windows_choose(struct gnomon_code_windows *windows, const char *what, uint32_t bytes,
                                              const char *path, const struct gnomon_symbols *symbols,
                                              struct gnomon_error *error) {
    *windows = (struct gnomon_code_windows){.all = !strcmp(what, "all"), .bytes = bytes};
    struct covering covering = {.windows = windows};
    enum gnomon_status status = GNOMON_OK;
    if (!windows->all && !parse_range(windows, what))
        status = find_function(windows, what, path, symbols, error);
    if (status || !bytes)
        return status;
    if (!windows->all)
        return cover(&covering, windows->start, windows->end, error);
    if (symbols)
        status = cover_functions(&covering, symbols, error);
    if (status || windows->count)
        return status;
    gnomon_fail(error, GNOMON_ERR_NOT_FOUND, "%s has no symbols: gnomon cannot find its code", path);
    return gnomon_remedy(error, GNOMON_ERR_NOT_FOUND, "give the addresses of the code: --cpi=START-END");
}

uint32_t gnomon_code_windows_end(const struct gnomon_code_windows *windows, size_t index) {
    uint32_t start = windows->starts[index];
    uint32_t end = start > UINT32_MAX - windows->bytes ? UINT32_MAX : start + windows->bytes;
    return !windows->all && end > windows->end ? windows->end : end;
}

void gnomon_code_windows_free(struct gnomon_code_windows *windows) {
    free(windows->starts);
    *windows = (struct gnomon_code_windows){0};
}
