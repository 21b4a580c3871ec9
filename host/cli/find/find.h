/* SPDX-License-Identifier: Apache-2.0 */
/* What `gnomon hot` and `gnomon scan` share: a run of a program whose code is examined in hotspots. */
#ifndef GNOMON_CLI_FIND_H
#define GNOMON_CLI_FIND_H

#include <jansson.h>

#include "cli/run/target_code.h"
#include "cli/screen.h"
#include "lib/run/hotspot_search.h"

struct finding;

/* The option values of both commands begin with these. */
struct find_values {
    struct target_values target;
    uint64_t top; /* most hotspots that are printed; 0: all */
};

#define FIND_HEADING_BYTES (GNOMON_EXACTNESS_BYTES + 600)

/* The parts in which the commands differ. */
struct find_kind {
    /* Called when the device is open and the hotspots exist: sets what depends on them. */
    void (*opened)(struct finding *finding);
    /* `prepared` is called while the hart is in reset; `tick` ten times a second while the program runs. */
    enum gnomon_status (*prepared)(struct finding *finding, struct gnomon_error *error);
    enum gnomon_status (*tick)(struct finding *finding, struct gnomon_error *error);
    /* Called when a run has ended, while the device is still open. */
    enum gnomon_status (*ended)(struct finding *finding, struct gnomon_error *error);
    /* Called after a run that was not interrupted: is another run needed? */
    bool (*more)(struct finding *finding);
    /* Draws the present results on a terminal, redrawn in place; returns the number of lines. NULL: nothing is
     * drawn. */
    int (*draw)(struct finding *finding, FILE *stream, uint64_t cycles);
    /* The period of the samples in cycles, for the order of the hotspots; 0: there are no samples. */
    uint64_t (*period)(const struct finding *finding);
    /* The text output: the heading, then a table with a row for each hotspot, then notes. */
    void (*heading)(const struct finding *finding, char text[FIND_HEADING_BYTES]);
    const struct screen_column *columns;
    size_t column_count;
    void (*put_row)(const struct finding *finding, struct screen_table *table, const struct gnomon_hotspot *hotspot);
    void (*print_notes)(const struct finding *finding, FILE *stream, const struct gnomon_hotspot *const *list,
                        size_t count);
    /* The JSON output: an object for each hotspot, and the object that holds them as `json_list`. NULL: out of memory.
     */
    json_t *(*json_piece)(const struct finding *finding, const struct gnomon_hotspot *hotspot);
    json_t *(*json_root)(const struct finding *finding);
    const char *json_list;
    /* Adds the data that the command knows to be missing; NULL: adds nothing. */
    void (*reasons)(const struct finding *finding, struct gnomon_exactness *exactness);
};

struct finding {
    struct cli_context *context;
    const struct find_kind *kind;
    struct target target;
    struct target_code code; /* code of the last run that was sampled */
    struct gnomon_tag_program program;
    struct gnomon_tags tags;
    struct gnomon_hotspot_search search;
    bool ticking;                    /* on_tick is running */
    struct gnomon_measured measured; /* results of the last run */
    bool died;                       /* the program died in the last run */
    struct gnomon_exactness exactness;
    char worth[GNOMON_EXACTNESS_BYTES]; /* `exactness` in words */
    unsigned runs;                      /* number of runs that have ended, or were stopped */
    int lines;                          /* number of lines drawn on the terminal */
    void *own;                          /* the command's own data */
    enum gnomon_status status;          /* status of a tick that failed */
    struct gnomon_error error;          /* error of that tick */
};

/* The whole command: opens the program, a device with tags, and the hotspots; runs; prints to the place that the user
 * wants. The hotspots are pages of `page` bytes, or functions if `page` is 0. The command's values begin with a struct
 * find_values; `own` becomes `finding.own`. Returns the exit status. */
int find_main(struct cli_context *context, const struct find_kind *kind, uint32_t page, void *own);

/* Returns the hotspots that ran, sorted by estimated cycles, largest first, at most `top` hotspots (0: all). The caller
 * frees the result; NULL: out of memory. */
const struct gnomon_hotspot **find_sort(const struct finding *finding, uint64_t top, size_t *count);

/* A hotspot's name: the function, and the start address of a page. */
#define FIND_NAME_BYTES 1088
const char *find_name(const struct cli_context *context, const struct gnomon_hotspot *hotspot,
                      char buffer[FIND_NAME_BYTES]);
/* Sets `name`; `symbol` if the linker's name differs; `module` and `overlay` if the hotspot belongs to one. */
void find_json_name(const struct cli_context *context, const struct gnomon_hotspot *hotspot, json_t *object);

#endif
