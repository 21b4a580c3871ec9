/* SPDX-License-Identifier: Apache-2.0 */
#include "modules.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile.h"
#include "profile_map.h"

#define KEY_DIGITS 8

/* A file that was at hand when the trace was recorded, or is now. */
struct known {
    uint32_t key;
    char *name;
    struct gnomon_symbols *symbols; /* NULL: not at hand */
};

/* A module that was loaded: one build of it, however often. */
struct module {
    uint32_t first_id, functions;
    char key[KEY_DIGITS + 1];
    const struct known *known; /* NULL: a file that nobody has named */
};

struct gnomon_modules {
    struct known **known;
    size_t known_count;
    struct profile_map map; /* by key and number of functions */
    struct module *modules;
    uint32_t first, next_id;
    uint32_t *ids; /* by number, id_count of them; those of higher numbers are the numbers */
    uint32_t id_count;
    uint32_t key, range_first, range_count; /* of the load that is being told, */
    bool has_key, has_first, has_count;     /* as far as it was */
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
    free(modules->ids);
    profile_map_free(&modules->map);
    free(modules);
}

/* ---- Files ---- */

/* The first four bytes of a build id in hex digits, the first in the low byte. */
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

static const char *last_part(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

json_t *gnomon_modules_describe(const char *path) {
    struct gnomon_symbols *symbols;
    if (gnomon_symbols_load(&symbols, path, NULL))
        return NULL;
    json_t *json = NULL;
    if (gnomon_symbols_is_module(symbols))
        json = json_pack("{s:s, s:s}", "path", path, "build_id", gnomon_symbols_build_id(symbols));
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
    if (symbols && strcmp(gnomon_symbols_build_id(symbols), build_id) != 0) { /* built anew since */
        gnomon_symbols_free(symbols);
        symbols = NULL;
    }
    return add_known(modules, last_part(name), key_of(build_id), symbols);
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
    bool good = add_known(modules, last_part(path), key_of(gnomon_symbols_build_id(symbols)), symbols);
    return good ? GNOMON_OK : gnomon_fail_memory(error);
}

/* Those that are at hand first. */
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

static bool map_numbers(struct gnomon_modules *modules) {
    uint32_t first = modules->range_first, functions = modules->range_count;
    if (first < modules->first || first > GNOMON_MAX_FUNCTIONS || functions > GNOMON_MAX_FUNCTIONS - first ||
        modules->next_id > GNOMON_PROFILE_ADDRESS - functions) {
        modules->missing++; /* no runtime says so */
        return true;
    }
    const struct module *module = find_module(modules, modules->key, functions);
    if (!module || !cover(modules, first + functions))
        return false;
    for (uint32_t i = 0; i < functions; i++)
        modules->ids[first + i] = module->first_id + i;
    return true;
}

/* The last message of a load. What was told before it belongs to no other. */
static bool note_loaded(struct gnomon_modules *modules, uint32_t load) {
    bool whole = modules->has_key && modules->has_first && modules->has_count;
    modules->missing += (load - modules->loads) % GNOMON_MODULE_LOADS + !whole;
    modules->loads = load + 1;
    modules->has_key = modules->has_first = modules->has_count = false;
    return !whole || map_numbers(modules);
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
    } else if (what >= GNOMON_MODULE_LOADED) {
        return note_loaded(modules, what - GNOMON_MODULE_LOADED);
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
        .number = number,
        .function = known && known->symbols ? gnomon_symbols_function(known->symbols, number) : NULL,
    };
}

uint64_t gnomon_modules_missing(const struct gnomon_modules *modules) {
    return modules->missing;
}
