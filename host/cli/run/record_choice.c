/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/run/record_choice.h"

#include <stdio.h>
#include <string.h>

#include "lib/model/function_records.h"

/* True if the program's threads run on both harts, and move from one to the other: a function without hooks is in the
 * library of --gnomon-harts only. */
static bool threads_move(const struct gnomon_board *board, const struct gnomon_symbols *symbols) {
    const struct gnomon_function *function;
    if (board->harts < 2 || !symbols)
        return false;
    for (size_t cursor = 0; (function = gnomon_symbols_unhooked(symbols, &cursor));)
        if (!strcmp(function->name, "__gnomon_harts_start"))
            return true;
    return false;
}

bool record_takes_records(const struct cli_context *context, const struct gnomon_board *board,
                          const struct gnomon_symbols *symbols, size_t watched, bool records, bool events) {
    const uint32_t functions = (symbols ? gnomon_symbols_total(symbols) : 0) + (uint32_t)watched;
    const uint32_t most = board->records ? board->records - GNOMON_RECORD_TRAPS : 0;
    const bool moves = threads_move(board, symbols), fits = functions <= most;
    const bool chosen = records || (!events && fits && !board->compact && !moves && most > 0);
    char why[400];
    if (records || events)
        snprintf(why, sizeof why, "as %s asks", records ? "--records" : "--events");
    else if (!most)
        snprintf(why, sizeof why, "%s keeps no function records", board->address);
    else if (!fits)
        snprintf(why, sizeof why, "%u functions, and records for %u (--records takes records nevertheless)",
                 (unsigned)functions, (unsigned)most);
    else if (moves)
        snprintf(why, sizeof why, "threads move between harts, and only events follow a call from hart to hart");
    else if (board->compact)
        snprintf(why, sizeof why, "a call takes the records of %s longer than USB takes for its events",
                 board->address);
    else
        snprintf(why, sizeof why, "each of the %u functions has a record, and records do not depend on USB's speed%s",
                 (unsigned)functions, board->arcs ? "" : "; the records have no call graph; --events gives one");
    if (context->verbose || (!events && most && !fits))
        cli_note(context, "%s: %s", chosen ? "takes the device's function records" : "takes every event", why);
    return chosen;
}
