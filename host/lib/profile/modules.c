/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/profile/modules.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/profile/profile.h"
#include "lib/profile/profile_map.h"
#include "lib/util/file.h"
#include "lib/util/json_text.h"

#define KEY_DIGITS 8

/* A file that was available when the trace was recorded, or is available now. */
struct known {
    uint32_t key;
    char *name;
    struct gnomon_symbols *symbols; /* NULL: not available */
};

/* A module that was loaded: one build of a module, for all of its loads. */
struct module {
    uint32_t first_id, functions;
    char key[KEY_DIGITS + 1];
    const struct known *known; /* NULL: no known file has this build id */
};

/* Where a module was loaded, and from when to when. */
struct placement {
    size_t module; /* index */
    uint32_t base, first_number;
    uint64_t from, to; /* cycles; UINT64_MAX: to the end */
};

struct gnomon_modules {
    struct known **known;
    size_t known_count;
    struct profile_map map; /* by key and number of functions */
    struct module *modules;
    size_t placement_count;
    struct placement *placements; /* in the order of `from` */
    uint32_t first, next_id;
    uint32_t *ids; /* by number, for numbers below id_count; the id of a higher number is the number itself */
    uint32_t id_count;
    uint32_t key, range_first, range_count; /* of the load whose messages are coming */
    bool has_key, has_first, has_count;     /* which of its messages have come */
    uint32_t loads;
    uint64_t missing;
};

/* Makes room for the ids of all numbers below `count`. False: out of memory. */
static bool cover(struct gnomon_modules *modules, uint32_t count) {
    if (count <= modules->id_count)
        return true;
    uint32_t *more = realloc(modules->ids, count * sizeof *more);
    if (!more)
        return false;
    modules->ids = more;
    for (; modules->id_count < count; modules->id_count++)
        more[modules->id_count] = modules->id_count;
    return true;
}

struct gnomon_modules *gnomon_modules_new(uint32_t first) {
    struct gnomon_modules *modules = calloc(1, sizeof *modules);
    if (!modules)
        return NULL;
    modules->first = first;
    modules->next_id = GNOMON_PROFILE_MODULE;
    if (cover(modules, GNOMON_MOST_RECORDS))
        return modules;
    gnomon_modules_free(modules);
    return NULL;
}

void gnomon_modules_free(struct gnomon_modules *modules) {
    if (!modules)
        return;
    for (size_t i = 0; i < modules->known_count; i++) {
        gnomon_symbols_free(modules->known[i]->symbols);
        free(modules->known[i]->name);
        free(modules->known[i]);
    }
    free(modules->known);
    free(modules->modules);
    free(modules->placements);
    free(modules->ids);
    profile_map_free(&modules->map);
    free(modules);
}

/* ---- Files ---- */

/* The first four bytes of a build id in hex digits; the first byte is the low byte of the result. */
static uint32_t key_of(const char *build_id) {
    uint32_t key = 0;
    for (unsigned i = 0; i < KEY_DIGITS / 2; i++) {
        char digits[3] = {build_id[2 * i], build_id[2 * i] ? build_id[2 * i + 1] : '\0', '\0'};
        key |= (uint32_t)strtoul(digits, NULL, 16) << 8 * i;
        if (!digits[1])
            break;
    }
    return key;
}

json_t *gnomon_modules_describe(const char *path) {
    struct gnomon_symbols *symbols;
    if (gnomon_symbols_load(&symbols, path, NULL))
        return NULL;
    json_t *json = NULL;
    if (gnomon_symbols_is_module(symbols))
        json = json_pack("{s:o, s:s}", "path", gnomon_json_text(path), "build_id", gnomon_symbols_build_id(symbols));
    gnomon_symbols_free(symbols);
    return json;
}

static bool add_known(struct gnomon_modules *modules, const char *name, uint32_t key, struct gnomon_symbols *symbols) {
    struct known **more = realloc(modules->known, (modules->known_count + 1) * sizeof *more);
    if (more)
        modules->known = more;
    struct known *known = more ? malloc(sizeof *known) : NULL;
    char *copy = known ? strdup(name) : NULL;
    if (!copy) {
        free(known);
        gnomon_symbols_free(symbols);
        return false;
    }
    *known = (struct known){.key = key, .name = copy, .symbols = symbols};
    modules->known[modules->known_count++] = known;
    return true;
}

bool gnomon_modules_know(struct gnomon_modules *modules, const char *name, const char *build_id, const char *path) {
    struct gnomon_symbols *symbols = NULL;
    if (path && gnomon_symbols_load(&symbols, path, NULL))
        symbols = NULL;
    if (symbols && strcmp(gnomon_symbols_build_id(symbols), build_id) != 0) { /* rebuilt since */
        gnomon_symbols_free(symbols);
        symbols = NULL;
    }
    return add_known(modules, gnomon_basename(name), key_of(build_id), symbols);
}

enum gnomon_status gnomon_modules_add(struct gnomon_modules *modules, const char *path, struct gnomon_error *error) {
    struct gnomon_symbols *symbols;
    enum gnomon_status status = gnomon_symbols_load(&symbols, path, error);
    if (status)
        return status;
    if (!gnomon_symbols_is_module(symbols)) {
        gnomon_symbols_free(symbols);
        gnomon_fail(error, GNOMON_ERR_MISMATCH, "%s is a program, not a module", path);
        return gnomon_remedy(error, GNOMON_ERR_MISMATCH, "give what gnomon cc --gnomon-module linked");
    }
    bool good = add_known(modules, gnomon_basename(path), key_of(gnomon_symbols_build_id(symbols)), symbols);
    return good ? GNOMON_OK : gnomon_fail_memory(error);
}

/* Prefers files that are available. */
static const struct known *find_known(const struct gnomon_modules *modules, uint32_t key, uint32_t functions) {
    const struct known *named = NULL;
    for (size_t i = 0; i < modules->known_count; i++) {
        const struct known *known = modules->known[i];
        if (known->key != key)
            continue;
        if (known->symbols && gnomon_symbols_total(known->symbols) == functions)
            return known;
        if (!known->symbols)
            named = known;
    }
    return named;
}

/* ---- Loads ---- */

static struct module *find_module(struct gnomon_modules *modules, uint32_t key, uint32_t functions) {
    uint32_t count = modules->map.count;
    uint32_t index = profile_map_find(&modules->map, (uint64_t)key << 32 | functions);
    if (index == PROFILE_MAP_NONE)
        return NULL;
    if (index < count)
        return &modules->modules[index];
    struct module *more = realloc(modules->modules, (count + 1) * sizeof *more);
    if (!more)
        return NULL;
    modules->modules = more;
    struct module *module = &more[count];
    *module = (struct module){modules->next_id, functions, "", find_known(modules, key, functions)};
    for (unsigned i = 0; i < KEY_DIGITS / 2; i++)
        snprintf(module->key + 2 * i, 3, "%02x", (unsigned)(key >> 8 * i & 0xFF));
    modules->next_id += functions;
    return module;
}

/* False: out of memory. */
static bool place_module(struct gnomon_modules *modules, const struct module *module,
                         const struct gnomon_event *loaded) {
    struct placement *more = realloc(modules->placements, (modules->placement_count + 1) * sizeof *more);
    if (!more)
        return false;
    modules->placements = more;
    more[modules->placement_count++] = (struct placement){(size_t)(module - modules->modules), loaded->value,
                                                          modules->range_first, loaded->cycle, UINT64_MAX};
    return true;
}

static void note_gone(struct gnomon_modules *modules, uint32_t first, uint64_t cycle) {
    for (size_t i = modules->placement_count; i > 0; i--) {
        struct placement *placement = &modules->placements[i - 1];
        if (placement->first_number == first && placement->to == UINT64_MAX) {
            placement->to = cycle;
            return;
        }
    }
}

static bool map_numbers(struct gnomon_modules *modules, const struct gnomon_event *loaded) {
    uint32_t first = modules->range_first, functions = modules->range_count;
    if (first < modules->first || first > GNOMON_MAX_FUNCTIONS || functions > GNOMON_MAX_FUNCTIONS - first ||
        modules->next_id > GNOMON_PROFILE_ADDRESS - functions) {
        modules->missing++; /* impossible for a runtime */
        return true;
    }
    const struct module *module = find_module(modules, modules->key, functions);
    if (!module || !cover(modules, first + functions))
        return false;
    for (uint32_t i = 0; i < functions; i++)
        modules->ids[first + i] = module->first_id + i;
    return place_module(modules, module, loaded);
}

/* Handles the last message of a load. The messages before it belong to this load only. */
static bool note_loaded(struct gnomon_modules *modules, const struct gnomon_event *event) {
    uint32_t load = event->number - GNOMON_MODULE_LOADED;
    bool whole = modules->has_key && modules->has_first && modules->has_count;
    modules->missing += (load - modules->loads) % GNOMON_MODULE_LOADS + !whole;
    modules->loads = load + 1;
    modules->has_key = modules->has_first = modules->has_count = false;
    return !whole || map_numbers(modules, event);
}

bool gnomon_modules_note(struct gnomon_modules *modules, const struct gnomon_event *event) {
    const uint32_t what = event->number, value = event->value;
    if (what == GNOMON_MODULE_KEY) {
        modules->key = value;
        modules->has_key = true;
    } else if (what == GNOMON_MODULE_RANGE) {
        modules->range_first = value & 0xFFFF;
        modules->range_count = value >> 16;
        modules->has_first = modules->has_count = true;
    } else if (what == GNOMON_MODULE_FIRST) {
        modules->range_first = value;
        modules->has_first = true;
    } else if (what == GNOMON_MODULE_COUNT) {
        modules->range_count = value;
        modules->has_count = true;
    } else if (what == GNOMON_MODULE_GONE) {
        note_gone(modules, value & 0xFFFF, event->cycle);
    } else if (what == GNOMON_MODULE_GONE_FIRST) {
        note_gone(modules, value, event->cycle);
    } else if (what >= GNOMON_MODULE_LOADED) {
        return note_loaded(modules, event);
    }
    return true;
}

bool gnomon_modules_identify(struct gnomon_modules *modules, uint32_t key, uint32_t functions, uint32_t *id) {
    if (modules->next_id > GNOMON_PROFILE_ADDRESS - functions)
        return false;
    const struct module *module = find_module(modules, key, functions);
    if (module)
        *id = module->first_id;
    return module;
}

uint32_t gnomon_modules_first(const struct gnomon_modules *modules) {
    return modules->first;
}

uint32_t gnomon_modules_id(const struct gnomon_modules *modules, uint32_t number) {
    return number < modules->id_count ? modules->ids[number] : number;
}

const uint32_t *gnomon_modules_ids(const struct gnomon_modules *modules) {
    return modules->ids;
}

struct gnomon_module_function gnomon_modules_function(const struct gnomon_modules *modules, uint32_t id) {
    const struct module *module = modules->modules;
    while (id - module->first_id >= module->functions)
        module++;
    uint32_t number = id - module->first_id;
    const struct known *known = module->known;
    return (struct gnomon_module_function){
        .module = known ? known->name : module->key,
        .build_id = known && known->symbols ? gnomon_symbols_build_id(known->symbols) : "",
        .number = number,
        .function = known && known->symbols ? gnomon_symbols_function(known->symbols, number) : NULL,
    };
}

/* ---- Addresses ---- */

static const struct gnomon_symbols *symbols_of(const struct gnomon_modules *modules,
                                               const struct placement *placement) {
    const struct known *known = modules->modules[placement->module].known;
    return known ? known->symbols : NULL;
}

static const char *name_of(const struct gnomon_modules *modules, const struct placement *placement) {
    const struct module *module = &modules->modules[placement->module];
    return module->known ? module->known->name : module->key;
}

/* Was `address` in this placement? If the module's file is not available, its size is not known. */
static bool can_hold(const struct gnomon_modules *modules, const struct placement *placement, uint32_t address) {
    const struct gnomon_symbols *symbols = symbols_of(modules, placement);
    return address >= placement->base && (!symbols || address - placement->base < gnomon_symbols_end(symbols));
}

static bool at_the_same_time(const struct placement *a, const struct placement *b) {
    return a->from < b->to && b->from < a->to;
}

/* Another module whose code was at `address` at another time than `here`; NULL: there was none. */
static const char *rival(const struct gnomon_modules *modules, const struct placement *here, uint32_t address) {
    for (size_t i = 0; i < modules->placement_count; i++) {
        const struct placement *other = &modules->placements[i];
        bool same = other->module == here->module && other->base == here->base;
        if (!same && !at_the_same_time(here, other) && can_hold(modules, other, address))
            return name_of(modules, other);
    }
    return NULL;
}

struct gnomon_module_place gnomon_modules_at(const struct gnomon_modules *modules, uint32_t address) {
    struct gnomon_module_place place = {0};
    for (size_t i = 0; i < modules->placement_count && modules->missing == 0; i++) {
        const struct placement *here = &modules->placements[i];
        const struct gnomon_symbols *symbols = symbols_of(modules, here);
        if (!symbols || !can_hold(modules, here, address))
            continue;
        place = (struct gnomon_module_place){.module = name_of(modules, here),
                                             .other = rival(modules, here, address),
                                             .base = here->base,
                                             .symbols = symbols};
        for (size_t n = 0; n < modules->placement_count; n++)
            place.elsewhere |=
                modules->placements[n].module == here->module && modules->placements[n].base != here->base;
        place.function = place.other ? NULL : gnomon_symbols_at(symbols, address - here->base);
        return place;
    }
    return place;
}

bool gnomon_modules_named(const struct gnomon_modules *modules, const char *name, size_t *cursor,
                          struct gnomon_module_place *place) {
    while (*cursor < modules->placement_count) {
        const struct placement *here = &modules->placements[(*cursor)++];
        const struct gnomon_symbols *symbols = symbols_of(modules, here);
        bool again = false;
        uint32_t start;
        for (size_t i = 0; i + 1 < *cursor && !again; i++)
            again = modules->placements[i].module == here->module && modules->placements[i].base == here->base;
        if (again || !symbols || gnomon_symbols_named(symbols, name, &start, 1) != 1)
            continue;
        *place = gnomon_modules_at(modules, here->base + start);
        if (place->function)
            return true;
    }
    return false;
}

const char *gnomon_modules_unknown(const struct gnomon_modules *modules) {
    for (uint32_t i = 0; i < modules->map.count; i++)
        if (!modules->modules[i].known)
            return modules->modules[i].key;
    return NULL;
}

uint64_t gnomon_modules_missing(const struct gnomon_modules *modules) {
    return modules->missing;
}
