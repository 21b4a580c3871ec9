/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions of source lines, from DWARF's line table. */
#include <dwarf.h>
#include <string.h>

#include "tag_target.h"

/* What is looked for, and what was seen on the way. */
struct search {
    const struct gnomon_tag_program *program;
    const char *file;
    unsigned first, last;
    struct gnomon_tag_target *target;
    const char *path;  /* the whole one that fits `file`; NULL: none yet */
    const char *other; /* another one that fits; NULL: there is none */
    unsigned next;     /* the first line behind `last` that has code; 0: none */
    bool memory;
};

/* Does a path end with what was asked for, from one of its folders on? */
static bool ends_with(const char *path, const char *file) {
    size_t length = strlen(path), size = strlen(file);
    return length >= size && strcmp(path + length - size, file) == 0 &&
           (length == size || *file == '/' || path[length - size - 1] == '/');
}

/* "src/./a.c" and "src/a.c" are one file: the parts of a path that do nothing are left out in both. */
static bool same_path(const char *a, const char *b) {
    for (;;) {
        while (a[0] == '.' && a[1] == '/')
            a += 2;
        while (b[0] == '.' && b[1] == '/')
            b += 2;
        size_t left = strcspn(a, "/"), right = strcspn(b, "/");
        if (left != right || strncmp(a, b, left) != 0)
            return false;
        a += left;
        b += right;
        if (!*a || !*b)
            return *a == *b;
        a++;
        b++;
    }
}

static void look_at(struct search *search, Dwarf_Line *line, Dwarf_Line *behind) {
    const char *path = dwarf_linesrc(line, NULL, NULL);
    Dwarf_Addr start = 0, end = 0;
    bool ends = true;
    int number = 0;
    if (!path || dwarf_lineendsequence(line, &ends) != 0 || ends || dwarf_lineno(line, &number) != 0 ||
        dwarf_lineaddr(line, &start) != 0 || dwarf_lineaddr(behind, &end) != 0 || start >= end || number <= 0 ||
        !ends_with(path, search->file))
        return;
    /* The linker leaves the lines of code that it has dropped, at addresses from 0 on. */
    if (end > UINT32_MAX || !gnomon_tag_is_code(search->program, (uint32_t)start) ||
        !gnomon_tag_is_code(search->program, (uint32_t)end - 1))
        return;
    if (!search->path)
        search->path = path;
    else if (!same_path(search->path, path))
        search->other = path;
    unsigned at = (unsigned)number;
    if (at > search->last && (search->next == 0 || at < search->next))
        search->next = at;
    if (at >= search->first && at <= search->last)
        search->memory &= gnomon_tag_add(search->target, (uint32_t)start, (uint32_t)end);
}

static void look_at_unit(struct search *search, Dwarf_Die *unit) {
    Dwarf_Lines *lines;
    size_t count;
    if (dwarf_getsrclines(unit, &lines, &count) != 0)
        return;
    for (size_t i = 0; i + 1 < count; i++)
        look_at(search, dwarf_onesrcline(lines, i), dwarf_onesrcline(lines, i + 1));
}

static enum gnomon_status judge(const struct search *search, struct gnomon_error *error) {
    if (!search->memory)
        return gnomon_fail_memory(error);
    if (!search->path) {
        gnomon_fail(error, GNOMON_ERR_NOT_FOUND, "%s has no code of a file %s", search->program->path, search->file);
        return gnomon_remedy(error, GNOMON_ERR_NOT_FOUND,
                             search->program->dwarf ? "give the end of the path that it was compiled by"
                                                    : "compile it with -g: nothing says what lines its code is of");
    }
    if (search->other) {
        gnomon_fail(error, GNOMON_ERR_ARGUMENT, "%s has code of several files %s", search->program->path, search->file);
        return gnomon_remedy(error, GNOMON_ERR_ARGUMENT, "say which with its folders: %s or %s", search->path,
                             search->other);
    }
    if (search->target->count > 0)
        return GNOMON_OK;
    gnomon_fail(error, GNOMON_ERR_NOT_FOUND, "%s: the line%s no code", search->target->what,
                search->first == search->last ? " has" : "s have");
    if (search->next)
        return gnomon_remedy(error, GNOMON_ERR_NOT_FOUND, "the next line that has is %s:%u", search->file,
                             search->next);
    return gnomon_remedy(error, GNOMON_ERR_NOT_FOUND, "no line behind has any");
}

enum gnomon_status gnomon_tag_find_lines(const struct gnomon_tag_program *program, const char *file, unsigned first,
                                         unsigned last, struct gnomon_tag_target *target, struct gnomon_error *error) {
    struct search search = {
        .program = program, .file = file, .first = first, .last = last, .target = target, .memory = true};
    while (file[0] == '.' && file[1] == '/') /* a compiler may have left it out */
        search.file = file += 2;
    Dwarf_CU *unit = NULL;
    Dwarf_Half version;
    uint8_t type;
    Dwarf_Die die;
    while (program->dwarf && dwarf_get_units(program->dwarf, unit, &unit, &version, &type, &die, NULL) == 0)
        if (type == DW_UT_compile)
            look_at_unit(&search, &die);
    gnomon_tag_sort(target);
    return judge(&search, error);
}
