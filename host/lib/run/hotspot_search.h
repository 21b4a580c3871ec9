/* SPDX-License-Identifier: Apache-2.0 */
/* Finds where a running, unchanged program spends its time. Its code is divided into hotspots (functions, or pages of a
 * given number of bytes). Pieces get samples, or tags in turn. */
#ifndef GNOMON_LIB_HOTSPOT_SEARCH_H
#define GNOMON_LIB_HOTSPOT_SEARCH_H

#include "lib/profile/code.h"
#include "lib/tag/tag_live.h"
#include "lib/tag/tag_program.h"

struct gnomon_hotspot {
    const struct gnomon_tag_symbol *function; /* the hotspot, or where the page begins; NULL: none */
    uint32_t start, end;                      /* `end` is the first address after the hotspot */
    uint64_t samples, untagged;               /* `untagged`: the samples that came while the hotspot had no tag */
    unsigned number;                          /* its tag; 0: none */
    uint64_t since;                           /* first cycle in which it has its tag */
    uint64_t watched;                         /* cycles of the run in which it had a tag */
    uint64_t executions, cycles;              /* counted exactly during `watched` */
    bool loaded;                              /* not code that is always in memory; then `code` is valid */
    struct gnomon_code code;                  /* the code that the samples were in */
};

/* Samples of one address that is in no hotspot. */
struct gnomon_sampled {
    uint32_t address;
    uint64_t samples;
};

struct gnomon_hotspot_search {
    const struct gnomon_tags *tags;
    size_t count;
    struct gnomon_hotspot *hotspots; /* by address */
    bool by_page;                    /* hotspots are pages */
    bool overlays;                   /* the program has overlays, which are in no hotspot */
    uint64_t samples;                /* all samples */
    size_t sampled_count;            /* number of addresses in `sampled` */
    struct gnomon_sampled *sampled;  /* samples in no hotspot, by address */
    size_t loaded_count;             /* number of hotspots in `loaded` */
    struct gnomon_hotspot
        *loaded; /* the code of `sampled` (gnomon_hotspot_search_resolve); loading it clears its tags */
    struct gnomon_tag_losses losses;
    size_t tagged[GNOMON_TAG_VALUES + 1];                  /* for each tag number, from 1 on: index of its hotspot */
    struct gnomon_tag_count before[GNOMON_TAG_VALUES + 1]; /* the counts of the number when the hotspot got it */
    unsigned used;                                         /* the highest number in use */
    /* Is the program about to be stopped? Then the search sends no slow requests to the device, so that the stop is in
     * time. NULL: not known. */
    bool (*ending)(void *context);
    void *context;
};

/* `page`: bytes, a multiple of 4; 0: functions, or pages if the program has no symbols. `tags` and `program` must
 * outlive the search. The caller frees the search, whatever the status is. */
enum gnomon_status gnomon_hotspot_search_open(struct gnomon_hotspot_search *search, const struct gnomon_tags *tags,
                                              const struct gnomon_tag_program *program, uint32_t page,
                                              struct gnomon_error *error);
void gnomon_hotspot_search_free(struct gnomon_hotspot_search *search);

/* Forgets all samples and counts, because a new run replaces the earlier ones. */
void gnomon_hotspot_search_forget(struct gnomon_hotspot_search *search);

/* Starts with no tags. The hart must be in reset. */
enum gnomon_status gnomon_hotspot_search_begin(struct gnomon_hotspot_search *search, struct gnomon_error *error);

/* The result of `ending`; false if it is NULL. */
bool gnomon_hotspot_search_ending(const struct gnomon_hotspot_search *search);

/* Takes the waiting samples. */
enum gnomon_status gnomon_hotspot_search_sample(struct gnomon_hotspot_search *search, struct gnomon_error *error);
/* Gives tags to the hotspots with the most samples that have `least` samples or more. If no tag number is free, a
 * hotspot takes the number of the hotspot with the fewest samples, if it has more than twice as many. If its memory
 * needs a block that another hotspot has, it takes the number of this one, if it has more than twice as many samples.
 */
enum gnomon_status gnomon_hotspot_search_tag_hottest(struct gnomon_hotspot_search *search, uint64_t least,
                                                     struct gnomon_error *error);

/* How many hotspots from `first` on can have tags at the same time: until the numbers or the blocks are used up. */
size_t gnomon_hotspot_search_turn(const struct gnomon_hotspot_search *search, size_t first);
/* Removes all tags, gives tags to the hotspots of the turn that begins with `first`, and starts counting. If the
 * program is about to be stopped, no hotspot has a tag afterwards. GNOMON_ERR_UNSUPPORTED: the hotspot `first` needs
 * more blocks than the device has. */
enum gnomon_status gnomon_hotspot_search_tag_from(struct gnomon_hotspot_search *search, size_t first,
                                                  struct gnomon_error *error);
#define GNOMON_HOTSPOT_SEARCH_RUNNING UINT64_MAX
/* Adds the counts since the hotspots got their tags. Afterwards call gnomon_hotspot_search_tag_from, or stop. `end`:
 * the cycle in which the program ended, or GNOMON_HOTSPOT_SEARCH_RUNNING. */
enum gnomon_status gnomon_hotspot_search_collect(struct gnomon_hotspot_search *search, uint64_t end,
                                                 struct gnomon_error *error);

/* Finds which code the samples in no hotspot were in: modules, overlays, or unknown code. `symbols` and `modules` must
 * outlive the names. */
enum gnomon_status gnomon_hotspot_search_resolve(struct gnomon_hotspot_search *search,
                                                 const struct gnomon_symbols *symbols,
                                                 const struct gnomon_modules *modules, struct gnomon_error *error);

/* Adds a reason for each kind of missing counts. */
void gnomon_hotspot_search_reasons(const struct gnomon_hotspot_search *search, struct gnomon_exactness *exactness);

/* Estimated cycles of the hotspot: the counted cycles, plus `period` cycles for each sample that came without a tag. */
uint64_t gnomon_hotspot_estimate(const struct gnomon_hotspot *hotspot, uint64_t period);

#endif
