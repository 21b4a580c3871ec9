/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/run/record_choice.h"

#include <stdio.h>

#include "lib/model/function_records.h"

bool record_takes_records(const struct cli_context *context, const struct gnomon_board *board,
                          const struct gnomon_symbols *symbols, size_t watched, bool records, bool events) {
    const uint32_t functions = (symbols ? gnomon_symbols_total(symbols) : 0) + (uint32_t)watched;
    const uint32_t most = board->records ? board->records - GNOMON_RECORD_TRAPS : 0;
    const bool moves = board->harts > 1 && symbols && gnomon_symbols_threads_move(symbols), fits = functions <= most;
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
