/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/tag/tag_module.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gnomon/module_tags.h"
#include "lib/tag/tag_section.h"
#include "lib/util/array.h"

#define ENTRY_BYTES sizeof(struct gnomon_module_tag)

size_t gnomon_tag_module_entries(const struct gnomon_tag_list *list) {
    size_t ranges = 0;
    for (size_t i = 0; i < list->count; i++)
        ranges += list->specs[i].target.count;
    return 2 * ranges; /* a range begins and ends, and each of these can begin another entry */
}

static const struct gnomon_tag_module *find_known(const struct gnomon_tag_modules *modules, const char *build_id) {
    for (size_t i = 0; i < modules->count; i++)
        if (strcmp(modules->modules[i].build_id, build_id) == 0)
            return &modules->modules[i];
    return NULL;
}

/* Names the new targets after their module. */
static enum gnomon_status name_targets(struct gnomon_tag_list *list, size_t first, unsigned number, const char *name,
                                       struct gnomon_error *error) {
    for (size_t i = first; i < list->count; i++) {
        struct gnomon_tag_target *target = &list->specs[i].target;
        char *whole;
        if (asprintf(&whole, "%s:%s", name, target->what) < 0)
            return gnomon_fail_memory(error);
        free(target->what);
        target->what = whole;
        list->specs[i].module = number;
    }
    return GNOMON_OK;
}

static enum gnomon_status add(struct gnomon_tag_modules *modules, struct gnomon_tag_list *list,
                              const struct gnomon_tag_program *program, const char *name, uint8_t *entries, size_t room,
                              struct gnomon_error *error) {
    const struct gnomon_tag_module *known = find_known(modules, program->build_id);
    const unsigned number = known ? known->number : (unsigned)modules->count + 1;
    if (!gnomon_array_room(&modules->modules, &modules->capacity, modules->count + 1, sizeof *modules->modules))
        return gnomon_fail_memory(error);
    char *build_id = strdup(program->build_id);
    if (!build_id)
        return gnomon_fail_memory(error);
    modules->modules[modules->count++] = (struct gnomon_tag_module){number, build_id, entries, room};
    if (number < modules->count)
        return GNOMON_OK;
    const size_t before = list->count;
    enum gnomon_status status = gnomon_tag_section_load(list, program, error);
    return status ? status : name_targets(list, before, number, name, error);
}

enum gnomon_status gnomon_tag_modules_add(struct gnomon_tag_modules *modules, struct gnomon_tag_list *list,
                                          const char *path, const char *name, uint8_t *bytes, size_t size,
                                          struct gnomon_error *error) {
    struct gnomon_tag_program program;
    uint64_t offset = 0, length = 0;
    enum gnomon_status status = GNOMON_OK;
    if (gnomon_tag_program_open(&program, path, NULL) == GNOMON_OK && program.module) {
        if (!gnomon_tag_section_place(&program, GNOMON_MODULE_TAGS_SECTION, &offset, &length) || offset > size ||
            length > size - offset)
            offset = length = 0; /* no room: refused if it has tags */
        status = add(modules, list, &program, name, bytes + offset, length / ENTRY_BYTES, error);
    }
    gnomon_tag_program_close(&program);
    return status;
}

static void put(uint8_t *at, uint32_t word) {
    for (unsigned i = 0; i < 4; i++)
        at[i] = (uint8_t)(word >> 8 * i);
}

enum gnomon_status gnomon_tag_modules_number(const struct gnomon_tag_modules *modules,
                                             const struct gnomon_tag_plan *plan, struct gnomon_error *error) {
    for (size_t i = 0; i < modules->count; i++) {
        const struct gnomon_tag_module *module = &modules->modules[i];
        size_t used = 0;
        for (size_t n = 0; n < plan->part_count; n++) {
            const struct gnomon_tag_part *part = &plan->parts[n];
            if (part->module != module->number)
                continue;
            if (used == module->room) {
                gnomon_fail(error, GNOMON_ERR_FORMAT, "a module has no room for the numbers of its tags");
                return gnomon_remedy(error, GNOMON_ERR_FORMAT, "link it again with gnomon cc, or use --no-metadata");
            }
            uint8_t *at = module->entries + ENTRY_BYTES * used++;
            put(at, part->start);
            put(at + 4, part->end);
            put(at + 8, part->number);
            put(at + 12, part->data);
        }
    }
    return GNOMON_OK;
}

void gnomon_tag_modules_free(struct gnomon_tag_modules *modules) {
    for (size_t i = 0; i < modules->count; i++)
        free(modules->modules[i].build_id);
    free(modules->modules);
    *modules = (struct gnomon_tag_modules){0};
}
