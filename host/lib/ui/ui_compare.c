/* SPDX-License-Identifier: Apache-2.0 */
/* What changed between two recordings, for each function. */
#include <inttypes.h>

#include "lib/ui/ui_internal.h"
#include "lib/util/file.h"
#include "lib/util/json_text.h"

static const char *const figures[GNOMON_FUNCTION_FIGURES] = {
    [GNOMON_FIGURE_SELF] = "self",
    [GNOMON_FIGURE_TOTAL] = "total",
    [GNOMON_FIGURE_CALLS] = "calls",
    [GNOMON_FIGURE_LONGEST] = "max",
};

static json_t *side_json(const struct gnomon_figures *side) {
    json_t *json = json_object();
    json_object_set_new(json, "recording", gnomon_json_text(gnomon_basename(side->analysis.path)));
    json_object_set_new(json, "build_id", json_string(gnomon_symbols_build_id(side->analysis.symbols)));
    json_object_set_new(json, "cycles", json_integer((json_int_t)side->cycles));
    json_object_set_new(json, "exactness", ui_exactness(&side->exactness));
    return json;
}

static void put_values(const struct gnomon_comparison *comparison, enum gnomon_side side, enum gnomon_figure figure,
                       FILE *stream) {
    fprintf(stream, ",\"%s_%s\":[", side == GNOMON_OLD ? "old" : "new", figures[figure]);
    for (size_t i = 0; i < comparison->count; i++)
        fprintf(stream, "%s%" PRIu64, i ? "," : "", comparison->rows[i].values[side][figure]);
    fputc(']', stream);
}

bool ui_put_comparison(const struct gnomon_ui *ui, FILE *stream) {
    const struct gnomon_comparison *comparison = &ui->comparison;
    json_t *head = json_object();
    json_object_set_new(head, "old", side_json(&ui->figures[GNOMON_OLD]));
    json_object_set_new(head, "new", side_json(&ui->figures[GNOMON_NEW]));
    json_object_set_new(head, "same_build", json_boolean(comparison->same_build));
    if (!ui_put(stream, "compared", head))
        return false;
    ui_begin(stream, "compare");
    fputs("{\"name\":[", stream);
    for (size_t i = 0; i < comparison->count; i++) {
        fputs(i ? "," : "", stream);
        ui_put_text(stream, gnomon_compared(&comparison->rows[i])->name);
    }
    fputs("],\"exact\":[", stream);
    for (size_t i = 0; i < comparison->count; i++)
        fprintf(stream, "%s%d", i ? "," : "", comparison->rows[i].exact);
    fputc(']', stream);
    for (enum gnomon_side side = GNOMON_OLD; side < GNOMON_SIDES; side++)
        for (enum gnomon_figure figure = 0; figure < GNOMON_FUNCTION_FIGURES; figure++)
            put_values(comparison, side, figure, stream);
    fputc('}', stream);
    ui_end(stream);
    return true;
}
