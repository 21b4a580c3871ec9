/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/run/stat_events.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "gnomon/events.h"

/* ---- Events ---- */

static enum gnomon_status add_event(struct stat_events *events, const char *text, size_t length,
                                    struct gnomon_error *error) {
    struct stat_event *list = realloc(events->list, (events->count + 1) * sizeof *list);
    if (!list)
        return gnomon_fail_memory(error);
    events->list = list;
    struct stat_event *event = &list[events->count];
    if (!(event->text = strndup(text, length)))
        return gnomon_fail_memory(error);
    events->count++;
    return gnomon_pmu_parse(event->text, &event->setting, error);
}

enum gnomon_status stat_events_parse(struct stat_events *events, const struct cli_list *lists,
                                     struct gnomon_error *error) {
    enum gnomon_status status = GNOMON_OK;
    for (size_t i = 0; i < lists->count; i++) {
        const char *text = lists->items[i];
        for (bool more = true; more && !status;) {
            size_t length = strcspn(text, ",");
            status = add_event(events, text, length, error);
            more = text[length] == ',';
            text += length + 1;
        }
    }
    return status;
}

void stat_events_free(struct stat_events *events) {
    for (size_t i = 0; i < events->count; i++)
        free(events->list[i].text);
    free(events->list);
}

void stat_events_print(FILE *stream, bool json) {
    const struct gnomon_pmu_event *event;
    json_t *list = json_array();
    for (size_t i = 0; (event = gnomon_pmu_event(i)); i++) {
        if (event->number == GNOMON_EVENT_NONE)
            continue;
        if (json)
            json_array_append_new(list, json_pack("{s:s, s:s}", "name", event->name, "about", event->about));
        else
            fprintf(stream, "  %-22s %s\n", event->name, event->about);
    }
    if (json) {
        json_dumpf(list, stream, JSON_INDENT(2));
        fputc('\n', stream);
    } else {
        fputs("\nEach takes filters, all of which must hold, as in loads:u:range0: u, m (in that mode only), range0, "
              "range1\n(instructions inside that --range), data (accesses to --data-range), thread=N; in gnomon tag "
              "also tagged, "
              "timer=N.\n",
              stream);
    }
    json_decref(list);
}

/* ---- Ranges ---- */

static enum gnomon_status add_ranges(struct stat_events *events, const struct target *target,
                                     const struct cli_list *asked, bool data, struct gnomon_error *error) {
    static const char *const names[] = {"range0", "range1", "range2"};
    const struct gnomon_pmu *pmu = &events->pmu;
    unsigned there = data ? pmu->data_ranges : pmu->ranges;
    if (asked->count > there) {
        gnomon_fail(error, GNOMON_ERR_UNSUPPORTED, "%zu ranges of %s are requested; %s has %u", asked->count,
                    data ? "data" : "instructions", target->board.address, there);
        return gnomon_remedy(error, GNOMON_ERR_UNSUPPORTED, "count the other ranges in another gnomon stat");
    }
    for (size_t i = 0; i < asked->count; i++) {
        struct stat_range *range = &events->ranges[events->range_count++];
        *range = (struct stat_range){
            .name = data ? "data" : names[i], .what = asked->items[i], .index = (unsigned)i + (data ? pmu->ranges : 0)};
        if (!gnomon_address_range_parse(range->what, &range->bounds)) {
            enum gnomon_status status = gnomon_address_range_find(
                target->image->path, range->what, data ? GNOMON_ADDRESS_RANGE_VARIABLE : GNOMON_ADDRESS_RANGE_FUNCTION,
                &range->bounds, error);
            if (status)
                return status;
        }
        if (range->bounds.start < range->bounds.end)
            continue;
        gnomon_fail(error, GNOMON_ERR_ARGUMENT, "the range %s is empty", range->what);
        return gnomon_remedy(error, GNOMON_ERR_ARGUMENT, "START-END goes up to END, END not included");
    }
    return GNOMON_OK;
}

/* An event of a missing range would count nothing, and look as if nothing had happened. */
static enum gnomon_status check_event(const struct stat_event *event, size_t ranges, size_t data_ranges,
                                      struct gnomon_error *error) {
    const struct gnomon_pmu_setting *setting = &event->setting;
    unsigned number = setting->event->number;
    size_t needed = setting->range[1] || number == GNOMON_EVENT_RANGE1_ENTRIES   ? 2
                    : setting->range[0] || number == GNOMON_EVENT_RANGE0_ENTRIES ? 1
                                                                                 : 0;
    bool data = setting->data || number == GNOMON_EVENT_DATA_RANGE_ENTRIES;
    if (needed <= ranges && (!data || data_ranges > 0))
        return GNOMON_OK;
    gnomon_fail(error, GNOMON_ERR_ARGUMENT, "%s filters by a range that no option sets", event->text);
    return gnomon_remedy(error, GNOMON_ERR_ARGUMENT,
                         needed > ranges ? "add --range FUNCTION, the first for range0, the second for range1"
                                         : "add --data-range VARIABLE");
}

enum gnomon_status stat_events_open(struct stat_events *events, const struct target *target, unsigned hart,
                                    const struct cli_list *ranges, const struct cli_list *data_ranges,
                                    struct gnomon_error *error) {
    if (events->count + ranges->count + data_ranges->count == 0)
        return GNOMON_OK;
    enum gnomon_status status = gnomon_pmu_open_hart(&events->pmu, target->device, &target->board, hart, error);
    if (status == GNOMON_ERR_UNSUPPORTED)
        return gnomon_remedy(error, status, "leave out --events, --range and --data-range, or take -d sim:full");
    if (!status)
        status = add_ranges(events, target, ranges, false, error);
    if (!status)
        status = add_ranges(events, target, data_ranges, true, error);
    for (size_t i = 0; i < events->count && !status; i++)
        status = check_event(&events->list[i], ranges->count, data_ranges->count, error);
    return status;
}

/* ---- Runs ---- */

unsigned stat_events_runs(const struct stat_events *events) {
    unsigned counters = events->pmu.counters;
    return events->count > 0 ? (unsigned)((events->count + counters - 1) / counters) : 1;
}

void stat_events_of_run(const struct stat_events *events, unsigned run, size_t *first, size_t *end) {
    *first = (size_t)run * events->pmu.counters;
    *end = *first + events->pmu.counters < events->count ? *first + events->pmu.counters : events->count;
}

enum gnomon_status stat_events_program(const struct stat_events *events, unsigned run, struct gnomon_error *error) {
    size_t first, end;
    enum gnomon_status status = GNOMON_OK;
    for (size_t i = 0; i < events->range_count && !status; i++) {
        const struct stat_range *range = &events->ranges[i];
        status = gnomon_pmu_range(&events->pmu, range->index, range->bounds.start, range->bounds.end, error);
    }
    stat_events_of_run(events, run, &first, &end);
    for (size_t i = first; i < end && !status; i++)
        status = gnomon_pmu_program(&events->pmu, (unsigned)(i - first), &events->list[i].setting, error);
    return status;
}
