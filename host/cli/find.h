/* SPDX-License-Identifier: Apache-2.0 */
/* What `gnomon hot` and `gnomon scan` have in common: a run of a program whose code is looked at in pieces. */
#ifndef GNOMON_CLI_FIND_H
#define GNOMON_CLI_FIND_H

#include <jansson.h>

#include "../lib/finder.h"
#include "target_code.h"

struct finding;

/* What such a command does its own way. */
struct find_kind {
    /* The device and the pieces are there: settles what depends on them. */
    void (*opened)(struct finding *finding);
    /* While the hart is in reset, and ten times a second while the program runs. */
    enum gnomon_status (*prepared)(struct finding *finding, struct gnomon_error *error);
    enum gnomon_status (*tick)(struct finding *finding, struct gnomon_error *error);
    /* After a run's end, before the device is left. */
    enum gnomon_status (*ended)(struct finding *finding, struct gnomon_error *error);
    /* After a run that was not interrupted: is there to be another? */
    bool (*more)(struct finding *finding);
    /* What is known by now, for a terminal, redrawn in place; returns how many lines. NULL: nothing is drawn. */
    int (*draw)(struct finding *finding, FILE *stream, uint64_t cycles);
    /* False: it could not be written. */
    bool (*print_text)(struct finding *finding, FILE *stream);
    bool (*print_json)(struct finding *finding, FILE *stream);
    /* Adds what it knows to be missing; NULL: nothing. */
    void (*reasons)(const struct finding *finding, struct gnomon_exactness *exactness);
};

struct finding {
    struct cli_context *context;
    const struct find_kind *kind;
    struct target target;
    struct target_code code; /* of the last run that was sampled */
    struct gnomon_tag_program program;
    struct gnomon_tags tags;
    struct gnomon_finder finder;
    struct gnomon_measured measured; /* of the last run */
    bool died;                       /* in it */
    struct gnomon_exactness exactness;
    char worth[GNOMON_EXACTNESS_BYTES]; /* in words */
    unsigned runs;                      /* that have ended, or were stopped */
    int lines;                          /* that are drawn on the terminal */
    void *own;                          /* the command's */
    enum gnomon_status status;          /* of what went wrong in a tick, */
    struct gnomon_error error;          /* and why */
};

/* The whole command: opens the program, a device with tags, and the pieces, which are pages of so many bytes, or
 * functions
 * (`page` 0); runs, and prints where the user wants it. `target_values` are the command's, `own` becomes `finding.own`.
 * Returns the exit status. */
int find_main(struct cli_context *context, const struct find_kind *kind, const struct target_values *target_values,
              uint32_t page, void *own);

/* The pieces that ran, those first of which most cycles are known, at most `top` of them (0: all). `period`: of
 * samples. Free the result; NULL: out of memory. */
const struct gnomon_piece **find_sort(const struct finding *finding, uint64_t period, uint64_t top, size_t *count);

/* The last words under a table: what is missing in it, and how a program that was stopped was counted. */
void find_print_end(const struct finding *finding, FILE *stream);

/* A piece's name: the function, and where the page begins. */
#define FIND_NAME_BYTES 1088
const char *find_name(const struct cli_context *context, const struct gnomon_piece *piece,
                      char buffer[FIND_NAME_BYTES]);
/* Sets `name`, and `symbol` where the linker's is another, `module` and `overlay` where it is of one. */
void find_json_name(const struct cli_context *context, const struct gnomon_piece *piece, json_t *object);

#endif
