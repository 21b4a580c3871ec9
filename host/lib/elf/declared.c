/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/elf/declared.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DEEPEST 32 /* namespaces and classes in each other */

struct reading {
    struct gnomon_name_set *declared;
    const char *const *headers;
    size_t count;
    bool *found; /* for each header: a unit names it */
};

bool gnomon_ends_path(const char *path, const char *end) {
    const size_t length = strlen(path), size = strlen(end);
    return size <= length && !strcmp(path + length - size, end) && (size == length || path[length - size - 1] == '/');
}

static bool from_headers(const struct reading *reading, const char *file) {
    bool from = false;
    for (size_t i = 0; file && i < reading->count; i++)
        if (gnomon_ends_path(file, reading->headers[i]))
            from = reading->found[i] = true;
    return from;
}

static bool take(const struct reading *reading, Dwarf_Die *die) {
    Dwarf_Attribute attribute;
    const char *linkage = dwarf_formstring(dwarf_attr(die, DW_AT_linkage_name, &attribute));
    const char *name = linkage ? linkage : dwarf_diename(die);
    if (dwarf_tag(die) != DW_TAG_subprogram || !name || !dwarf_hasattr(die, DW_AT_external) ||
        !from_headers(reading, dwarf_decl_file(die)))
        return true;
    return gnomon_name_set_add(reading->declared, name);
}

static bool holds_functions(int tag) {
    return tag == DW_TAG_namespace || tag == DW_TAG_class_type || tag == DW_TAG_structure_type;
}

/* The entries of a unit, and of what its namespaces and classes hold. */
static bool take_entries(const struct reading *reading, Dwarf_Die *parent, unsigned depth) {
    Dwarf_Die die;
    Dwarf_Off before = 0; /* a damaged file can lead back */
    if (depth > DEEPEST || dwarf_child(parent, &die) != 0)
        return true;
    do {
        if (!take(reading, &die) || (holds_functions(dwarf_tag(&die)) && !take_entries(reading, &die, depth + 1)))
            return false;
        before = dwarf_dieoffset(&die);
    } while (dwarf_siblingof(&die, &die) == 0 && dwarf_dieoffset(&die) > before);
    return true;
}

static bool take_all(const struct reading *reading, Dwarf *dwarf) {
    Dwarf_CU *unit = NULL;
    Dwarf_Half version;
    Dwarf_Die die;
    uint8_t type;
    bool good = true;
    while (good && dwarf_get_units(dwarf, unit, &unit, &version, &type, &die, NULL) == 0)
        good = take_entries(reading, &die, 0);
    return good;
}

static enum gnomon_status check(const struct reading *reading, const char *path, struct gnomon_error *error) {
    for (size_t i = 0; i < reading->count; i++)
        if (!reading->found[i]) {
            gnomon_fail(error, GNOMON_ERR_NOT_FOUND, "%s calls no function that %s declares", path,
                        reading->headers[i]);
            return gnomon_remedy(error, GNOMON_ERR_NOT_FOUND,
                                 "compile what calls the library with -g and -O1 or more, or name the functions");
        }
    return GNOMON_OK;
}

enum gnomon_status gnomon_declared_read(struct gnomon_name_set *declared, const char *path, const char *const *headers,
                                        size_t count, struct gnomon_error *error) {
    struct reading reading = {
        .declared = declared, .headers = headers, .count = count, .found = calloc(count + 1, sizeof *reading.found)};
    *declared = (struct gnomon_name_set){0};
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || !reading.found) {
        free(reading.found);
        return gnomon_fail_errno(error, GNOMON_ERR_SYSTEM, "cannot open %s", path);
    }
    Dwarf *dwarf = dwarf_begin(fd, DWARF_C_READ);
    enum gnomon_status status = GNOMON_OK;
    if (dwarf && !take_all(&reading, dwarf))
        status = gnomon_fail_memory(error);
    dwarf_end(dwarf);
    close(fd);
    gnomon_name_set_sort(declared);
    if (!status)
        status = check(&reading, path, error);
    free(reading.found);
    return status;
}
