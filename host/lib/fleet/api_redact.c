/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/fleet/api_redact.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "lib/util/json_text.h"

#define LONGEST 1024 /* bytes of a text: linker's names of C++ can be long, and a service has a limit */

/* ---- Texts ---- */

/* Without control characters, and UTF-8. */
static bool is_text(const char *text) {
    if (strlen(text) > LONGEST)
        return false;
    for (size_t bytes; *text; text += bytes) {
        bytes = gnomon_utf8_bytes(text);
        if (!bytes || (unsigned char)*text < 0x20 || *text == 0x7F)
            return false;
    }
    return true;
}

static bool has_separator(const char *text) {
    return strpbrk(text, "/\\");
}

bool gnomon_api_redact_name_fits(const char *name) {
    return is_text(name) && !has_separator(name) && strcmp(name, ".") != 0 && strcmp(name, "..") != 0;
}

static bool build_fits(const char *build) {
    return strlen(build) <= LONGEST && !build[strspn(build, "0123456789abcdefABCDEF")];
}

/* GCC makes names of constructors of a file's path, if the file defines no function that others can see. */
bool gnomon_api_redact_function_fits(const char *function) {
    return is_text(function) && !has_separator(function) && strncmp(function, "_GLOBAL__", 9) != 0;
}

/* ---- Paths ---- */

/* Below these folders are the users'. */
static bool holds_users(const char *part, size_t length) {
    static const char *const folders[] = {"home", "users", "root"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        if (strlen(folders[i]) == length && !strncasecmp(part, folders[i], length))
            return true;
    return false;
}

static bool is_windows(const char *path) {
    return strchr(path, '\\') ||
           (((path[0] >= 'A' && path[0] <= 'Z') || (path[0] >= 'a' && path[0] <= 'z')) && path[1] == ':');
}

/* Relative, each part a name, and no folder of users on the way. */
static bool path_fits(const char *path) {
    if (!is_text(path) || is_windows(path))
        return false;
    for (const char *part = path; *path;) {
        const size_t length = strcspn(part, "/");
        if (!length || !strncmp(part, "..", length) || (part[length] && holds_users(part, length)))
            return false; /* "." and "..", too */
        if (!part[length])
            break;
        part += length + 1;
    }
    return true;
}

static char *name_of(const char *path) {
    const char *name = path;
    for (const char *at = path; *at; at++)
        if (*at == '/' || *at == '\\' || (*at == ':' && is_windows(path)))
            name = at + 1;
    return strdup(path_fits(name) ? name : "");
}

/* Takes "." and "NAME/.." out of a path. False: it leads above where it begins. */
static bool shorten(char *path) {
    char *to = path; /* the end of what is kept: never beyond `part` */
    for (const char *part = path; *part;) {
        const size_t length = strcspn(part, "/");
        const bool up = length == 2 && !strncmp(part, "..", 2);
        if (up && to == path)
            return false;
        if (up) {
            while (to > path && *--to != '/')
                ;
        } else if (length && !(length == 1 && *part == '.')) {
            if (to > path)
                *to++ = '/';
            memmove(to, part, length);
            to += length;
        }
        part += length + (part[length] != '\0');
    }
    *to = '\0';
    return *path;
}

/* What is below the folder; NULL: it is not, or the folder is one that has the users' own. */
static const char *below(const char *file, const char *folder) {
    size_t length = strlen(folder);
    while (length && folder[length - 1] == '/')
        length--;
    size_t last = length;
    while (last && folder[last - 1] != '/')
        last--;
    if (last <= 1 || holds_users(folder + last, length - last)) /* right below "/": what follows may be a name */
        return NULL;
    if (strncmp(file, folder, length) != 0 || file[length] != '/')
        return NULL;
    file += length;
    return file + strspn(file, "/");
}

char *gnomon_api_redact_path(const char *file, const struct gnomon_api_redaction *redaction) {
    const char *rest = file[0] == '/' ? NULL : file;
    for (size_t i = 0; i < redaction->folder_count && !rest; i++)
        rest = below(file, redaction->folders[i]);
    if (!rest || is_windows(rest))
        return name_of(file);
    char *path = strdup(rest);
    if (path && shorten(path) && path_fits(path))
        return path;
    free(path);
    return path ? name_of(file) : NULL;
}

/* ---- Profiles ---- */

struct copy {
    const struct gnomon_api_redaction *redaction;
    struct gnomon_api_profile *to;
};

/* The caller frees it; NULL: out of memory. */
static char *program_of(const struct copy *copy, const char *program) {
    return copy->redaction->program ? strdup(copy->redaction->program) : name_of(program);
}

/* NULL: out of memory. */
static struct gnomon_api_source *source_for(const struct copy *copy, const struct gnomon_api_source *from) {
    char *program = program_of(copy, from->program), *scenario = name_of(from->scenario),
         *device = name_of(from->device);
    struct gnomon_api_source *source = NULL;
    struct gnomon_api_source wanted = *from;
    wanted.program = program;
    wanted.scenario = scenario;
    wanted.device = device;
    wanted.build = build_fits(from->build) ? from->build : "";
    if (program && scenario && device)
        source = gnomon_api_profile_source(copy->to, &wanted);
    free(program);
    free(scenario);
    free(device);
    return source;
}

/* False: out of memory. */
static bool add_row(const struct copy *copy, const struct gnomon_api_row *from) {
    if (!gnomon_api_redact_function_fits(from->function) || !gnomon_api_redact_name_fits(from->cost))
        return true;
    const bool own = !strcmp(from->module, from->source->program);
    char *module = own ? program_of(copy, from->module) : name_of(from->module),
         *file = gnomon_api_redact_path(from->file, copy->redaction);
    struct gnomon_api_row wanted = *from, *row = NULL;
    wanted.source = source_for(copy, from->source);
    wanted.module = module;
    wanted.file = file;
    wanted.build = build_fits(from->build) ? from->build : "";
    if (module && file && wanted.source)
        row = gnomon_api_profile_row(copy->to, &wanted);
    const bool good = row && gnomon_api_row_join(row, from);
    free(module);
    free(file);
    return good;
}

struct gnomon_api_profile *gnomon_api_redact(const struct gnomon_api_profile *profile,
                                             const struct gnomon_api_redaction *redaction) {
    size_t source_count = 0, row_count = 0;
    const struct copy copy = {.redaction = redaction, .to = gnomon_api_profile_new()};
    struct gnomon_api_source **sources = gnomon_api_profile_sources(profile, &source_count);
    struct gnomon_api_row **rows = gnomon_api_profile_rows(profile, &row_count);
    bool good = copy.to && sources && rows;
    for (size_t i = 0; good && i < source_count; i++) {
        struct gnomon_api_source *source = source_for(&copy, sources[i]);
        good = source;
        if (good)
            gnomon_api_source_add(source, sources[i]->runs, sources[i]->cycles);
    }
    for (size_t i = 0; good && i < row_count; i++)
        good = add_row(&copy, rows[i]);
    free(sources);
    free(rows);
    if (good)
        return copy.to;
    gnomon_api_profile_free(copy.to);
    return NULL;
}

/* ---- The check ---- */

static enum gnomon_status refuse(const char *what, const char *text, struct gnomon_error *error) {
    char shown[100];
    size_t used = 0;
    for (; text[used] && used + 1 < sizeof shown; used++)
        shown[used] = (char)((unsigned char)text[used] < 0x20 || (unsigned char)text[used] > 0x7E ? '?' : text[used]);
    shown[used] = '\0';
    gnomon_fail(error, GNOMON_ERR_FORMAT, "the profile has what must not be sent: the %s \"%s\"", what, shown);
    return gnomon_remedy(error, GNOMON_ERR_FORMAT,
                         "names may have no folders, and paths of sources must be below the folder of their "
                         "compilation: gnomon collect sends only such");
}

static enum gnomon_status check_source(const struct gnomon_api_source *source, struct gnomon_error *error) {
    const struct {
        const char *what, *name;
    } names[] = {{"program", source->program}, {"scenario", source->scenario}, {"device", source->device}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!gnomon_api_redact_name_fits(names[i].name))
            return refuse(names[i].what, names[i].name, error);
    return build_fits(source->build) ? GNOMON_OK : refuse("build id", source->build, error);
}

static enum gnomon_status check_row(const struct gnomon_api_row *row, struct gnomon_error *error) {
    if (!gnomon_api_redact_name_fits(row->cost))
        return refuse("cost", row->cost, error);
    if (!gnomon_api_redact_name_fits(row->module))
        return refuse("module", row->module, error);
    if (!build_fits(row->build))
        return refuse("build id", row->build, error);
    if (!gnomon_api_redact_function_fits(row->function))
        return refuse("function", row->function, error);
    return path_fits(row->file) ? GNOMON_OK : refuse("path", row->file, error);
}

enum gnomon_status gnomon_api_redact_check(const struct gnomon_api_profile *profile, struct gnomon_error *error) {
    size_t source_count = 0, row_count = 0;
    struct gnomon_api_source **sources = gnomon_api_profile_sources(profile, &source_count);
    struct gnomon_api_row **rows = gnomon_api_profile_rows(profile, &row_count);
    enum gnomon_status status = sources && rows ? GNOMON_OK : gnomon_fail_memory(error);
    for (size_t i = 0; !status && i < source_count; i++)
        status = check_source(sources[i], error);
    for (size_t i = 0; !status && i < row_count; i++)
        status = check_row(rows[i], error);
    free(sources);
    free(rows);
    return status;
}
