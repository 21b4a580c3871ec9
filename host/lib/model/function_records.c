/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/model/function_records.h"

#include <stdlib.h>

#include "lib/model/function_records_internal.h"

bool gnomon_records_make(struct gnomon_records *records, size_t size) {
    records->list = calloc(size, sizeof *records->list);
    records->arcs = calloc(size, sizeof *records->arcs);
    if (records->list && records->arcs)
        return true;
    gnomon_records_free(records);
    return false;
}

void gnomon_records_free(struct gnomon_records *records) {
    free(records->list);
    free(records->arcs);
    free(records->buckets);
    *records = (struct gnomon_records){0};
}
