/* SPDX-License-Identifier: Apache-2.0 */
/* gnomon annotate: source lines and instructions of a function, each with its cycles by cause. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/print_names.h"
#include "cli/report/cost_columns.h"
#include "cli/screen.h"
#include "lib/elf/disassembly.h"
#include "lib/profile/code.h"
#include "lib/util/file.h"
#include "lib/util/json_text.h"

#define MOST_NAMED 64
#define SHOWN_FUNCTIONS 20

struct values {
    const char *elf, *objdump;
    uint64_t hart;
    bool source, assembly, all;
};

struct annotation {
    struct cli_context *context;
    const struct values *values;
    struct gnomon_analysis analysis;
    struct gnomon_instructions instructions;
    /* The function's name. */
    const char *name;
    const struct gnomon_symbols *symbols; /* symbols of the program or module that contains the function */
    uint32_t base;                        /* load address of that module: added to the addresses in its file */
    bool elsewhere; /* the module was also loaded at other addresses; the cycles there are not shown */
    uint32_t start, end;
    size_t first, after; /* instructions of the function: from index `first` to before `after` */
    struct gnomon_cost sum;
    struct gnomon_disassembly disassembly;
    int fd;
    Elf *elf;
    struct gnomon_lines *lines; /* NULL: there is no line information */
    size_t line_count;
    struct gnomon_line_cost *line_costs;
};

/* ---- Source files ---- */

/* The source file that was read last, as a list of its lines. */
struct source {
    char *path;
    char *text;
    size_t count;
    char **lines;
};

static void close_source(struct source *source) {
    free(source->path);
    free(source->text);
    free(source->lines);
    source->path = source->text = NULL;
    source->lines = NULL;
    source->count = 0;
}

static void split(struct source *source, size_t size) {
    char *at = source->text, *end = source->text + size;
    while (at < end) {
        char *newline = memchr(at, '\n', (size_t)(end - at));
        source->lines[source->count++] = at;
        if (!newline)
            return;
        *newline = '\0';
        at = newline + 1;
    }
}

/* Reads a source file. If the file cannot be read, `source` has only its path. */
static void open_source(struct source *source, const char *path) {
    uint8_t *data = NULL;
    size_t size = 0;
    close_source(source);
    source->path = strdup(path);
    if (!gnomon_read_file(path, &data, &size, NULL)) {
        source->text = calloc(size + 1, 1);
        source->lines = calloc(size + 1, sizeof *source->lines);
        if (source->text && source->lines) {
            memcpy(source->text, data, size);
            split(source, size);
        }
    }
    free(data);
}

/* The text of a line; NULL if the line cannot be read. */
static const char *source_line(struct source *source, const struct gnomon_line *line) {
    if (!source->path || strcmp(source->path, line->file) != 0)
        open_source(source, line->file);
    return line->line > 0 && line->line <= source->count ? source->lines[line->line - 1] : NULL;
}

/* ---- Which function ---- */

static enum gnomon_status unknown(const struct annotation *annotation, struct gnomon_error *error) {
    gnomon_fail(error, GNOMON_ERR_NOT_FOUND, "%s has no function %s", gnomon_symbols_path(annotation->analysis.symbols),
                annotation->name);
    return gnomon_remedy(error, GNOMON_ERR_NOT_FOUND,
                         "gnomon annotate without a name lists the functions that were executed");
}

static void take_range(struct annotation *annotation) {
    annotation->first = gnomon_instructions_from(&annotation->instructions, annotation->start);
    annotation->after = gnomon_instructions_from(&annotation->instructions, annotation->end);
}

static enum gnomon_status not_counted(const struct annotation *annotation, struct gnomon_error *error) {
    const struct gnomon_instructions *instructions = &annotation->instructions;
    bool outside =
        instructions->code_window && (annotation->start < instructions->start || annotation->end > instructions->end);
    gnomon_fail(error, GNOMON_ERR_NOT_FOUND,
                outside ? "%s lies outside of the code that was counted" : "%s was not executed", annotation->name);
    return gnomon_remedy(error, GNOMON_ERR_NOT_FOUND,
                         outside ? "record with --cpi all, or with its name"
                                 : "gnomon annotate without a name lists the functions that were executed");
}

/* Sets the annotated function to `code`, at its address in this run. */
static void take_code(struct annotation *annotation, const struct gnomon_code *code) {
    annotation->symbols = code->symbols;
    annotation->base = code->base;
    annotation->elsewhere = code->elsewhere;
    annotation->start = code->base + code->function->address;
    annotation->end = code->base + code->function->end;
    take_range(annotation);
}

/* Finds the code at an address: of the program, of a module, or of an overlay if only one overlay has code there. */
static enum gnomon_status find_at(struct annotation *annotation, uint32_t address, struct gnomon_error *error) {
    const struct gnomon_analysis *analysis = &annotation->analysis;
    struct gnomon_code code;
    gnomon_code_at(&code, analysis->symbols, analysis->modules, address);
    if (!code.function) {
        gnomon_fail(error, GNOMON_ERR_NOT_FOUND, "0x%x is in %s", (unsigned)address, code.text);
        return gnomon_remedy(error, GNOMON_ERR_NOT_FOUND,
                             "gnomon annotate without a name lists the functions that were executed");
    }
    take_code(annotation, &code);
    if (annotation->after == annotation->first)
        return not_counted(annotation, error);
    annotation->name = gnomon_code_name(&code, annotation->context->raw_names);
    return GNOMON_OK;
}

/* Functions with the same name: their number, the number of those that were executed, and one executed function. */
struct candidates {
    size_t known, executed;
    uint32_t address;
};

static void look_at(struct annotation *annotation, struct candidates *candidates, uint32_t address) {
    struct gnomon_code code;
    gnomon_code_at(&code, annotation->analysis.symbols, annotation->analysis.modules, address);
    candidates->known++;
    if (!code.function)
        return;
    take_code(annotation, &code);
    if (annotation->after == annotation->first)
        return;
    candidates->executed++;
    candidates->address = address;
}

/* Finds the function by name. If several functions have this name, exactly one of them must have been executed. */
static enum gnomon_status find_function(struct annotation *annotation, struct gnomon_error *error) {
    uint32_t starts[MOST_NAMED];
    struct candidates candidates = {0};
    struct gnomon_module_place place;
    char *rest;
    unsigned long long address = strtoull(annotation->name, &rest, 16);
    if (!strncmp(annotation->name, "0x", 2) && !*rest && address <= UINT32_MAX)
        return find_at(annotation, (uint32_t)address, error);
    size_t count = gnomon_symbols_named(annotation->analysis.symbols, annotation->name, starts, MOST_NAMED);
    for (size_t i = 0; i < count && i < MOST_NAMED; i++)
        look_at(annotation, &candidates, starts[i]);
    for (size_t cursor = 0; gnomon_modules_named(annotation->analysis.modules, annotation->name, &cursor, &place);)
        look_at(annotation, &candidates, place.base + place.function->address);
    if (candidates.known == 0)
        return unknown(annotation, error);
    if (candidates.executed == 0)
        return not_counted(annotation, error);
    if (candidates.executed == 1)
        return find_at(annotation, candidates.address, error);
    gnomon_fail(error, GNOMON_ERR_ARGUMENT, "%zu functions %s were executed", candidates.executed, annotation->name);
    return gnomon_remedy(error, GNOMON_ERR_ARGUMENT, "say which by an address in it, for example 0x%x",
                         (unsigned)candidates.address);
}

/* ---- The program ---- */

static void open_lines(struct annotation *annotation) {
    annotation->fd = open(gnomon_symbols_path(annotation->symbols), O_RDONLY | O_CLOEXEC);
    elf_version(EV_CURRENT);
    annotation->elf = annotation->fd >= 0 ? elf_begin(annotation->fd, ELF_C_READ, NULL) : NULL;
    annotation->lines = annotation->elf ? gnomon_lines_open(annotation->elf) : NULL;
}

static bool has_lines(const struct annotation *annotation) {
    return annotation->line_count > 0 && annotation->line_costs[0].line.file;
}

static enum gnomon_status read_program(struct annotation *annotation, struct gnomon_error *error) {
    const struct values *values = annotation->values;
    open_lines(annotation);
    annotation->line_costs = gnomon_line_costs(&annotation->instructions, annotation->first, annotation->after,
                                               annotation->lines, annotation->base, &annotation->line_count);
    if (!annotation->line_costs)
        return gnomon_fail_memory(error);
    for (size_t i = annotation->first; i < annotation->after; i++)
        gnomon_cost_add(&annotation->sum, annotation->instructions.list[i].cycles);
    if (values->source && !has_lines(annotation)) {
        gnomon_fail(error, GNOMON_ERR_NOT_FOUND, "%s has no line numbers", annotation->name);
        return gnomon_remedy(error, GNOMON_ERR_NOT_FOUND, "compile it with -g, or see its instructions with --asm");
    }
    if (values->source)
        return GNOMON_OK;
    return gnomon_disassemble(&annotation->disassembly, values->objdump, gnomon_symbols_path(annotation->symbols),
                              annotation->start, annotation->end, annotation->base, error);
}

static void close_program(struct annotation *annotation) {
    gnomon_disassembly_free(&annotation->disassembly);
    gnomon_lines_close(annotation->lines);
    if (annotation->elf)
        elf_end(annotation->elf);
    if (annotation->fd >= 0)
        close(annotation->fd);
    free(annotation->line_costs);
}

/* ---- Text ---- */

static void put_line_name(const struct costs_columns *columns, struct source *source, const struct gnomon_line *line) {
    char file[CLI_CLEAN_BYTES], content[CLI_CLEAN_BYTES], text[2 * CLI_CLEAN_BYTES] = "[no line]";
    if (line->file) {
        const char *read = source_line(source, line);
        snprintf(text, sizeof text, "%.1000s:%u  %s", cli_clean(file, cli_basename(line->file)), line->line,
                 read ? cli_clean(content, read) : "");
    }
    costs_text(columns, text);
}

static void print_lines(const struct annotation *annotation, const struct costs_columns *columns,
                        struct source *source) {
    for (size_t i = 0; i < annotation->line_count; i++) {
        costs_row(columns, &annotation->line_costs[i].cost);
        put_line_name(columns, source, &annotation->line_costs[i].line);
    }
}

static void put_instruction(const struct costs_columns *columns, uint32_t address, const char *text) {
    char line[CLI_CLEAN_BYTES];
    snprintf(line, sizeof line, "  %8x:  %s", (unsigned)address, text);
    costs_text(columns, line);
}

static void print_instruction(const struct costs_columns *columns, const struct gnomon_instruction *instruction,
                              const char *text) {
    struct gnomon_cost cost = {0};
    gnomon_cost_add(&cost, instruction->cycles);
    costs_row(columns, &cost);
    put_instruction(columns, instruction->address, text);
}

/* Prints all instructions by address, also those that were not executed. Where the source line changes, prints the line
 * above the instruction. */
static void print_instructions(const struct annotation *annotation, const struct costs_columns *columns,
                               struct source *source) {
    const struct gnomon_instructions *instructions = &annotation->instructions;
    struct gnomon_line before = {0};
    size_t at = annotation->first;
    for (size_t i = 0; i < annotation->disassembly.count; i++) {
        const struct gnomon_disassembly_line *one = &annotation->disassembly.lines[i];
        struct gnomon_line line = {0};
        if (!annotation->values->assembly && annotation->lines &&
            gnomon_lines_find(annotation->lines, one->address - annotation->base, &line) &&
            (line.line != before.line || !before.file || strcmp(line.file, before.file) != 0)) {
            costs_no_row(columns);
            put_line_name(columns, source, &line);
            before = line;
        }
        while (at < annotation->after && instructions->list[at].address < one->address)
            print_instruction(columns, &instructions->list[at++], "(not in the program's code)");
        bool executed = at < annotation->after && instructions->list[at].address == one->address;
        if (executed) {
            print_instruction(columns, &instructions->list[at++], one->text);
        } else {
            costs_no_row(columns);
            put_instruction(columns, one->address, one->text);
        }
    }
    for (; at < annotation->after; at++)
        print_instruction(columns, &instructions->list[at], "(not in the program's code)");
}

/* Finds out how exact the function's figures are. */
static void judge(const struct annotation *annotation, struct gnomon_exactness *exactness) {
    gnomon_costs_exactness(&annotation->analysis, &annotation->instructions, exactness);
    if (annotation->elsewhere)
        gnomon_exactness_add(
            exactness, GNOMON_REASON_LOSS, GNOMON_REACH_ALL, "module-moved", 0,
            "AT LEAST: the module was also loaded at other addresses",
            "the module was also loaded at other addresses: its cycles there are not in these figures");
}

static void print_text(const struct annotation *annotation, FILE *stream) {
    struct costs_columns columns;
    struct source source = {0};
    char name[CLI_CLEAN_BYTES], program[CLI_CLEAN_BYTES], counts[2][CLI_COUNT_BYTES], phrase[GNOMON_EXACTNESS_BYTES];
    char text[2 * CLI_CLEAN_BYTES + GNOMON_EXACTNESS_BYTES + 200];
    char shortened[SCREEN_TEXT_BYTES];
    const struct gnomon_cost *sum = &annotation->sum;
    struct gnomon_exactness exactness;
    judge(annotation, &exactness);
    costs_columns(&columns, annotation->context, stream, sum->cycles, sum);
    snprintf(text, sizeof text,
             "# %s in %s, %s of the run's %s cycles (%.2f %%), without the functions that it called, %s",
             screen_shorten(shortened, cli_clean(name, annotation->name), screen_width(stream) * 3 / 4),
             cli_clean(program, cli_basename(gnomon_symbols_path(annotation->symbols))),
             cli_count(counts[0], sum->cycles), cli_count(counts[1], annotation->instructions.cycles),
             100.0 * (double)sum->cycles / (double)annotation->instructions.cycles,
             gnomon_exactness_phrase(&exactness, NULL, phrase));
    screen_sentence(stream, text, "# ");
    costs_heading(&columns, annotation->values->source ? "line" : "instruction");
    if (annotation->values->source)
        print_lines(annotation, &columns, &source);
    else
        print_instructions(annotation, &columns, &source);
    costs_row(&columns, &annotation->sum);
    costs_text(&columns,
               annotation->analysis.sampled ? "sum" : "sum; what is retired is how often the instruction was executed");
    close_source(&source);
}

/* ---- JSON ---- */

static void set_line(json_t *object, const struct gnomon_line *line) {
    json_object_set_new(object, "file", gnomon_json_text(line->file));
    json_object_set_new(object, "line", json_integer(line->line));
}

static json_t *instruction_json(const struct annotation *annotation, size_t index) {
    const struct gnomon_instruction *instruction = &annotation->instructions.list[index];
    struct gnomon_cost cost = {0};
    struct gnomon_line line = {0};
    gnomon_cost_add(&cost, instruction->cycles);
    if (!annotation->lines || !gnomon_lines_find(annotation->lines, instruction->address - annotation->base, &line))
        line = (struct gnomon_line){0};
    const char *text = gnomon_disassembly_at(&annotation->disassembly, instruction->address);
    json_t *object = json_object();
    json_object_set_new(object, "address", json_integer(instruction->address));
    json_object_set_new(object, "text", gnomon_json_text(text));
    const json_int_t executions = (json_int_t)instruction->cycles[GNOMON_CAUSE_RETIRED];
    json_object_set_new(object, "executions", annotation->analysis.sampled ? json_null() : json_integer(executions));
    set_line(object, &line);
    return costs_json(object, &cost);
}

static json_t *function_json(const struct annotation *annotation) {
    json_t *object = json_object(), *lines = json_array(), *list = json_array();
    struct gnomon_exactness exactness;
    for (size_t i = 0; i < annotation->line_count; i++) {
        json_t *line = json_object();
        set_line(line, &annotation->line_costs[i].line);
        json_array_append_new(lines, costs_json(line, &annotation->line_costs[i].cost));
    }
    for (size_t i = annotation->first; i < annotation->after; i++)
        json_array_append_new(list, instruction_json(annotation, i));
    json_object_set_new(object, "name", gnomon_json_text(annotation->name));
    json_object_set_new(object, "start", json_integer(annotation->start));
    json_object_set_new(object, "end", json_integer(annotation->end));
    json_object_set_new(object, "run_cycles", json_integer((json_int_t)annotation->instructions.cycles));
    judge(annotation, &exactness);
    json_object_update_new(object, gnomon_exactness_json(&exactness));
    json_object_set_new(object, "lines", lines);
    json_object_set_new(object, "instructions", list);
    return costs_json(object, &annotation->sum);
}

static int print_json(const struct annotation *annotation) {
    json_t *object = function_json(annotation);
    bool good = json_dumpf(object, stdout, JSON_INDENT(1)) == 0 || ferror(stdout);
    json_decref(object);
    putchar('\n');
    struct gnomon_error error;
    if (good)
        return cli_pager_end(annotation->context, stdout);
    gnomon_fail_memory(&error);
    return cli_error(annotation->context, &error);
}

/* ---- The command ---- */

static enum gnomon_status read_file(struct annotation *annotation, struct gnomon_error *error) {
    struct gnomon_event event;
    bool got = true;
    enum gnomon_status status = gnomon_analysis_open(&annotation->analysis, annotation->context->input,
                                                     annotation->values->elf, GNOMON_WITH_SYMBOLS, error);
    if (!status)
        status = gnomon_analysis_select(&annotation->analysis, annotation->values->hart, error);
    while (!status && got)
        status = gnomon_analysis_next(&annotation->analysis, &event, &got, error);
    return status ? status : gnomon_costs_open(&annotation->analysis, &annotation->instructions, error);
}

static int show_functions(struct annotation *annotation) {
    struct gnomon_error error;
    struct cli_context *context = annotation->context;
    if (context->json)
        return costs_print_json(&annotation->analysis, &annotation->instructions, &error)
                   ? cli_error(context, &error)
                   : cli_pager_end(context, stdout);
    FILE *stream = cli_pager_begin(context);
    enum gnomon_status status = costs_functions(context, &annotation->analysis, &annotation->instructions,
                                                annotation->values->all ? 0 : SHOWN_FUNCTIONS, stream, &error);
    int result = cli_pager_end(context, stream);
    return status ? cli_error(context, &error) : result;
}

static int show_function(struct annotation *annotation) {
    struct gnomon_error error;
    struct cli_context *context = annotation->context;
    if (find_function(annotation, &error) || read_program(annotation, &error))
        return cli_error(context, &error);
    if (!annotation->values->assembly && !has_lines(annotation))
        cli_note(context, "%s has no line numbers (compile with -g)", annotation->name);
    if (context->json)
        return print_json(annotation);
    FILE *stream = cli_pager_begin(context);
    print_text(annotation, stream);
    return cli_pager_end(context, stream);
}

static int run_annotate(struct cli_context *context) {
    struct gnomon_error error;
    struct annotation annotation = {.context = context, .values = context->values, .fd = -1};
    if (annotation.values->source && annotation.values->assembly)
        return cli_usage(context, "--source and --asm exclude each other");
    int result;
    if (read_file(&annotation, &error)) {
        result = cli_error(context, &error);
    } else {
        struct gnomon_exactness exactness;
        gnomon_costs_exactness(&annotation.analysis, &annotation.instructions, &exactness);
        int damaged = cli_reasons(context, &exactness, false);
        cli_note_stripped(context, annotation.analysis.symbols);
        annotation.name = context->argc > 0 ? context->argv[0] : NULL;
        result = annotation.name ? show_function(&annotation) : show_functions(&annotation);
        result = result ? result : damaged;
    }
    close_program(&annotation);
    gnomon_instructions_free(&annotation.instructions);
    gnomon_analysis_close(&annotation.analysis);
    return result;
}

static const struct cli_option options[] = {
    {0, "source", NULL, "only source lines, each with the sum of its instructions", CLI_FLAG,
     offsetof(struct values, source)},
    {0, "asm", NULL, "only instructions", CLI_FLAG, offsetof(struct values, assembly)},
    {'a', "all", NULL, "without FUNCTION: all functions, not only the 20 most expensive", CLI_FLAG,
     offsetof(struct values, all)},
    {0, "hart", "N", "the cycles of hart N: 0 (the default) or 1", CLI_NUMBER, offsetof(struct values, hart)},
    {0, "elf", "FILE", "the program, if it is no longer where it was recorded", CLI_STRING,
     offsetof(struct values, elf)},
    {0, "objdump", "PROGRAM", "disassembler (default: " GNOMON_OBJDUMP ")", CLI_STRING,
     offsetof(struct values, objdump)},
    {0},
};

const struct command command_annotate = {
    .name = "annotate",
    .summary = "show source and instructions of a function with their cycles by cause",
    .synopsis = "[OPTION...] [FUNCTION]",
    .description = "Reads a file that `gnomon record --cpi` wrote and prints FUNCTION (a name, or an address 0x... in "
                   "it), line by line and instruction by instruction, with cycles, and the causes that add up to the "
                   "cycles. The cycles of an instruction include all waiting since the instruction before it; "
                   "`retired` is the number of its executions. Without FUNCTION it lists the functions with most "
                   "cycles of their own. Figures are counted, not sampled, unless the file was recorded with "
                   "--sample.\n\nIf the instructions of a line are in "
                   "several places, the line is shown with each group of its instructions; --source adds the groups "
                   "up.",
    .examples = "gnomon annotate\tThe most expensive functions, and what they waited for.\ngnomon annotate "
                "--source inflate_fast\tIts lines.\ngnomon annotate --json -i run.gnt main\tFor a program to "
                "read.\n",
    .common = CLI_INPUT | CLI_JSON | CLI_NAMES,
    .options = options,
    .values_size = sizeof(struct values),
    .max_operands = 1,
    .run = run_annotate,
};
