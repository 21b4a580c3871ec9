/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the addresses in a program of a tag target that is given in words (docs/guide/tag.md, "What can have a tag").
 */
#ifndef GNOMON_LIB_TAG_TARGET_H
#define GNOMON_LIB_TAG_TARGET_H

#include "lib/tag/tag_program.h"

#define GNOMON_TAG_VALUES 31 /* tags have the numbers from 1 to this */

struct gnomon_tag_range {
    uint32_t start, end; /* `end`: the first address after the range */
};

enum gnomon_tag_kind { GNOMON_TAG_EITHER, GNOMON_TAG_CODE, GNOMON_TAG_DATA };

struct gnomon_tag_target {
    char *what; /* as the user wrote it */
    bool data;  /* words of data; else instructions */
    size_t count, capacity;
    struct gnomon_tag_range *ranges; /* by address, not adjacent; of data: whole words */
    unsigned hint;       /* the target is all instructions with this hint number, and has no addresses; else 0 */
    unsigned tail_calls; /* with NAME@return: jumps to other functions, which get no tag */
    bool shares_words;   /* data: its first or last word also holds other data */
};

/* Parses NAME, NAME@entry, NAME@return, FILE:NAME, FILE:LINE, FILE:LINE-LINE, 0xADDR, 0xADDR-0xEND, NAME[I],
 * NAME.FIELD, hint=N. `kind`: whether addresses and names mean instructions or data; EITHER: what is there in the
 * program. Global names take precedence over local ones. The caller frees the target, whatever the status is.
 * GNOMON_ERR_NOT_FOUND: there is no such thing; GNOMON_ERR_ARGUMENT: there are several, or the text is invalid. */
enum gnomon_status gnomon_tag_find(const struct gnomon_tag_program *program, const char *what,
                                   enum gnomon_tag_kind kind, struct gnomon_tag_target *target,
                                   struct gnomon_error *error);
void gnomon_tag_target_free(struct gnomon_tag_target *target);

/* Adds a range; false: out of memory. After the last range, gnomon_tag_sort sorts and joins the ranges. */
bool gnomon_tag_add(struct gnomon_tag_target *target, uint32_t start, uint32_t end);
void gnomon_tag_sort(struct gnomon_tag_target *target);

/* Adds all instructions of the lines `first` to `last` of the source file whose path ends in `file`. */
enum gnomon_status gnomon_tag_find_lines(const struct gnomon_tag_program *program, const char *file, unsigned first,
                                         unsigned last, struct gnomon_tag_target *target, struct gnomon_error *error);

/* Finds the part `path` ("[3].field") of the variable at `address`: its address and size in bytes. */
enum gnomon_status gnomon_tag_find_part(const struct gnomon_tag_program *program, uint32_t address, const char *path,
                                        uint32_t *start, uint32_t *size, struct gnomon_error *error);

/* *symbol: the linker's form of `what`, if `what` is a readable name of C++ or Rust, with or without parameters and
 * with or without @entry or @return; the caller frees it. NULL: it is no such name. GNOMON_ERR_ARGUMENT: several
 * symbols have that name. */
enum gnomon_status gnomon_tag_translate(const struct gnomon_tag_program *program, const char *what, char **symbol,
                                        struct gnomon_error *error);

#endif
