/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/run/stat_hart.h"

#include "lib/util/digits.h"

enum gnomon_status stat_hart_select(struct gnomon_measured *measured, const char *elf, struct gnomon_error *error) {
    if (!measured->other_hart)
        return gnomon_fail(error, GNOMON_ERR_NOT_FOUND, "%s did not start hart 1", elf);
    const struct gnomon_trace_stats hart0 = measured->trace;
    measured->hart = 1;
    measured->trace = measured->other;
    measured->other = hart0;
    measured->cycles = measured->trace.last_cycle;
    measured->instructions = measured->trace.end.instructions;
    return GNOMON_OK;
}

void stat_hart_print(const struct gnomon_measured *measured, FILE *stream) {
    char cycles[GNOMON_DIGITS_BYTES], instructions[GNOMON_DIGITS_BYTES];
    const struct gnomon_trace_stats *other = &measured->other;
    fprintf(stream, "\n Hart %d: %s cycles, %s instructions; --hart %d shows its counters.\n", !measured->hart,
            gnomon_digits(cycles, other->last_cycle), gnomon_digits(instructions, other->end.instructions),
            !measured->hart);
}

void stat_hart_json(const struct gnomon_measured *measured, json_t *json) {
    const struct gnomon_trace_stats *other = &measured->other;
    json_object_set_new(json, "hart", json_integer(measured->hart));
    if (measured->other_hart)
        json_object_set_new(json, "other_hart",
                            json_pack("{s:i, s:I, s:I}", "hart", (int)!measured->hart, "cycles",
                                      (json_int_t)other->last_cycle, "instructions",
                                      (json_int_t)other->end.instructions));
}
