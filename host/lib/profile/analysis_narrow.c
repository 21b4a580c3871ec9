/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/elf/callgraph.h"
#include "lib/profile/analysis.h"

struct narrowing {
    const struct gnomon_symbols *symbols;
    struct gnomon_callgraph *graph;
    bool traps; /* traps may have been dropped, too */
};

/* Is the function concerned by the losses? The time of a dropped trap is wrongly in the totals of the functions that it
 * interrupted. */
static bool concerned(void *context, const struct gnomon_profile_function *figures) {
    const struct narrowing *narrowing = context;
    const struct gnomon_function *function = gnomon_symbols_function(narrowing->symbols, figures->id);
    if (!function || (narrowing->traps && figures->lost_within))
        return true;
    return gnomon_callgraph_reached(narrowing->graph, function->address);
}

/* Marks what can be called from the functions that made dropped calls, and from the handlers of traps. */
static bool reach(struct narrowing *narrowing, const struct gnomon_profile *profile) {
    size_t count;
    const struct gnomon_profile_function *functions = gnomon_profile_functions(profile, &count);
    for (size_t i = 0; i < count; i++) {
        const struct gnomon_function *function = gnomon_symbols_function(narrowing->symbols, functions[i].id);
        narrowing->traps |= functions[i].id >= GNOMON_PROFILE_TRAP && functions[i].id < GNOMON_PROFILE_UNKNOWN;
        if (functions[i].lost_here && (!function || !gnomon_callgraph_reach_from(narrowing->graph, function->address)))
            return false;
    }
    bool handlers = false;
    bool good = gnomon_callgraph_reach_from_traps(narrowing->graph, &handlers);
    narrowing->traps |= handlers;
    return good;
}

void gnomon_analysis_narrow(const struct gnomon_analysis *analysis, struct gnomon_profile *profile) {
    struct narrowing narrowing = {.symbols = analysis->symbols};
    if (!analysis->symbols || gnomon_callgraph_load(&narrowing.graph, analysis->elf_path, NULL))
        return;
    if (reach(&narrowing, profile))
        gnomon_profile_narrow(profile, concerned, &narrowing);
    gnomon_callgraph_free(narrowing.graph);
}
