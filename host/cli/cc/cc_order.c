/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/cc/cc_order.h"

#include <ctype.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cli/print_names.h"
#include "lib/profile/analysis.h"
#include "lib/util/array.h"

#define MOST 2048           /* number of slots that one store relative to x0 reaches */
#define UNIQUE ".lto_priv." /* suffix of link time optimisation that makes static functions' names unique */

struct entry {
    uint64_t calls;
    char *name; /* name of the slot's section, without the prefix ".gnomon.slots." */
    char *file; /* source file; "" if unknown */
};

struct order {
    size_t count, room;
    struct entry *entries;
};

/* ---- Called functions ---- */

static bool is_plain(char c) {
    return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '-' || c == '$';
}

/* Does the same as the plugin's section_of. */
static char *plain_file(const char *path) {
    char *file = strdup(path ? cli_basename(path) : "");
    for (char *c = file; c && *c; c++)
        if (!is_plain(*c))
            *c = '_';
    return file;
}

/* Returns false if out of memory. */
static bool add(struct order *order, const char *name, const char *file, uint64_t calls) {
    for (const char *c = name; *c; c++)
        if (!is_plain(*c)) /* the linker's script language cannot express this character */
            return true;
    if (!gnomon_array_room(&order->entries, &order->room, order->count + 1, sizeof *order->entries))
        return false;
    const char *unique = strstr(name, UNIQUE);
    struct entry *entry = &order->entries[order->count];
    *entry = (struct entry){
        .calls = calls,
        .name = unique ? strndup(name, (size_t)(unique - name)) : strdup(name),
        .file = plain_file(file),
    };
    order->count++;
    return entry->name && entry->file;
}

static enum gnomon_status read_report(struct order *order, const char *path, struct gnomon_error *error) {
    json_error_t where;
    json_t *root = json_load_file(path, 0, &where);
    const json_t *functions = json_object_get(root, "functions");
    enum gnomon_status status = GNOMON_OK;
    if (!json_is_array(functions)) {
        gnomon_fail(error, GNOMON_ERR_FORMAT, "%s is no profile%s%s", path, root ? "" : ": ", root ? "" : where.text);
        status = gnomon_remedy(error, GNOMON_ERR_FORMAT,
                               "give a file of gnomon record, or the output of gnomon report --json");
    }
    for (size_t i = 0; !status && i < json_array_size(functions); i++) {
        const json_t *function = json_array_get(functions, i);
        const json_t *symbol = json_object_get(function, "symbol");
        const char *name = json_string_value(symbol ? symbol : json_object_get(function, "name"));
        json_int_t calls = json_integer_value(json_object_get(function, "calls"));
        if (name && calls > 0 &&
            !add(order, name, json_string_value(json_object_get(function, "file")), (uint64_t)calls))
            status = gnomon_fail_memory(error);
    }
    json_decref(root);
    return status;
}

static enum gnomon_status read_recording(struct order *order, const char *path, struct gnomon_error *error) {
    struct gnomon_analysis analysis;
    struct gnomon_profile *profile = NULL;
    enum gnomon_status status = gnomon_analysis_open(&analysis, path, NULL, GNOMON_WITH_SYMBOLS, error);
    if (status == GNOMON_ERR_MISMATCH || status == GNOMON_ERR_NOT_FOUND)
        gnomon_error_remedy(error,
                            "turn it into a report while the program is still the one that was recorded: gnomon "
                            "report --json -i %s >FILE, and give FILE",
                            path);
    if (!status)
        status = gnomon_analysis_profile(&analysis, &profile, error);
    size_t count = 0;
    const struct gnomon_profile_function *functions = status ? NULL : gnomon_profile_functions(profile, &count);
    for (size_t i = 0; !status && i < count; i++) {
        const struct gnomon_function *function = gnomon_symbols_function(analysis.symbols, functions[i].id);
        if (function && !add(order, function->symbol, function->file, functions[i].calls))
            status = gnomon_fail_memory(error);
    }
    gnomon_profile_free(profile);
    gnomon_analysis_close(&analysis);
    return status;
}

/* A report is a JSON object; a recording is not text, and begins with 'G'. */
static enum gnomon_status read_profile(struct order *order, const char *path, struct gnomon_error *error) {
    FILE *file = fopen(path, "rbe");
    if (!file) {
        gnomon_fail_errno(error, GNOMON_ERR_NOT_FOUND, "cannot read the profile %s", path);
        return gnomon_remedy(error, GNOMON_ERR_NOT_FOUND,
                             "give --gnomon-profile a file of gnomon record, or the output of gnomon report --json");
    }
    int first = getc(file);
    fclose(file);
    return first == 'G' ? read_recording(order, path, error) : read_report(order, path, error);
}

/* ---- The script ---- */

/* Sorts the most called first, then by name, so that the same profile always gives the same image. */
static int by_calls(const void *a, const void *b) {
    const struct entry *left = a, *right = b;
    if (left->calls != right->calls)
        return left->calls > right->calls ? -1 : 1;
    int names = strcmp(left->name, right->name);
    return names ? names : strcmp(left->file, right->file);
}

/* The last section is nearest to the top of the address space. A name and a file do not tell whether the function is
 * static, so the script lists both possible section names. A name that no longer exists matches nothing. */
static void put_script(FILE *stream, const struct order *order) {
    fputs("SECTIONS {\n .gnomon.hot (0 - SIZEOF(.gnomon.hot) - SIZEOF(.gnomon.near)) (INFO) : {\n", stream);
    for (size_t i = order->count < MOST ? order->count : MOST; i > 0; i--) {
        const struct entry *entry = &order->entries[i - 1];
        fprintf(stream, "  *(.gnomon.slots.%s)\n", entry->name);
        if (*entry->file)
            fprintf(stream, "  *(.gnomon.slots.%s.in.%s)\n", entry->name, entry->file);
    }
    fputs(" }\n}\nINSERT BEFORE .gnomon.slots;\n", stream);
}

/* The script is a file without a name: the linker inherits it, and it needs no removal. */
static enum gnomon_status write_script(const struct order *order, char **script, struct gnomon_error *error) {
    int fd = memfd_create("gnomon-order", 0);
    int again = fd >= 0 ? dup(fd) : -1;
    FILE *stream = again >= 0 ? fdopen(again, "w") : NULL;
    if (!stream)
        return gnomon_fail_errno(error, GNOMON_ERR_SYSTEM, "cannot make a file for the linker");
    put_script(stream, order);
    if (fclose(stream) != 0)
        return gnomon_fail_errno(error, GNOMON_ERR_SYSTEM, "cannot write a file for the linker");
    return asprintf(script, "/proc/self/fd/%d", fd) < 0 ? gnomon_fail_memory(error) : GNOMON_OK;
}

enum gnomon_status cc_order(const char *profile, char **script, struct gnomon_error *error) {
    struct order order = {0};
    enum gnomon_status status = read_profile(&order, profile, error);
    if (!status && order.count > 0)
        qsort(order.entries, order.count, sizeof *order.entries, by_calls);
    if (!status)
        status = write_script(&order, script, error);
    for (size_t i = 0; i < order.count; i++) {
        free(order.entries[i].name);
        free(order.entries[i].file);
    }
    free(order.entries);
    return status;
}
