/* SPDX-License-Identifier: Apache-2.0 */
/* The call graph for graphviz: one box for each function, with "self of total"; its size tells its share of the run. */
#include <inttypes.h>
#include <math.h>

#include "lib/export/export.h"
#include "lib/util/digits.h"

#define LEAST_FONT 9.0
#define MORE_FONT 39.0 /* for a function that has all cycles */
#define MORE_PEN 7.0   /* of an arrow that has all cycles */

static void put_text(FILE *stream, const char *text) {
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            fputc('\\', stream);
        fputc(*text, stream);
    }
}

static double share(const struct gnomon_export *export, uint64_t cycles) {
    return export->sums->cycles ? (double)cycles / (double)export->sums->cycles : 0.0;
}

/* "self of total", as pprof has it. */
static void put_box(const struct gnomon_export *export, FILE *stream, const char *id, const char *label, uint64_t self,
                    uint64_t total) {
    char digits[2][GNOMON_DIGITS_BYTES];
    const double part = share(export, self), whole = share(export, total);
    fprintf(stream, "  \"%s\" [label=\"", id);
    put_text(stream, label);
    fprintf(stream, "\\n%s (%.2f %%)", gnomon_digits(digits[0], self), 100.0 * part);
    if (total != self)
        fprintf(stream, "\\nof %s (%.2f %%)", gnomon_digits(digits[1], total), 100.0 * whole);
    fprintf(stream, "\" fontsize=%.1f fillcolor=\"0.05 %.3f 1.0\" self=%" PRIu64 " total=%" PRIu64 "];\n",
            LEAST_FONT + MORE_FONT * sqrt(part), sqrt(whole) * 0.6, self, total);
}

static bool is_trap(const struct gnomon_export *export, uint32_t function) {
    const uint32_t id = export->functions[function].figures->id;
    return id >= GNOMON_PROFILE_TRAP && id < GNOMON_PROFILE_UNKNOWN;
}

static void put_arrow(const struct gnomon_export *export, FILE *stream, const struct gnomon_profile_arc *arc) {
    char digits[2][GNOMON_DIGITS_BYTES];
    const double part = share(export, arc->total);
    if (arc->caller != GNOMON_PROFILE_UNPROFILED)
        fprintf(stream, "  \"f%" PRIu32 "\"", arc->caller);
    else
        fprintf(stream, "  \"%s\"", is_trap(export, arc->callee) ? "hardware" : "unprofiled");
    fprintf(stream, " -> \"f%" PRIu32 "\" [label=\"%s", arc->callee, gnomon_digits(digits[0], arc->total));
    if (!export->analysis.sampled) /* samples count no calls */
        fprintf(stream, "\\n%s x", gnomon_digits(digits[1], arc->calls));
    fprintf(stream, "\" penwidth=%.2f weight=%d calls=%" PRIu64 "];\n", 1.0 + MORE_PEN * part, 1 + (int)(100.0 * part),
            arc->calls);
}

static void put_remark(void *context, const char *line) {
    put_text(context, line);
    fputs("\\l", context);
}

static enum gnomon_status write_dot(struct gnomon_export *export, FILE *stream, struct gnomon_error *error) {
    const struct gnomon_profile_sums *sums = export->sums;
    size_t count;
    const struct gnomon_profile_arc *arcs = gnomon_profile_arcs(export->profile, &count);
    bool hardware = false;
    (void)error;
    fputs("digraph gnomon {\n  graph [labelloc=t labeljust=l fontname=\"sans-serif\" label=\"", stream);
    gnomon_export_remarks(export, put_remark, stream);
    fputs("\"];\n  node [shape=box style=filled fontname=\"sans-serif\"];\n"
          "  edge [fontname=\"sans-serif\" fontsize=9];\n",
          stream);
    for (uint32_t i = 0; i < export->profiled; i++) {
        const struct gnomon_profile_function *figures = export->functions[i].figures;
        char id[16];
        snprintf(id, sizeof id, "f%" PRIu32, i);
        put_box(export, stream, id, export->functions[i].label, figures->self, figures->total);
    }
    put_box(export, stream, "unprofiled", GNOMON_EXPORT_UNPROFILED, sums->unprofiled, sums->unprofiled);
    if (sums->lost)
        put_box(export, stream, "lost", GNOMON_EXPORT_LOST, sums->lost, sums->lost);
    for (size_t i = 0; i < count; i++)
        hardware |= arcs[i].caller == GNOMON_PROFILE_UNPROFILED && is_trap(export, arcs[i].callee);
    if (hardware)
        put_box(export, stream, "hardware", "[hardware]", 0, 0);
    for (size_t i = 0; i < count; i++)
        put_arrow(export, stream, &arcs[i]);
    for (uint32_t i = 0; i < export->profiled; i++) {
        const struct gnomon_profile_function *figures = export->functions[i].figures;
        if (figures->lost_cycles && sums->lost)
            fprintf(stream, "  \"f%" PRIu32 "\" -> \"lost\" [label=\"%" PRIu64 "\" style=dashed];\n", i,
                    figures->lost_cycles);
    }
    fputs("}\n", stream);
    return GNOMON_OK;
}

const struct gnomon_export_format gnomon_export_dot = {
    .name = "dot",
    .extension = "dot",
    .description = "call graph, one box for each function with \"self of total\": for graphviz",
    .needs = GNOMON_EXPORT_PROFILE,
    .units = true,
    .write = write_dot,
};
