/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the instructions of source lines in DWARF's line table. */
#include <dwarf.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "lib/tag/tag_target.h"

/* The search, and what it has found so far. */
struct search {
    const struct gnomon_tag_program *program;
    const char *file;
    unsigned first, last;
    struct gnomon_tag_target *target;
    char path[PATH_MAX];         /* the full path that fits `file`; "": none yet */
    char other[PATH_MAX];        /* another path that fits; "": none */
    const char *folder, *source; /* folder of the unit; the unit's path that was checked last */
    char joined[PATH_MAX];       /* `source` as a full path: relative paths start at the unit's folder */
    bool fits;                   /* `joined` fits `file` */
    unsigned next;               /* the first line after `last` that has code; 0: none */
    bool memory;
};

/* The next folder or file name of a path, without parts that have no effect; "" at its end. */
static const char *next_part(const char **path, size_t *length) {
    const char *part;
    do {
        while (**path == '/')
            (*path)++;
        part = *path;
        *length = strcspn(part, "/");
        *path += *length;
    } while (*length == 1 && *part == '.');
    return part;
}

/* Are two paths the same? "src/./a.c" and "src//a.c" are. */
static bool same_path(const char *a, const char *b) {
    for (;;) {
        size_t left, right;
        const char *of_a = next_part(&a, &left), *of_b = next_part(&b, &right);
        if (left != right || strncmp(of_a, of_b, left) != 0)
            return false;
        if (left == 0)
            return true;
    }
}

/* Does `path` end with `file`, at a folder boundary? */
static bool ends_with(const char *path, const char *file) {
    if (*file == '/')
        return *path == '/' && same_path(path, file);
    for (size_t length; *path; next_part(&path, &length))
        if (same_path(path, file))
            return true;
    return false;
}

/* Is the line in the file of the search? Consecutive lines are mostly in the same file. */
static bool is_of_file(struct search *search, Dwarf_Line *line) {
    const char *source = dwarf_linesrc(line, NULL, NULL);
    if (source == search->source)
        return search->fits;
    search->source = source;
    bool relative = source && *source != '/' && search->folder;
    int length = snprintf(search->joined, sizeof search->joined, "%s%s%s", relative ? search->folder : "",
                          relative ? "/" : "", source ? source : "");
    search->fits = source && length < (int)sizeof search->joined && ends_with(search->joined, search->file);
    return search->fits;
}

static void look_at(struct search *search, Dwarf_Line *line, Dwarf_Line *after) {
    Dwarf_Addr start = 0, end = 0;
    bool ends = true;
    int number = 0;
    if (!is_of_file(search, line) || dwarf_lineendsequence(line, &ends) != 0 || ends ||
        dwarf_lineno(line, &number) != 0 || dwarf_lineaddr(line, &start) != 0 || dwarf_lineaddr(after, &end) != 0 ||
        start >= end || number <= 0)
        return;
    /* Lines of code that the linker has dropped remain in the table, at addresses from 0 on. */
    if (end > UINT32_MAX || !gnomon_tag_is_code(search->program, (uint32_t)start))
        return;
    if (!*search->path)
        snprintf(search->path, sizeof search->path, "%s", search->joined);
    else if (!*search->other && !same_path(search->path, search->joined))
        snprintf(search->other, sizeof search->other, "%s", search->joined);
    unsigned at = (unsigned)number;
    if (at > search->last && (search->next == 0 || at < search->next))
        search->next = at;
    if (at >= search->first && at <= search->last)
        search->memory &= gnomon_tag_add(search->target, (uint32_t)start, (uint32_t)end);
}

static void look_at_unit(struct search *search, Dwarf_Die *unit) {
    Dwarf_Lines *lines;
    size_t count;
    Dwarf_Attribute folder;
    search->folder = dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &folder));
    search->source = NULL;
    search->fits = false;
    if (dwarf_getsrclines(unit, &lines, &count) != 0)
        return;
    for (size_t i = 0; i + 1 < count; i++)
        look_at(search, dwarf_onesrcline(lines, i), dwarf_onesrcline(lines, i + 1));
}

static enum gnomon_status judge(const struct search *search, struct gnomon_error *error) {
    if (!search->memory)
        return gnomon_fail_memory(error);
    if (!*search->path) {
        gnomon_fail(error, GNOMON_ERR_NOT_FOUND, "%s has no code of a file %s", search->program->path, search->file);
        return gnomon_remedy(error, GNOMON_ERR_NOT_FOUND,
                             search->program->dwarf ? "give the end of the path that it was compiled by"
                                                    : "compile it with -g: it has no line numbers");
    }
    if (*search->other) {
        gnomon_fail(error, GNOMON_ERR_ARGUMENT, "%s has code of several files %s", search->program->path, search->file);
        return gnomon_remedy(error, GNOMON_ERR_ARGUMENT, "say which with its folders: %s or %s", search->path,
                             search->other);
    }
    if (search->target->count > 0)
        return GNOMON_OK;
    gnomon_fail(error, GNOMON_ERR_NOT_FOUND, "%s: the line%s no code", search->target->what,
                search->first == search->last ? " has" : "s have");
    if (search->next)
        return gnomon_remedy(error, GNOMON_ERR_NOT_FOUND, "the next line with code is %s:%u", search->file,
                             search->next);
    return gnomon_remedy(error, GNOMON_ERR_NOT_FOUND, "no later line of the file has code");
}

enum gnomon_status gnomon_tag_find_lines(const struct gnomon_tag_program *program, const char *file, unsigned first,
                                         unsigned last, struct gnomon_tag_target *target, struct gnomon_error *error) {
    struct search search = {
        .program = program, .file = file, .first = first, .last = last, .target = target, .memory = true};
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
