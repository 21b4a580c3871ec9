/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/tag/tag_plan.h"

#include <stdlib.h>
#include <string.h>

#include "gnomon/registers.h"
#include "lib/util/array.h"

#define ACCESSES (GNOMON_TAGS_MODE_READ | GNOMON_TAGS_MODE_WRITE)
#define TIMER (GNOMON_TAGS_MODE_TIMER | GNOMON_TAGS_MODE_WHICH)
#define FULL_TAGS "take a device with all tags: a board with an ECP5 (docs/guide/boards/README.md), or -d sim:full"
#define REDUCED_VALUES 15u /* numbers of tags of a device with reduced tags */
#define TRACE_STOP 2u      /* value of MODE.TRACE */

/* ---- Numbers ---- */

static enum gnomon_status exclude_each_other(const struct gnomon_tag_plan *plan, uint32_t members, const char *what,
                                             struct gnomon_error *error) {
    const struct gnomon_tag_spec *of[2] = {0};
    for (size_t i = 0, n = 0; i < plan->list->count && n < 2; i++)
        if (members >> i & 1)
            of[n++] = &plan->list->specs[i];
    gnomon_fail(error, GNOMON_ERR_ARGUMENT, "%s and %s overlap, and their actions for %s exclude each other",
                of[0]->target.what, of[1] ? of[1]->target.what : "another", what);
    return gnomon_remedy(error, GNOMON_ERR_ARGUMENT, "tag smaller parts that do not overlap");
}

/* Merges the modes of targets that overlap. */
static enum gnomon_status merge(const struct gnomon_tag_plan *plan, uint32_t members, uint32_t *merged,
                                struct gnomon_error *error) {
    static const struct {
        uint32_t whole, what;
        const char *name;
    } fields[] = {{TIMER, GNOMON_TAGS_MODE_TIMER, "timers"},
                  {GNOMON_TAGS_MODE_TRACE, GNOMON_TAGS_MODE_TRACE, "the trace"}};
    uint32_t mode = 0, accesses = 0;
    bool any = false, differ = false;
    for (size_t i = 0; i < plan->list->count; i++) {
        uint32_t one = plan->list->specs[i].mode;
        if (!(members >> i & 1))
            continue;
        for (size_t f = 0; f < sizeof fields / sizeof *fields; f++)
            if (one & fields[f].what && mode & fields[f].what && (one ^ mode) & fields[f].whole)
                return exclude_each_other(plan, members, fields[f].name, error);
        differ |= any && (one & ACCESSES) != accesses;
        accesses = one & ACCESSES;
        any = true;
        mode |= one;
    }
    if (differ && mode & ~(ACCESSES | GNOMON_TAGS_MODE_EXECUTE)) /* the action applies to the accesses of all */
        return exclude_each_other(plan, members, "reads and writes", error);
    *merged = mode;
    return GNOMON_OK;
}

/* The number for the parts that belong to exactly these targets. */
static enum gnomon_status number_of(struct gnomon_tag_plan *plan, uint32_t members, uint32_t *number,
                                    struct gnomon_error *error) {
    const unsigned most = plan->reduced ? REDUCED_VALUES : GNOMON_TAG_VALUES;
    for (*number = 1; *number <= most; (*number)++)
        if (plan->members[*number] == members)
            return GNOMON_OK;
    for (*number = 1; *number <= most && plan->members[*number];)
        (*number)++;
    if (*number > most) {
        gnomon_fail(error, GNOMON_ERR_UNSUPPORTED,
                    "there are %u tags, and these overlap in more ways, each of which takes one", most);
        return gnomon_remedy(error, GNOMON_ERR_UNSUPPORTED, "give some of the tags to another gnomon tag");
    }
    plan->members[*number] = members;
    return merge(plan, members, &plan->modes[*number], error);
}

static enum gnomon_status reserve_hints(struct gnomon_tag_plan *plan, struct gnomon_error *error) {
    for (size_t i = 0; i < plan->list->count; i++) {
        unsigned hint = plan->list->specs[i].target.hint;
        if (hint && plan->members[hint]) {
            gnomon_fail(error, GNOMON_ERR_ARGUMENT, "%s is given twice", plan->list->specs[i].target.what);
            return gnomon_remedy(error, GNOMON_ERR_ARGUMENT, "give all its actions in one -t, with commas");
        }
        if (!hint)
            continue;
        plan->hints = true;
        plan->members[hint] = UINT32_C(1) << i;
        plan->modes[hint] = plan->list->specs[i].mode;
    }
    return GNOMON_OK;
}

/* ---- Words ---- */

static bool add_word(struct gnomon_tag_plan *plan, uint32_t address, uint32_t tags) {
    struct gnomon_tag_word *last = plan->word_count ? &plan->words[plan->word_count - 1] : NULL;
    if (last && last->address == address) {
        last->tags |= tags;
        return true;
    }
    if (!gnomon_array_room(&plan->words, &plan->word_capacity, plan->word_count + 1, sizeof *plan->words))
        return false;
    plan->words[plan->word_count++] = (struct gnomon_tag_word){.address = address, .tags = tags};
    return true;
}

static bool add_words(struct gnomon_tag_plan *plan, const struct gnomon_tag_part *part) {
    bool good = true;
    for (uint32_t at = part->start; at < part->end && good; at += part->data ? 4 : 2)
        good = add_word(plan, at & ~UINT32_C(3),
                        part->number << (part->data ? GNOMON_TAGS_TAG_DATA_SHIFT
                                         : at & 2   ? GNOMON_TAGS_TAG_HIGH_SHIFT
                                                    : GNOMON_TAGS_TAG_LOW_SHIFT));
    return good;
}

static bool add_part(struct gnomon_tag_plan *plan, const struct gnomon_tag_part *part) {
    if (!part->module)
        return add_words(plan, part);
    if (!gnomon_array_room(&plan->parts, &plan->part_capacity, plan->part_count + 1, sizeof *plan->parts))
        return false;
    plan->parts[plan->part_count++] = *part;
    return true;
}

static int by_address(const void *a, const void *b) {
    const struct gnomon_tag_word *left = a, *right = b;
    return (left->address > right->address) - (left->address < right->address);
}

/* Merges the words of instructions and of data, which were added separately. */
static void merge_words(struct gnomon_tag_plan *plan) {
    if (plan->word_count == 0)
        return;
    qsort(plan->words, plan->word_count, sizeof *plan->words, by_address);
    size_t last = 0;
    for (size_t i = 1; i < plan->word_count; i++) {
        if (plan->words[i].address == plan->words[last].address)
            plan->words[last].tags |= plan->words[i].tags;
        else
            plan->words[++last] = plan->words[i];
    }
    plan->word_count = last + 1;
}

/* An address where a target begins or ends. */
struct edge {
    uint32_t address, target; /* target: its bit */
};

static int by_edge(const void *a, const void *b) {
    const struct edge *left = a, *right = b;
    return (left->address > right->address) - (left->address < right->address);
}

static size_t collect_edges(const struct gnomon_tag_list *list, unsigned module, bool data, struct edge *edges) {
    size_t count = 0;
    for (size_t i = 0; i < list->count; i++)
        for (size_t n = 0; n < list->specs[i].target.count; n++) {
            const struct gnomon_tag_range *range = &list->specs[i].target.ranges[n];
            if (list->specs[i].module != module || list->specs[i].target.data != data)
                continue;
            edges[count++] = (struct edge){range->start, UINT32_C(1) << i};
            edges[count++] = (struct edge){range->end, UINT32_C(1) << i};
        }
    if (count > 0)
        qsort(edges, count, sizeof *edges, by_edge);
    return count;
}

/* Cuts the addresses at the edges: between two edges the targets are the same. */
static enum gnomon_status cut(struct gnomon_tag_plan *plan, unsigned module, bool data, struct edge *edges,
                              struct gnomon_error *error) {
    size_t count = collect_edges(plan->list, module, data, edges);
    uint32_t members = 0;
    enum gnomon_status status = GNOMON_OK;
    for (size_t i = 0; i + 1 < count && !status; i++) {
        members ^= edges[i].target;
        if (!members || edges[i].address == edges[i + 1].address)
            continue;
        struct gnomon_tag_part part = {
            .module = module, .start = edges[i].address, .end = edges[i + 1].address, .data = data};
        status = number_of(plan, members, &part.number, error);
        if (!status && !add_part(plan, &part))
            status = gnomon_fail_memory(error);
    }
    return status;
}

static enum gnomon_status cut_all(struct gnomon_tag_plan *plan, struct gnomon_error *error) {
    size_t ranges = 0;
    unsigned modules = 0;
    for (size_t i = 0; i < plan->list->count; i++) {
        ranges += plan->list->specs[i].target.count;
        modules = plan->list->specs[i].module > modules ? plan->list->specs[i].module : modules;
    }
    struct edge *edges = calloc(2 * ranges + 1, sizeof *edges);
    if (!edges)
        return gnomon_fail_memory(error);
    enum gnomon_status status = GNOMON_OK;
    for (unsigned module = 0; module <= modules && !status; module++) {
        status = cut(plan, module, false, edges, error);
        if (!status)
            status = cut(plan, module, true, edges, error);
    }
    free(edges);
    merge_words(plan);
    return status;
}

/* ---- The device's parts ---- */

static uint32_t tags_of(const struct gnomon_tag_word *word, bool data) {
    return word->tags & (data ? GNOMON_TAGS_TAG_DATA : GNOMON_TAGS_TAG_LOW | GNOMON_TAGS_TAG_HIGH);
}

static enum gnomon_status refuse_all(const char *device, struct gnomon_error *error) {
    gnomon_fail(error, GNOMON_ERR_UNSUPPORTED, "%s has no memory for tags, only hints tag", device);
    return gnomon_remedy(error, GNOMON_ERR_UNSUPPORTED, "tag what lies together, and the rest in another gnomon tag");
}

static uint32_t mode_of(const struct gnomon_tag_plan *plan, uint32_t tags, uint32_t mask, unsigned shift) {
    return plan->modes[(tags & mask) >> shift] & GNOMON_TAGS_MODE_PER_ADDRESS;
}
#define MODE_OF(plan, tags, part) mode_of(plan, tags, GNOMON_TAGS_TAG_##part, GNOMON_TAGS_TAG_##part##_SHIFT)

static bool wants_per_address(const struct gnomon_tag_plan *plan, const struct gnomon_tag_word *word, bool data) {
    return data ? MODE_OF(plan, word->tags, DATA) : MODE_OF(plan, word->tags, LOW) || MODE_OF(plan, word->tags, HIGH);
}

/* Tries to give the word a block. The address gives the block's number, so another word may already have it. False:
 * *taken is that word's address. */
static bool place_block(struct gnomon_tag_plan *plan, const struct gnomon_tag_sizes *sizes, bool data, uint32_t address,
                        uint32_t *taken) {
    const uint32_t block_bytes = sizes->bytes / sizes->blocks;
    struct gnomon_tag_block *block = &(data ? plan->data : plan->code)[address / block_bytes % sizes->blocks];
    if (!block->used)
        *block = (struct gnomon_tag_block){.used = true, .address = address};
    *taken = block->address;
    return block->address / block_bytes == address / block_bytes;
}

/* True if the word's tags cannot be in main memory. */
static bool needs_block(const struct gnomon_tag_plan *plan, const struct gnomon_tag_sizes *sizes,
                        const struct gnomon_tag_word *word, bool data) {
    const uint32_t high = GNOMON_TAG_FILLED_VALUES + 1, above = high << GNOMON_TAGS_TAG_LOW_SHIFT |
                                                                high << GNOMON_TAGS_TAG_HIGH_SHIFT |
                                                                high << GNOMON_TAGS_TAG_DATA_SHIFT;
    return !sizes->cache || sizes->shadow == GNOMON_TAG_SHADOW_CHIP || tags_of(word, data) & above ||
           wants_per_address(plan, word, data);
}

static enum gnomon_status refuse_memory(const struct gnomon_tag_sizes *sizes, const struct gnomon_tag_word *word,
                                        const char *device, struct gnomon_error *error) {
    if (!sizes->cache) {
        gnomon_fail(error, GNOMON_ERR_UNSUPPORTED, "%s has no tags in main memory", device);
        return gnomon_remedy(error, GNOMON_ERR_UNSUPPORTED,
                             "leave out --shadow, or take a ULX3S with an ECP5-85F (-d sim:ulx3s-85f)");
    }
    gnomon_fail(error, GNOMON_ERR_UNSUPPORTED,
                "the tag at 0x%08x cannot be in main memory: there are %d tags there, and none with \"each\"",
                (unsigned)word->address, GNOMON_TAG_FILLED_VALUES);
    return gnomon_remedy(error, GNOMON_ERR_UNSUPPORTED, "leave out --shadow memory, or tag less at a time");
}

static enum gnomon_status refuse_far(const struct gnomon_tag_sizes *sizes, bool data, const char *device,
                                     uint32_t first, uint32_t second, struct gnomon_error *error) {
    gnomon_fail(error, GNOMON_ERR_UNSUPPORTED,
                "what is to be tagged lies too far apart: %s has tags for %u blocks of %u bytes of %s, and 0x%08x "
                "and 0x%08x would need the same one",
                device, sizes->blocks, (unsigned)(sizes->bytes / sizes->blocks), data ? "data" : "code",
                (unsigned)first, (unsigned)second);
    return gnomon_remedy(error, GNOMON_ERR_UNSUPPORTED,
                         sizes->cache ? "leave out --shadow, or give some of the tags to another gnomon tag"
                                      : "tag what lies together, and the rest in another gnomon tag");
}

/* Chooses where each word has its tags: first those that need a block, then the others. */
static enum gnomon_status place_words(struct gnomon_tag_plan *plan, const struct gnomon_tag_sizes *sizes, bool data,
                                      const char *device, struct gnomon_error *error) {
    for (int must = 1; must >= 0; must--)
        for (size_t i = 0; i < plan->word_count; i++) {
            struct gnomon_tag_word *word = &plan->words[i];
            uint32_t taken = 0;
            if (!tags_of(word, data) || needs_block(plan, sizes, word, data) != must)
                continue;
            if (must && sizes->shadow == GNOMON_TAG_SHADOW_MEMORY)
                return refuse_memory(sizes, word, device, error);
            if (must && !sizes->bytes)
                return refuse_all(device, error);
            if (sizes->shadow != GNOMON_TAG_SHADOW_MEMORY && sizes->bytes &&
                place_block(plan, sizes, data, word->address, &taken))
                continue;
            if (must)
                return refuse_far(sizes, data, device, taken, word->address, error);
            word->filled |= tags_of(word, data);
        }
    return GNOMON_OK;
}

static enum gnomon_status refuse_each(const struct gnomon_tag_sizes *sizes, const char *device, uint32_t first,
                                      uint32_t second, struct gnomon_error *error) {
    if (!sizes->per_address_bytes) {
        gnomon_fail(error, GNOMON_ERR_UNSUPPORTED, "%s has no counters for \"each\"", device);
        return gnomon_remedy(error, GNOMON_ERR_UNSUPPORTED, "leave it out: the tag counts all together");
    }
    gnomon_fail(error, GNOMON_ERR_UNSUPPORTED,
                "\"each\" is asked for more than %s has counters for: %u bytes of code and as many of data, and 0x%08x "
                "and 0x%08x would share a counter",
                device, (unsigned)sizes->per_address_bytes, (unsigned)first, (unsigned)second);
    return gnomon_remedy(error, GNOMON_ERR_UNSUPPORTED, "ask for it in smaller parts, one gnomon tag after another");
}

/* The low bits of an address choose its per-address counter. So no two words may have the same low bits. */
static enum gnomon_status place_per_address(struct gnomon_tag_plan *plan, const struct gnomon_tag_sizes *sizes,
                                            bool data, const char *device, struct gnomon_error *error) {
    const size_t places = sizes->per_address_bytes / 4;
    uint32_t *taken = calloc(places + 1, sizeof *taken); /* by place: its address + 1; 0: free */
    enum gnomon_status status = taken ? GNOMON_OK : gnomon_fail_memory(error);
    for (size_t i = 0; i < plan->word_count && !status; i++) {
        const struct gnomon_tag_word *word = &plan->words[i];
        if (!wants_per_address(plan, word, data))
            continue;
        uint32_t *place = &taken[places ? word->address / 4 % places : 0];
        if (!places || *place)
            status = refuse_each(sizes, device, *place - 1, word->address, error);
        *place = word->address + 1;
        (data ? plan->data : plan->code)[word->address / (sizes->bytes / sizes->blocks) % sizes->blocks].per_address =
            true;
    }
    free(taken);
    return status;
}

static enum gnomon_status place(struct gnomon_tag_plan *plan, const struct gnomon_tag_sizes *sizes, bool data,
                                const char *device, struct gnomon_error *error) {
    enum gnomon_status status = place_words(plan, sizes, data, device, error);
    return status ? status : place_per_address(plan, sizes, data, device, error);
}

/* Each threshold must have a place in the device, and a timer that runs. */
static enum gnomon_status check_thresholds(const struct gnomon_tag_plan *plan, const struct gnomon_tag_sizes *sizes,
                                           const char *device, struct gnomon_error *error) {
    for (unsigned place = 0; place < GNOMON_TAG_TIMERS * GNOMON_TAG_STEPS; place++) {
        const unsigned timer = place / GNOMON_TAG_STEPS, step = place % GNOMON_TAG_STEPS;
        const unsigned cycles = (unsigned)plan->list->thresholds[timer].cycles[step];
        if (cycles && !(plan->timers >> timer & 1)) {
            gnomon_fail(error, GNOMON_ERR_ARGUMENT, "threshold %u=%u: no tag starts or stops this timer", timer,
                        cycles);
            return gnomon_remedy(error, GNOMON_ERR_ARGUMENT, "add the action to a tag: -t WHAT:start=%u", timer);
        }
        if (cycles && !sizes->steps) {
            gnomon_fail(error, GNOMON_ERR_UNSUPPORTED, "threshold %u=%u: %s has no thresholds", timer, cycles, device);
            return gnomon_remedy(error, GNOMON_ERR_UNSUPPORTED, FULL_TAGS);
        }
        if (cycles && step >= sizes->steps) {
            gnomon_fail(error, GNOMON_ERR_UNSUPPORTED, "threshold %u=%u: %s has %u for each timer", timer, cycles,
                        device, sizes->steps);
            return gnomon_remedy(error, GNOMON_ERR_UNSUPPORTED, "count the others in another gnomon tag");
        }
    }
    return GNOMON_OK;
}

static enum gnomon_status check_actions(struct gnomon_tag_plan *plan, const struct gnomon_tag_sizes *sizes,
                                        const char *device, struct gnomon_error *error) {
    bool starts = false;
    for (unsigned number = 1; number <= GNOMON_TAG_VALUES; number++) {
        uint32_t mode = plan->modes[number];
        unsigned which = (mode & GNOMON_TAGS_MODE_WHICH) >> GNOMON_TAGS_MODE_WHICH_SHIFT;
        unsigned trace = (mode & GNOMON_TAGS_MODE_TRACE) >> GNOMON_TAGS_MODE_TRACE_SHIFT;
        plan->trace |= trace != 0;
        starts |= trace != 0 && trace != TRACE_STOP;
        if (!(mode & GNOMON_TAGS_MODE_TIMER))
            continue;
        plan->timers |= UINT32_C(1) << which;
        if (which < sizes->timers)
            continue;
        gnomon_fail(error, GNOMON_ERR_UNSUPPORTED, "%s has %u timers; there is no timer %u", device, sizes->timers,
                    which);
        return gnomon_remedy(error, GNOMON_ERR_UNSUPPORTED, "take numbers from 0 on");
    }
    plan->traced_first = plan->trace && !starts;
    return GNOMON_OK;
}

/* Refuses what reduced tags cannot do. */
static enum gnomon_status check_reduced(const struct gnomon_tag_list *list, const char *device,
                                        struct gnomon_error *error) {
    static const struct {
        uint32_t mode;
        const char *what;
    } actions[] = {{GNOMON_TAGS_MODE_PER_ADDRESS, "each"},
                   {GNOMON_TAGS_MODE_TAGGED, "tagged"},
                   {GNOMON_TAGS_MODE_TRACE, "trace-start, trace-stop, trace-toggle"}};
    for (size_t i = 0; i < list->count; i++) {
        const struct gnomon_tag_spec *spec = &list->specs[i];
        const char *what = spec->target.data ? "data" : spec->target.hint ? "hints" : NULL;
        if (what)
            gnomon_fail(error, GNOMON_ERR_UNSUPPORTED, "%s: %s has reduced tags, for instructions only, not for %s",
                        spec->target.what, device, what);
        for (size_t n = 0; n < sizeof actions / sizeof *actions && !what; n++)
            if (spec->mode & actions[n].mode) {
                what = actions[n].what;
                gnomon_fail(error, GNOMON_ERR_UNSUPPORTED, "%s: %s has reduced tags, without the action %s",
                            spec->target.what, device, what);
            }
        if (what)
            return gnomon_remedy(error, GNOMON_ERR_UNSUPPORTED, FULL_TAGS);
    }
    return GNOMON_OK;
}

enum gnomon_status gnomon_tag_check_modules(const struct gnomon_tag_list *list, struct gnomon_error *error) {
    for (size_t i = 0; i < list->count; i++) {
        const struct gnomon_tag_spec *spec = &list->specs[i];
        if (!spec->module || !(spec->mode & GNOMON_TAGS_MODE_PER_ADDRESS))
            continue;
        gnomon_fail(error, GNOMON_ERR_ARGUMENT,
                    "the tag of %s: \"each\" is not possible in a module, because the module's addresses choose the "
                    "counters and are not known before it is loaded",
                    spec->target.what);
        return gnomon_remedy(error, GNOMON_ERR_ARGUMENT, "leave it out: the tag counts all together");
    }
    return GNOMON_OK;
}

enum gnomon_status gnomon_tag_plan_make(struct gnomon_tag_plan *plan, const struct gnomon_tag_list *list,
                                        const struct gnomon_tag_sizes *sizes, const char *device,
                                        struct gnomon_error *error) {
    *plan = (struct gnomon_tag_plan){.list = list, .reduced = sizes->reduced};
    enum gnomon_status status = gnomon_tag_check_modules(list, error);
    if (!status && sizes->reduced)
        status = check_reduced(list, device, error);
    if (!status)
        status = reserve_hints(plan, error);
    if (!status)
        status = cut_all(plan, error);
    if (!status && plan->part_count > 0 && !sizes->bytes)
        status = refuse_all(device, error);
    if (!status)
        status = place(plan, sizes, false, device, error);
    if (!status)
        status = place(plan, sizes, true, device, error);
    if (!status)
        status = check_actions(plan, sizes, device, error);
    return status ? status : check_thresholds(plan, sizes, device, error);
}

/* What asks for the profile interrupt; NULL: nothing does. */
static const char *asks_for_interrupt(const struct gnomon_tag_list *list) {
    for (size_t i = 0; i < list->count; i++)
        if (list->specs[i].mode & GNOMON_TAGS_MODE_INTERRUPT)
            return list->specs[i].target.what;
    for (unsigned timer = 0; timer < GNOMON_TAG_TIMERS; timer++)
        if (list->thresholds[timer].interrupts)
            return "a threshold";
    return NULL;
}

enum gnomon_status gnomon_tag_check_interrupt(const struct gnomon_tag_list *list,
                                              const struct gnomon_tag_program *program, bool *doubt,
                                              struct gnomon_error *error) {
    const char *what = asks_for_interrupt(list);
    const bool known = program->profile_handler && program->no_handler;
    if (doubt)
        *doubt = what && !known;
    if (!what || !known || program->profile_handler != program->no_handler)
        return GNOMON_OK;
    gnomon_fail(error, GNOMON_ERR_ARGUMENT, "%s: %s does not handle the interrupt that this asks for", what,
                program->path);
    return gnomon_remedy(error, GNOMON_ERR_ARGUMENT,
                         "define GNOMON_INTERRUPT void " GNOMON_TAG_HANDLER
                         "(void) in the program (gnomon.h; docs/guide/firmware.md, \"Runtime\")");
}

bool gnomon_tag_plan_each(const struct gnomon_tag_plan *plan, uint32_t address, bool data) {
    const struct gnomon_tag_word key = {.address = address & ~UINT32_C(3)};
    const struct gnomon_tag_word *word =
        plan->word_count ? bsearch(&key, plan->words, plan->word_count, sizeof *plan->words, by_address) : NULL;
    if (!word)
        return false;
    return data          ? MODE_OF(plan, word->tags, DATA)
           : address & 2 ? MODE_OF(plan, word->tags, HIGH)
                         : MODE_OF(plan, word->tags, LOW);
}

void gnomon_tag_plan_free(struct gnomon_tag_plan *plan) {
    free(plan->words);
    free(plan->parts);
    *plan = (struct gnomon_tag_plan){0};
}
