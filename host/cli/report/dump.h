/* SPDX-License-Identifier: Apache-2.0 */
/* Declarations that the files of `gnomon dump` share. */
#ifndef GNOMON_CLI_DUMP_H
#define GNOMON_CLI_DUMP_H

#include "cli/cli.h"
#include "cli/print_names.h"
#include "lib/elf/places.h"
#include "lib/locks/lock_names.h"
#include "lib/profile/analysis.h"

struct dump_values {
    const char *elf;
    struct cli_list modules;
    uint64_t limit;   /* 0: all */
    const char *hart; /* 0, 1 or both; NULL: 0 */
    bool raw, strict;
};

struct dump {
    struct cli_context *context;
    const struct dump_values *values;
    struct gnomon_analysis analysis;
    struct gnomon_places *places; /* names of addresses; NULL: none */
    struct gnomon_lock_tables tables;
    struct gnomon_lock_names names; /* of threads and locks */
    FILE *stream;
    struct dump_lines *lines;                /* NULL: every line is made as a whole */
    int width;                               /* width of the terminal; 0: no terminal */
    uint64_t last;                           /* cycle of the previous event */
    uint32_t heap_address[GNOMON_MAX_HARTS]; /* of the latest message HEAP_ADDR */
};

/* An access of the bus, as people count: from the first byte that it writes. */
struct dump_access {
    const char *port; /* "instruction", "data", "host"; "word": of a lock word */
    bool write;
    uint32_t address;
    unsigned size; /* bytes, from the first one to the last one; 0: a read, whose size the bus does not say */
    uint32_t data; /* these bytes, the first one in the low byte */
};
struct dump_access dump_access_of(const struct gnomon_event *event);

/* Gets the name of the function or trap that was entered or left. */
void dump_name(const struct dump *dump, const struct gnomon_event *event, struct gnomon_name *name);

/* Prints the events of a trace file; returns the exit status. */
int dump_file(struct cli_context *context, const struct dump_values *values, const char *path);

void dump_text_head(const struct dump *dump);
void dump_text_event(struct dump *dump, const struct gnomon_event *event);
/* The end of the line of a call: what comes after the indent. */
void dump_text_call(const struct dump *dump, const struct gnomon_event *event);
#define DUMP_MOST_INDENT 40 /* levels; for deeper calls the depth is printed as a number */

/* The same lines, faster, if they are not for a terminal: then `lines` is not NULL, and nothing else is printed until
 * it is closed. */
void dump_lines_open(struct dump *dump);
void dump_lines_event(struct dump *dump, const struct gnomon_event *event);
/* The first `count` of these calls. */
void dump_lines_calls(struct dump *dump, const struct gnomon_calls *calls, size_t count);
void dump_lines_close(struct dump *dump);

void dump_json_event(const struct dump *dump, const struct gnomon_event *event);

/* These two functions print a frame as received; `index` is its number in the file, from 0. */
void dump_raw_text(const struct dump *dump, uint64_t index, const uint8_t *frame);
void dump_raw_json(const struct dump *dump, uint64_t index, const uint8_t *frame);

#endif
