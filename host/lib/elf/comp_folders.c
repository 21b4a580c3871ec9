/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/elf/comp_folders.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/util/array.h"

/* False: out of memory. */
static bool add(struct gnomon_comp_folders *folders, const char *path) {
    for (size_t i = 0; i < folders->count; i++)
        if (!strcmp(folders->paths[i], path))
            return true;
    if (!gnomon_array_room(&folders->paths, &folders->room, folders->count + 1, sizeof *folders->paths))
        return false;
    char *copy = strdup(path);
    folders->paths[folders->count] = copy;
    folders->count += copy != NULL;
    return copy;
}

static bool add_all(struct gnomon_comp_folders *folders, Dwarf *dwarf) {
    Dwarf_CU *unit = NULL;
    Dwarf_Half version;
    Dwarf_Attribute attribute;
    Dwarf_Die die;
    uint8_t type;
    bool good = true;
    while (good && dwarf_get_units(dwarf, unit, &unit, &version, &type, &die, NULL) == 0) {
        const char *path = dwarf_formstring(dwarf_attr(&die, DW_AT_comp_dir, &attribute));
        good = !path || add(folders, path);
    }
    return good;
}

enum gnomon_status gnomon_comp_folders_read(struct gnomon_comp_folders *folders, const char *path,
                                            struct gnomon_error *error) {
    *folders = (struct gnomon_comp_folders){0};
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return gnomon_fail_errno(error, GNOMON_ERR_SYSTEM, "cannot open %s", path);
    Dwarf *dwarf = dwarf_begin(fd, DWARF_C_READ);
    const bool good = !dwarf || add_all(folders, dwarf);
    dwarf_end(dwarf);
    close(fd);
    return good ? GNOMON_OK : gnomon_fail_memory(error);
}

void gnomon_comp_folders_free(struct gnomon_comp_folders *folders) {
    for (size_t i = 0; i < folders->count; i++)
        free(folders->paths[i]);
    free(folders->paths);
    *folders = (struct gnomon_comp_folders){0};
}
