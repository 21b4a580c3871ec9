/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "lib/elf/demangle.h"
#include "lib/elf/symbols_internal.h"

#define MOST_OVERLAYS 32 /* bits of a set of overlays: twice as many as a program can have */

/* ---- Order ---- */

uint64_t symbols_key(uint32_t overlay, uint32_t address) {
    return (uint64_t)overlay << 32 | address;
}

struct gnomon_function *symbols_place(const struct gnomon_symbols *symbols, size_t place) {
    return &symbols->functions[symbols->by_address[place]];
}

size_t symbols_after(const struct gnomon_symbols *symbols, uint64_t key) {
    size_t low = 0, high = symbols->known;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct gnomon_function *function = symbols_place(symbols, middle);
        if (symbols_key(function->overlay, function->address) <= key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

struct gnomon_function *symbols_begins(const struct gnomon_symbols *symbols, uint32_t overlay, uint32_t address) {
    size_t after = symbols_after(symbols, symbols_key(overlay, address));
    struct gnomon_function *function = after ? symbols_place(symbols, after - 1) : NULL;
    return function && function->overlay == overlay && function->address == address ? function : NULL;
}

struct gnomon_function *symbols_holds(const struct gnomon_symbols *symbols, uint32_t overlay, uint32_t address) {
    for (size_t at = symbols_after(symbols, symbols_key(overlay, address)); at > 0; at--) {
        struct gnomon_function *function = symbols_place(symbols, at - 1);
        if (function->overlay != overlay || symbols->reach[at - 1] <= address)
            return NULL;
        if (address < function->end)
            return function;
    }
    return NULL;
}

const struct symbols_section *symbols_section(const struct gnomon_symbols *symbols, uint32_t overlay,
                                              uint32_t address) {
    for (size_t i = 0; i < symbols->section_count; i++) {
        const struct symbols_section *section = &symbols->sections[i];
        if (section->overlay == overlay && address >= section->start && address < section->end)
            return section;
    }
    return NULL;
}

static bool is_shared(const struct gnomon_symbols *symbols, uint32_t address) {
    return address >= symbols->shared_start && address < symbols->shared_end;
}

/* ---- Functions ---- */

static const struct gnomon_function *watched(const struct gnomon_symbols *symbols, uint32_t address) {
    return is_shared(symbols, address) ? NULL : symbols_begins(symbols, 0, address);
}

const struct gnomon_function *gnomon_symbols_function(const struct gnomon_symbols *symbols, uint32_t number) {
    if (number >= symbols->first_watched && number - symbols->first_watched < symbols->watched_count)
        return watched(symbols, symbols->watched[number - symbols->first_watched]);
    if (number >= symbols->total || !symbols->functions[number].name)
        return NULL;
    return &symbols->functions[number];
}

/* Is it a part that the compiler moved out of a function, because it rarely runs? Such parts are jumped to, not called.
 */
static bool is_part(const char *name) {
    const char *cold = strstr(name, ".cold");
    return cold && (!cold[5] || cold[5] == '.');
}

const struct gnomon_function *gnomon_symbols_unhooked(const struct gnomon_symbols *symbols, size_t *cursor) {
    while (*cursor < symbols->known) {
        size_t at = (*cursor)++;
        const struct gnomon_function *function = &symbols->functions[symbols->by_address[at]];
        bool again = at > 0 && symbols->functions[symbols->by_address[at - 1]].address == function->address;
        bool hookless = symbols->by_address[at] >= symbols->total && !function->label;
        if (hookless && !again && function->overlay == 0 && function->name && !is_part(function->symbol))
            return function;
    }
    return NULL;
}

/* A function without hooks that is in the library of --gnomon-harts only. */
bool gnomon_symbols_threads_move(const struct gnomon_symbols *symbols) {
    const struct gnomon_function *function;
    for (size_t cursor = 0; (function = gnomon_symbols_unhooked(symbols, &cursor));)
        if (!strcmp(function->name, "__gnomon_harts_start"))
            return true;
    return false;
}

bool gnomon_symbols_number(struct gnomon_symbols *symbols, uint32_t first, const uint32_t *addresses, size_t count) {
    uint32_t *copy = malloc((count ? count : 1) * sizeof *copy);
    if (!copy)
        return false;
    for (size_t i = 0; i < count; i++)
        copy[i] = addresses[i];
    free(symbols->watched);
    symbols->watched = copy;
    symbols->first_watched = first;
    symbols->watched_count = count;
    return true;
}

const struct gnomon_function *gnomon_symbols_at(const struct gnomon_symbols *symbols, uint32_t address) {
    const struct gnomon_function *function = is_shared(symbols, address) ? NULL : symbols_holds(symbols, 0, address);
    return function && function->name ? function : NULL;
}

const struct gnomon_function *gnomon_symbols_next(const struct gnomon_symbols *symbols, uint32_t address) {
    size_t place = address ? symbols_after(symbols, symbols_key(0, address - 1)) : 0;
    const struct gnomon_function *function = place < symbols->known ? symbols_place(symbols, place) : NULL;
    return function && function->overlay == 0 ? function : NULL;
}

bool gnomon_symbols_range(const struct gnomon_symbols *symbols, uint32_t address, uint32_t *start, uint32_t *end) {
    const struct gnomon_function *function = gnomon_symbols_at(symbols, address);
    if (!function)
        return false;
    *start = function->address;
    *end = function->end;
    /* Several entries of one assembly routine end together: the first entry ends where the second begins. */
    const struct gnomon_function *next = gnomon_symbols_next(symbols, function->address + 1);
    if (next && next->address < *end && next->end >= *end)
        *end = next->address;
    return true;
}

uint32_t gnomon_symbols_overlays(const struct gnomon_symbols *symbols, uint32_t address) {
    uint32_t overlays = 0;
    for (size_t i = 0; i < symbols->section_count && is_shared(symbols, address); i++) {
        const struct symbols_section *section = &symbols->sections[i];
        if (section->overlay && section->overlay <= MOST_OVERLAYS && address >= section->start &&
            address < section->end)
            overlays |= UINT32_C(1) << (section->overlay - 1);
    }
    return overlays;
}

const struct gnomon_function *gnomon_symbols_in_overlay(const struct gnomon_symbols *symbols, unsigned overlay,
                                                        uint32_t address) {
    const struct gnomon_function *function = symbols_holds(symbols, overlay + 1, address);
    return function && function->name ? function : NULL;
}

uint32_t gnomon_symbols_end(const struct gnomon_symbols *symbols) {
    uint32_t end = 0;
    for (size_t i = 0; i < symbols->section_count; i++)
        if (symbols->sections[i].end > end)
            end = symbols->sections[i].end;
    return end;
}

bool gnomon_symbols_stripped(const struct gnomon_symbols *symbols) {
    return symbols->named == 0;
}

/* ---- Names ---- */

bool gnomon_function_is(const struct gnomon_function *function, const char *name) {
    return function->name && (!strcmp(function->name, name) || !strcmp(function->symbol, name));
}

static bool is_called(const struct gnomon_function *function, const char *name, bool exactly) {
    if (exactly || !function->name)
        return gnomon_function_is(function, name);
    size_t length = gnomon_name_length(function->name);
    return length > 0 && strlen(name) == length && strncmp(function->name, name, length) == 0;
}

static size_t find_named(const struct gnomon_symbols *symbols, const char *name, bool exactly, uint32_t *starts,
                         size_t most) {
    size_t count = 0;
    for (size_t i = 0; i < symbols->known; i++) {
        const struct gnomon_function *function = symbols_place(symbols, i);
        if (function->overlay != 0 || !is_called(function, name, exactly))
            continue;
        if (count < most)
            starts[count] = function->address;
        count++;
    }
    return count;
}

size_t gnomon_symbols_named(const struct gnomon_symbols *symbols, const char *name, uint32_t *starts, size_t most) {
    size_t count = find_named(symbols, name, true, starts, most);
    return count ? count : find_named(symbols, name, false, starts, most);
}

uint32_t gnomon_symbols_total(const struct gnomon_symbols *symbols) {
    return symbols->total;
}

bool gnomon_symbols_is_module(const struct gnomon_symbols *symbols) {
    return symbols->is_module;
}

const char *gnomon_symbols_path(const struct gnomon_symbols *symbols) {
    return symbols->path;
}

const char *gnomon_symbols_build_id(const struct gnomon_symbols *symbols) {
    return symbols->build_id;
}

enum gnomon_status gnomon_symbols_check(const struct gnomon_symbols *symbols, const json_t *header, const char *trace,
                                        struct gnomon_error *error) {
    const json_t *elf = json_object_get(header, "elf"), *entry = json_object_get(elf, "entry");
    const char *recorded = json_string_value(json_object_get(elf, "build_id"));
    if (recorded && *recorded && strcmp(recorded, symbols->build_id) != 0) {
        gnomon_fail(error, GNOMON_ERR_MISMATCH,
                    "%s was recorded from another build of %s (build id %s in the file, %s given)", trace,
                    symbols->path, recorded, *symbols->build_id ? symbols->build_id : "none");
        return gnomon_remedy(error, GNOMON_ERR_MISMATCH, "record again, or give the ELF of that build with --elf");
    }
    if (json_is_integer(entry) && (uint64_t)json_integer_value(entry) != symbols->entry) {
        gnomon_fail(error, GNOMON_ERR_MISMATCH,
                    "%s was recorded from another build of %s (entry 0x%llx in the file, 0x%x given)", trace,
                    symbols->path, (unsigned long long)json_integer_value(entry), symbols->entry);
        return gnomon_remedy(error, GNOMON_ERR_MISMATCH, "record again, or give the ELF of that build with --elf");
    }
    return GNOMON_OK;
}
