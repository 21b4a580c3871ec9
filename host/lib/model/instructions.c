/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/model/instructions.h"

#include <stdlib.h>
#include <string.h>

#include "lib/util/array.h"

#define MOST_CYCLES (UINT64_C(1) << 59) /* no sum of 18 such numbers overflows */

static const struct {
    const char *name, *key;
} causes[GNOMON_CAUSES] = {
    {"retired", "retired"},   {"fetch", "fetch"},        {"jump", "jump"},          {"mispredict", "mispredict"},
    {"load-use", "load_use"}, {"mul/div", "muldiv"},     {"data", "data"},          {"trap", "trap"},
    {"wfi", "wfi"},           {"debug", "debug"},        {"reset", "reset"},        {"csr", "csr"},
    {"fence", "fence"},       {"icache", "icache_miss"}, {"dcache", "dcache_miss"}, {"unknown", "unknown"},
    {"refresh", "refresh"},   {"page", "page"},
};

const char *gnomon_cause_name(unsigned cause) {
    return causes[cause].name;
}

const char *gnomon_cause_key(unsigned cause) {
    return causes[cause].key;
}

void gnomon_instructions_free(struct gnomon_instructions *instructions) {
    free(instructions->list);
    *instructions = (struct gnomon_instructions){0};
}

enum gnomon_status gnomon_instructions_add(struct gnomon_instructions *instructions, uint32_t address,
                                           const uint64_t cycles[GNOMON_CAUSES], struct gnomon_error *error) {
    struct gnomon_instruction one = {.address = address};
    memcpy(one.cycles, cycles, sizeof one.cycles);
    if (!gnomon_instruction_sum(&one))
        return GNOMON_OK;
    if (!gnomon_array_room(&instructions->list, &instructions->capacity, instructions->count + 1,
                           sizeof *instructions->list))
        return gnomon_fail_memory(error);
    instructions->list[instructions->count++] = one;
    return GNOMON_OK;
}

size_t gnomon_instructions_from(const struct gnomon_instructions *instructions, uint32_t address) {
    return gnomon_array_from(instructions->list, instructions->count, sizeof *instructions->list,
                             offsetof(struct gnomon_instruction, address), address);
}

static uint64_t sum(const uint64_t cycles[GNOMON_CAUSES]) {
    uint64_t total = 0;
    for (unsigned i = 0; i < GNOMON_CAUSES; i++)
        total += cycles[i];
    return total;
}

uint64_t gnomon_instruction_sum(const struct gnomon_instruction *instruction) {
    return sum(instruction->cycles);
}

uint64_t gnomon_instructions_sum(const struct gnomon_instructions *instructions) {
    uint64_t total = 0;
    for (size_t i = 0; i < instructions->count; i++)
        total += gnomon_instruction_sum(&instructions->list[i]);
    return total;
}

uint64_t gnomon_instructions_not_counted(const struct gnomon_instructions *instructions) {
    return instructions->cycles - instructions->unattributed - instructions->overflow -
           gnomon_instructions_sum(instructions);
}

/* ---- JSON ---- */

static json_t *row(const struct gnomon_instruction *instruction) {
    json_t *array = json_array();
    json_array_append_new(array, json_integer(instruction->address));
    for (unsigned i = 0; i < GNOMON_CAUSES; i++)
        if (instruction->cycles[i]) {
            json_array_append_new(array, json_integer(i));
            json_array_append_new(array, json_integer((json_int_t)instruction->cycles[i]));
        }
    return array;
}

json_t *gnomon_instructions_json(const struct gnomon_instructions *instructions) {
    json_t *totals = json_array(), *list = json_array();
    for (unsigned i = 0; i < GNOMON_CAUSES; i++)
        json_array_append_new(totals, json_integer((json_int_t)instructions->causes[i]));
    for (size_t i = 0; i < instructions->count; i++)
        json_array_append_new(list, row(&instructions->list[i]));
    json_t *json = json_pack("{s:I, s:I, s:o, s:o}", "cycles", (json_int_t)instructions->cycles, "unattributed",
                             (json_int_t)instructions->unattributed, "causes", totals, "instructions", list);
    if (json && instructions->overflow)
        json_object_set_new(json, "overflow", json_integer((json_int_t)instructions->overflow));
    if (json && instructions->saturated)
        json_object_set_new(json, "saturated", json_true());
    if (json && instructions->runs > 1)
        json_object_set_new(json, "runs", json_integer(instructions->runs));
    if (json && instructions->code_window) {
        json_object_set_new(json, "start", json_integer(instructions->start));
        json_object_set_new(json, "end", json_integer(instructions->end));
    }
    return json;
}

static enum gnomon_status nonsense(const char *what, struct gnomon_error *error) {
    gnomon_fail(error, GNOMON_ERR_FORMAT, "the cycles of instructions in the file make no sense: %s", what);
    return gnomon_remedy(error, GNOMON_ERR_FORMAT, "record again");
}

static bool count_of(const json_t *json, uint64_t most, uint64_t *value) {
    json_int_t number = json_integer_value(json);
    *value = (uint64_t)number;
    return json_is_integer(json) && number >= 0 && *value <= most;
}

static enum gnomon_status parse_row(const json_t *array, struct gnomon_instructions *into, struct gnomon_error *error) {
    uint64_t address, cause, cycles[GNOMON_CAUSES] = {0};
    size_t size = json_array_size(array);
    if (size < 3 || size % 2 == 0 || !count_of(json_array_get(array, 0), UINT32_MAX, &address) || address % 2 ||
        (into->count && address <= into->list[into->count - 1].address))
        return nonsense("an address", error);
    for (size_t i = 1; i < size; i += 2)
        if (!count_of(json_array_get(array, i), GNOMON_CAUSES - 1, &cause) || cycles[cause] ||
            !count_of(json_array_get(array, i + 1), into->cycles, &cycles[cause]) || !cycles[cause])
            return nonsense("a cause", error);
    return gnomon_instructions_add(into, (uint32_t)address, cycles, error);
}

/* Checks that no cause has more cycles in the instructions than in the whole run. */
static bool adds_up(const struct gnomon_instructions *instructions) {
    for (unsigned cause = 0; cause < GNOMON_CAUSES; cause++) {
        uint64_t left = instructions->causes[cause];
        for (size_t i = 0; i < instructions->count; i++) {
            if (instructions->list[i].cycles[cause] > left)
                return false;
            left -= instructions->list[i].cycles[cause];
        }
    }
    uint64_t left = instructions->cycles - gnomon_instructions_sum(instructions);
    return instructions->unattributed <= left && instructions->overflow <= left - instructions->unattributed;
}

enum gnomon_status gnomon_instructions_parse(const json_t *json, struct gnomon_instructions *into,
                                             struct gnomon_error *error) {
    *into = (struct gnomon_instructions){.runs = 1};
    const json_t *totals = json_object_get(json, "causes"), *list = json_object_get(json, "instructions");
    size_t causes_count = json_array_size(totals);
    if (!count_of(json_object_get(json, "cycles"), MOST_CYCLES, &into->cycles) || !json_is_array(list) ||
        !count_of(json_object_get(json, "unattributed"), into->cycles, &into->unattributed) ||
        (causes_count != GNOMON_CAUSES && causes_count != GNOMON_CAUSES_ALWAYS))
        return nonsense("a total", error);
    for (unsigned i = 0; i < causes_count; i++)
        if (!count_of(json_array_get(totals, i), into->cycles, &into->causes[i]))
            return nonsense("a total", error);
    uint64_t start = 0, end = 0, runs = 1;
    const json_t *more = json_object_get(json, "overflow"), *from = json_object_get(json, "start");
    if ((more && !count_of(more, into->cycles, &into->overflow)) || sum(into->causes) != into->cycles)
        return nonsense("a sum", error);
    if (from && (!count_of(from, UINT32_MAX, &start) || !count_of(json_object_get(json, "end"), UINT32_MAX, &end) ||
                 start >= end))
        return nonsense("the code window", error);
    more = json_object_get(json, "runs");
    if (more && !count_of(more, UINT32_MAX, &runs))
        return nonsense("the runs", error);
    into->saturated = json_is_true(json_object_get(json, "saturated"));
    into->code_window = from != NULL;
    into->start = (uint32_t)start;
    into->end = (uint32_t)end;
    into->runs = (unsigned)runs;
    for (size_t i = 0; i < json_array_size(list); i++) {
        enum gnomon_status status = parse_row(json_array_get(list, i), into, error);
        if (status)
            return status;
    }
    return adds_up(into) ? GNOMON_OK : nonsense("a sum", error);
}
