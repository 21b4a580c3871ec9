/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/device/stall_causes.h"

#include "gnomon/registers.h"

#define MOST_POLLS 1000 /* attempts to find the device done, which takes it microseconds */
#define PAGE_PARCELS 32
#define PAGE_WORDS (PAGE_PARCELS * GNOMON_CAUSES_ALWAYS)

static enum gnomon_status await(struct gnomon_device *device, uint32_t base, uint32_t bit, const char *what,
                                struct gnomon_error *error) {
    for (int poll = 0; poll < MOST_POLLS; poll++) {
        uint32_t state;
        enum gnomon_status status = gnomon_device_get(device, base + GNOMON_STALL_CAUSES_STATUS, &state, error);
        if (status || state & bit)
            return status;
    }
    gnomon_fail(error, GNOMON_ERR_TIMEOUT, "%s does not %s its counters of causes", device->transport->address, what);
    return gnomon_remedy(error, GNOMON_ERR_TIMEOUT, "reset the device, and report this with its gnomon info");
}

/* Finds whether the device counts REFRESH and PAGE. */
static enum gnomon_status has_memory(struct gnomon_device *device, uint32_t base, bool *memory,
                                     struct gnomon_error *error) {
    uint32_t config;
    enum gnomon_status status = gnomon_device_get(device, base + GNOMON_STALL_CAUSES_CONFIG, &config, error);
    if (!status)
        *memory = (config & GNOMON_STALL_CAUSES_CONFIG_MEMORY) != 0;
    return status;
}

/* Takes the counters of a parcel from the window. If there are REFRESH and PAGE, they have the places of DEBUG and
 * RESET. */
static void take_parcel(const uint32_t words[GNOMON_CAUSES_ALWAYS], bool memory, uint64_t cycles[GNOMON_CAUSES]) {
    for (unsigned cause = 0; cause < GNOMON_CAUSES; cause++)
        cycles[cause] = cause < GNOMON_CAUSES_ALWAYS ? words[cause] : 0;
    if (memory) {
        cycles[GNOMON_CAUSE_REFRESH] = words[GNOMON_CAUSE_DEBUG];
        cycles[GNOMON_CAUSE_PAGE] = words[GNOMON_CAUSE_RESET];
        cycles[GNOMON_CAUSE_DEBUG] = cycles[GNOMON_CAUSE_RESET] = 0;
    }
}

enum gnomon_status gnomon_stall_causes_now(struct gnomon_device *device, unsigned hart, uint64_t causes[GNOMON_CAUSES],
                                           struct gnomon_error *error) {
    const uint32_t base = GNOMON_BLOCKS_OF_HART(hart);
    uint32_t words[2 * GNOMON_CAUSES] = {0};
    bool memory = false;
    enum gnomon_status status = has_memory(device, base, &memory, error);
    if (!status)
        status = gnomon_device_read(device, base + GNOMON_STALL_CAUSES_COUNT, words, 2 * GNOMON_CAUSES_ALWAYS, error);
    if (!status && memory) /* REFRESH, PAGE */
        status = gnomon_device_read(device, base + GNOMON_STALL_CAUSES_REFRESH_LO, words + 2 * GNOMON_CAUSES_ALWAYS,
                                    2 * (GNOMON_CAUSES - GNOMON_CAUSES_ALWAYS), error);
    for (unsigned i = 0; i < GNOMON_CAUSES; i++)
        causes[i] = (uint64_t)words[2 * i + 1] << 32 | words[2 * i];
    return status;
}

enum gnomon_status gnomon_stall_causes_read(struct gnomon_device *device, unsigned hart,
                                            struct gnomon_instructions *into, struct gnomon_error *error) {
    const uint32_t base = GNOMON_BLOCKS_OF_HART(hart);
    uint32_t unattributed[2] = {0};
    enum gnomon_status status = await(device, base, GNOMON_STALL_CAUSES_STATUS_COMPLETE, "close", error);
    if (!status)
        status = gnomon_stall_causes_now(device, hart, into->causes, error);
    if (!status)
        status = gnomon_device_read(device, base + GNOMON_STALL_CAUSES_UNATTRIBUTED_LO, unattributed, 2, error);
    if (status)
        return status;
    into->cycles = 0;
    into->unattributed = (uint64_t)unattributed[1] << 32 | unattributed[0];
    for (unsigned i = 0; i < GNOMON_CAUSES; i++)
        into->cycles += into->causes[i];
    return GNOMON_OK;
}

enum gnomon_status gnomon_code_window_set(struct gnomon_device *device, unsigned hart, uint32_t start,
                                          struct gnomon_error *error) {
    const uint32_t base = GNOMON_BLOCKS_OF_HART(hart);
    enum gnomon_status status = gnomon_device_set(device, base + GNOMON_STALL_CAUSES_CODE_WINDOW_BASE, start, error);
    return status ? status : await(device, base, GNOMON_STALL_CAUSES_STATUS_READY, "clear", error);
}

/* Reads the cycles that the device could not charge to any instruction, and whether a counter was too small. */
static enum gnomon_status read_limits(struct gnomon_device *device, uint32_t base, struct gnomon_instructions *into,
                                      struct gnomon_error *error) {
    uint32_t words[2], state;
    enum gnomon_status status = gnomon_device_read(device, base + GNOMON_STALL_CAUSES_OVERFLOW_LO, words, 2, error);
    if (!status)
        status = gnomon_device_get(device, base + GNOMON_STALL_CAUSES_STATUS, &state, error);
    if (status)
        return status;
    into->overflow += (uint64_t)words[1] << 32 | words[0];
    into->saturated |= (state & GNOMON_STALL_CAUSES_STATUS_SATURATED) != 0;
    return GNOMON_OK;
}

enum gnomon_status gnomon_code_window_read(struct gnomon_device *device, unsigned hart, uint32_t start, uint32_t end,
                                           struct gnomon_instructions *into, struct gnomon_error *error) {
    const uint32_t base = GNOMON_BLOCKS_OF_HART(hart);
    uint32_t words[PAGE_WORDS];
    bool memory = false;
    enum gnomon_status status = await(device, base, GNOMON_STALL_CAUSES_STATUS_COMPLETE, "close", error);
    if (!status)
        status = has_memory(device, base, &memory, error);
    for (uint32_t at = start, page = 0; at < end && !status; at += 2 * PAGE_PARCELS, page++) {
        status = gnomon_device_set(device, base + GNOMON_STALL_CAUSES_CODE_WINDOW_PAGE, page, error);
        if (!status)
            status = gnomon_device_read(device, base + GNOMON_STALL_CAUSES_CODE_WINDOW, words, PAGE_WORDS, error);
        for (uint32_t i = 0; i < PAGE_PARCELS && at + 2 * i < end && !status; i++) {
            uint64_t cycles[GNOMON_CAUSES];
            take_parcel(words + i * GNOMON_CAUSES_ALWAYS, memory, cycles);
            status = gnomon_instructions_add(into, at + 2 * i, cycles, error);
        }
    }
    return status ? status : read_limits(device, base, into, error);
}
