/* SPDX-License-Identifier: Apache-2.0 */
/* What is to be tagged, in words, and the addresses that it is in a program (docs/tag.md, "What can have a tag"). */
#ifndef GNOMON_LIB_TAG_TARGET_H
#define GNOMON_LIB_TAG_TARGET_H

#include "tag_program.h"

#define GNOMON_TAG_VALUES 31 /* the numbers that tags have, from 1 on */

struct gnomon_tag_range {
    uint32_t start, end; /* `end` is not in it */
};

enum gnomon_tag_kind { GNOMON_TAG_EITHER, GNOMON_TAG_CODE, GNOMON_TAG_DATA };

struct gnomon_tag_target {
    char *what; /* as it was asked for */
    bool data;  /* words; else instructions */
    size_t count, capacity;
    struct gnomon_tag_range *ranges; /* by address, with something between them; of data whole words */
    unsigned hint;                   /* no addresses: the instructions that hints give this number; else 0 */
    unsigned tail_calls;             /* of NAME@return: jumps to other functions, which have no tag */
    bool shares_words;               /* data: its first or last word also holds something else */
};

/* NAME, NAME@entry, NAME@return, FILE:NAME, FILE:LINE, FILE:LINE-LINE, 0xADDR, 0xADDR-0xEND, NAME[I], NAME.FIELD,
 * hint=N. `kind`: what addresses are to be taken for, and names; EITHER: what they are. A global name goes before local
 * ones. To be freed whatever the status is. GNOMON_ERR_NOT_FOUND: there is none; GNOMON_ERR_ARGUMENT: there are
 * several, or it makes no sense. */
enum gnomon_status gnomon_tag_find(const struct gnomon_tag_program *program, const char *what,
                                   enum gnomon_tag_kind kind, struct gnomon_tag_target *target,
                                   struct gnomon_error *error);
void gnomon_tag_target_free(struct gnomon_tag_target *target);

/* Adds a range; false: out of memory. Then the ranges are put in order. */
bool gnomon_tag_add(struct gnomon_tag_target *target, uint32_t start, uint32_t end);
void gnomon_tag_sort(struct gnomon_tag_target *target);

/* All instructions of the lines `first` to `last` of the source file `file`, given by the end of its path. */
enum gnomon_status gnomon_tag_find_lines(const struct gnomon_tag_program *program, const char *file, unsigned first,
                                         unsigned last, struct gnomon_tag_target *target, struct gnomon_error *error);

/* The part of a variable at `address` that `path` says, "[3].field": where it is and how many bytes it has. */
enum gnomon_status gnomon_tag_find_part(const struct gnomon_tag_program *program, uint32_t address, const char *path,
                                        uint32_t *start, uint32_t *size, struct gnomon_error *error);

/* *symbol: the linker's form of `what` where that is a readable name of C++ or Rust, with or without parameters, and
 * may end in @entry or @return; to be freed. NULL: it is no such name. GNOMON_ERR_ARGUMENT: several have it. */
enum gnomon_status gnomon_tag_translate(const struct gnomon_tag_program *program, const char *what, char **symbol,
                                        struct gnomon_error *error);

#endif
