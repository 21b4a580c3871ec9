/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/profile/profile_samples.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/profile/code.h"
#include "lib/profile/profile_internal.h"
#include "lib/util/array.h"
#include "lib/util/digits.h"

/* ---- The function at an address ---- */

/* A function of a module, which may have been loaded at several addresses; or overlays and modules that share
 * addresses.
 */
struct gnomon_sampled_place {
    const struct gnomon_function *function; /* NULL: `text` tells them apart */
    char text[sizeof((struct gnomon_code *)0)->text];
    uint32_t address; /* where it was found first */
};

/* The address where this code was found first: what is there is known. */
static uint32_t first_address(struct gnomon_sampled_code *code, const struct gnomon_code *found, uint32_t address) {
    for (size_t i = 0; i < code->place_count; i++)
        if (code->places[i].function == found->function && !strcmp(code->places[i].text, found->text))
            return code->places[i].address;
    if (gnomon_array_room(&code->places, &code->place_room, code->place_count + 1, sizeof *code->places)) {
        struct gnomon_sampled_place *added = &code->places[code->place_count++];
        added->function = found->function;
        memcpy(added->text, found->text, sizeof added->text);
        added->address = address;
    }
    return address;
}

uint32_t gnomon_sampled_id(struct gnomon_sampled_code *code, uint32_t address) {
    struct gnomon_code found;
    if (code->functions && address < GNOMON_SAMPLED_TRAPS_END)
        return GNOMON_PROFILE_TRAP + address / 2;
    if (address < GNOMON_PROFILE_ADDRESS) /* no memory is there */
        return GNOMON_PROFILE_UNKNOWN;
    gnomon_code_at(&found, code->symbols, code->modules, address);
    if (found.function && !found.module)
        return found.function->address;
    if (!found.function && !strcmp(found.text, GNOMON_NO_FUNCTION))
        return address;
    return first_address(code, &found, address);
}

void gnomon_sampled_code_free(struct gnomon_sampled_code *code) {
    free(code->places);
    *code = (struct gnomon_sampled_code){0};
}

/* ---- The profile ---- */

uint64_t gnomon_samples_time(const struct gnomon_samples *samples, uint64_t cycles) {
    if (strcmp(samples->event, GNOMON_SAMPLED_CYCLES) != 0)
        return gnomon_samples_all(samples) * samples->period;
    return cycles > samples->cost ? cycles - samples->cost : 0;
}

/* What is added to the profile. */
struct filling {
    struct gnomon_profile *profile;
    const struct gnomon_samples *samples;
    struct gnomon_sampled_code *code;
    uint64_t all, time;           /* all samples, and what they stand for */
    uint64_t booked;              /* samples so far; the shares of all stacks add up without rounding */
    size_t room, arc_room;        /* of the two following arrays */
    size_t *function_in, *arc_in; /* by function and by arc: the last stack that has it, plus 1 */
};

/* The events that the next `count` samples stand for. */
static uint64_t share(struct filling *filling, uint64_t count) {
    const unsigned __int128 time = filling->time;
    const uint64_t before = (uint64_t)(time * filling->booked / filling->all);
    filling->booked += count;
    return (uint64_t)(time * filling->booked / filling->all) - before;
}

/* True once for each stack and item; *good false: out of memory. */
static bool is_first(size_t **in, size_t *room, uint32_t index, size_t stack, bool *good) {
    const size_t before = *room;
    *good = gnomon_array_room(in, room, (size_t)index + 1, sizeof **in);
    if (!*good)
        return false;
    memset(*in + before, 0, (*room - before) * sizeof **in);
    const bool first = (*in)[index] != stack + 1;
    (*in)[index] = stack + 1;
    return first;
}

#define NO_ARC (PROFILE_MAP_NONE - 1) /* of the outermost function, whose caller is not known */

/* The place in a profile that a frame has. */
struct frame {
    uint32_t function, arc, path;
};

static bool enter(struct filling *filling, size_t stack, uint32_t address, struct frame *frame, uint64_t cycles,
                  uint64_t count) {
    struct gnomon_profile *profile = filling->profile;
    const uint32_t caller = frame->function;
    bool good;
    frame->function = profile_find_function(profile, gnomon_sampled_id(filling->code, address));
    if (frame->function == PROFILE_MAP_NONE)
        return false;
    frame->arc = caller == GNOMON_PROFILE_UNPROFILED ? NO_ARC : profile_find_arc(profile, caller, frame->function);
    frame->path = profile_find_path(profile, frame->path, frame->function);
    if (frame->arc == PROFILE_MAP_NONE || frame->path == PROFILE_MAP_NONE)
        return false;
    if (is_first(&filling->function_in, &filling->room, frame->function, stack, &good)) {
        profile->functions[frame->function].total += cycles;
        profile->functions[frame->function].samples_total += count;
    }
    if (good && frame->arc != NO_ARC && is_first(&filling->arc_in, &filling->arc_room, frame->arc, stack, &good))
        profile->arcs[frame->arc].total += cycles;
    return good;
}

/* A return address can be that of the next function: the call is in front of it. */
static uint32_t place(const struct gnomon_samples *samples, const struct gnomon_sampled_stack *stack, uint32_t index) {
    return samples->addresses[stack->first + index] - (index ? 2 : 0);
}

static bool add_stack(struct filling *filling, size_t index) {
    struct gnomon_profile *profile = filling->profile;
    const struct gnomon_sampled_stack *stack = &filling->samples->list[index];
    const uint64_t cycles = share(filling, stack->count);
    const uint32_t thread = profile_find_thread(profile, stack->thread);
    if (thread == PROFILE_MAP_NONE)
        return false;
    profile->hart->running = thread;
    struct frame frame = {.function = GNOMON_PROFILE_UNPROFILED, .path = profile->stacks[thread].path};
    for (uint32_t i = stack->depth; i > 0; i--)
        if (!enter(filling, index, place(filling->samples, stack, i - 1), &frame, cycles, stack->count))
            return false;
    profile->functions[frame.function].self += cycles;
    profile->functions[frame.function].samples += stack->count;
    if (frame.arc != NO_ARC)
        profile->arcs[frame.arc].self += cycles;
    profile_path_self(profile, frame.path, cycles);
    if (profile->with_paths)
        profile->paths[frame.path].samples += stack->count;
    profile->sums.self += cycles;
    profile->threads[thread].cycles += cycles;
    profile->threads[thread].runs = 1;
    return true;
}

bool gnomon_profile_samples(struct gnomon_profile *profile, const struct gnomon_samples *samples, uint64_t cycles,
                            struct gnomon_sampled_code *code) {
    struct filling filling = {.profile = profile, .samples = samples, .code = code};
    filling.all = gnomon_samples_all(samples);
    filling.time = gnomon_samples_time(samples, cycles);
    bool good = true;
    profile->hart->begun = true;
    profile->hart->now = filling.time;
    for (size_t i = 0; good && i < samples->count; i++)
        good = add_stack(&filling, i);
    if (filling.all)
        profile->sums.lost = share(&filling, samples->lost);
    profile->sums.unprofiled = profile->hart->now - profile->sums.self - profile->sums.lost;
    free(filling.function_in);
    free(filling.arc_in);
    return good && profile_path_rest(profile);
}

/* ---- How exact it is ---- */

void gnomon_samples_exactness(const struct gnomon_samples *samples, struct gnomon_exactness *exactness) {
    char brief[96], taken[GNOMON_DIGITS_BYTES], period[GNOMON_DIGITS_BYTES];
    if (!samples) {
        gnomon_exactness_add(exactness, GNOMON_REASON_CUT, GNOMON_REACH_ALL, "no-samples", 0, "the samples are missing",
                             "the samples are not in the file");
        exactness->no_figures = true;
        return;
    }
    gnomon_digits(taken, gnomon_samples_all(samples));
    gnomon_digits(period, samples->period);
    snprintf(brief, sizeof brief, "estimated from %.22s samples, one every %.13s %.24s", taken, period, samples->event);
    gnomon_exactness_add(exactness, GNOMON_REASON_ESTIMATE, GNOMON_REACH_ALL, "sampled", gnomon_samples_all(samples),
                         brief, "the figures are estimates from %s samples, one every %s %s", taken, period,
                         samples->event);
    if (samples->lost) {
        snprintf(brief, sizeof brief, "%s samples LOST", gnomon_digits(taken, samples->lost));
        gnomon_exactness_add(exactness, GNOMON_REASON_LOSS, GNOMON_REACH_ALL, "samples-lost", samples->lost, brief,
                             "%s samples were lost: a lower frequency or a longer period loses fewer", taken);
    }
    if (samples->cut) {
        snprintf(brief, sizeof brief, "%s stacks without their outermost callers", gnomon_digits(taken, samples->cut));
        gnomon_exactness_add(exactness, GNOMON_REASON_LOSS, GNOMON_REACH_GRAPH, "stacks-cut", samples->cut, brief,
                             "the outermost callers of %s samples are not known: in interrupts, in modules, in "
                             "assembly, or because the stack is deeper than the table's entries",
                             taken);
    }
}
