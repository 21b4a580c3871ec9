/* SPDX-License-Identifier: Apache-2.0 */
/* A trace file, or a file of records in memory, with the program that it was recorded from: what report and dump, and
 * all that follows, begin with. */
#ifndef GNOMON_LIB_ANALYSIS_H
#define GNOMON_LIB_ANALYSIS_H

#include "exactness.h"
#include "gnt.h"
#include "memory.h"
#include "modules.h"
#include "profile.h"
#include "records.h"
#include "symbols.h"
#include "trace.h"
#include "watch.h"

struct gnomon_analysis {
    struct gnomon_gnt_reader *file; /* NULL: */
    struct gnomon_memory *memory;   /* the file is one of records that a program kept itself: it has no events */
    struct gnomon_symbols *symbols; /* NULL where none were asked for */
    struct gnomon_modules *modules;
    struct gnomon_trace *trace;
    const char *path;              /* of the trace, as given */
    const char *program;           /* of the program, as recorded or given; "" where the trace does not say */
    const char *device;            /* as recorded */
    uint64_t clock_hz;             /* 0: not known */
    char *elf_path;                /* own */
    bool raw_names;                /* names are the linker's; the caller may set it after opening */
    bool folds;                    /* functions and traps are in the device's records, not in the trace */
    struct gnomon_watch watch;     /* functions without hooks that have numbers */
    struct gnomon_records records; /* after the last event; size 0: there are none */
};

enum gnomon_analysis_symbols { GNOMON_WITH_SYMBOLS, GNOMON_WITHOUT_SYMBOLS };

/* `elf`: in place of the path in the trace's header; NULL: that one, or one of that name beside the trace. Close it
 * whatever the status is. */
enum gnomon_status gnomon_analysis_open(struct gnomon_analysis *analysis, const char *path, const char *elf,
                                        enum gnomon_analysis_symbols symbols, struct gnomon_error *error);

/* Before the first event: the file of a module that the program may have loaded. */
enum gnomon_status gnomon_analysis_add_module(struct gnomon_analysis *analysis, const char *path,
                                              struct gnomon_error *error);

/* A new profile of the whole file, to be finished (and freed) by the caller, also where this fails. */
enum gnomon_status gnomon_analysis_profile(struct gnomon_analysis *analysis, struct gnomon_profile **profile,
                                           struct gnomon_error *error);

/* The next event of the whole file; *got false: there is none left. Functions of modules have their id of a profile in
 * place of their number. */
enum gnomon_status gnomon_analysis_next(struct gnomon_analysis *analysis, struct gnomon_event *event, bool *got,
                                        struct gnomon_error *error);

const struct gnomon_trace_stats *gnomon_analysis_stats(const struct gnomon_analysis *analysis);

void gnomon_analysis_close(struct gnomon_analysis *analysis);

/* After the last event: what the figures are worth. */
void gnomon_analysis_exactness(const struct gnomon_analysis *analysis, struct gnomon_exactness *exactness);

/* The same of figures that are of addresses: what is not known of calls leaves them alone. */
void gnomon_analysis_address_exactness(const struct gnomon_analysis *analysis, struct gnomon_exactness *exactness);

/* After gnomon_analysis_profile: finishes the profile, narrows what losses put in doubt, and says what the figures are
 * worth. A profile that does not add up is damage: what can be shown is there nevertheless. */
void gnomon_analysis_finish(const struct gnomon_analysis *analysis, struct gnomon_profile *profile,
                            struct gnomon_exactness *exactness);

/* For a finished profile of a trace with dropped calls: finds in the program's machine code where these can have gone
 * to, and lets all other functions' figures stand as exact. Does nothing where that cannot be told. */
void gnomon_analysis_narrow(const struct gnomon_analysis *analysis, struct gnomon_profile *profile);

#endif
