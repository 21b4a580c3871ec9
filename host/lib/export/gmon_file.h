/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of gmon.out. */
#ifndef GNOMON_LIB_EXPORT_GMON_FILE_H
#define GNOMON_LIB_EXPORT_GMON_FILE_H

#include "lib/export/export.h"

#define GMON_BIN_BYTES 2 /* all histograms must have the same; the smallest instruction */
#define GMON_BIN_MOST UINT16_MAX
#define GMON_OUTSIDE_END 64        /* addresses from 0 to here hold what no function of the program has */
#define GMON_MOST_BYTES (64 << 20) /* of the file */

struct gmon_unit {
    const char *dimension;
    char abbreviation;
    uint32_t rate; /* samples in a unit */
};

void gmon_put_number(FILE *stream, unsigned bytes, uint64_t value);
/* Of a histogram; its bins follow. */
void gmon_put_head(FILE *stream, const struct gmon_unit *unit, uint32_t start, uint32_t bins);

/* The histograms of a sampled run. */
enum gnomon_status gmon_samples(const struct gnomon_export *export, FILE *stream, struct gnomon_error *error);

#endif
