/* SPDX-License-Identifier: Apache-2.0 */
/* Text of source files. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "lib/ui/ui_internal.h"
#include "lib/util/file.h"

#define LINE_BYTES 1024 /* the rest of a longer line is left out */
#define TAB 8

/* ---- Lines ---- */

static void put_line(FILE *stream, const char *at, size_t length) {
    char line[LINE_BYTES];
    size_t used = 0;
    for (size_t i = 0; i < length && used + TAB < sizeof line; i++)
        if (at[i] == '\t')
            do
                line[used++] = ' ';
            while (used % TAB);
        else if (at[i] && at[i] != '\r')
            line[used++] = at[i];
    line[used] = '\0';
    ui_put_text(stream, line);
}

void ui_put_lines(FILE *stream, const uint8_t *data, size_t size, unsigned first, unsigned last) {
    const char *at = (const char *)data, *const end = at + size;
    fputc('[', stream);
    for (unsigned number = 1; at < end && number <= last; number++) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        const size_t length = (size_t)((newline ? newline : end) - at);
        if (number >= first) {
            fputs(number == first ? "" : ",", stream);
            put_line(stream, at, length);
        }
        at += length + 1;
    }
    fputc(']', stream);
}

/* ---- Excerpts ---- */

#define BEFORE 2 /* lines around that of a declaration */
#define AFTER 20

/* A profile can come from others and name any file: only source files are read. */
static bool is_source(const char *path) {
    static const char *const endings[] = {".c",   ".h",   ".cc",  ".cpp", ".cxx", ".hh", ".hpp",
                                          ".hxx", ".ipp", ".inc", ".inl", ".s",   ".rs"};
    const char *ending = strrchr(path, '.');
    struct stat status;
    for (size_t i = 0; ending && i < sizeof endings / sizeof *endings; i++)
        if (!strcasecmp(ending, endings[i]))
            return !stat(path, &status) && S_ISREG(status.st_mode);
    return false;
}

static int by_place(const void *left, const void *right) {
    const struct gnomon_api_row *a = *(const struct gnomon_api_row *const *)left;
    const struct gnomon_api_row *b = *(const struct gnomon_api_row *const *)right;
    const int order = strcmp(a->file, b->file);
    return order ? order : a->line < b->line ? -1 : a->line > b->line;
}

/* Returns whether it is not the first. */
static bool put_excerpt(FILE *stream, const struct gnomon_api_row *row, const uint8_t *data, size_t size, bool more) {
    const unsigned from = row->line > BEFORE ? row->line - BEFORE : 1;
    fprintf(stream, "%s{\"file\":", more ? "," : "");
    ui_put_text(stream, row->file);
    fprintf(stream, ",\"line\":%u,\"from\":%u,\"text\":", row->line, from);
    ui_put_lines(stream, data, size, from, row->line + AFTER);
    fputc('}', stream);
    return true;
}

static void put_excerpts(FILE *stream, struct gnomon_api_row *const *rows, size_t count) {
    bool more = false;
    for (size_t first = 0, after; first < count; first = after) {
        uint8_t *data = NULL;
        size_t size = 0;
        const char *const file = rows[first]->file;
        const bool read = is_source(file) && !gnomon_read_file(file, &data, &size, NULL);
        for (after = first; after < count && !strcmp(file, rows[after]->file); after++)
            if (read && rows[after]->line && (after == first || rows[after]->line != rows[after - 1]->line))
                more = put_excerpt(stream, rows[after], data, size, more);
        free(data);
    }
}

bool ui_put_excerpts(const struct gnomon_api_profile *profile, FILE *stream) {
    size_t count;
    struct gnomon_api_row **rows = gnomon_api_profile_rows(profile, &count);
    if (!rows)
        return false;
    qsort(rows, count, sizeof *rows, by_place);
    ui_begin(stream, "excerpts");
    fputc('[', stream);
    put_excerpts(stream, rows, count);
    fputc(']', stream);
    ui_end(stream);
    free(rows);
    return true;
}
