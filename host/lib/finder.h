/* SPDX-License-Identifier: Apache-2.0 */
/* Where a running program's time goes, without a change of it: its code in pieces (functions, or pages of so many
 * bytes), which get samples, or tags in turn. */
#ifndef GNOMON_LIB_FINDER_H
#define GNOMON_LIB_FINDER_H

#include "code.h"
#include "tag_program.h"
#include "tags_live.h"

struct gnomon_piece {
    const struct gnomon_tag_symbol *function; /* that it is, or in which the page begins; NULL: none */
    uint32_t start, end;                      /* `end` is not in it */
    uint64_t samples, untagged;               /* samples; those of them that came while it had no tag */
    unsigned number;                          /* its tag; 0: none */
    uint64_t since;                           /* cycle from which it has one */
    uint64_t watched;                         /* cycles of the run that passed while it had one */
    uint64_t executions, cycles;              /* counted exactly in these */
    bool loaded;                              /* it is no piece of what always stays, but: */
    struct gnomon_code code;                  /* what the samples at these addresses were */
};

/* Samples of one address in no piece. */
struct gnomon_sampled {
    uint32_t address;
    uint64_t samples;
};

struct gnomon_finder {
    const struct gnomon_tags *tags;
    size_t count;
    struct gnomon_piece *pieces;                           /* by address */
    bool by_page;                                          /* its pieces are pages */
    bool overlays;                                         /* the program has some, which are no pieces */
    uint64_t samples;                                      /* all */
    size_t sampled_count;                                  /* of these, those in no piece: */
    struct gnomon_sampled *sampled;                        /* by address */
    size_t loaded_count;                                   /* and what they were, as gnomon_finder_resolve has it: */
    struct gnomon_piece *loaded;                           /* what was loaded while the program ran loses its tags */
    uint32_t late;                                         /* counts that are missing, as tags came too late */
    uint32_t cleared, cleared_address;                     /* words of tagged code that were overwritten */
    size_t tagged[GNOMON_TAG_VALUES + 1];                  /* by number, from 1 on: its piece */
    struct gnomon_tag_count before[GNOMON_TAG_VALUES + 1]; /* what the number had counted when the piece got it */
    unsigned used;                                         /* the highest number in use */
};

/* `page`: bytes, a multiple of 4; 0: functions, or pages where the program has no symbols. `tags` and `program` must
 * outlive the finder, which is to be freed whatever the status is. */
enum gnomon_status gnomon_finder_open(struct gnomon_finder *finder, const struct gnomon_tags *tags,
                                      const struct gnomon_tag_program *program, uint32_t page,
                                      struct gnomon_error *error);
void gnomon_finder_free(struct gnomon_finder *finder);

/* All that was sampled and counted is forgotten: a run begins that replaces the earlier ones. */
void gnomon_finder_forget(struct gnomon_finder *finder);

/* With the hart in reset: nothing has a tag, and all code can have one. */
enum gnomon_status gnomon_finder_begin(struct gnomon_finder *finder, struct gnomon_error *error);

/* Takes the samples that wait. */
enum gnomon_status gnomon_finder_sample(struct gnomon_finder *finder, struct gnomon_error *error);
/* Gives tags to the pieces with most samples, to those that have `least` or more. Where there are no numbers left, one
 * with more than twice the samples takes that of the piece that has fewest. */
enum gnomon_status gnomon_finder_tag_hottest(struct gnomon_finder *finder, uint64_t least, struct gnomon_error *error);

/* Takes all tags away, and gives tags to the pieces from `first` on, as many as there are numbers; counting begins. */
enum gnomon_status gnomon_finder_tag_from(struct gnomon_finder *finder, size_t first, struct gnomon_error *error);
#define GNOMON_FINDER_RUNNING UINT64_MAX
/* Adds what was counted since the pieces got their tags; then gnomon_finder_tag_from, or the end. `end`: the cycle in
 * which the program ended, or GNOMON_FINDER_RUNNING. */
enum gnomon_status gnomon_finder_collect(struct gnomon_finder *finder, uint64_t end, struct gnomon_error *error);

/* Names what the samples in no piece were: code of modules, overlays, or nothing that is known. `symbols` and `modules`
 * must outlive what they name. */
enum gnomon_status gnomon_finder_resolve(struct gnomon_finder *finder, const struct gnomon_symbols *symbols,
                                         const struct gnomon_modules *modules, struct gnomon_error *error);

/* Adds what is missing in what was counted. */
void gnomon_finder_reasons(const struct gnomon_finder *finder, struct gnomon_exactness *exactness);

/* Cycles of the piece as far as they are known: counted, and without a tag sampled, one each `period`. */
uint64_t gnomon_piece_estimate(const struct gnomon_piece *piece, uint64_t period);

#endif
