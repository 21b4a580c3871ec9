/* SPDX-License-Identifier: Apache-2.0 */
/* The table of formats, in the order of `gnomon export --list`. */
#include "lib/export/export.h"

/* A line for each format. */
/* clang-format off */
extern const struct gnomon_export_format
    gnomon_export_stacks,
    gnomon_export_flamegraph,
    gnomon_export_callgrind,
    gnomon_export_pprof,
    gnomon_export_pprof_heap,
    gnomon_export_pprof_growth,
    gnomon_export_pprof_legacy,
    gnomon_export_pprof_heap_legacy,
    gnomon_export_pprof_growth_legacy,
    gnomon_export_ctf,
    gnomon_export_vcd,
    gnomon_export_gmon,
    gnomon_export_dot,
    gnomon_export_chrome,
    gnomon_export_perfetto,
    gnomon_export_speedscope;

const struct gnomon_export_format *const gnomon_export_formats[] = {
    &gnomon_export_stacks,
    &gnomon_export_flamegraph,
    &gnomon_export_callgrind,
    &gnomon_export_pprof,
    &gnomon_export_pprof_heap,
    &gnomon_export_pprof_growth,
    &gnomon_export_pprof_legacy,
    &gnomon_export_pprof_heap_legacy,
    &gnomon_export_pprof_growth_legacy,
    &gnomon_export_ctf,
    &gnomon_export_vcd,
    &gnomon_export_gmon,
    &gnomon_export_dot,
    &gnomon_export_chrome,
    &gnomon_export_perfetto,
    &gnomon_export_speedscope,
    NULL,
};
