/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/export/pprof_inlined.h"

#include <stdlib.h>
#include <string.h>

#include "lib/elf/demangle.h"
#include "lib/export/export_internal.h"
#include "lib/util/array.h"

struct pprof_inlined_function {
    const char *name, *file; /* of DWARF */
    uint64_t id;
};

static bool same_text(const char *a, const char *b) {
    return a && b ? !strcmp(a, b) : a == b;
}

/* The profile's function of that name and file; 0: it has none. */
static uint64_t find_row(const struct gnomon_export *export, const struct gnomon_inlined *function) {
    for (size_t i = 0; i < export->count; i++) {
        const struct gnomon_name *name = &export->functions[i].name;
        if (same_text(name->symbol, function->name) && same_text(name->file, function->declared.file))
            return i + 1;
    }
    return 0;
}

/* Writes the function with the readable form of its name. */
static bool put_function(struct pprof_inlined *inlined, const struct gnomon_inlined *function, uint64_t id) {
    char *readable = inlined->export->analysis.raw_names ? NULL : gnomon_demangle(function->name);
    char *label = strdup(readable ? readable : function->name);
    free(readable);
    if (!label)
        return false;
    export_clean(label);
    const struct gnomon_name name = {
        .symbol = function->name, .file = function->declared.file, .line = function->declared.line};
    pprof_function(inlined->file, id, label, &name);
    free(label);
    return true;
}

/* 0: out of memory. */
static uint64_t id_of(struct pprof_inlined *inlined, const struct gnomon_inlined *function) {
    for (size_t i = 0; i < inlined->count; i++)
        if (!strcmp(inlined->functions[i].name, function->name) &&
            same_text(inlined->functions[i].file, function->declared.file))
            return inlined->functions[i].id;
    uint64_t id = find_row(inlined->export, function);
    if (!gnomon_array_room(&inlined->functions, &inlined->room, inlined->count + 1, sizeof *inlined->functions))
        return 0;
    if (!id && !put_function(inlined, function, id = inlined->first + inlined->count))
        return 0;
    inlined->functions[inlined->count++] =
        (struct pprof_inlined_function){.name = function->name, .file = function->declared.file, .id = id};
    return id;
}

size_t pprof_inlined_lines(struct pprof_inlined *inlined, uint32_t address, uint64_t function,
                           struct pprof_line lines[PPROF_MOST_LINES]) {
    struct gnomon_inlined list[PPROF_MOST_LINES - 1];
    struct gnomon_line line = {0};
    const size_t count = gnomon_export_inlined(inlined->export, address, list, PPROF_MOST_LINES - 1);
    gnomon_export_source(inlined->export, address, &line);
    for (size_t i = 0; i < count; i++) {
        lines[i] = (struct pprof_line){id_of(inlined, &list[i]), line.line};
        if (!lines[i].function)
            return 0;
        line = list[i].call;
    }
    lines[count] = (struct pprof_line){function, line.line};
    return count + 1;
}

void pprof_inlined_free(struct pprof_inlined *inlined) {
    free(inlined->functions);
}
