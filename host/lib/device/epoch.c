/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/device/epoch.h"

#include <stdlib.h>

#include "lib/device/records_window.h"

#define MOST_ATTEMPTS 100 /* attempts to find the epoch ended, which takes microseconds */

static int64_t signed_cycles(uint64_t cycles) {
    return (int64_t)(cycles << (64 - GNOMON_RECORD_CYCLES_BITS)) >> (64 - GNOMON_RECORD_CYCLES_BITS);
}

static enum gnomon_status end(struct gnomon_device *device, struct gnomon_epoch *epoch, struct gnomon_error *error) {
    enum { FIRST = GNOMON_PROFILE_EPOCH, LAST = GNOMON_PROFILE_OPEN_COUNT, COUNT = (LAST - FIRST) / 4 + 1 };
    uint32_t words[COUNT] = {0}, before = 0;
#define WORD(name) words[(GNOMON_PROFILE_##name - FIRST) / 4]
    enum gnomon_status status = gnomon_device_get(device, GNOMON_PROFILE_EPOCH, &before, error);
    if (!status)
        status = gnomon_device_set(device, GNOMON_PROFILE_EPOCH, 0, error);
    for (int attempt = 0; !status && attempt < MOST_ATTEMPTS; attempt++) {
        status = gnomon_device_read(device, FIRST, words, COUNT, error);
        if (status || WORD(EPOCH) != before + 1)
            continue;
        epoch->number = before;
        epoch->cycle = WORD(EPOCH_CYCLE_LO) | (uint64_t)WORD(EPOCH_CYCLE_HI) << 32;
        epoch->open_count = WORD(OPEN_COUNT);
        return GNOMON_OK;
    }
#undef WORD
    return status ? status
                  : gnomon_fail(error, GNOMON_ERR_TIMEOUT, "%s does not end its epoch", device->transport->address);
}

static enum gnomon_status read_open(struct gnomon_device *device, struct gnomon_epoch *epoch,
                                    struct gnomon_error *error) {
    uint32_t words[GNOMON_WINDOW_ENTRIES * GNOMON_ENTRY_WORDS];
    enum gnomon_status status = GNOMON_OK;
    epoch->open = calloc(epoch->open_count + 1, sizeof *epoch->open);
    if (!epoch->open)
        return gnomon_fail_memory(error);
    for (size_t i = 0; !status && i < epoch->open_count; i++) {
        size_t place = i % GNOMON_WINDOW_ENTRIES, left = epoch->open_count - i;
        const uint32_t *at = words + place * GNOMON_ENTRY_WORDS;
        if (!place)
            status = gnomon_records_window(
                device, 0, GNOMON_PROFILE_RECORD_PAGE_OPEN | (uint32_t)(i / GNOMON_WINDOW_ENTRIES), 0,
                (uint32_t)(left < GNOMON_WINDOW_ENTRIES ? left : GNOMON_WINDOW_ENTRIES), words, error);
        uint32_t what = GNOMON_ENTRY_WORD(at, OPEN);
        epoch->open[i] = (struct gnomon_open_frame){
            .number = what & GNOMON_PROFILE_RECORD_OPEN_NUMBER,
            .context = (what & GNOMON_PROFILE_RECORD_OPEN_CONTEXT) >> GNOMON_PROFILE_RECORD_OPEN_CONTEXT_SHIFT,
            .outermost = what & GNOMON_PROFILE_RECORD_OPEN_OUTERMOST,
            .self = signed_cycles(GNOMON_ENTRY_PAIR(at, SELF)),
            .total = GNOMON_ENTRY_PAIR(at, TOTAL),
        };
    }
    return status;
}

enum gnomon_status gnomon_epoch_open(struct gnomon_device *device, const struct gnomon_board *board,
                                     struct gnomon_epoch *epoch, struct gnomon_error *error) {
    *epoch = (struct gnomon_epoch){0};
    if (!board->epochs)
        return gnomon_fail(error, GNOMON_ERR_UNSUPPORTED, "the records of %s have no epochs", board->address);
    enum gnomon_status status = end(device, epoch, error);
    if (!status && epoch->open_count > board->records)
        status = gnomon_fail(error, GNOMON_ERR_PROTOCOL, "%s says that %zu functions are open, which it cannot hold",
                             board->address, epoch->open_count);
    if (!status)
        status = read_open(device, epoch, error);
    if (status)
        gnomon_epoch_free(epoch);
    return status;
}

enum gnomon_status gnomon_epoch_end(struct gnomon_device *device, const struct gnomon_board *board,
                                    struct gnomon_epoch *epoch, struct gnomon_error *error) {
    enum gnomon_status status = gnomon_epoch_open(device, board, epoch, error);
    if (!status)
        status = gnomon_records_fetch(device, board, 0, GNOMON_PROFILE_RECORD_PAGE_ENDED, &epoch->records, error);
    if (status)
        gnomon_epoch_free(epoch);
    return status;
}

void gnomon_epoch_free(struct gnomon_epoch *epoch) {
    gnomon_records_free(&epoch->records);
    free(epoch->open);
    *epoch = (struct gnomon_epoch){0};
}
