/* SPDX-License-Identifier: Apache-2.0 */
/* gnomon heap: who allocated what, and what is still live. */
#include "cli/heap/heap.h"

#include <stdlib.h>
#include <string.h>

static const struct cli_option options[] = {
    {0, "elf", "FILE", "the program, where it is not where it was when it was recorded", CLI_STRING,
     offsetof(struct heap_values, elf)},
    {0, "module", "FILE", "a module that the program loaded and whose file was not at hand then, or has moved",
     CLI_LIST, offsetof(struct heap_values, modules)},
    {0, "paths", NULL, "a row for each call path, with all its functions below it", CLI_FLAG,
     offsetof(struct heap_values, paths)},
    {0, "leaks", NULL,
     "only blocks that were allocated and not freed, with who allocated them; exit with status 4 if there are any",
     CLI_FLAG, offsetof(struct heap_values, leaks)},
    {0, "mode", "MODE",
     "the leak check (--leaks) of gperftools' heap checker of that name: minimal, normal, strict (blocks that the "
     "program "
     "could not reach any more) or draconian (all blocks that were not freed; default)",
     CLI_STRING, offsetof(struct heap_values, mode)},
    {0, "between", "FROM:TO",
     "count only blocks that were allocated after GNOMON_MARK FROM and before GNOMON_MARK TO, as they were at TO",
     CLI_STRING, offsetof(struct heap_values, between)},
    {0, "sizes", NULL, "how many blocks of each power of two of bytes were allocated", CLI_FLAG,
     offsetof(struct heap_values, sizes)},
    {0, "mistakes", NULL,
     "only wrong use: blocks freed twice, addresses freed that are no block's, and with gnomon cc --gnomon-heap=guard "
     "what "
     "was written beyond a block or after its free; exit with status 4 if there is any",
     CLI_FLAG, offsetof(struct heap_values, mistakes)},
    {'s', "sort", "KEY", "order of the rows: " HEAP_SORT_KEYS " (default: live)", CLI_STRING,
     offsetof(struct heap_values, sort)},
    {'n', "limit", "N", "show the first N rows", CLI_NUMBER, offsetof(struct heap_values, limit)},
    {0, "strict", NULL, "exit with status 3 when messages were lost or the end is missing", CLI_FLAG,
     offsetof(struct heap_values, strict)},
    {0},
};

#define COUNT(value) cli_count((char[CLI_COUNT_BYTES]){0}, value)

/* ---- The first line ---- */

static void put_facts(const struct heap_view *view, FILE *stream) {
    const struct gnomon_analysis *analysis = &view->analysis;
    const struct gnomon_heap_results *results = view->results;
    const struct gnomon_heap_figures *all = &results->all;
    char text[CLI_CLEAN_BYTES], phrase[GNOMON_EXACTNESS_BYTES];
    fprintf(stream, "# %s", cli_clean(text, cli_basename(gnomon_symbols_path(analysis->symbols))));
    if (*analysis->device)
        fprintf(stream, " on %s", cli_clean(text, analysis->device));
    fprintf(stream, ", %s cycles", COUNT(view->cycles));
    if (view->values->between)
        fprintf(stream, ", between the marks %s", cli_clean(text, view->values->between));
    fprintf(stream, ", allocated %s bytes in %s block%s, freed %s bytes in %s", COUNT(all->bytes), COUNT(all->blocks),
            all->blocks == 1 ? "" : "s", COUNT(all->freed_bytes), COUNT(all->freed));
    if (all->blocks)
        fprintf(stream, "; peak %s bytes in %s block%s at cycle %s, %s bytes between them, largest gap %s",
                COUNT(all->peak_bytes), COUNT(all->peak_blocks), all->peak_blocks == 1 ? "" : "s",
                COUNT(results->peak_cycle), COUNT(results->peak_gaps.bytes), COUNT(results->peak_gaps.largest));
    fprintf(stream, "; left %s bytes in %s block%s", COUNT(gnomon_heap_live_bytes(all)),
            COUNT(gnomon_heap_live_blocks(all)), gnomon_heap_live_blocks(all) == 1 ? "" : "s");
    if (view->checks && view->leaks.look)
        fprintf(stream, "%s; out of reach (%s) %s bytes in %s", view->leaks.look->at_exit ? " at exit" : "",
                gnomon_heap_mode_name(view->leaks.mode), COUNT(view->leaks.bytes), COUNT(view->leaks.blocks));
    fprintf(stream, ", %s", gnomon_exactness_phrase(&view->exactness, NULL, phrase));
    if (view->values->sizes && results->deep)
        fprintf(stream, "; \"in all\" is too small for outer functions: some stacks have %d calls or more",
                GNOMON_HEAP_STACK);
}

static void put_first_line(const struct heap_view *view, FILE *stream) {
    char *text = NULL;
    size_t size;
    FILE *line = open_memstream(&text, &size);
    if (!line)
        return;
    put_facts(view, line);
    fclose(line);
    const bool complete = gnomon_exactness_complete(&view->exactness);
    fputs(complete ? "" : cli_style(view->context, stream, CLI_RED), stream);
    screen_sentence(stream, text, "#   ");
    fputs(complete ? "" : cli_style(view->context, stream, CLI_PLAIN), stream);
    free(text);
}

static void put_paths(const struct heap_view *view, FILE *stream) {
    const uint64_t limit = view->values->limit;
    for (size_t i = 0; i < view->row_count && (!limit || i < limit); i++) {
        const struct gnomon_heap_figures *figures = &view->order[i]->figures;
        char text[256];
        snprintf(text, sizeof text, "%s bytes in %s blocks; live %s in %s; at the peak %s in %s", COUNT(figures->bytes),
                 COUNT(figures->blocks), COUNT(gnomon_heap_live_bytes(figures)),
                 COUNT(gnomon_heap_live_blocks(figures)), COUNT(figures->peak_bytes), COUNT(figures->peak_blocks));
        screen_sentence(stream, text, "  ");
        heap_path(view, stream, view->order[i]->site, 4);
    }
}

static int print_text(const struct heap_view *view) {
    FILE *stream = cli_pager_begin(view->context);
    const struct heap_values *values = view->values;
    put_first_line(view, stream);
    if (view->checks)
        heap_leaks(view, stream);
    else if (values->sizes) {
        heap_sizes(view, stream);
        fputc('\n', stream);
        heap_function_sizes(view, stream);
    } else if (values->paths)
        put_paths(view, stream);
    else if (!values->mistakes)
        heap_table(view, stream);
    heap_mistakes(view, stream);
    return cli_pager_end(view->context, stream);
}

/* ---- The command ---- */

/* "1:2" */
static bool parse_between(const char *text, struct gnomon_heap_span *span) {
    enum { MARKS = GNOMON_CHANNEL_VALUE - GNOMON_CHANNEL_MARK };
    unsigned first, second;
    char rest;
    if (!text)
        return true;
    if (sscanf(text, "%2u:%2u%c", &first, &second, &rest) != 2 || first >= MARKS || second >= MARKS)
        return false;
    span->from = (int)first;
    span->to = (int)second;
    return true;
}

static enum gnomon_status check_results(const struct heap_view *view, struct gnomon_error *error) {
    const struct gnomon_heap_results *results = view->results;
    if (!results->messages) {
        gnomon_fail(error, GNOMON_ERR_NOT_FOUND, "%s has no messages about the heap", view->analysis.path);
        return gnomon_remedy(error, GNOMON_ERR_NOT_FOUND,
                             "it allocated nothing, or was not linked with gnomon cc --gnomon-heap, or recorded with "
                             "--no-channels");
    }
    if (view->values->between && (!results->began || !results->ended)) {
        gnomon_fail(error, GNOMON_ERR_NOT_FOUND, "mark %s of --between %s did not come", results->began ? "TO" : "FROM",
                    view->values->between);
        return gnomon_remedy(error, GNOMON_ERR_NOT_FOUND,
                             "the program sends marks with GNOMON_MARK; gnomon dump shows them");
    }
    return GNOMON_OK;
}

/* A part of a run that has ended is known, whatever came later. */
bool heap_saw_all(const struct heap_view *view) {
    return view->values->between ? gnomon_exactness_exact(&view->exactness)
                                 : gnomon_exactness_complete(&view->exactness);
}

/* What a check that has found nothing can say. */
const char *heap_doubt(const struct heap_view *view) {
    if (heap_saw_all(view))
        return ".";
    return gnomon_exactness_exact(&view->exactness) ? " up to where the run was cut short."
                                                    : ", but messages were lost.";
}

static int show(struct heap_view *view, const char *path, struct gnomon_heap_span *span) {
    const struct heap_values *values = view->values;
    struct gnomon_error error;
    if (gnomon_analysis_open(&view->analysis, path, values->elf, GNOMON_WITH_SYMBOLS, &error) ||
        gnomon_analysis_select(&view->analysis, GNOMON_BOTH_HARTS, &error) ||
        cli_add_modules(&view->analysis, &view->values->modules, &error) ||
        gnomon_analysis_tables(&view->analysis, &view->tables, &error))
        return cli_error(view->context, &error);
    view->analysis.raw_names = view->context->raw_names;
    if (!gnomon_lock_names_open(&view->names, &view->tables, &view->analysis)) {
        gnomon_fail_memory(&error);
        return cli_error(view->context, &error);
    }
    if (view->checks && gnomon_heap_leaks_open(&view->leaks, view->leaks.mode, &view->analysis, span, &error))
        return cli_error(view->context, &error);
    if (gnomon_heap_read(&view->heap, &view->results, &view->analysis, span, &error) || check_results(view, &error) ||
        (view->checks && gnomon_heap_leaks_find(&view->leaks, &view->analysis, span, view->results, &error)) ||
        heap_rows(view, &error))
        return cli_error(view->context, &error);
    view->cycles = gnomon_analysis_stats(&view->analysis)->last_cycle;
    gnomon_analysis_message_exactness(&view->analysis, &view->exactness);
    const int worth = cli_reasons(view->context, &view->exactness, view->values->strict);
    const int printed = view->context->json ? heap_json(view) : print_text(view);
    if (printed || worth)
        return printed ? printed : worth;
    const bool found = (view->checks && view->leaks.blocks) || (values->mistakes && view->results->mistake_count);
    const bool gate = view->checks || values->mistakes;
    return gate && (found || !heap_saw_all(view)) ? CLI_GATE : CLI_OK;
}

static int run_heap(struct cli_context *context) {
    struct heap_view view = {.context = context, .values = context->values, .names = {.fd = -1}};
    struct gnomon_heap_span span = GNOMON_HEAP_WHOLE_RUN;
    const char *mode = view.values->mode;
    view.checks = view.values->leaks || mode;
    view.leaks.mode = GNOMON_HEAP_DRACONIAN;
    if (mode && !gnomon_heap_mode_named(mode, &view.leaks.mode))
        return cli_usage(context, "--mode is minimal, normal, strict or draconian, not \"%s\"", mode);
    if (!parse_between(view.values->between, &span))
        return cli_usage(context, "--between takes two marks as 1:2, not \"%s\"", view.values->between);
    const int status = show(&view, context->argc > 0 ? context->argv[0] : context->input, &span);
    gnomon_heap_leaks_free(&view.leaks);
    gnomon_heap_free(view.heap);
    if (view.names.tables)
        gnomon_lock_names_close(&view.names);
    gnomon_lock_tables_free(&view.tables);
    gnomon_analysis_close(&view.analysis);
    free(view.rows);
    free(view.order);
    return status;
}

const struct command command_heap = {
    .name = "heap",
    .summary = "show who allocated memory, how much was in use at the peak, and what is still live",
    .synopsis = "[OPTION...] [FILE]",
    .description =
        "Reads a recording (FILE, or -i, or gnomon.gnt) of a program that was linked with gnomon cc --gnomon-heap, "
        "and prints for each function that allocated: what is live at the end, what was live at the peak of the run, "
        "what it allocated in all, and how many cycles its blocks lived until they were freed. Figures are counted, "
        "not sampled. A function allocates if it, or a function without hooks below it, called malloc, calloc, "
        "realloc, aligned_alloc, memalign, posix_memalign or operator new. The functions are known if the recording "
        "has events (gnomon record --events).\n\nA block that was freed twice, or an address that was never a "
        "block's, gets a sentence; of programs linked with --gnomon-heap=guard also what was written beyond a block or "
        "after it was freed, and, recorded with --use-after-free, who read or wrote there.\n\nThe modes of --mode are "
        "those of gperftools' heap checker. minimal and normal need a "
        "recording made with gnomon record --leak-check, strict one of a program that ended by itself.\n\nExit status: "
        "0 good; 1 the file cannot be read, has no such messages, or is "
        "damaged; 2 wrong usage; 3 with --strict, when messages were lost or the end is missing; 4 with --leaks, "
        "--mode or --mistakes, when there are any, or may be: messages were lost, or the run was cut short.",
    .examples =
        "gnomon heap\tThe functions that allocated, most live bytes first.\n"
        "gnomon heap --leaks\tWhat was not freed, with call paths.\n"
        "gnomon heap --mode strict\tWhat the program has lost: blocks that nothing pointed to at its end.\n"
        "gnomon heap --mistakes\tWrong use of the heap, as a gate.\n"
        "gnomon heap --leaks --between 1:2\tWhat was allocated between two marks and is not freed at the second.\n"
        "gnomon heap --sizes run.gnt\tHow large the blocks were.\n",
    .common = CLI_INPUT | CLI_JSON | CLI_NAMES,
    .options = options,
    .values_size = sizeof(struct heap_values),
    .max_operands = 1,
    .run = run_heap,
};
