/* SPDX-License-Identifier: Apache-2.0 */
#include <gnomon.h>

#include "coremark.h"

#define TICKS_PER_SECOND 1000000u

/* coremark.h reads these seeds with SEED_VOLATILE: volatile hides the values from the compiler. They are the values of
 * a performance run. */
volatile ee_s32 seed1_volatile = 0;
volatile ee_s32 seed2_volatile = 0;
volatile ee_s32 seed3_volatile = 0x66;
volatile ee_s32 seed4_volatile = ITERATIONS;
volatile ee_s32 seed5_volatile = 0;

ee_u32 default_num_contexts = 1;

static CORE_TICKS begin, end;

void start_time(void) {
    begin = gnomon_cycles();
}

void stop_time(void) {
    end = gnomon_cycles();
}

CORE_TICKS get_time(void) {
    return end - begin;
}

secs_ret time_in_secs(CORE_TICKS ticks) {
    return (secs_ret)ticks / TICKS_PER_SECOND;
}

void portable_init(core_portable *portable, int *argc, char *argv[]) {
    (void)argc;
    (void)argv;
    portable->portable_id = 1;
}

void portable_fini(core_portable *portable) {
    portable->portable_id = 0;
}
