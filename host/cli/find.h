/* SPDX-License-Identifier: Apache-2.0 */
/* What `gnomon hot` and `gnomon scan` have in common: a run of a program whose code is looked at in pieces. */
#ifndef GNOMON_CLI_FIND_H
#define GNOMON_CLI_FIND_H

#include "../lib/finder.h"
#include "../lib/measure.h"
#include "target.h"

struct finding;

/* What such a command does its own way. */
struct find_kind {
    /* The device and the pieces are there: settles what depends on them. */
    void (*opened)(struct finding *finding);
    /* No other run is to follow the one about to begin. */
    bool (*last)(const struct finding *finding);
    /* While the hart is in reset, and ten times a second while the program runs. */
    enum gnomon_status (*prepared)(struct finding *finding, struct gnomon_error *error);
    enum gnomon_status (*tick)(struct finding *finding, struct gnomon_error *error);
    /* After a run's end, before the device is left. */
    enum gnomon_status (*ended)(struct finding *finding, struct gnomon_error *error);
    /* False: it could not be written. */
    void (*print_text)(struct finding *finding, FILE *stream);
    bool (*print_json)(struct finding *finding, FILE *stream);
};

struct finding {
    struct cli_context *context;
    const struct find_kind *kind;
    struct target target;
    struct gnomon_tag_program program;
    struct gnomon_tags tags;
    struct gnomon_finder finder;
    struct gnomon_measured measured;
    void *own;                 /* the command's */
    enum gnomon_status status; /* of what went wrong in a tick, */
    struct gnomon_error error; /* and why */
};

/* The whole command: opens the program, a device with tags, and the pieces, which are pages of so many bytes, or
 * functions
 * (`page` 0); runs, and prints where the user wants it. `target_values` are the command's, `own` becomes `finding.own`.
 * Returns the exit status. */
int find_main(struct cli_context *context, const struct find_kind *kind, const struct target_values *target_values,
              uint32_t page, void *own);

/* Sorts the pieces by what is known of their cycles, most first; returns how many of them ran. `period`: of samples. */
size_t find_sort(struct finding *finding, uint64_t period);

/* A piece's name: the function, and where the page begins. `buffer` holds FIND_NAME_BYTES. */
#define FIND_NAME_BYTES 256
const char *find_name(const struct gnomon_piece *piece, char *buffer);

#endif
