/* SPDX-License-Identifier: Apache-2.0 */
/* What `gnomon hot` and `gnomon scan` have in common: a run of a program whose code is looked at in pieces. */
#ifndef GNOMON_CLI_FIND_H
#define GNOMON_CLI_FIND_H

#include "../lib/finder.h"
#include "../lib/measure.h"
#include "target.h"

struct finding {
    struct cli_context *context;
    struct target target;
    struct gnomon_tag_program program;
    struct gnomon_tags tags;
    struct gnomon_finder finder;
    struct gnomon_measured measured;
    /* Of the command: while the hart is in reset, and ten times a second while the program runs. */
    enum gnomon_status (*prepared)(struct finding *finding, struct gnomon_error *error);
    enum gnomon_status (*tick)(struct finding *finding, struct gnomon_error *error);
    /* After its end, before the device is left; then what prints. False: it could not be written. */
    enum gnomon_status (*ended)(struct finding *finding, struct gnomon_error *error);
    void (*print_text)(struct finding *finding, FILE *stream);
    bool (*print_json)(struct finding *finding, FILE *stream);
    void *own;                 /* the command's */
    enum gnomon_status status; /* of what went wrong in a tick, */
    struct gnomon_error error; /* and why */
};

/* The program, a device with tags, and the pieces: pages of so many bytes, or functions (0). `target_values` are those
 * of the command. To be closed whatever the status is. */
enum gnomon_status find_open(struct finding *finding, const struct target_values *target_values, uint32_t page,
                             struct gnomon_error *error);
void find_close(struct finding *finding);

/* One run. GNOMON_OK with `measured.end` GNOMON_END_STOPPED: the user interrupted it. `last`: its files are fetched. */
enum gnomon_status find_run(struct finding *finding, bool last, struct gnomon_error *error);

/* Prints where the user wants it; the command's exit status. */
int find_print(struct finding *finding);

/* Sorts the pieces by what is known of their cycles, most first; returns how many of them ran. `period`: of samples. */
size_t find_sort(struct finding *finding, uint64_t period);

/* A piece's name: the function, and where the page begins. `buffer` holds FIND_NAME_BYTES. */
#define FIND_NAME_BYTES 256
const char *find_name(const struct gnomon_piece *piece, char *buffer);

#endif
