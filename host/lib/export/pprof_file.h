/* SPDX-License-Identifier: Apache-2.0 */
/* A file for pprof: profile.proto, compressed. The parts of a message may come in any order, so the file is written
 * without going back. */
#ifndef GNOMON_LIB_EXPORT_PPROF_FILE_H
#define GNOMON_LIB_EXPORT_PPROF_FILE_H

#include "lib/export/export.h"
#include "lib/export/gzip.h"
#include "lib/export/protobuf.h"

/* Numbers of fields, from profile.proto. */
enum { PROFILE_SAMPLE_TYPE = 1, PROFILE_SAMPLE, PROFILE_MAPPING, PROFILE_LOCATION, PROFILE_FUNCTION, PROFILE_STRING };
enum { PROFILE_DURATION = 10, PROFILE_PERIOD_TYPE, PROFILE_PERIOD, PROFILE_COMMENT, PROFILE_DEFAULT_TYPE };
enum { TYPE_TYPE = 1, TYPE_UNIT };
enum { SAMPLE_LOCATIONS = 1, SAMPLE_VALUES, SAMPLE_LABEL };
enum { LABEL_KEY = 1, LABEL_STRING, LABEL_NUMBER };
enum { MAPPING_ID = 1, MAPPING_START, MAPPING_LIMIT, MAPPING_FILE = 5, MAPPING_BUILD_ID };
enum { MAPPING_HAS_FUNCTIONS = 7, MAPPING_HAS_FILES, MAPPING_HAS_LINES };
enum { LOCATION_ID = 1, LOCATION_MAPPING, LOCATION_ADDRESS, LOCATION_LINE };
enum { LINE_FUNCTION = 1, LINE_LINE };
enum { FUNCTION_ID = 1, FUNCTION_NAME, FUNCTION_SYSTEM_NAME, FUNCTION_FILE, FUNCTION_LINE };

struct pprof_file {
    struct gzip gzip;
    struct protobuf out, part, list, inner;
    uint64_t strings; /* written so far */
};

/* The caller closes `file` if this succeeds. */
enum gnomon_status pprof_open(struct pprof_file *file, FILE *stream, struct gnomon_error *error);
/* Ends the file. */
enum gnomon_status pprof_close(struct pprof_file *file, struct gnomon_error *error);
/* Passes on what is in `out`: call it now and then. */
void pprof_flush(struct pprof_file *file);

/* Each string is written where it is used; returns its number. Only few are used more than once. */
uint64_t pprof_string(struct pprof_file *file, const char *text);
/* A type of samples, or that of the period, for `field`; returns the number of its name. */
uint64_t pprof_type(struct pprof_file *file, unsigned field, const char *type, const char *unit);
/* The run's length, and the remarks as comments. */
void pprof_run(struct pprof_file *file, const struct gnomon_export *export);
/* The program, as mapping 1. */
void pprof_program(struct pprof_file *file, const struct gnomon_export *export);
/* A function; `name` NULL: it has only its label. */
void pprof_function(struct pprof_file *file, uint64_t id, const char *label, const struct gnomon_name *name);
void pprof_location(struct pprof_file *file, uint64_t id, uint64_t function, bool program, uint32_t address,
                    unsigned line);
/* The same with the functions that were inlined there: `lines` begins with the innermost. */
struct pprof_line {
    uint64_t function;
    unsigned line;
};
void pprof_location_lines(struct pprof_file *file, uint64_t id, bool program, uint32_t address,
                          const struct pprof_line *lines, size_t count);

#endif
