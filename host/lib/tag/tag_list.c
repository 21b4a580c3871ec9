/* SPDX-License-Identifier: Apache-2.0 */
/* Parses tags: targets with actions. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gnomon/registers.h"
#include "lib/tag/tag_plan.h"

#define ACTIONS                                                                                                        \
    "actions are count, each, start=TIMER, stop=TIMER, toggle=TIMER, interrupt, tagged, trace-start, trace-stop, "     \
    "trace-toggle, execute, read, write"

#define INTERRUPT ":interrupt" /* after the cycles of a threshold */

/* An action: bits of MODE, and the mask of the field that holds them. */
struct action {
    const char *name;
    uint32_t bits, field;
};

#define TRACE(what) ((uint32_t)(what) << GNOMON_TAGS_MODE_TRACE_SHIFT), GNOMON_TAGS_MODE_TRACE
#define TIMER(what)                                                                                                    \
    ((uint32_t)(what) << GNOMON_TAGS_MODE_TIMER_SHIFT), (GNOMON_TAGS_MODE_TIMER | GNOMON_TAGS_MODE_WHICH)
enum { START = 1, STOP, TOGGLE };

static const struct action actions[] = {
    {"count", 0, 0}, /* all tags count */
    {"each", GNOMON_TAGS_MODE_PER_ADDRESS, GNOMON_TAGS_MODE_PER_ADDRESS},
    {"interrupt", GNOMON_TAGS_MODE_INTERRUPT, GNOMON_TAGS_MODE_INTERRUPT},
    {"tagged", GNOMON_TAGS_MODE_TAGGED, GNOMON_TAGS_MODE_TAGGED},
    {"execute", GNOMON_TAGS_MODE_EXECUTE, GNOMON_TAGS_MODE_EXECUTE},
    {"read", GNOMON_TAGS_MODE_READ, GNOMON_TAGS_MODE_READ},
    {"write", GNOMON_TAGS_MODE_WRITE, GNOMON_TAGS_MODE_WRITE},
    {"trace-start", TRACE(START)},
    {"trace-stop", TRACE(STOP)},
    {"trace-toggle", TRACE(TOGGLE)},
    {"start=", TIMER(START)},
    {"stop=", TIMER(STOP)},
    {"toggle=", TIMER(TOGGLE)},
};

/* The action at the beginning of `text`; NULL: there is none. *bits: its bits, with the number of a timer. */
static const struct action *find_action(const char *text, size_t length, uint32_t *bits) {
    for (size_t i = 0; i < sizeof actions / sizeof *actions; i++) {
        const struct action *action = &actions[i];
        size_t size = strlen(action->name);
        bool timer = action->name[size - 1] == '=';
        if (length != size + timer || strncmp(text, action->name, size) != 0)
            continue;
        unsigned which = timer ? (unsigned)(text[size] - '0') : 0;
        if (which >= GNOMON_TAG_TIMERS)
            return NULL;
        *bits = action->bits | which << GNOMON_TAGS_MODE_WHICH_SHIFT;
        return action;
    }
    return NULL;
}

enum gnomon_status gnomon_tag_parse_actions(const char *text, uint32_t *mode, struct gnomon_error *error) {
    *mode = 0;
    for (bool more = true; more;) {
        size_t length = strcspn(text, ",");
        uint32_t bits = 0;
        const struct action *action = find_action(text, length, &bits);
        if (!action) {
            gnomon_fail(error, GNOMON_ERR_ARGUMENT, "\"%.*s\" is not an action of a tag", (int)length, text);
            return gnomon_remedy(error, GNOMON_ERR_ARGUMENT, ACTIONS "; timers have numbers from 0 to 3");
        }
        if (*mode & action->field && (*mode & action->field) != bits) {
            gnomon_fail(error, GNOMON_ERR_ARGUMENT, "\"%.*s\": a tag does one thing to one timer, and one to the trace",
                        (int)length, text);
            return gnomon_remedy(error, GNOMON_ERR_ARGUMENT, "give the second action in another -t");
        }
        *mode |= bits;
        more = text[length] == ',';
        text += length + 1;
    }
    if (!(*mode & GNOMON_TAGS_MODE_EXECUTE) || !(*mode & (GNOMON_TAGS_MODE_READ | GNOMON_TAGS_MODE_WRITE)))
        return GNOMON_OK;
    gnomon_fail(error, GNOMON_ERR_ARGUMENT, "\"execute\" is for instructions, \"read\" and \"write\" are for data");
    return gnomon_remedy(error, GNOMON_ERR_ARGUMENT, "give two -t, one for the instructions and one for the data");
}

/* Where the actions begin, after a colon; NULL: there are none, and the text after a colon belongs to WHAT. */
static const char *find_actions(const char *text) {
    const char *colon = strrchr(text, ':');
    uint32_t bits;
    if (!colon || !find_action(colon + 1, strcspn(colon + 1, ","), &bits))
        return NULL;
    return colon + 1;
}

enum gnomon_status gnomon_tag_list_add(struct gnomon_tag_list *list, const struct gnomon_tag_program *program,
                                       const char *text, struct gnomon_error *error) {
    const char *with = find_actions(text);
    uint32_t mode = 0;
    enum gnomon_status status = with ? gnomon_tag_parse_actions(with, &mode, error) : GNOMON_OK;
    if (status)
        return status;
    char *what = with ? strndup(text, (size_t)(with - 1 - text)) : strdup(text);
    if (!what)
        return gnomon_fail_memory(error);
    status = gnomon_tag_list_find(list, program, what, mode, error);
    free(what);
    return status;
}

/* Completes the actions with what the kind of the target implies. */
static enum gnomon_status complete(struct gnomon_tag_spec *spec, struct gnomon_error *error) {
    const uint32_t accesses = GNOMON_TAGS_MODE_READ | GNOMON_TAGS_MODE_WRITE;
    if (spec->target.data && !(spec->mode & accesses))
        spec->mode |= accesses;
    if (!spec->target.data)
        spec->mode |= GNOMON_TAGS_MODE_EXECUTE;
    if (!(spec->mode & GNOMON_TAGS_MODE_PER_ADDRESS) || !spec->target.hint)
        return GNOMON_OK;
    gnomon_fail(error, GNOMON_ERR_ARGUMENT, "%s: \"each\" is for what has addresses", spec->target.what);
    return gnomon_remedy(error, GNOMON_ERR_ARGUMENT, "tag the instructions themselves, by function or line");
}

enum gnomon_status gnomon_tag_list_find(struct gnomon_tag_list *list, const struct gnomon_tag_program *program,
                                        const char *what, uint32_t mode, struct gnomon_error *error) {
    if (list->count == GNOMON_TAG_VALUES) {
        gnomon_fail(error, GNOMON_ERR_UNSUPPORTED, "there are %d tags, and %s would be one more", GNOMON_TAG_VALUES,
                    what);
        return gnomon_remedy(error, GNOMON_ERR_UNSUPPORTED, "leave tags out, or give them to another gnomon tag");
    }
    struct gnomon_tag_spec *spec = &list->specs[list->count];
    spec->mode = mode;
    enum gnomon_tag_kind kind = mode & GNOMON_TAGS_MODE_EXECUTE                           ? GNOMON_TAG_CODE
                                : mode & (GNOMON_TAGS_MODE_READ | GNOMON_TAGS_MODE_WRITE) ? GNOMON_TAG_DATA
                                                                                          : GNOMON_TAG_EITHER;
    enum gnomon_status status = gnomon_tag_find(program, what, kind, &spec->target, error);
    if (!status)
        status = complete(spec, error);
    if (status)
        gnomon_tag_target_free(&spec->target);
    else
        list->count++;
    return status;
}

/* ---- Thresholds ---- */

static enum gnomon_status bad_threshold(const char *text, const char *why, struct gnomon_error *error) {
    gnomon_fail(error, GNOMON_ERR_ARGUMENT, "threshold %s: %s", text, why);
    return gnomon_remedy(error, GNOMON_ERR_ARGUMENT,
                         "write TIMER=CYCLES, or TIMER=CYCLES,CYCLES,...; CYCLES" INTERRUPT
                         " also asks for the profile interrupt");
}

/* Reads "1000" or "1000:interrupt" up to a comma or the end. Returns where it ends; NULL: it is neither. */
static const char *read_step(const char *text, uint32_t *cycles, bool *interrupt) {
    char *end = NULL;
    unsigned long long value = isdigit((unsigned char)*text) ? strtoull(text, &end, 0) : 0;
    if (value == 0 || value > GNOMON_TAG_MOST_CYCLES)
        return NULL;
    *interrupt = strncmp(end, INTERRUPT, strlen(INTERRUPT)) == 0;
    *cycles = (uint32_t)value;
    end += *interrupt ? strlen(INTERRUPT) : 0;
    return *end && *end != ',' ? NULL : end;
}

bool gnomon_tag_list_step(struct gnomon_tag_list *list, unsigned timer, uint32_t cycles, bool interrupt) {
    struct gnomon_tag_thresholds *of = &list->thresholds[timer];
    unsigned step = 0;
    while (step < GNOMON_TAG_STEPS && of->cycles[step] && of->cycles[step] != cycles)
        step++;
    if (step == GNOMON_TAG_STEPS)
        return false;
    of->cycles[step] = cycles;
    of->interrupts |= (uint32_t)interrupt << step;
    return true;
}

enum gnomon_status gnomon_tag_list_threshold(struct gnomon_tag_list *list, const char *text,
                                             struct gnomon_error *error) {
    const unsigned timer = (unsigned)(text[0] - '0');
    if (timer >= GNOMON_TAG_TIMERS || text[1] != '=')
        return bad_threshold(text, "there is no such timer", error);
    for (const char *at = text + 1; *at;) {
        uint32_t cycles;
        bool interrupt;
        if (!(at = read_step(at + 1, &cycles, &interrupt))) {
            char why[80];
            snprintf(why, sizeof why, "cycles are a number from 1 to %d", GNOMON_TAG_MOST_CYCLES);
            return bad_threshold(text, why, error);
        }
        if (!gnomon_tag_list_step(list, timer, cycles, interrupt)) {
            gnomon_fail(error, GNOMON_ERR_UNSUPPORTED, "threshold %s: a timer has at most %d", text, GNOMON_TAG_STEPS);
            return gnomon_remedy(error, GNOMON_ERR_UNSUPPORTED, "count the others in another gnomon tag");
        }
    }
    return GNOMON_OK;
}

void gnomon_tag_list_free(struct gnomon_tag_list *list) {
    for (size_t i = 0; i < list->count; i++)
        gnomon_tag_target_free(&list->specs[i].target);
    list->count = 0;
}
