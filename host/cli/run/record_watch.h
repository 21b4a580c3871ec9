/* SPDX-License-Identifier: Apache-2.0 */
/* gnomon record: the functions whose calls the device watches. */
#ifndef GNOMON_CLI_RECORD_WATCH_H
#define GNOMON_CLI_RECORD_WATCH_H

#include "cli/run/target.h"
#include "lib/elf/symbols.h"
#include "lib/model/watch_list.h"

/* Options of the user. */
struct record_watch_values {
    bool functions, locks;
    struct cli_list only, lock_functions;
};

/* True if lock functions are watched, and no others. */
bool record_watches_locks(const struct record_watch_values *values);

/* True if another compiler's hooks report calls. */
bool record_tells_calls(const struct gnomon_symbols *symbols);

/* True if calls are to be watched: the user asked for it, or the program's functions would not be seen otherwise.
 * `symbols` may be NULL. */
bool record_wants_watch(const struct record_watch_values *values, const struct target *target,
                        const struct gnomon_symbols *symbols, bool functions);

/* Chooses them, and tells the user. Loads *symbols if it is NULL. The caller frees `watch`, whatever the status is. */
enum gnomon_status record_choose_watch(struct cli_context *context, const struct record_watch_values *values,
                                       struct target *target, struct gnomon_symbols **symbols,
                                       struct gnomon_watch *watch, struct gnomon_error *error);

#endif
