/* SPDX-License-Identifier: Apache-2.0 */
/* A flame graph as one SVG file, with zoom and search in any browser (flamegraph.js), and nothing from elsewhere. The
 * rows from the bottom: the run, its threads, their functions. */
#include <inttypes.h>
#include <stdlib.h>

#include "gnomon/flamegraph_js.h"
#include "lib/export/export.h"
#include "lib/util/digits.h"

enum { WIDTH = 1200, ROW = 17, HEAD = 46, FOOT = 8, REMARK = 15, LETTER = 7, LEAST_LETTERS = 3 };
/* Of a graph with more paths than MOST_PATHS, frames with less than one cycle in LEAST_SHARE are left out. */
#define MOST_PATHS 20000
#define LEAST_SHARE 200000

struct frame {
    uint64_t x, cycles, self; /* cycles to the left of it, of it, of it without the frames above */
    uint64_t next;            /* where the next frame above begins */
    uint64_t calls, lost;
    uint32_t row;
};

struct graph {
    const struct gnomon_export *export;
    FILE *stream;
    const struct gnomon_profile_path *paths;
    struct frame *frames; /* by path */
    size_t count;
    uint32_t rows, remarks;
};

static void put_text(FILE *stream, const char *text) {
    for (; *text; text++)
        switch (*text) {
        case '<':
            fputs("&lt;", stream);
            break;
        case '&':
            fputs("&amp;", stream);
            break;
        case '"':
            fputs("&quot;", stream);
            break;
        default:
            fputc(*text, stream);
        }
}

/* The text in a frame of that width: the script does the same after a zoom. */
static void put_short(FILE *stream, const char *label, double width) {
    const int letters = (int)(width - LETTER) / LETTER;
    char text[WIDTH / LETTER + 1];
    if (letters < LEAST_LETTERS)
        return;
    if (snprintf(text, (size_t)letters + 1, "%s", label) > letters) {
        text[letters - 1] = text[letters - 2] = '.';
        for (char *at = &text[letters - 3]; at >= text && (*at & 0x80); at--)
            *at = '.'; /* no part of a character */
    }
    put_text(stream, text);
}

/* ---- Places ---- */

/* A path comes after its parent, so the sums are made from the last one on, and the places from the first one on. */
static void place_frames(struct graph *graph) {
    uint64_t x = 0;
    for (size_t i = 0; i < graph->count; i++)
        for (unsigned hart = 0; hart < GNOMON_MAX_HARTS; hart++) {
            graph->frames[i].self += graph->paths[i].self[hart];
            graph->frames[i].lost += graph->paths[i].lost[hart];
            graph->frames[i].calls += graph->paths[i].calls[hart];
        }
    for (size_t i = graph->count; i-- > 0;) {
        struct frame *frame = &graph->frames[i];
        frame->cycles += frame->self + frame->lost;
        if (graph->paths[i].parent != GNOMON_PROFILE_UNPROFILED)
            graph->frames[graph->paths[i].parent].cycles += frame->cycles;
    }
    for (size_t i = 0; i < graph->count; i++) {
        struct frame *frame = &graph->frames[i];
        const bool outermost = graph->paths[i].parent == GNOMON_PROFILE_UNPROFILED;
        struct frame *parent = outermost ? NULL : &graph->frames[graph->paths[i].parent];
        uint64_t *place = parent ? &parent->next : &x;
        frame->x = frame->next = *place;
        frame->row = parent ? parent->row + 1 : 1;
        *place += frame->cycles;
        const uint32_t top = frame->row + (frame->lost || outermost ? 1 : 0);
        if (frame->cycles && top > graph->rows)
            graph->rows = top;
    }
}

/* ---- The file ---- */

/* Warm colours for functions, by their names, so that a function has its colour in each graph. */
static uint32_t color_of(const char *label) {
    uint32_t hash = 2166136261u;
    for (const char *at = label; *at; at++)
        hash = (hash ^ (unsigned char)*at) * 16777619u;
    return (205 + hash % 50) << 16 | (80 + (hash >> 8) % 130) << 8 | (hash >> 16) % 60;
}

static void put_frame(const struct graph *graph, const char *label, const struct frame *frame) {
    const uint64_t whole = graph->export->sums->cycles;
    char digits[3][GNOMON_DIGITS_BYTES];
    if (!frame->cycles || (graph->count > MOST_PATHS && frame->cycles < whole / LEAST_SHARE))
        return;
    const uint32_t y = HEAD + graph->remarks * REMARK + (graph->rows - frame->row) * ROW;
    fprintf(graph->stream,
            "<g class=\"f\" data-x=\"%" PRIu64 "\" data-w=\"%" PRIu64 "\" data-self=\"%" PRIu64 "\" data-row=\"%" PRIu32
            "\" data-name=\"",
            frame->x, frame->cycles, frame->self, frame->row);
    put_text(graph->stream, label);
    fputs("\"><title>", graph->stream);
    put_text(graph->stream, label);
    fprintf(graph->stream, ": %s %s, %.2f %%", gnomon_digits(digits[0], frame->cycles),
            gnomon_export_unit(graph->export), 100.0 * (double)frame->cycles / (double)whole);
    if (frame->self != frame->cycles)
        fprintf(graph->stream, ", self %s", gnomon_digits(digits[1], frame->self));
    if (frame->calls)
        fprintf(graph->stream, ", %s calls", gnomon_digits(digits[2], frame->calls));
    fprintf(graph->stream,
            "</title><rect x=\"%.2f\" y=\"%" PRIu32 "\" width=\"%.2f\" height=\"%d\" fill=\"#%06" PRIx32
            "\"/><text x=\"%.2f\" y=\"%" PRIu32 "\">",
            (double)frame->x / (double)whole * WIDTH, y, (double)frame->cycles / (double)whole * WIDTH, ROW - 1,
            label[0] == '[' ? 0xB0B0B0 : color_of(label), (double)frame->x / (double)whole * WIDTH + 3, y + 12);
    put_short(graph->stream, label, (double)frame->cycles / (double)whole * WIDTH);
    fputs("</text></g>\n", graph->stream);
}

static void put_path(const struct graph *graph, size_t index) {
    const struct gnomon_profile_path *path = &graph->paths[index];
    const struct frame *frame = &graph->frames[index];
    const bool outermost = path->parent == GNOMON_PROFILE_UNPROFILED;
    struct frame own = *frame;
    char name[GNOMON_LOCK_NAME_BYTES];
    if (!outermost) {
        put_frame(graph, gnomon_export_label(graph->export, path->function), frame);
    } else {
        own.self = 0; /* what runs outside of functions has a frame of its own */
        put_frame(graph,
                  path->thread == GNOMON_PROFILE_ALL_THREADS
                      ? "all threads"
                      : gnomon_thread_name(&graph->export->names, path->thread, name),
                  &own);
    }
    own = (struct frame){.x = frame->next, .cycles = frame->self, .self = frame->self, .row = frame->row + 1};
    if (outermost)
        put_frame(graph, GNOMON_EXPORT_UNPROFILED, &own);
    own.x += frame->self;
    own.cycles = own.self = frame->lost;
    put_frame(graph, GNOMON_EXPORT_LOST, &own);
}

static void count_remark(void *context, const char *line) {
    (void)line;
    ((struct graph *)context)->remarks++;
}

static void put_remark(void *context, const char *line) {
    struct graph *graph = context;
    fprintf(graph->stream, "<text class=\"r\" x=\"3\" y=\"%" PRIu32 "\">", 16 + graph->remarks++ * REMARK);
    put_text(graph->stream, line);
    fputs("</text>\n", graph->stream);
}

static void put_head(struct graph *graph) {
    gnomon_export_remarks(graph->export, count_remark, graph);
    const uint32_t remarks = graph->remarks, height = HEAD + remarks * REMARK + (graph->rows + 1) * ROW + FOOT;
    fprintf(graph->stream,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%" PRIu32 "\" viewBox=\"0 0 %d %" PRIu32
            "\" data-width=\"%d\">\n"
            "<style>text{font:11px monospace;fill:#000;pointer-events:none}.r,.b{font:12px sans-serif}"
            ".b{pointer-events:auto;cursor:pointer;fill:#04c}.f{cursor:pointer}.f:hover rect{stroke:#000}"
            ".hit rect{fill:#e0f}</style>\n<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
            WIDTH, height, WIDTH, height, WIDTH);
    graph->remarks = 0;
    gnomon_export_remarks(graph->export, put_remark, graph);
    const uint32_t y = 18 + remarks * REMARK;
    fprintf(graph->stream,
            "<text class=\"b\" id=\"search\" x=\"3\" y=\"%" PRIu32 "\">Search (/)</text><text class=\"b\" id=\"reset\" "
            "x=\"90\" y=\"%" PRIu32 "\">Reset zoom (Esc)</text><text class=\"r\" id=\"found\" x=\"220\" y=\"%" PRIu32
            "\"></text>\n",
            y, y, y);
}

static enum gnomon_status write_flamegraph(struct gnomon_export *export, FILE *stream, struct gnomon_error *error) {
    struct graph graph = {.export = export, .stream = stream};
    graph.paths = gnomon_profile_paths(export->profile, &graph.count);
    graph.frames = calloc(graph.count + 1, sizeof *graph.frames);
    if (!graph.frames)
        return gnomon_fail_memory(error);
    place_frames(&graph);
    put_head(&graph);
    put_frame(&graph, "all", &(struct frame){.cycles = export->sums->cycles});
    for (size_t i = 0; i < graph.count; i++)
        put_path(&graph, i);
    fputs("<script><![CDATA[\n" GNOMON_FLAMEGRAPH_JS "]]></script>\n</svg>\n", stream);
    free(graph.frames);
    return GNOMON_OK;
}

const struct gnomon_export_format gnomon_export_flamegraph = {
    .name = "flamegraph",
    .extension = "svg",
    .description = "flame graph in one SVG file, with zoom and search: for a browser",
    .needs = GNOMON_EXPORT_PROFILE,
    .units = true,
    .write = write_flamegraph,
};
