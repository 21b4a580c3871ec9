/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a recorded run in the formats of other programs. Each format is one file here, with one entry in the table of
 * formats (formats.c). docs/guide/export.md says what each of them holds. */
#ifndef GNOMON_LIB_EXPORT_H
#define GNOMON_LIB_EXPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "lib/locks/lock_names.h"
#include "lib/profile/analysis.h"
#include "lib/profile/function_names.h"
#include "lib/profile/recorded_costs.h"
#include "lib/profile/source_lines.h"

/* What a format is made from. */
enum gnomon_export_needs {
    GNOMON_EXPORT_PROFILE, /* functions, arcs and call paths: any recording has them */
    GNOMON_EXPORT_EVENTS,  /* the events in their order: the recording must have functions as events */
    GNOMON_EXPORT_HEAP,    /* the same, with messages about the heap */
};

struct gnomon_heap_results;

struct gnomon_export_function {
    const struct gnomon_profile_function *figures;
    struct gnomon_name name;
    const char *label; /* the name, in a form that no other function of the profile has; owned; no control characters */
};

/* The opened recording. */
struct gnomon_export {
    struct gnomon_analysis analysis; /* opened; hart, modules and thread are chosen */
    struct gnomon_lock_tables tables;
    struct gnomon_lock_names names; /* of threads and locks */
    /* For formats of profiles. A format of events may make one of its events, and gnomon_export_end finishes it. */
    struct gnomon_profile *profile;
    const struct gnomon_profile_sums *sums;
    size_t profiled; /* functions and traps of the profile */
    size_t count;    /* those, and then the other functions that were executed, if the recording says it */
    struct gnomon_export_function *functions; /* by index, as in arcs and paths */
    /* Cycles of instructions; none for one thread, because the device does not count them apart, and none of a hart,
     * beside calls of both, unless the caller asks for them and says so: of both harts, they are those of hart 0. */
    bool instructions_of_hart; /* set by the caller */
    bool with_instructions;
    struct gnomon_instructions instructions;
    uint32_t *owners; /* of each instruction: the index of its function */
    struct gnomon_exactness exactness;
    struct gnomon_source_lines *lines; /* files whose lines were asked for */
    const char *remark;                /* a further line of gnomon_export_remarks, borrowed; NULL: none */
    bool remote;                       /* *-legacy: the reader asks for symbols (gnomon_export_remote_name) */
    /* For formats of the heap, of a program that runs; borrowed. NULL: they read the file. */
    const struct gnomon_heap_results *heap;
    bool (*stop)(void); /* may be NULL; true ends the reading of events with GNOMON_ERR_INTERRUPTED */
};

struct gnomon_export_format {
    const char *name;        /* for --to */
    const char *extension;   /* of the file, when the user gives no name: "folded" */
    const char *description; /* one line: what it is, and which program reads it */
    enum gnomon_export_needs needs;
    bool binary; /* not for a terminal */
    bool units;  /* it says what its figures count, or is only numbers: they need not be cycles */
    /* Writes the whole file. Errors of `stream` need no check: the caller finds them. A format of events reads them
     * with gnomon_analysis_next, and then calls gnomon_export_end. */
    enum gnomon_status (*write)(struct gnomon_export *export, FILE *stream, struct gnomon_error *error);
    /* Of a format that is a directory: the names of its files, the last is NULL, and in place of `write` what writes
     * them. */
    const char *const *files;
    enum gnomon_status (*write_files)(struct gnomon_export *export, FILE *const *streams, struct gnomon_error *error);
};

/* All formats; the last entry is NULL. */
extern const struct gnomon_export_format *const gnomon_export_formats[];
/* NULL: there is none of that name. */
const struct gnomon_export_format *gnomon_export_find(const char *name);

/* After the caller has opened `analysis` and filled `tables` and `names`: reads the profile if the format needs it, and
 * refuses a recording that the format cannot be made from. */
enum gnomon_status gnomon_export_read(struct gnomon_export *export, const struct gnomon_export_format *format,
                                      struct gnomon_error *error);
/* In place of gnomon_export_read, for a program that runs: the caller has made `profile`, with paths, and `exactness`,
 * and gives an analysis without a file. */
enum gnomon_status gnomon_export_made(struct gnomon_export *export, struct gnomon_error *error);
/* Judges how exact the events are that were read; fills `exactness`, and with `profile` also `sums`. */
void gnomon_export_end(struct gnomon_export *export);
/* For a reader of events that shows their profile, too: reads the cycles of instructions and names the functions, as
 * gnomon_export_read does for formats of profiles. */
enum gnomon_status gnomon_export_end_profile(struct gnomon_export *export, struct gnomon_error *error);
/* Writes where a running program waited for locks, as gnomon_export_made has it for a profile; `legacy`: as gperftools
 * does. */
struct gnomon_contention_results;
enum gnomon_status gnomon_export_contention(struct gnomon_export *export,
                                            const struct gnomon_contention_results *results, bool legacy, FILE *stream,
                                            struct gnomon_error *error);
void gnomon_export_close(struct gnomon_export *export);

/* What the run was, and how exact the figures are, for comments and metadata: one sentence in each line, the first is
 * the phrase of report's first line. Calls `put` for each. */
typedef void gnomon_export_line(void *context, const char *line);
void gnomon_export_remarks(const struct gnomon_export *export, gnomon_export_line *put, void *context);

/* With `remote`, places of pprof-legacy are addresses of functions; these are places of what has no address. */
#define GNOMON_EXPORT_PLACE_BITS 32 /* an id of a profile stands above them */
/* The name of what has no address, in `own`, or a fixed text; NULL: `place` is an address. */
const char *gnomon_export_remote_name(const struct gnomon_analysis *analysis, uint64_t place, struct gnomon_name *name);
/* What the profile counts: "cycles", or the event that was sampled, or counted in place of cycles. */
const char *gnomon_export_unit(const struct gnomon_export *export);

/* The source line of an instruction; false: not known. */
bool gnomon_export_source(struct gnomon_export *export, uint32_t address, struct gnomon_line *line);
/* The functions that were inlined there, as gnomon_lines_inlined. */
size_t gnomon_export_inlined(struct gnomon_export *export, uint32_t address, struct gnomon_inlined *list, size_t most);

/* The frame of a path: the function's label; "[unprofiled]" for an outermost path. */
const char *gnomon_export_label(const struct gnomon_export *export, uint32_t function);
#define GNOMON_EXPORT_UNPROFILED "[unprofiled]"
#define GNOMON_EXPORT_LOST "[lost]" /* cycles in calls whose events were dropped */

#endif
