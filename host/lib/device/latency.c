/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/device/latency.h"

#include <string.h>

#include "gnomon/registers.h"

#define COUNTERS (GNOMON_LATENCY_BUCKETS + 1) /* the last: from the threshold to before the next power of two */
#define FOUND_WORDS 3                         /* FOUND, PC, ADDRESS */

/* ---- Parsing settings ---- */

static bool is(const char *text, size_t length, const char *word) {
    return strlen(word) == length && memcmp(text, word, length) == 0;
}

static bool take_kind(const char *text, size_t length, struct gnomon_latency_setting *setting) {
    setting->reads = is(text, length, "loads") || is(text, length, "accesses");
    setting->writes = is(text, length, "stores") || is(text, length, "accesses");
    return setting->reads || setting->writes || is(text, length, "all");
}

static bool take_filter(const char *text, size_t length, struct gnomon_latency_setting *setting) {
    if (is(text, length, "range0"))
        setting->range[0] = true;
    else if (is(text, length, "range1"))
        setting->range[1] = true;
    else if (is(text, length, "data"))
        setting->data = true;
    else
        return false;
    return true;
}

enum gnomon_status gnomon_latency_parse(const char *text, struct gnomon_latency_setting *setting, const char **tag,
                                        struct gnomon_error *error) {
    static const char tag_is[] = "tag=";
    *setting = (struct gnomon_latency_setting){0};
    *tag = NULL;
    size_t length = strcspn(text, ":");
    if (!take_kind(text, length, setting)) {
        gnomon_fail(error, GNOMON_ERR_ARGUMENT, "\"%.*s\" is no kind of instructions with a latency", (int)length,
                    text);
        return gnomon_remedy(error, GNOMON_ERR_ARGUMENT, "kinds are all, loads, stores, accesses");
    }
    for (text += length; *text && !*tag; text += length) {
        length = strcspn(++text, ":");
        if (strncmp(text, tag_is, strlen(tag_is)) == 0 && text[strlen(tag_is)]) {
            *tag = text + strlen(tag_is);
            setting->tagged = true;
        } else if (!take_filter(text, length, setting)) {
            gnomon_fail(error, GNOMON_ERR_ARGUMENT, "\"%.*s\" is not a filter of latencies", (int)length, text);
            return gnomon_remedy(error, GNOMON_ERR_ARGUMENT,
                                 "filters are range0, range1, data, and last tag=WHAT, with WHAT as for gnomon tag");
        }
    }
    return GNOMON_OK;
}

/* ---- The device ---- */

unsigned gnomon_latency_bucket(uint32_t cycles) {
    unsigned bucket = 0;
    while (bucket + 1 < GNOMON_LATENCY_BUCKETS && cycles >> (bucket + 1))
        bucket++;
    return bucket;
}

enum gnomon_status gnomon_latency_set(const struct gnomon_pmu *pmu, const struct gnomon_latency_setting *setting,
                                      struct gnomon_error *error) {
    if (!pmu->latency)
        return gnomon_fail(error, GNOMON_ERR_UNSUPPORTED, "%s does not count latencies",
                           pmu->device->transport->address);
    const struct {
        bool set;
        uint32_t bit;
    } bits[] = {
        {setting->reads, GNOMON_PMU_LATENCY_CONTROL_READS},     {setting->writes, GNOMON_PMU_LATENCY_CONTROL_WRITES},
        {setting->range[0], GNOMON_PMU_LATENCY_CONTROL_RANGE0}, {setting->range[1], GNOMON_PMU_LATENCY_CONTROL_RANGE1},
        {setting->data, GNOMON_PMU_LATENCY_CONTROL_DATA_RANGE}, {setting->tagged, GNOMON_PMU_LATENCY_CONTROL_TAGGED}};
    uint32_t control = GNOMON_PMU_LATENCY_CONTROL_ENABLE;
    for (size_t i = 0; i < sizeof bits / sizeof *bits; i++)
        control |= bits[i].set ? bits[i].bit : 0;
    enum gnomon_status status = gnomon_device_set(pmu->device, GNOMON_PMU_LATENCY_THRESHOLD, setting->threshold, error);
    return status ? status : gnomon_device_set(pmu->device, GNOMON_PMU_LATENCY_CONTROL, control, error);
}

enum gnomon_status gnomon_latency_read(const struct gnomon_pmu *pmu, const struct gnomon_latency_setting *setting,
                                       struct gnomon_latency_counts *counts, struct gnomon_error *error) {
    uint32_t words[2 * COUNTERS], found[FOUND_WORDS];
    enum gnomon_status status =
        gnomon_device_read(pmu->device, GNOMON_PMU_LATENCY_COUNT_LO, words, 2 * (size_t)COUNTERS, error);
    if (!status)
        status = gnomon_device_read(pmu->device, GNOMON_PMU_LATENCY_FOUND, found, FOUND_WORDS, error);
    if (status)
        return status;
    *counts = (struct gnomon_latency_counts){
        .wrapped = found[0] & GNOMON_PMU_LATENCY_FOUND_WRAPPED,
        .found = setting->threshold && (found[0] & GNOMON_PMU_LATENCY_FOUND_FOUND),
        .accessed = found[0] & GNOMON_PMU_LATENCY_FOUND_ACCESS,
        .cycles = found[0] >> GNOMON_PMU_LATENCY_FOUND_CYCLES_SHIFT,
        .pc = found[1],
        .address = found[2],
    };
#define PAIR(at) ((uint64_t)words[2 * (at) + 1] << 32 | words[2 * (at)])
    const unsigned divided = gnomon_latency_bucket(setting->threshold); /* by the threshold */
    for (unsigned i = 0; i < GNOMON_LATENCY_BUCKETS; i++) {
        counts->buckets[i] = PAIR(i) + (i == divided ? PAIR(GNOMON_LATENCY_BUCKETS) : 0);
        if (setting->threshold && i >= divided)
            counts->reached += i == divided ? PAIR(GNOMON_LATENCY_BUCKETS) : PAIR(i);
    }
    return GNOMON_OK;
}
