/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of `gnomon dump` share. */
#ifndef GNOMON_CLI_DUMP_H
#define GNOMON_CLI_DUMP_H

#include "../lib/analysis.h"
#include "cli.h"
#include "names.h"

struct dump_values {
    const char *elf;
    struct cli_list modules;
    uint64_t limit; /* 0: all */
    bool raw, strict;
};

struct dump {
    struct cli_context *context;
    const struct dump_values *values;
    struct gnomon_analysis analysis;
    FILE *stream;
    int width;     /* of the terminal; 0: there is none */
    uint64_t last; /* cycle of the event before */
};

/* What a lock message's address says (docs/address-map.md). */
struct dump_lock {
    unsigned segment, thread, lock;
    bool locks; /* or unlocks */
    bool write; /* the access was a store */
};
struct dump_lock dump_lock_of(const struct gnomon_event *event);

/* The name of what was entered or left. */
void dump_name(const struct dump *dump, const struct gnomon_event *event, struct gnomon_name *name);

void dump_text_head(const struct dump *dump);
void dump_text_event(struct dump *dump, const struct gnomon_event *event);
void dump_json_event(const struct dump *dump, const struct gnomon_event *event);

/* A frame as received; `index` counts from 0 in the file. */
void dump_raw_text(const struct dump *dump, uint64_t index, const uint8_t *frame);
void dump_raw_json(const struct dump *dump, uint64_t index, const uint8_t *frame);

#endif
