/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/run/record_watch.h"

#include <stdio.h>
#include <string.h>

#include "lib/device/watch_table.h"

bool record_watches_locks(const struct record_watch_values *values) {
    return values->locks || values->lock_functions.count;
}

bool record_tells_calls(const struct gnomon_symbols *symbols) {
    static const char *const hooks[] = {"__cyg_profile_func_enter", "_mcount", "__mcount", "__gnomon_patch_entries"};
    const struct gnomon_function *function;
    for (size_t cursor = 0; (function = gnomon_symbols_unhooked(symbols, &cursor));) {
        const struct gnomon_function *named = gnomon_symbols_at(symbols, function->address); /* one of several names */
        for (size_t i = 0; named && i < sizeof hooks / sizeof *hooks; i++)
            if (!strcmp(named->name, hooks[i]))
                return true;
    }
    return false;
}

bool record_wants_watch(const struct record_watch_values *values, const struct target *target,
                        const struct gnomon_symbols *symbols, bool functions) {
    if (values->functions || values->only.count || record_watches_locks(values))
        return true;
    return target->board.watch && functions && symbols && gnomon_symbols_total(symbols) == 0 &&
           !record_tells_calls(symbols);
}

static enum gnomon_status check_device(const struct record_watch_values *values, const struct target *target,
                                       struct gnomon_error *error) {
    if (!target->board.watch) {
        gnomon_fail(error, GNOMON_ERR_UNSUPPORTED, "%s cannot watch calls", target->board.address);
        return gnomon_remedy(error, GNOMON_ERR_UNSUPPORTED,
                             "compile with CC=\"gnomon cc\" for hooks, and leave out --watch");
    }
    if (record_watches_locks(values) && !target->board.watch_values) {
        gnomon_fail(error, GNOMON_ERR_UNSUPPORTED, "%s cannot send the arguments of calls that it watches",
                    target->board.address);
        return gnomon_remedy(error, GNOMON_ERR_UNSUPPORTED, "link with gnomon cc --gnomon-locks");
    }
    return GNOMON_OK;
}

static void tell_left_out(struct cli_context *context, const struct target *target, const struct gnomon_watch *watch) {
    if (watch->left_out)
        cli_warn(context,
                 "the device has no room for %zu functions (it watches up to %u): they are not watched; choose "
                 "functions with --watch-only",
                 watch->left_out, target->board.watch);
}

static enum gnomon_status choose_functions(struct cli_context *context, const struct record_watch_values *values,
                                           struct target *target, const struct gnomon_symbols *symbols,
                                           struct gnomon_watch *watch, struct gnomon_error *error) {
    const bool asked = values->functions || values->only.count;
    const enum gnomon_status status =
        gnomon_watch_choose(watch, symbols, values->only.items, values->only.count, &target->board, error);
    if (status)
        return status;
    if (record_tells_calls(symbols))
        cli_warn(context, "functions with hooks of -finstrument-functions, -pg or patchable entries are also watched: "
                          "their calls count twice; choose functions with --watch-only");
    if (asked && !watch->count) {
        gnomon_fail(error, GNOMON_ERR_NOT_FOUND, "%s has no functions to watch", target->image->path);
        return gnomon_remedy(
            error, GNOMON_ERR_NOT_FOUND,
            "only functions in its symbol table can be watched: do not strip it; --watch-only must match at "
            "least one function");
    }
    if (watch->count)
        cli_note(context,
                 asked ? "%zu functions without hooks are watched"
                       : "the program has no hooks: its %zu functions are watched",
                 watch->count);
    tell_left_out(context, target, watch);
    return GNOMON_OK;
}

/* Was the program linked with --gnomon-locks or --gnomon-freertos? */
static bool sends_messages(const struct gnomon_symbols *symbols) {
    const struct gnomon_lock_role *role;
    char name[64];
    uint32_t start;
    for (size_t i = 0; (role = gnomon_lock_role_at(i)); i++) {
        snprintf(name, sizeof name, "__wrap_%s", role->name);
        if (gnomon_symbols_named(symbols, name, &start, 1))
            return true;
    }
    return gnomon_symbols_named(symbols, "__gnomon_freertos_ask", &start, 1) > 0;
}

static enum gnomon_status choose_locks(struct cli_context *context, const struct record_watch_values *values,
                                       const struct target *target, const struct gnomon_symbols *symbols,
                                       struct gnomon_watch *watch, struct gnomon_error *error) {
    if (sends_messages(symbols)) {
        gnomon_fail(error, GNOMON_ERR_ARGUMENT, "%s sends messages about its locks already", target->image->path);
        return gnomon_remedy(error, GNOMON_ERR_ARGUMENT, "leave out --watch-locks");
    }
    const enum gnomon_status status =
        gnomon_watch_choose_locks(watch, symbols, values->locks, values->lock_functions.items,
                                  values->lock_functions.count, &target->board, error);
    if (status)
        return status;
    if (!watch->count) {
        gnomon_fail(error, GNOMON_ERR_NOT_FOUND, "%s has no lock functions in its symbol table", target->image->path);
        return gnomon_remedy(error, GNOMON_ERR_NOT_FOUND,
                             "say where they are, with --lock-function ROLE=ADDRESS, for example --lock-function "
                             "pthread_mutex_lock=0x10001234");
    }
    cli_note(context, "%zu lock functions are watched", watch->count);
    tell_left_out(context, target, watch);
    return GNOMON_OK;
}

enum gnomon_status record_choose_watch(struct cli_context *context, const struct record_watch_values *values,
                                       struct target *target, struct gnomon_symbols **symbols,
                                       struct gnomon_watch *watch, struct gnomon_error *error) {
    enum gnomon_status status = check_device(values, target, error);
    if (!status && !*symbols)
        status = gnomon_symbols_load_any(symbols, target->image->path, error);
    if (!status)
        status = record_watches_locks(values) ? choose_locks(context, values, target, *symbols, watch, error)
                                              : choose_functions(context, values, target, *symbols, watch, error);
    if (!status)
        gnomon_param_reserve(&target->param, watch->first + (uint32_t)watch->count);
    return status;
}
