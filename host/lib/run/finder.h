/* SPDX-License-Identifier: Apache-2.0 */
/* Finds where a running, unchanged program spends its time. Its code is divided into pieces (functions, or pages of a
 * given number of bytes). Pieces get samples, or tags in turn. */
#ifndef GNOMON_LIB_FINDER_H
#define GNOMON_LIB_FINDER_H

#include "lib/profile/code.h"
#include "lib/tag/tag_live.h"
#include "lib/tag/tag_program.h"

struct gnomon_piece {
    const struct gnomon_tag_symbol *function; /* the piece, or where the page begins; NULL: none */
    uint32_t start, end;                      /* `end` is the first address after the piece */
    uint64_t samples, untagged;               /* `untagged`: the samples that came while the piece had no tag */
    unsigned number;                          /* its tag; 0: none */
    uint64_t since;                           /* first cycle in which it has its tag */
    uint64_t watched;                         /* cycles of the run in which it had a tag */
    uint64_t executions, cycles;              /* counted exactly during `watched` */
    bool loaded;                              /* not code that is always in memory; then `code` is valid */
    struct gnomon_code code;                  /* the code that the samples were in */
};

/* Samples of one address that is in no piece. */
struct gnomon_sampled {
    uint32_t address;
    uint64_t samples;
};

struct gnomon_finder {
    const struct gnomon_tags *tags;
    size_t count;
    struct gnomon_piece *pieces;       /* by address */
    bool by_page;                      /* pieces are pages */
    bool overlays;                     /* the program has overlays, which are in no piece */
    uint64_t samples;                  /* all samples */
    size_t sampled_count;              /* number of addresses in `sampled` */
    struct gnomon_sampled *sampled;    /* samples in no piece, by address */
    size_t loaded_count;               /* number of pieces in `loaded` */
    struct gnomon_piece *loaded;       /* the code of `sampled` (gnomon_finder_resolve); loading it clears its tags */
    uint32_t late;                     /* missing counts, because tags came too late */
    uint32_t cleared, cleared_address; /* words of tagged code that were overwritten */
    size_t tagged[GNOMON_TAG_VALUES + 1];                  /* for each tag number, from 1 on: index of its piece */
    struct gnomon_tag_count before[GNOMON_TAG_VALUES + 1]; /* the counts of the number when the piece got it */
    unsigned used;                                         /* the highest number in use */
    /* Is the program about to be stopped? Then the finder sends no slow requests to the device, so that the stop is in
     * time. NULL: not known. */
    bool (*ending)(void *context);
    void *context;
};

/* `page`: bytes, a multiple of 4; 0: functions, or pages if the program has no symbols. `tags` and `program` must
 * outlive the finder. The caller frees the finder, whatever the status is. */
enum gnomon_status gnomon_finder_open(struct gnomon_finder *finder, const struct gnomon_tags *tags,
                                      const struct gnomon_tag_program *program, uint32_t page,
                                      struct gnomon_error *error);
void gnomon_finder_free(struct gnomon_finder *finder);

/* Forgets all samples and counts, because a new run replaces the earlier ones. */
void gnomon_finder_forget(struct gnomon_finder *finder);

/* Starts with no tags, and makes tags possible for all code. The hart must be in reset. */
enum gnomon_status gnomon_finder_begin(struct gnomon_finder *finder, struct gnomon_error *error);

/* The result of `ending`; false if it is NULL. */
bool gnomon_finder_ending(const struct gnomon_finder *finder);

/* Takes the waiting samples. */
enum gnomon_status gnomon_finder_sample(struct gnomon_finder *finder, struct gnomon_error *error);
/* Gives tags to the pieces with the most samples that have `least` samples or more. If no tag number is free, a piece
 * takes the number of the piece with the fewest samples, if it has more than twice as many. */
enum gnomon_status gnomon_finder_tag_hottest(struct gnomon_finder *finder, uint64_t least, struct gnomon_error *error);

/* Removes all tags, gives tags to the pieces from `first` on, until the numbers are used up, and starts counting. If
 * the program is about to be stopped, no piece has a tag afterwards. */
enum gnomon_status gnomon_finder_tag_from(struct gnomon_finder *finder, size_t first, struct gnomon_error *error);
#define GNOMON_FINDER_RUNNING UINT64_MAX
/* Adds the counts since the pieces got their tags. Afterwards call gnomon_finder_tag_from, or stop. `end`: the cycle in
 * which the program ended, or GNOMON_FINDER_RUNNING. */
enum gnomon_status gnomon_finder_collect(struct gnomon_finder *finder, uint64_t end, struct gnomon_error *error);

/* Finds which code the samples in no piece were in: modules, overlays, or unknown code. `symbols` and `modules` must
 * outlive the names. */
enum gnomon_status gnomon_finder_resolve(struct gnomon_finder *finder, const struct gnomon_symbols *symbols,
                                         const struct gnomon_modules *modules, struct gnomon_error *error);

/* Adds a reason for each kind of missing counts. */
void gnomon_finder_reasons(const struct gnomon_finder *finder, struct gnomon_exactness *exactness);

/* Estimated cycles of the piece: the counted cycles, plus `period` cycles for each sample that came without a tag. */
uint64_t gnomon_piece_estimate(const struct gnomon_piece *piece, uint64_t period);

#endif
