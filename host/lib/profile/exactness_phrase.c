/* SPDX-License-Identifier: Apache-2.0 */
/* How exact figures are, as a phrase for a first line. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "lib/profile/exactness.h"
#include "lib/profile/exactness_internal.h"

struct phrase {
    char *text;
    size_t used;
};

static void say(struct phrase *phrase, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(struct phrase *phrase, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(phrase->text + phrase->used, GNOMON_EXACTNESS_BYTES - phrase->used, format, arguments);
    va_end(arguments);
    phrase->used += length > 0 ? (size_t)length : 0;
    if (phrase->used >= GNOMON_EXACTNESS_BYTES)
        phrase->used = GNOMON_EXACTNESS_BYTES - 1;
}

static void say_end(struct phrase *phrase, const struct gnomon_exactness *exactness) {
    static const char *const how[] = {
        [GNOMON_RUN_CRASHED] = "the program CRASHED",
        [GNOMON_RUN_DEBUG] = "the program stopped in debug mode",
        [GNOMON_RUN_INTERRUPTED] = "INTERRUPTED",
        [GNOMON_RUN_LIMITED] = "stopped as --duration asked",
        [GNOMON_RUN_DEVICE] = "the device ENDED THE TRACE, which was not read for too long,",
        [GNOMON_RUN_BROKEN] = "the recording BROKE OFF",
    };
    if (exactness->end == GNOMON_RUN_ENDED && exactness->status > 0)
        say(phrase, "exit status %d, ", exactness->status);
    if (exactness->end == GNOMON_RUN_ENDED || exactness->end == GNOMON_RUN_UNKNOWN)
        return;
    say(phrase, "%s at %s", how[exactness->end], AT(exactness, exactness->cycle));
    if (*exactness->cause)
        say(phrase, " (%s)", exactness->cause);
    say(phrase, gnomon_exactness_exact(exactness) ? ", up to there " : ", ");
}

/* Is there a reason that can have made figures larger as well as smaller? */
static bool astray(const struct gnomon_exactness *exactness) {
    for (size_t i = 0; i < exactness->count; i++) {
        const struct gnomon_reason *reason = &exactness->reasons[i];
        if (reason->kind == GNOMON_REASON_LOSS && reason->reach == GNOMON_REACH_ALL && *reason->brief)
            return true;
    }
    return false;
}

static void say_loss(struct phrase *phrase, const struct gnomon_exactness *exactness,
                     const struct gnomon_exactness_share *share) {
    say(phrase, "%s of %s events LOST", DIGITS(exactness->lost_events), DIGITS(exactness->events));
    if (!share)
        return;
    say(phrase, ", with %.2g %% of the %s: ", share->lost, exactness_what(exactness));
    const size_t doubtful = share->functions - share->exact;
    if (doubtful == 0 && share->lost == 0)
        say(phrase, "calls and %s are exact, messages are missing", exactness_what(exactness));
    else if (doubtful == 0) /* all dropped calls are of functions without any recorded call */
        say(phrase, "exact for the %zu function%s listed, others may have been called", share->exact, s(share->exact));
    else if (share->exact == 0)
        say(phrase, "calls and %s are %s", exactness_what(exactness), astray(exactness) ? "not exact" : "lower bounds");
    else
        say(phrase, "lower bounds for the %zu function%s marked + and for any that is not listed, exact for %zu",
            doubtful, s(doubtful), share->exact);
}

static void say_briefs(struct phrase *phrase, const struct gnomon_exactness *exactness, const char *comma) {
    for (size_t i = 0; i < exactness->count; i++) {
        if (!*exactness->reasons[i].brief)
            continue;
        say(phrase, "%s%s", comma, exactness->reasons[i].brief);
        comma = ", ";
    }
}

const char *gnomon_exactness_phrase(const struct gnomon_exactness *exactness,
                                    const struct gnomon_exactness_share *share, char text[GNOMON_EXACTNESS_BYTES]) {
    struct phrase phrase = {.text = text};
    enum gnomon_reason_reach reach;
    text[0] = '\0';
    say_end(&phrase, exactness);
    gnomon_exactness_reach(exactness, &reach);
    if (reach == GNOMON_REACH_NONE) {
        const size_t before = phrase.used;
        say(&phrase, "counted exactly");
        say_briefs(&phrase, exactness, ", ");
        if (phrase.used == before + strlen("counted exactly"))
            say(&phrase, ", nothing lost");
        return text;
    }
    const char *comma = "";
    if (reach == GNOMON_REACH_GRAPH)
        say(&phrase, "calls and %s counted exactly", exactness_what(exactness)), comma = ", ";
    if (gnomon_exactness_kind(exactness, GNOMON_REASON_DAMAGE))
        say(&phrase, "%sDAMAGED: figures may be wrong", comma), comma = ", ";
    if (gnomon_exactness_kind(exactness, GNOMON_REASON_CUT) && exactness->end != GNOMON_RUN_DEVICE)
        say(&phrase, "%sINCOMPLETE, NOT EXACT", comma), comma = ": ";
    say_briefs(&phrase, exactness, comma);
    bool lost = exactness->lost_events > 0 || (share && share->lost > 0 && !exactness->no_figures);
    if (lost && phrase.used && text[phrase.used - 1] != ' ')
        say(&phrase, ", ");
    if (lost)
        say_loss(&phrase, exactness, share);
    return text;
}
