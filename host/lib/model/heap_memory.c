/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/model/heap_memory.h"

#include <stdlib.h>

#include "lib/util/array.h"

struct gnomon_heap_look *gnomon_heap_memory_add(struct gnomon_heap_memory *memory) {
    if (!gnomon_array_room(&memory->looks, &memory->look_room, memory->look_count + 1, sizeof *memory->looks))
        return NULL;
    struct gnomon_heap_look *look = &memory->looks[memory->look_count++];
    *look = (struct gnomon_heap_look){0};
    return look;
}

bool gnomon_heap_look_add_root(struct gnomon_heap_look *look, uint32_t start, uint32_t end) {
    if (!gnomon_array_room(&look->roots, &look->root_room, look->root_count + 1, sizeof *look->roots))
        return false;
    look->roots[look->root_count++] = (struct gnomon_heap_range){start, end};
    return true;
}

bool gnomon_heap_look_add_word(struct gnomon_heap_look *look, uint32_t at, uint32_t value) {
    if (!gnomon_array_room(&look->words, &look->room, look->count + 1, sizeof *look->words))
        return false;
    look->words[look->count++] = (struct gnomon_heap_word){at, value};
    return true;
}

/* ---- Writing ---- */

static json_t *look_json(const struct gnomon_heap_look *look) {
    json_t *roots = json_array(), *words = json_array();
    uint32_t last = 0;
    for (size_t i = 0; i < look->root_count; i++)
        json_array_append_new(roots,
                              json_pack("[I, I]", (json_int_t)look->roots[i].start, (json_int_t)look->roots[i].end));
    for (size_t i = 0; i < look->count; i++) {
        json_array_append_new(words, json_integer(look->words[i].at - last));
        json_array_append_new(words, json_integer(look->words[i].value));
        last = look->words[i].at;
    }
    const bool whole = json_array_size(roots) == look->root_count && json_array_size(words) == 2 * look->count;
    json_t *json = json_pack("{s:I, s:b, s:I, s:o, s:o}", "number", (json_int_t)look->number, "exit", look->at_exit,
                             "cycle", (json_int_t)look->cycle, "roots", roots, "words", words);
    if (whole)
        return json;
    json_decref(json);
    return NULL;
}

json_t *gnomon_heap_memory_json(const struct gnomon_heap_memory *memory) {
    json_t *looks = json_array();
    bool good = looks != NULL;
    for (size_t i = 0; good && i < memory->look_count; i++)
        good = json_array_append_new(looks, look_json(&memory->looks[i])) == 0;
    if (good)
        return json_pack("{s:b, s:I, s:o}", "exited", memory->exited, "main_cycle", (json_int_t)memory->main_cycle,
                         "looks", looks);
    json_decref(looks);
    return NULL;
}

/* ---- Reading ---- */

static bool word_of(const json_t *json, uint32_t *value) {
    const json_int_t number = json_integer_value(json);
    *value = (uint32_t)number;
    return json_is_integer(json) && number >= 0 && number <= UINT32_MAX;
}

static bool count_of(const json_t *json, uint64_t *value) {
    *value = (uint64_t)json_integer_value(json);
    return json_is_integer(json) && json_integer_value(json) >= 0;
}

static bool parse_roots(const json_t *json, struct gnomon_heap_look *look) {
    for (size_t i = 0; i < json_array_size(json); i++) {
        const json_t *root = json_array_get(json, i);
        uint32_t start, end;
        if (json_array_size(root) != 2 || !word_of(json_array_get(root, 0), &start) ||
            !word_of(json_array_get(root, 1), &end) || start > end || !gnomon_heap_look_add_root(look, start, end))
            return false;
    }
    return json_is_array(json);
}

static bool parse_words(const json_t *json, struct gnomon_heap_look *look) {
    uint32_t at = 0;
    for (size_t i = 0; i + 1 < json_array_size(json); i += 2) {
        uint32_t more, value;
        if (!word_of(json_array_get(json, i), &more) || !word_of(json_array_get(json, i + 1), &value) ||
            __builtin_add_overflow(at, more, &at) || more % 4 || (!more && i) ||
            !gnomon_heap_look_add_word(look, at, value))
            return false;
    }
    return json_is_array(json) && json_array_size(json) % 2 == 0;
}

static bool parse_look(const json_t *json, struct gnomon_heap_memory *memory) {
    struct gnomon_heap_look *look = gnomon_heap_memory_add(memory);
    if (!look)
        return false;
    look->at_exit = json_is_true(json_object_get(json, "exit"));
    return word_of(json_object_get(json, "number"), &look->number) &&
           count_of(json_object_get(json, "cycle"), &look->cycle) &&
           parse_roots(json_object_get(json, "roots"), look) && parse_words(json_object_get(json, "words"), look);
}

enum gnomon_status gnomon_heap_memory_parse(const json_t *json, struct gnomon_heap_memory *memory,
                                            struct gnomon_error *error) {
    *memory = (struct gnomon_heap_memory){0};
    if (!json)
        return GNOMON_OK;
    const json_t *looks = json_object_get(json, "looks");
    bool good = json_is_array(looks) && count_of(json_object_get(json, "main_cycle"), &memory->main_cycle);
    for (size_t i = 0; good && i < json_array_size(looks); i++)
        good = parse_look(json_array_get(looks, i), memory);
    memory->exited = json_is_true(json_object_get(json, "exited"));
    memory->known = good;
    if (good)
        return GNOMON_OK;
    gnomon_fail(error, GNOMON_ERR_FORMAT, "what points to the heap makes no sense in the recording");
    return gnomon_remedy(error, GNOMON_ERR_FORMAT, "copy the file again, or record again");
}

void gnomon_heap_memory_free(struct gnomon_heap_memory *memory) {
    for (size_t i = 0; i < memory->look_count; i++) {
        free(memory->looks[i].roots);
        free(memory->looks[i].words);
    }
    free(memory->looks);
    *memory = (struct gnomon_heap_memory){0};
}
