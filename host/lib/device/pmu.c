/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/device/pmu.h"

#include <stdlib.h>
#include <string.h>

#include "gnomon/events.h"
#include "gnomon/registers.h"

#define COUNTER_WORDS 4
#define RANGE_BYTES 64
#define FIRST_INHIBIT 3 /* the bit of the first counter */
#define MOST_TRIES 100
#define MOST_THREAD 255
#define MOST_TIMER 3

#define EVENT(number, name, about) {number, name, about},
static const struct gnomon_pmu_event events[] = {GNOMON_EVENTS(EVENT)};
enum { EVENTS = sizeof events / sizeof *events };

const struct gnomon_pmu_event *gnomon_pmu_event(size_t index) {
    return index < EVENTS ? &events[index] : NULL;
}

/* ---- Parsing settings ---- */

static bool is(const char *text, size_t length, const char *word) {
    return strlen(word) == length && memcmp(text, word, length) == 0;
}

static bool take_number(const char *text, size_t length, unsigned most, uint8_t *number) {
    unsigned value = 0;
    for (size_t i = 0; i < length; i++) {
        if (text[i] < '0' || text[i] > '9' || (value = value * 10 + (unsigned)(text[i] - '0')) > most)
            return false;
    }
    *number = (uint8_t)value;
    return length > 0;
}

/* Parses a word such as "thread=3", for the name "thread=". A word may come only once. */
static bool take_numbered(const char *text, size_t length, const char *name, unsigned most, bool *given,
                          uint8_t *number) {
    const size_t before = strlen(name);
    if (length <= before || memcmp(text, name, before) != 0 || *given)
        return false;
    *given = take_number(text + before, length - before, most, number);
    return *given;
}

static bool take_filter(const char *text, size_t length, struct gnomon_pmu_setting *setting) {
    if (is(text, length, "u"))
        setting->not_machine = true;
    else if (is(text, length, "m"))
        setting->not_user = true;
    else if (is(text, length, "range0"))
        setting->range[0] = true;
    else if (is(text, length, "range1"))
        setting->range[1] = true;
    else if (is(text, length, "data"))
        setting->data = true;
    else if (is(text, length, "tagged"))
        setting->tagged = true;
    else
        return take_numbered(text, length, "thread=", MOST_THREAD, &setting->one_thread, &setting->thread) ||
               take_numbered(text, length, "timer=", MOST_TIMER, &setting->gated, &setting->gate);
    return true;
}

enum gnomon_status gnomon_pmu_parse(const char *text, struct gnomon_pmu_setting *setting, struct gnomon_error *error) {
    *setting = (struct gnomon_pmu_setting){0};
    size_t length = strcspn(text, ":");
    for (size_t i = 0; i < EVENTS && !setting->event; i++)
        if (is(text, length, events[i].name))
            setting->event = &events[i];
    if (!setting->event) {
        gnomon_fail(error, GNOMON_ERR_ARGUMENT, "there is no event \"%.*s\" to count", (int)length, text);
        return gnomon_remedy(error, GNOMON_ERR_ARGUMENT,
                             "gnomon stat -e list prints them: branches, icache-misses, ...");
    }
    for (text += length; *text; text += length) {
        length = strcspn(++text, ":");
        if (take_filter(text, length, setting))
            continue;
        gnomon_fail(error, GNOMON_ERR_ARGUMENT, "\"%.*s\" is not a filter of a counter", (int)length, text);
        return gnomon_remedy(error, GNOMON_ERR_ARGUMENT,
                             "filters are u, m, range0, range1, data, thread=N (0 to %d), tagged, timer=N (0 to %d)",
                             MOST_THREAD, MOST_TIMER);
    }
    return GNOMON_OK;
}

/* ---- The device ---- */

static unsigned field(uint32_t word, uint32_t mask, unsigned shift) {
    return (word & mask) >> shift;
}
#define FIELD(word, name) field(word, GNOMON_PMU_CONFIG_##name, GNOMON_PMU_CONFIG_##name##_SHIFT)

enum gnomon_status gnomon_pmu_open(struct gnomon_pmu *pmu, struct gnomon_device *device,
                                   const struct gnomon_board *board, struct gnomon_error *error) {
    return gnomon_pmu_open_hart(pmu, device, board, 0, error);
}

enum gnomon_status gnomon_pmu_open_hart(struct gnomon_pmu *pmu, struct gnomon_device *device,
                                        const struct gnomon_board *board, unsigned hart, struct gnomon_error *error) {
    *pmu = (struct gnomon_pmu){.device = device, .base = GNOMON_BLOCKS_OF_HART(hart)};
    uint32_t word = 0;
    const enum gnomon_status status =
        board->hpm_counters ? gnomon_device_probe(device, pmu->base + GNOMON_PMU_CONFIG, &word, error) : GNOMON_OK;
    if (status)
        return status;
    if (!word)
        return gnomon_fail(error, GNOMON_ERR_UNSUPPORTED, "%s has no counters that the host can program",
                           board->address);
    pmu->counters = FIELD(word, COUNTERS);
    pmu->ranges = FIELD(word, RANGES);
    pmu->data_ranges = FIELD(word, DATA_RANGES);
    pmu->last_event = FIELD(word, EVENTS);
    pmu->latency = word & GNOMON_PMU_CONFIG_LATENCY;
    pmu->reduced = word & GNOMON_PMU_CONFIG_REDUCED;
    if (pmu->ranges + pmu->data_ranges > GNOMON_PMU_RANGES || !pmu->counters)
        return gnomon_fail(error, GNOMON_ERR_PROTOCOL, "%s reports an impossible description of its counters: 0x%08x",
                           board->address, (unsigned)word);
    return GNOMON_OK;
}

static enum gnomon_status check_counter(const struct gnomon_pmu *pmu, unsigned index, struct gnomon_error *error) {
    if (index < pmu->counters)
        return GNOMON_OK;
    return gnomon_fail(error, GNOMON_ERR_UNSUPPORTED, "%s has %u counters; there is no counter %u",
                       pmu->device->transport->address, pmu->counters, index);
}

#define ALL_EVENTS "take a device with all counters: a board with an ECP5 (docs/guide/boards/README.md), or -d sim:full"

static enum gnomon_status unknown_event(const struct gnomon_pmu *pmu, const struct gnomon_pmu_setting *setting,
                                        struct gnomon_error *error) {
    gnomon_fail(error, GNOMON_ERR_UNSUPPORTED, "%s does not count the event %s", pmu->device->transport->address,
                setting->event->name);
    return gnomon_remedy(error, GNOMON_ERR_UNSUPPORTED, ALL_EVENTS);
}

/* Refuses filters, and a start value. */
static enum gnomon_status check_reduced(const struct gnomon_pmu *pmu, const struct gnomon_pmu_setting *setting,
                                        struct gnomon_error *error) {
    const bool filters = setting->tagged || setting->range[0] || setting->range[1] || setting->data || setting->gated ||
                         setting->one_thread || setting->not_machine || setting->not_user;
    if (!filters && !setting->start)
        return GNOMON_OK;
    gnomon_fail(error, GNOMON_ERR_UNSUPPORTED, "the event %s: the counters of %s %s", setting->event->name,
                pmu->device->transport->address, filters ? "have no filters" : "begin at 0");
    return gnomon_remedy(error, GNOMON_ERR_UNSUPPORTED, ALL_EVENTS);
}

/* A number that is not there reads 0. */
static enum gnomon_status check_programmed(const struct gnomon_pmu *pmu, uint32_t address, uint32_t word,
                                           const struct gnomon_pmu_setting *setting, struct gnomon_error *error) {
    uint32_t found = word;
    enum gnomon_status status = pmu->reduced ? gnomon_device_get(pmu->device, address, &found, error) : GNOMON_OK;
    return status || found == word ? status : unknown_event(pmu, setting, error);
}

static enum gnomon_status check_setting(const struct gnomon_pmu *pmu, const struct gnomon_pmu_setting *setting,
                                        struct gnomon_error *error) {
    if (setting->event->number > pmu->last_event)
        return unknown_event(pmu, setting, error);
    if (pmu->reduced)
        return check_reduced(pmu, setting, error);
    if ((setting->range[0] && pmu->ranges < 1) || (setting->range[1] && pmu->ranges < 2) ||
        (setting->data && !pmu->data_ranges))
        return gnomon_fail(error, GNOMON_ERR_UNSUPPORTED, "%s has fewer address ranges than --events asks for",
                           pmu->device->transport->address);
    return GNOMON_OK;
}

static uint32_t counter_address(const struct gnomon_pmu *pmu, unsigned index) {
    return pmu->base + GNOMON_PMU_COUNTER_LO + index * COUNTER_WORDS * 4;
}

enum gnomon_status gnomon_pmu_program(const struct gnomon_pmu *pmu, unsigned index,
                                      const struct gnomon_pmu_setting *setting, struct gnomon_error *error) {
    static const struct gnomon_pmu_setting nothing = {.event = &events[0]};
    if (!setting)
        setting = &nothing;
    enum gnomon_status status = check_counter(pmu, index, error);
    if (!status)
        status = check_setting(pmu, setting, error);
    if (status)
        return status;
    const struct {
        bool set;
        uint32_t bit;
    } low[] = {{setting->tagged, GNOMON_PMU_EVENT_LO_TAGGED},   {setting->range[0], GNOMON_PMU_EVENT_LO_RANGE0},
               {setting->range[1], GNOMON_PMU_EVENT_LO_RANGE1}, {setting->data, GNOMON_PMU_EVENT_LO_DATA_RANGE},
               {setting->gated, GNOMON_PMU_EVENT_LO_GATED},     {setting->one_thread, GNOMON_PMU_EVENT_LO_THREAD_ONLY}};
    uint32_t words[COUNTER_WORDS] = {
        (uint32_t)setting->start, (uint32_t)(setting->start >> 32),
        setting->event->number | (uint32_t)setting->thread << GNOMON_PMU_EVENT_LO_THREAD_SHIFT |
            (uint32_t)setting->gate << GNOMON_PMU_EVENT_LO_GATE_SHIFT,
        (setting->not_machine ? GNOMON_PMU_EVENT_HI_MINH : 0) | (setting->not_user ? GNOMON_PMU_EVENT_HI_UINH : 0)};
    for (size_t i = 0; i < sizeof low / sizeof *low; i++)
        words[2] |= low[i].set ? low[i].bit : 0;
    /* stops the counter while its words change */
    status = gnomon_device_set(pmu->device, counter_address(pmu, index) + 8, 0, error);
    if (!status)
        status = gnomon_device_write(pmu->device, counter_address(pmu, index), words, 2, error);
    if (!status)
        status = gnomon_device_set(pmu->device, counter_address(pmu, index) + 12, words[3], error);
    if (!status)
        status = gnomon_device_set(pmu->device, counter_address(pmu, index) + 8, words[2], error);
    return status ? status : check_programmed(pmu, counter_address(pmu, index) + 8, words[2], setting, error);
}

enum gnomon_status gnomon_pmu_stop(const struct gnomon_pmu *pmu, uint32_t counters, struct gnomon_error *error) {
    if (counters >> pmu->counters)
        return check_counter(pmu, pmu->counters, error);
    return gnomon_device_set(pmu->device, pmu->base + GNOMON_PMU_INHIBIT, counters << FIRST_INHIBIT, error);
}

/* Reads pairs of words in rising order. The lower word of a pair is valid with an upper word that was the same in the
 * previous round and has not changed since. */
static enum gnomon_status read_pairs(const struct gnomon_pmu *pmu, uint32_t address, uint32_t *words, size_t count,
                                     size_t step, struct gnomon_error *error) {
    uint32_t before[GNOMON_PMU_COUNTERS * COUNTER_WORDS];
    enum gnomon_status status = gnomon_device_read(pmu->device, address, words, count, error);
    for (int i = 0; !status && i < MOST_TRIES; i++) {
        memcpy(before, words, count * sizeof *words);
        status = gnomon_device_read(pmu->device, address, words, count, error);
        bool same = true;
        for (size_t at = 1; at < count; at += step)
            same = same && before[at] == words[at];
        if (!status && same)
            return GNOMON_OK;
    }
    if (status)
        return status;
    return gnomon_fail(error, GNOMON_ERR_PROTOCOL, "%s does not stop its counters", pmu->device->transport->address);
}

/* Refuses counts that the device has lost. `bits`: those of LOST that matter; call it after the counts were read. */
static enum gnomon_status check_lost(const struct gnomon_pmu *pmu, uint32_t bits, struct gnomon_error *error) {
    uint32_t lost = 0;
    enum gnomon_status status = gnomon_device_get(pmu->device, pmu->base + GNOMON_PMU_LOST, &lost, error);
    if (status || !(lost & bits))
        return status;
    gnomon_fail(error, GNOMON_ERR_PROTOCOL, "%s has lost counts of %s (PMU.LOST is 0x%08x)",
                pmu->device->transport->address,
                lost & bits & GNOMON_PMU_LOST_RANGES ? "an address range" : "its counters", (unsigned)lost);
    return gnomon_remedy(error, GNOMON_ERR_PROTOCOL,
                         "the program accesses the registers of counters for too long without a pause; let it pause, "
                         "or read fewer of them");
}

enum gnomon_status gnomon_pmu_read(const struct gnomon_pmu *pmu, struct gnomon_pmu_value *values,
                                   struct gnomon_error *error) {
    uint32_t words[GNOMON_PMU_COUNTERS * COUNTER_WORDS];
    enum gnomon_status status =
        read_pairs(pmu, counter_address(pmu, 0), words, (size_t)pmu->counters * COUNTER_WORDS, COUNTER_WORDS, error);
    if (!status)
        status = check_lost(pmu, GNOMON_PMU_LOST_COUNTERS, error);
    for (size_t i = 0; !status && i < pmu->counters; i++) {
        const uint32_t *word = words + i * COUNTER_WORDS;
        values[i] = (struct gnomon_pmu_value){.count = (uint64_t)word[1] << 32 | word[0],
                                              .overflowed = word[3] & GNOMON_PMU_EVENT_HI_OF};
    }
    return status;
}

static enum gnomon_status check_range(const struct gnomon_pmu *pmu, unsigned index, struct gnomon_error *error) {
    if (index < pmu->ranges + pmu->data_ranges)
        return GNOMON_OK;
    return gnomon_fail(error, GNOMON_ERR_UNSUPPORTED,
                       "%s has %u ranges of instructions and %u of data; there is no range %u",
                       pmu->device->transport->address, pmu->ranges, pmu->data_ranges, index);
}

enum gnomon_status gnomon_pmu_range(const struct gnomon_pmu *pmu, unsigned index, uint32_t base, uint32_t limit,
                                    struct gnomon_error *error) {
    enum gnomon_status status = check_range(pmu, index, error);
    if (status)
        return status;
    if (base >= limit)
        return gnomon_fail(error, GNOMON_ERR_ARGUMENT, "the range from 0x%08x to 0x%08x is empty", (unsigned)base,
                           (unsigned)limit);
    const uint32_t words[] = {base, limit, 0};
    return gnomon_device_write(pmu->device, pmu->base + GNOMON_PMU_RANGE_BASE + index * RANGE_BYTES, words, 3, error);
}

enum gnomon_status gnomon_pmu_trace(const struct gnomon_pmu *pmu, uint32_t ranges, struct gnomon_error *error) {
    if (ranges >> pmu->ranges)
        return check_range(pmu, GNOMON_PMU_RANGES, error);
    return gnomon_device_set(pmu->device, pmu->base + GNOMON_PMU_TRACE, ranges, error);
}

enum gnomon_status gnomon_pmu_range_read(const struct gnomon_pmu *pmu, unsigned index,
                                         struct gnomon_pmu_range_value *value, struct gnomon_error *error) {
    uint32_t words[10];
    enum gnomon_status status = check_range(pmu, index, error);
    if (!status)
        status = read_pairs(pmu, pmu->base + GNOMON_PMU_RANGE_ENTRIES_LO + index * RANGE_BYTES, words, 10, 2, error);
    if (!status)
        status = check_lost(pmu, 1u << (GNOMON_PMU_LOST_RANGES_SHIFT + index), error);
    if (status)
        return status;
#define PAIR(at) ((uint64_t)words[2 * (at) + 1] << 32 | words[2 * (at)])
    *value = (struct gnomon_pmu_range_value){PAIR(0), PAIR(1), PAIR(2), PAIR(3), PAIR(4)};
    return GNOMON_OK;
}
