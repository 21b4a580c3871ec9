/* SPDX-License-Identifier: Apache-2.0 */
/* Samples of addresses for pprof. */
#ifndef GNOMON_LIB_EXPORT_PPROF_SAMPLES_H
#define GNOMON_LIB_EXPORT_PPROF_SAMPLES_H

#include "lib/export/export.h"

struct gnomon_export_sample {
    uint32_t address;
    uint64_t samples, events;
};

struct gnomon_export_samples {
    const struct gnomon_export *export; /* its analysis names the code */
    const char *event;
    uint64_t period;
    const char *const *remarks; /* comments, the last is NULL */
    size_t count;
    struct gnomon_export_sample *list; /* is sorted */
};

/* `legacy`: the format of gperftools, with events; else profile.proto, with samples and events. */
enum gnomon_status gnomon_export_write_samples(const struct gnomon_export_samples *samples, bool legacy, FILE *stream,
                                               struct gnomon_error *error);

#endif
