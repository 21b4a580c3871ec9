/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/cc/cc_request.h"

#include <stdlib.h>
#include <string.h>

#include "lib/util/array.h"

/* A module is position independent, and nothing outside it replaces its symbols. Thread-local data exist only once, in
 * the program. */
static const char *const module_flags[] = {
    "-fPIC",
    "-fno-semantic-interposition",
    "-ftls-model=initial-exec",
    NULL,
};

/* ---- Arguments for the compiler ---- */

bool cc_push_owned(struct cc_request *request, char *arg) {
    if (arg && !gnomon_array_room(&request->args, &request->room, request->count + 2, sizeof *request->args)) {
        free(arg);
        return false;
    }
    if (!arg)
        return false;
    request->args[request->count++] = arg;
    request->args[request->count] = NULL;
    return true;
}

bool cc_push(struct cc_request *request, const char *arg) {
    return cc_push_owned(request, strdup(arg));
}

bool cc_push_all(struct cc_request *request, const char *const *flags) {
    for (; *flags; flags++)
        if (!cc_push(request, *flags))
            return false;
    return true;
}

void cc_request_free(struct cc_request *request) {
    for (size_t i = 0; i < request->count; i++)
        free(request->args[i]);
    free(request->args);
}

char *cc_join(const char *a, const char *b, const char *c) {
    const size_t size = strlen(a) + strlen(b) + strlen(c) + 1;
    char *text = malloc(size);
    if (text)
        snprintf(text, size, "%s%s%s", a, b, c);
    return text;
}

bool cc_push_joined(struct cc_request *request, const char *a, const char *b, const char *c) {
    return cc_push_owned(request, cc_join(a, b, c));
}

bool cc_starts_with(const char *text, const char *prefix) {
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

static bool is_one_of(const char *text, const char *const *list) {
    for (; *list; list++)
        if (strcmp(text, *list) == 0)
            return true;
    return false;
}

/* ---- The user's arguments ---- */

/* Returns the object that --gnomon-KEY links in, or NULL if the option is not about records. */
static const char *records_object(const char *key) {
    static const struct {
        const char *key, *object;
    } kinds[] = {{"records=array", "/lib/records-array.o"},
                 {"records=pointers", "/lib/records-pointers.o"},
                 {"records=array,graph", "/lib/records-array-graph.o"},
                 {"records=pointers,graph", "/lib/records-pointers-graph.o"}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(key, kinds[i].key) == 0)
            return kinds[i].object;
    return NULL;
}

/* Handles one of our own options, "--gnomon-KEY[=VALUE]", as an option of the plugin. */
static bool own_option(struct cli_context *context, struct cc_request *request, const char *arg) {
    static const char *const keys[] = {"include", "exclude", "include-file", "exclude-file", "min-insns", NULL};
    const char *key = arg + strlen("--gnomon-");
    const size_t length = strcspn(key, "=");
    if (strcmp(key, "allow-none") == 0) {
        request->expects_hooks = false;
        return true;
    }
    if (cc_starts_with(key, "profile=") && key[length + 1]) {
        request->profile = key + length + 1;
        return true;
    }
    if (strcmp(key, "patchable") == 0)
        return request->patchable = true;
    if (strcmp(key, "overlays") == 0)
        return request->overlays = true;
    if (strcmp(key, "flash") == 0)
        return request->flash = true;
    if (strcmp(key, "heap") == 0)
        return request->heap = true;
    if (strcmp(key, "heap=guard") == 0)
        return request->heap = request->heap_guard = true;
    if (strcmp(key, "locks") == 0)
        return request->locks = true;
    if (strcmp(key, "freertos") == 0)
        return request->freertos = true;
    if (strcmp(key, "harts") == 0)
        return request->harts = true;
    if (strcmp(key, "monitor") == 0) {
        request->monitor = true;
        return cc_push(request, "-fasynchronous-unwind-tables");
    }
    if (strcmp(key, "off") == 0) {
        request->off = true;
        request->expects_hooks = false;
        return cc_push(request, "-fplugin-arg-gnomon-off");
    }
    if (records_object(key)) {
        request->records = records_object(key);
        return cc_push(request, "-fplugin-arg-gnomon-records") && cc_push(request, "-DGNOMON_RECORDS=1");
    }
    if (strcmp(key, "module") == 0 || strcmp(key, "module=near") == 0) {
        request->module = true;
        return cc_push_joined(request, "-fplugin-arg-gnomon-", key, "") && cc_push_all(request, module_flags);
    }
    for (size_t i = 0; keys[i]; i++) {
        if (strlen(keys[i]) == length && strncmp(key, keys[i], length) == 0 && key[length] == '=' && key[length + 1]) {
            request->expects_hooks = false;
            return cc_push_joined(request, "-fplugin-arg-gnomon-", key, "");
        }
    }
    cli_usage(context,
              "%s is none of --gnomon-off, -allow-none, -include=GLOB, -exclude=GLOB, -include-file=GLOB, "
              "-exclude-file=GLOB, -flash, -freertos, -harts, -heap, -heap=guard, -locks, -min-insns=N, -module, "
              "-module=near, -monitor, "
              "-overlays, -patchable, "
              "-profile=FILE, "
              "-records=array, -records=pointers, -records=array,graph, -records=pointers,graph",
              arg);
    return false;
}

/* Options of hosted compilers that build systems add by themselves; they have no meaning here. */
static bool is_dropped(const char *arg) {
    static const char *const dropped[] = {"-rdynamic", "-pthread", "-Wl,-rpath-link", "-pie", "-no-pie", NULL};
    return is_one_of(arg, dropped) || cc_starts_with(arg, "-Wl,-rpath,");
}

/* Options of other measuring tools: with their hooks in the same function, each call would count twice. */
static bool measures_too(const char *arg) {
    static const char *const others[] = {"-pg", "-p", "-finstrument-functions", NULL};
    return is_one_of(arg, others) || cc_starts_with(arg, "-fpatchable-function-entry");
}

void cc_request_drop_other_ways(struct cli_context *context, struct cc_request *request) {
    size_t kept = 0;
    for (size_t i = 0; i < request->count; i++) {
        if (measures_too(request->args[i])) {
            cli_warn(context, "%s is dropped: the functions get hooks, which say more", request->args[i]);
            free(request->args[i]);
        } else {
            request->args[kept++] = request->args[i];
        }
    }
    request->count = kept;
    request->args[kept] = NULL;
}

static void look_at(struct cc_request *request, const char *arg) {
    static const char *const no_link[] = {"-c", "-E", "-S", "-M", "-MM", "-fsyntax-only", "-r", NULL};
    if (arg[0] != '-' || strcmp(arg, "-") == 0) /* also @FILE, which may hold anything */
        request->inputs = true;
    if (cc_starts_with(arg, "-l"))
        request->inputs = true;
    if (is_one_of(arg, no_link))
        request->links = false;
    if (strcmp(arg, "-r") == 0)
        request->relocatable = true;
    if (strcmp(arg, "-nostartfiles") == 0 || strcmp(arg, "-nostdlib") == 0)
        request->own_start_files = true;
    if (strcmp(arg, "-nodefaultlibs") == 0 || strcmp(arg, "-nostdlib") == 0)
        request->own_libraries = true;
    if (cc_starts_with(arg, "-T") || cc_starts_with(arg, "-Wl,-T") || cc_starts_with(arg, "-Wl,--script"))
        request->own_script = true;
    if (strcmp(arg, "-msave-restore") == 0)
        request->save_restore = true;
}

/* Options with a separate argument: this argument must not be taken for an input file or an option. */
static bool takes_argument(const char *arg) {
    static const char *const with_argument[] = {
        "-o",
        "-x",
        "-I",
        "-D",
        "-U",
        "-L",
        "-include",
        "-imacros",
        "-isystem",
        "-idirafter",
        "-iprefix",
        "-iquote",
        "-isysroot",
        "-MF",
        "-MT",
        "-MQ",
        "-Xlinker",
        "-Xassembler",
        "-Xpreprocessor",
        "-u",
        "-T",
        "-z",
        "-e",
        "-aux-info",
        "--param",
        "-wrapper",
        "-B",
        "-specs",
        NULL,
    };
    return is_one_of(arg, with_argument);
}

bool cc_request_read(struct cli_context *context, struct cc_request *request) {
    for (int i = 0; i < context->argc; i++) {
        const char *arg = context->argv[i];
        if (cc_starts_with(arg, "--gnomon-")) {
            if (!own_option(context, request, arg))
                return false;
            continue;
        }
        if (is_dropped(arg))
            continue;
        look_at(request, arg);
        if (!cc_push(request, arg))
            return false;
        if (takes_argument(arg) && i + 1 < context->argc && !cc_push(request, context->argv[++i]))
            return false;
    }
    return true;
}
