/* SPDX-License-Identifier: Apache-2.0 */
/* A trace file, or a file of records in memory, together with the program that was recorded. Report, dump and all
 * commands that show results begin with it. */
#ifndef GNOMON_LIB_ANALYSIS_H
#define GNOMON_LIB_ANALYSIS_H

#include "lib/elf/symbols.h"
#include "lib/model/event_classes.h"
#include "lib/model/function_records.h"
#include "lib/model/heap_memory.h"
#include "lib/model/lock_tables.h"
#include "lib/model/samples.h"
#include "lib/model/watch_list.h"
#include "lib/profile/exactness.h"
#include "lib/profile/memory_records_file.h"
#include "lib/profile/modules.h"
#include "lib/profile/profile.h"
#include "lib/trace/gnt.h"
#include "lib/trace/trace_decoder.h"
#include "lib/trace/trace_merge.h"

struct gnomon_analysis {
    struct gnomon_gnt_reader *file; /* NULL: the file is in `memory` */
    struct gnomon_memory *memory;   /* a file of records that the program kept itself: it has no events */
    struct gnomon_symbols *symbols; /* NULL if none were requested */
    struct gnomon_modules *modules;
    struct gnomon_trace *trace;
    const char *path;   /* of the trace, as given */
    char *program;      /* path of the program as recorded, owned; NULL or "" if the trace does not say */
    const char *device; /* as recorded */
    uint64_t clock_hz;  /* 0: not known */
    const char *unit;   /* of all times: "cycles", or the event that gnomon record --clock counted; NULL: cycles */
    char *elf_path;     /* owned */
    bool raw_names;     /* show the linker's names; the caller may set it after opening */
    bool one_thread;    /* a profile has only the functions of `thread`; the caller may set it after opening */
    uint32_t thread;
    bool with_paths; /* a profile has call paths; the caller may set it after opening */
    bool ahead; /* no one asks at ENTER and EXIT for the calls that are open; the caller may set it after opening */
    struct gnomon_calls *calls; /* with `ahead`: decoded, and not yet given as events from `next_call` on */
    size_t next_call;
    uint64_t call_cycle; /* of the event before it, and the depth */
    uint32_t call_depth;
    bool aggregates;                     /* functions and traps are in the device's records, not in the trace */
    unsigned hart;                       /* whose events these are: gnomon_analysis_select */
    struct gnomon_event_classes classes; /* that were recorded; of a file in `memory` not known */
    /* With the events of both harts, those of hart 1; NULL: of one hart. */
    struct gnomon_gnt_reader *other_file;
    struct gnomon_trace *other;
    struct gnomon_merge harts[GNOMON_MAX_HARTS];
    struct gnomon_trace_stats both; /* of both harts; valid after the last event */
    struct gnomon_watch watch;      /* functions without hooks that have numbers */
    struct gnomon_records records;  /* valid after the last event; size 0: there are none */
    bool sampled;                   /* the run was sampled: a profile has estimates from `samples` */
    bool with_samples;              /* valid after the last event: the file has them */
    struct gnomon_samples samples;
};

enum gnomon_analysis_symbols { GNOMON_WITH_SYMBOLS, GNOMON_WITHOUT_SYMBOLS };

/* `elf` replaces the path in the trace's header. NULL: the path in the header, or a file of that name beside the trace.
 * The caller closes `analysis`, whatever the status is. */
enum gnomon_status gnomon_analysis_open(struct gnomon_analysis *analysis, const char *path, const char *elf,
                                        enum gnomon_analysis_symbols symbols, struct gnomon_error *error);

/* The same for a caller that heeds `unit`: gnomon_analysis_open refuses a recording whose times are no cycles. */
enum gnomon_status gnomon_analysis_open_any(struct gnomon_analysis *analysis, const char *path, const char *elf,
                                            enum gnomon_analysis_symbols symbols, struct gnomon_error *error);

/* Are its times cycles? */
bool gnomon_analysis_in_cycles(const struct gnomon_analysis *analysis);
/* Fails if they are not: a caller that shows cycles for some of what it is asked. */
enum gnomon_status gnomon_analysis_need_cycles(const struct gnomon_analysis *analysis, struct gnomon_error *error);

/* Chooses the hart whose events are read: 0 without it. Call it before the first event. With BOTH, the events of both
 * harts come in the order of time (trace_merge.h), if the file has both, and can be read twice: a pipe cannot. */
#define GNOMON_BOTH_HARTS UINT64_MAX
enum gnomon_status gnomon_analysis_select(struct gnomon_analysis *analysis, uint64_t hart, struct gnomon_error *error);

/* Adds the file of a module that the program may have loaded. Call it before the first event. */
enum gnomon_status gnomon_analysis_add_module(struct gnomon_analysis *analysis, const char *path,
                                              struct gnomon_error *error);

/* Reads the names of the program's threads and locks, which are at the end of the file. Call it before the first event.
 * A file that can be read only once (a pipe) has none. If they are damaged, the reasons of exactness tell it, and there
 * are none. The caller frees `tables`, whatever the status is. */
enum gnomon_status gnomon_analysis_tables(const struct gnomon_analysis *analysis, struct gnomon_lock_tables *tables,
                                          struct gnomon_error *error);

/* Reads what of the program's memory points to its heap, in the same way. `memory->known` is false if the file says
 * nothing. The caller frees `memory`, whatever the status is. */
enum gnomon_status gnomon_analysis_heap(const struct gnomon_analysis *analysis, struct gnomon_heap_memory *memory,
                                        struct gnomon_error *error);

/* Makes a profile for the file's events, which the caller passes to it. The caller frees it, even if this call fails.
 */
enum gnomon_status gnomon_analysis_new_profile(const struct gnomon_analysis *analysis, struct gnomon_profile **profile,
                                               struct gnomon_error *error);

/* After the last event: adds the functions that are in the device's records, if there are any. */
enum gnomon_status gnomon_analysis_records(const struct gnomon_analysis *analysis, struct gnomon_profile *profile,
                                           struct gnomon_error *error);

/* Makes a new profile of the whole file. The caller finishes and frees it, even if this call fails. */
enum gnomon_status gnomon_analysis_profile(struct gnomon_analysis *analysis, struct gnomon_profile **profile,
                                           struct gnomon_error *error);

/* Reads the next event of the file; *got false: there are no more. Functions of modules have their id of a profile in
 * place of their number. */
enum gnomon_status gnomon_analysis_next(struct gnomon_analysis *analysis, struct gnomon_event *event, bool *got,
                                        struct gnomon_error *error);
/* Calls that come next, many at a time, in place of their events; with `ahead` only. NULL: gnomon_analysis_next tells
 * what comes next. Valid until the next call of either function. */
const struct gnomon_calls *gnomon_analysis_calls(struct gnomon_analysis *analysis);

/* For events that do not come from a file: replaces a module function's number by its id, because the same number can
 * mean different functions at different times. Takes events of any type. False: out of memory. */
bool gnomon_analysis_tell_modules(struct gnomon_analysis *analysis, struct gnomon_event *event);

/* Of both harts together, if both are read. */
const struct gnomon_trace_stats *gnomon_analysis_stats(const struct gnomon_analysis *analysis);

/* True if the events are of both harts, and hart 1 has run. Call it after the last event. */
bool gnomon_analysis_of_both(const struct gnomon_analysis *analysis);
/* The decoder that gave the event: it knows the calls that are open. */
const struct gnomon_trace *gnomon_analysis_trace(const struct gnomon_analysis *analysis,
                                                 const struct gnomon_event *event);
/* The calls that were open when the event came, as ids of a profile, the innermost first. Fills up to `most`, and
 * returns how many. 0 also if calls are in the device's records. */
unsigned gnomon_analysis_stack(const struct gnomon_analysis *analysis, const struct gnomon_event *event, uint32_t *ids,
                               unsigned most);

void gnomon_analysis_close(struct gnomon_analysis *analysis);

/* Judges how exact the figures are. Call it after the last event. */
void gnomon_analysis_exactness(const struct gnomon_analysis *analysis, struct gnomon_exactness *exactness);

/* The same for figures that belong to addresses: missing knowledge about calls does not affect them. */
void gnomon_analysis_address_exactness(const struct gnomon_analysis *analysis, struct gnomon_exactness *exactness);

/* The same for figures that come from messages only: threads, locks. */
void gnomon_analysis_message_exactness(const struct gnomon_analysis *analysis, struct gnomon_exactness *exactness);

/* Finishes the profile after gnomon_analysis_profile, limits the doubt about losses to the functions concerned, and
 * judges how exact the figures are. A profile that does not add up counts as damage; its figures can still be shown. */
void gnomon_analysis_finish(const struct gnomon_analysis *analysis, struct gnomon_profile *profile,
                            struct gnomon_exactness *exactness);

/* For a finished profile of a trace with dropped calls: finds in the program's machine code which functions the dropped
 * calls can have gone to. The figures of all other functions then count as exact. Does nothing if that cannot be
 * determined. */
void gnomon_analysis_narrow(const struct gnomon_analysis *analysis, struct gnomon_profile *profile);

#endif
