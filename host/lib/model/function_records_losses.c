/* SPDX-License-Identifier: Apache-2.0 */
/* Losses in a trace file: the dropped calls and cycles of each function, if the device counts them. */
#include "lib/model/function_records_internal.h"

enum { NUMBER, CALLS, CYCLES, FIELDS };

json_t *gnomon_records_losses_json(const struct gnomon_records *records) {
    json_t *list = json_array();
    for (size_t i = 0; i < records->count; i++) {
        const struct gnomon_record *record = &records->list[i];
        if (record->lost_calls || record->lost_cycles)
            json_array_append_new(list, json_pack("[I, I, I]", (json_int_t)record->number,
                                                  (json_int_t)record->lost_calls, (json_int_t)record->lost_cycles));
    }
    return list;
}

/* Files of versions without these counts have none. */
enum gnomon_status gnomon_records_parse_losses(const json_t *json, struct gnomon_records *records,
                                               struct gnomon_error *error) {
    const uint64_t most[FIELDS] = {records->size - 1, (UINT64_C(1) << GNOMON_RECORD_LOST_BITS) - 1,
                                   (UINT64_C(1) << GNOMON_RECORD_CYCLES_BITS) - 1};
    const json_t *list = json_object_get(json, "losses");
    uint64_t field[FIELDS];
    size_t at = 0;
    records->with_losses = json_is_true(json_object_get(json, "with_losses"));
    for (size_t i = 0; i < json_array_size(list); i++, at++) {
        bool good = gnomon_records_numbers(json_array_get(list, i), FIELDS, most, field);
        while (good && at < records->count && records->list[at].number < field[NUMBER])
            at++;
        if (!good || at == records->count || records->list[at].number != field[NUMBER])
            return gnomon_fail(error, GNOMON_ERR_FORMAT, "the losses of the records in it make no sense");
        records->list[at].lost_calls = field[CALLS];
        records->list[at].lost_cycles = field[CYCLES];
    }
    return GNOMON_OK;
}
