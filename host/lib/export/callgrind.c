/* SPDX-License-Identifier: Apache-2.0 */
/* The format of valgrind's callgrind: cycles of functions, calls with their cycles, and, if the recording has them, the
 * cycles of each instruction by cause. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/export/export.h"

/* Functions that are none: what stands for the cycles that no function has, and for callers that are no functions. */
enum pseudo { UNPROFILED, LOST, HARDWARE, NOT_KNOWN, NOT_COUNTED, UNATTRIBUTED, PSEUDOS };
static const char *const pseudo_names[PSEUDOS] = {
    [UNPROFILED] = GNOMON_EXPORT_UNPROFILED,
    [LOST] = GNOMON_EXPORT_LOST,
    [HARDWARE] = "[hardware]",
    [NOT_KNOWN] = "[caller not known]",
    [NOT_COUNTED] = "[not counted by instruction]",
    [UNATTRIBUTED] = "[no instruction]",
};

struct callgrind {
    struct gnomon_export *export;
    FILE *stream;
    const struct gnomon_profile_arc *arcs;
    size_t arc_count;
    uint32_t *by_caller; /* indices of arcs */
    uint32_t *by_owner;  /* indices of instructions */
    size_t next_arc, next_instruction;
    uint64_t *calls, *cycles; /* by function: what the arcs to it have */
};

/* ---- Order ---- */

static int by_caller(const void *a, const void *b, void *context) {
    const struct gnomon_profile_arc *arcs = context;
    const uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    if (arcs[left].caller != arcs[right].caller)
        return arcs[left].caller < arcs[right].caller ? -1 : 1;
    return left < right ? -1 : left > right;
}

static int by_owner(const void *a, const void *b, void *context) {
    const uint32_t *owners = context, left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    if (owners[left] != owners[right])
        return owners[left] < owners[right] ? -1 : 1;
    return left < right ? -1 : left > right;
}

static uint32_t *indices(size_t count) {
    uint32_t *list = calloc(count + 1, sizeof *list);
    for (uint32_t i = 0; list && i < count; i++)
        list[i] = i;
    return list;
}

static bool sort_all(struct callgrind *callgrind) {
    struct gnomon_export *export = callgrind->export;
    const size_t instructions = export->instructions.count;
    callgrind->arcs = gnomon_profile_arcs(export->profile, &callgrind->arc_count);
    callgrind->by_caller = indices(callgrind->arc_count);
    callgrind->by_owner = indices(instructions);
    callgrind->calls = calloc(export->count + 1, sizeof *callgrind->calls);
    callgrind->cycles = calloc(export->count + 1, sizeof *callgrind->cycles);
    if (!callgrind->by_caller || !callgrind->by_owner || !callgrind->calls || !callgrind->cycles)
        return false;
    qsort_r(callgrind->by_caller, callgrind->arc_count, sizeof(uint32_t), by_caller, (void *)callgrind->arcs);
    qsort_r(callgrind->by_owner, instructions, sizeof(uint32_t), by_owner, export->owners);
    for (size_t i = 0; i < callgrind->arc_count; i++) {
        callgrind->calls[callgrind->arcs[i].callee] += callgrind->arcs[i].calls;
        callgrind->cycles[callgrind->arcs[i].callee] += callgrind->arcs[i].total;
    }
    return true;
}

/* ---- Lines of the file ---- */

/* The functions have the numbers from 1 on, then the others. A number has its name where it is first used; a reader
 * takes it at any place. */
static void put_function(const struct callgrind *callgrind, const char *key, uint32_t function) {
    const struct gnomon_export *export = callgrind->export;
    const bool pseudo = function >= export->count;
    const struct gnomon_name *name = pseudo ? NULL : &export->functions[function].name;
    const char *called = key[0] == 'c' ? "c" : "", *end = key[0] == 'c' ? "i" : "l";
    if (name && name->module)
        fprintf(callgrind->stream, "%sob=%s\n", called, name->module);
    else if (export->analysis.elf_path)
        fprintf(callgrind->stream, "%sob=%s\n", called, export->analysis.elf_path);
    fprintf(callgrind->stream, "%sf%s=%s\n", called, end, name && name->file ? name->file : "???");
    fprintf(callgrind->stream, "%s=(%" PRIu32 ") %s\n", key, function + 1,
            pseudo ? pseudo_names[function - export->count] : export->functions[function].label);
}

static void put_position(const struct callgrind *callgrind, uint32_t address, unsigned line) {
    if (callgrind->export->with_instructions)
        fprintf(callgrind->stream, "0x%" PRIx32 " ", address);
    fprintf(callgrind->stream, "%u", line);
}

static void put_start(const struct callgrind *callgrind, uint32_t function) {
    const struct gnomon_name *name =
        function < callgrind->export->count ? &callgrind->export->functions[function].name : NULL;
    put_position(callgrind, name ? name->address : 0, name ? name->line : 0);
}

static void put_self(const struct callgrind *callgrind, uint32_t function, uint64_t cycles) {
    put_start(callgrind, function);
    fprintf(callgrind->stream, " %" PRIu64 "\n", cycles);
}

static void put_call(const struct callgrind *callgrind, uint32_t caller, uint32_t callee, uint64_t calls,
                     uint64_t cycles) {
    put_function(callgrind, "cfn", callee);
    fprintf(callgrind->stream, "calls=%" PRIu64 " ", calls);
    put_start(callgrind, callee);
    fputc('\n', callgrind->stream);
    put_self(callgrind, caller, cycles);
}

static void put_cost(const struct callgrind *callgrind, const uint64_t causes[GNOMON_CAUSES]) {
    uint64_t sum = 0;
    for (unsigned i = 0; i < GNOMON_CAUSES; i++)
        sum += causes[i];
    fprintf(callgrind->stream, " 0 %" PRIu64, sum);
    for (unsigned i = 0; i < GNOMON_CAUSES; i++)
        if (callgrind->export->instructions.causes[i])
            fprintf(callgrind->stream, " %" PRIu64, causes[i]);
    fputc('\n', callgrind->stream);
}

/* ---- Parts ---- */

static void put_remark(void *context, const char *line) {
    fprintf(context, "desc: Remark: %s\n", line);
}

/* The event's short name in the file: a name of the format begins with a letter. */
static const char *counted(const struct gnomon_export *export) {
    return gnomon_analysis_in_cycles(&export->analysis) ? "Cycles" : "Counted";
}

static void put_head(const struct callgrind *callgrind) {
    const struct gnomon_export *export = callgrind->export;
    FILE *stream = callgrind->stream;
    fprintf(stream, "# callgrind format\nversion: 1\ncreator: gnomon\ncmd: %s\n",
            export->analysis.program ? export->analysis.program : "?");
    gnomon_export_remarks(export, put_remark, stream);
    fprintf(stream, "positions: %sline\n", export->with_instructions ? "instr " : "");
    if (export->analysis.with_samples)
        fprintf(stream, "event: Sampled : %s, estimated from samples\n", gnomon_export_unit(export));
    else
        fprintf(stream, "event: %s : %s between calls and returns, as in gnomon report\n", counted(export),
                gnomon_export_unit(export));
    if (export->with_instructions)
        fprintf(stream, "event: Charged : cycles charged to instructions, as in gnomon annotate\n");
    for (unsigned i = 0; export->with_instructions && i < GNOMON_CAUSES; i++)
        if (export->instructions.causes[i])
            fprintf(stream, "event: %s : %s\n", gnomon_cause_key(i), gnomon_cause_name(i));
    fprintf(stream, "events: %s%s", export->analysis.with_samples ? "Sampled" : counted(export),
            export->with_instructions ? " Charged" : "");
    for (unsigned i = 0; export->with_instructions && i < GNOMON_CAUSES; i++)
        if (export->instructions.causes[i])
            fprintf(stream, " %s", gnomon_cause_key(i));
    fputs("\n", stream);
}

/* The lines of inlined code can be in other files than the function. */
static void put_instructions(struct callgrind *callgrind, uint32_t function) {
    struct gnomon_export *export = callgrind->export;
    const char *home = export->functions[function].name.file, *file = home;
    for (; callgrind->next_instruction < export->instructions.count; callgrind->next_instruction++) {
        const uint32_t index = callgrind->by_owner[callgrind->next_instruction];
        const struct gnomon_instruction *instruction = &export->instructions.list[index];
        struct gnomon_line line = {.file = home};
        if (export->owners[index] != function)
            return;
        gnomon_export_source(export, instruction->address, &line);
        if (line.file && (!file || strcmp(line.file, file) != 0)) {
            fprintf(callgrind->stream, "fi=%s\n", line.file);
            file = line.file;
        }
        put_position(callgrind, instruction->address, line.line);
        put_cost(callgrind, instruction->cycles);
    }
}

static void put_calls(struct callgrind *callgrind, uint32_t caller) {
    for (; callgrind->next_arc < callgrind->arc_count; callgrind->next_arc++) {
        const struct gnomon_profile_arc *arc = &callgrind->arcs[callgrind->by_caller[callgrind->next_arc]];
        if (arc->caller != caller)
            return;
        put_call(callgrind, caller, arc->callee, arc->calls, arc->total);
    }
}

static void put_one(struct callgrind *callgrind, uint32_t function) {
    const struct gnomon_profile_function *figures = callgrind->export->functions[function].figures;
    fputc('\n', callgrind->stream);
    put_function(callgrind, "fn", function);
    put_self(callgrind, function, figures->self);
    put_calls(callgrind, function);
    if (figures->lost_calls || figures->lost_cycles)
        put_call(callgrind, function, (uint32_t)callgrind->export->count + LOST, figures->lost_calls,
                 figures->lost_cycles);
    put_instructions(callgrind, function);
}

static void begin_pseudo(const struct callgrind *callgrind, enum pseudo pseudo, uint64_t cycles) {
    const uint32_t index = (uint32_t)callgrind->export->count + pseudo;
    fputc('\n', callgrind->stream);
    put_function(callgrind, "fn", index);
    put_self(callgrind, index, cycles);
}

static bool is_trap(const struct callgrind *callgrind, uint32_t function) {
    const uint32_t id = callgrind->export->functions[function].figures->id;
    return id >= GNOMON_PROFILE_TRAP && id < GNOMON_PROFILE_UNKNOWN;
}

/* Calls without a caller: by the hardware, or from code that is not profiled. */
static void put_outside(const struct callgrind *callgrind, enum pseudo pseudo, bool traps) {
    const uint32_t index = (uint32_t)callgrind->export->count + pseudo;
    for (size_t i = callgrind->next_arc; i < callgrind->arc_count; i++) {
        const struct gnomon_profile_arc *arc = &callgrind->arcs[callgrind->by_caller[i]];
        if (is_trap(callgrind, arc->callee) == traps)
            put_call(callgrind, index, arc->callee, arc->calls, arc->total);
    }
}

/* Calls that are in no arc. */
static void put_not_known(const struct callgrind *callgrind) {
    const uint32_t index = (uint32_t)callgrind->export->count + NOT_KNOWN;
    for (uint32_t i = 0; i < callgrind->export->profiled; i++) {
        const struct gnomon_profile_function *figures = callgrind->export->functions[i].figures;
        const uint64_t cycles = callgrind->cycles[i];
        if (figures->calls > callgrind->calls[i])
            put_call(callgrind, index, i, figures->calls - callgrind->calls[i],
                     figures->total > cycles ? figures->total - cycles : 0);
    }
}

static void put_pseudos(const struct callgrind *callgrind) {
    const struct gnomon_export *export = callgrind->export;
    begin_pseudo(callgrind, UNPROFILED, export->sums->unprofiled);
    put_outside(callgrind, UNPROFILED, false);
    begin_pseudo(callgrind, HARDWARE, 0);
    put_outside(callgrind, HARDWARE, true);
    begin_pseudo(callgrind, NOT_KNOWN, 0);
    put_not_known(callgrind);
    begin_pseudo(callgrind, LOST, export->sums->lost);
    if (!export->with_instructions)
        return;
    const struct gnomon_costs_rest rest = gnomon_costs_rest(&export->instructions);
    begin_pseudo(callgrind, NOT_COUNTED, 0);
    put_position(callgrind, 0, 0);
    put_cost(callgrind, rest.not_counted.causes);
    begin_pseudo(callgrind, UNATTRIBUTED, 0);
    put_position(callgrind, 0, 0);
    put_cost(callgrind, rest.unattributed.causes);
}

static void put_totals(const struct callgrind *callgrind) {
    const struct gnomon_export *export = callgrind->export;
    fprintf(callgrind->stream, "\ntotals: %" PRIu64, export->sums->cycles);
    if (export->with_instructions)
        fprintf(callgrind->stream, " %" PRIu64, export->instructions.cycles);
    for (unsigned i = 0; export->with_instructions && i < GNOMON_CAUSES; i++)
        if (export->instructions.causes[i])
            fprintf(callgrind->stream, " %" PRIu64, export->instructions.causes[i]);
    fputc('\n', callgrind->stream);
}

static enum gnomon_status write_callgrind(struct gnomon_export *export, FILE *stream, struct gnomon_error *error) {
    struct callgrind callgrind = {.export = export, .stream = stream};
    const bool good = sort_all(&callgrind);
    if (good) {
        put_head(&callgrind);
        for (uint32_t i = 0; i < export->count; i++)
            put_one(&callgrind, i);
        put_pseudos(&callgrind);
        put_totals(&callgrind);
    }
    free(callgrind.by_caller);
    free(callgrind.by_owner);
    free(callgrind.calls);
    free(callgrind.cycles);
    return good ? GNOMON_OK : gnomon_fail_memory(error);
}

const struct gnomon_export_format gnomon_export_callgrind = {
    .name = "callgrind",
    .extension = "callgrind",
    .description = "functions, calls, and instructions by stall cause: for callgrind_annotate, kcachegrind",
    .needs = GNOMON_EXPORT_PROFILE,
    .units = true,
    .write = write_callgrind,
};
