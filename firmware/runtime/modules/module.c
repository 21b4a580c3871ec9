/* SPDX-License-Identifier: Apache-2.0 */
#include <gnomon_module.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <gnomon.h>
#include <gnomon/trace.h>

#include "internal.h"
#include "module_elf.h"
#include "module_numbers.h"
#include "module_tags.h"

enum { ALIGN = 16 };

struct gnomon_module {
    struct module_dynamic dynamic;
    struct module_tags tags;
    struct number_range *numbers; /* NULL if no function of the module is profiled, or if records are in memory */
};

extern const struct gnomon_export __gnomon_exports[], __gnomon_exports_end[];

static char reason[160];
static uint32_t loads;

const char *gnomon_module_error(void) {
    return reason;
}

static void append(const char *text) {
    const size_t used = strlen(reason), room = sizeof reason - 1 - used;
    strncat(reason, text, room);
}

bool __gnomon_module_fail(const char *what, const char *which) {
    reason[0] = 0;
    append(what);
    if (which) {
        append(": ");
        append(which);
    }
    return false;
}

/* ---- Messages to the profiler ---- */

/* Sends a word; the instruction is a half-word store. */
static void tell(unsigned what, uint32_t value) {
    const uintptr_t top = -(uintptr_t)2;
    __asm__ volatile("sh %0, 0(%1)" ::"r"(value), "r"(top - 2 * what) : "memory");
}

/* True if first number and count fit into one message. */
static bool is_short(const struct number_range *numbers) {
    return numbers->first <= UINT16_MAX && numbers->count <= UINT16_MAX;
}

static void tell_range(const struct number_range *numbers) {
    if (is_short(numbers)) {
        tell(GNOMON_MODULE_RANGE, numbers->first | numbers->count << 16);
    } else {
        tell(GNOMON_MODULE_FIRST, numbers->first);
        tell(GNOMON_MODULE_COUNT, numbers->count);
    }
}

static void tell_gone(const struct number_range *numbers) {
    if (is_short(numbers))
        tell(GNOMON_MODULE_GONE, numbers->first | numbers->count << 16);
    else
        tell(GNOMON_MODULE_GONE_FIRST, numbers->first);
}

static void tell_loaded(const struct gnomon_module *module) {
    const uint8_t *key = module->numbers->key;
    tell(GNOMON_MODULE_KEY, key[0] | key[1] << 8 | key[2] << 16 | (uint32_t)key[3] << 24);
    tell_range(module->numbers);
    tell(GNOMON_MODULE_LOADED + loads++ % GNOMON_MODULE_LOADS, (uint32_t)(uintptr_t)module->dynamic.image);
}

/* ---- Loading ---- */

static const void *resolve(const char *name) {
    static const struct gnomon_export always[] = {
        {"memcpy", memcpy}, {"memmove", memmove}, {"memset", memset}, {"memcmp", memcmp}};
    for (unsigned i = 0; i < sizeof always / sizeof *always; i++)
        if (strcmp(always[i].name, name) == 0)
            return always[i].address;
    if (strcmp(name, "errno") == 0)
        return &errno;
    for (const struct gnomon_export *export = __gnomon_exports; export < __gnomon_exports_end; export ++)
        if (strcmp(export->name, name) == 0)
            return export->address;
    return NULL;
}

/* With records in memory, the hooks need an array instead of numbers for the profiler. */
static bool adopt(const struct module_file *file, struct gnomon_module *module, uint32_t *ends) {
    if (!__gnomon_records_adopt)
        return __gnomon_module_fail(
            "it keeps records in memory, and the program does not: --gnomon-records is for both", NULL);
    if (!__gnomon_records_adopt(file->key, file->functions, ends))
        return __gnomon_module_fail("no memory for its records", NULL);
    return __gnomon_module_number(file, module->dynamic.image, 0);
}

static bool number(const struct module_file *file, struct gnomon_module *module) {
    if (file->functions == 0)
        return true;
    uint32_t *ends = __gnomon_module_find(&module->dynamic, "__gnomon_module_ends");
    if (ends)
        return adopt(file, module, ends);
    const bool near = __gnomon_module_is_near(file);
    module->numbers = __gnomon_numbers_take(file->key, file->functions, near);
    if (!module->numbers)
        return __gnomon_module_fail(near ? "no numbers are left that its hooks reach: compile it with --gnomon-module"
                                         : "no numbers are left for its functions",
                                    NULL);
    return __gnomon_module_number(file, module->dynamic.image, module->numbers->first);
}

static void discard(struct gnomon_module *module) {
    __gnomon_module_untag(&module->tags);
    if (module->numbers)
        __gnomon_numbers_release(module->numbers);
    free(module->dynamic.image);
    free(module);
}

static bool prepare(const struct module_file *file, struct gnomon_module *module) {
    uint8_t *image = aligned_alloc(ALIGN, (file->image_bytes + ALIGN - 1) / ALIGN * ALIGN);
    if (!image)
        return __gnomon_module_fail("no memory for it", NULL);
    module->dynamic.image = image;
    return __gnomon_module_place(file, image, &module->dynamic) && number(file, module) &&
           __gnomon_module_relocate(&module->dynamic, resolve) &&
           __gnomon_module_tag(file, image, &module->tags); /* last: what the loader stores is not counted */
}

struct gnomon_module *gnomon_module_load(const void *bytes, size_t size) {
    struct module_file file;
    if (!__gnomon_module_check(&file, bytes, size))
        return NULL;
    struct gnomon_module *module = calloc(1, sizeof *module);
    if (!module) {
        __gnomon_module_fail("no memory for it", NULL);
        return NULL;
    }
    if (!prepare(&file, module)) {
        discard(module);
        return NULL;
    }
    __asm__ volatile("fence.i" ::: "memory");
    if (module->numbers)
        tell_loaded(module);
    for (uint32_t i = 0; i < module->dynamic.constructor_count; i++)
        module->dynamic.constructors[i]();
    return module;
}

struct gnomon_module *gnomon_module_open(const char *name) {
    size_t size;
    const void *there = __gnomon_file_data(name, &size);
    if (there)
        return gnomon_module_load(there, size);
    void *bytes = gnomon_fetch(name, &size);
    if (!bytes) {
        __gnomon_module_fail(errno == ENOENT ? "there is no such file, here or with the host (--put, --offer)"
                                             : "no memory for the file",
                             name);
        return NULL;
    }
    struct gnomon_module *module = gnomon_module_load(bytes, size);
    free(bytes);
    return module;
}

void gnomon_module_unload(struct gnomon_module *module) {
    for (uint32_t i = module->dynamic.destructor_count; i > 0; i--)
        module->dynamic.destructors[i - 1]();
    if (module->numbers)
        tell_gone(module->numbers);
    discard(module);
}

void *gnomon_module_symbol(const struct gnomon_module *module, const char *name) {
    void *address = __gnomon_module_find(&module->dynamic, name);
    if (!address)
        __gnomon_module_fail("it has no such symbol", name);
    return address;
}
