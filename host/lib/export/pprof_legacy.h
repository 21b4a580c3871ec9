/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of gperftools' CPU profile: words of 64 bits. */
#ifndef GNOMON_LIB_EXPORT_PPROF_LEGACY_H
#define GNOMON_LIB_EXPORT_PPROF_LEGACY_H

#include "lib/export/export.h"

void pprof_legacy_word(FILE *stream, uint64_t value);
/* `period`: microseconds of a sample. Then come the stacks: their number of samples, of addresses, and the addresses.
 */
void pprof_legacy_head(FILE *stream, uint64_t period);
void pprof_legacy_end(FILE *stream);

/* The whole profile of a sampled run. */
void pprof_legacy_samples(const struct gnomon_export *export, FILE *stream);

#endif
