/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/tag/tag_device.h"

#include "gnomon/registers.h"
#include "lib/tag/tag_memory.h"

#define MOST_POLLS 10000 /* attempts to find the device done, which takes it at most one cycle for each tag */
#define TIMER_BYTES 64
#define TIMER_WORDS 6 /* INTERVALS to LONGEST */
#define VALUE_WORDS 8
#define DATA_ADDRESS 1u /* PER_ADDRESS_SELECT: of a word */
#define LEAST_LOG2 6    /* words of a device that has blocks */

static unsigned field(uint32_t word, uint32_t mask, unsigned shift) {
    return (word & mask) >> shift;
}
#define FIELD(word, name) field(word, GNOMON_TAGS_CONFIG_##name, GNOMON_TAGS_CONFIG_##name##_SHIFT)

static enum gnomon_status no_tags(const struct gnomon_board *board, struct gnomon_error *error) {
    gnomon_fail(error, GNOMON_ERR_UNSUPPORTED, "%s has no tags (its configuration is %s)", board->address,
                board->config);
    return gnomon_remedy(error, GNOMON_ERR_UNSUPPORTED,
                         "take a device with tags, for example -d sim:full; gnomon list shows the devices");
}

enum gnomon_status gnomon_tags_open(struct gnomon_tags *tags, struct gnomon_device *device,
                                    const struct gnomon_board *board, struct gnomon_error *error) {
    *tags = (struct gnomon_tags){.device = device};
    uint32_t word = 0;
    enum gnomon_status status = gnomon_device_probe(device, GNOMON_TAGS_CONFIG, &word, error);
    if (status)
        return status;
    if (!(word & GNOMON_TAGS_CONFIG_PRESENT))
        return no_tags(board, error);
    unsigned log2 = FIELD(word, SHADOW_LOG2), blocks_log2 = FIELD(word, BLOCKS_LOG2),
             per_address_log2 = FIELD(word, PER_ADDRESS_LOG2);
    if (log2 > 28 || (log2 > 0 && (log2 < LEAST_LOG2 || blocks_log2 > GNOMON_TAG_BLOCKS_LOG2)) ||
        FIELD(word, TIMERS) > GNOMON_TAG_TIMERS || FIELD(word, STEPS) > GNOMON_TAG_STEPS)
        return gnomon_fail(error, GNOMON_ERR_PROTOCOL, "%s reports an impossible description of its tags: 0x%08x",
                           board->address, (unsigned)word);
    tags->sizes = (struct gnomon_tag_sizes){
        .bytes = log2 ? UINT32_C(4) << log2 : 0,
        .blocks = 1u << blocks_log2,
        .timers = FIELD(word, TIMERS),
        .steps = FIELD(word, STEPS),
        .reduced = word & GNOMON_TAGS_CONFIG_REDUCED,
        .per_address_bytes = per_address_log2 ? UINT32_C(2) << per_address_log2 : 0,
        .cache = word & GNOMON_TAGS_CONFIG_CACHE,
    };
    tags->delay = FIELD(word, DELAY);
    return GNOMON_OK;
}

enum gnomon_status gnomon_tags_open_whole(struct gnomon_tags *tags, struct gnomon_device *device,
                                          const struct gnomon_board *board, struct gnomon_error *error) {
    enum gnomon_status status = gnomon_tags_open(tags, device, board, error);
    if (status || !tags->sizes.reduced)
        return status;
    gnomon_fail(error, GNOMON_ERR_UNSUPPORTED, "%s has reduced tags, without sampler and cycles", board->address);
    return gnomon_remedy(error, GNOMON_ERR_UNSUPPORTED,
                         "take a device with all tags: a board with an ECP5, or -d sim:full; gnomon tag -t counts "
                         "executions on this one");
}

enum gnomon_status gnomon_tags_check(const struct gnomon_tag_plan *plan, const struct gnomon_board *board,
                                     struct gnomon_error *error) {
    for (size_t i = 0; i < plan->word_count; i++)
        if (!gnomon_board_holds(board, plan->words[i].address, 4)) {
            gnomon_fail(error, GNOMON_ERR_ARGUMENT, "0x%08x is not in the memory of %s",
                        (unsigned)plan->words[i].address, board->address);
            return gnomon_remedy(error, GNOMON_ERR_ARGUMENT,
                                 "only main memory can have tags; gnomon info says where it is");
        }
    return GNOMON_OK;
}

/* Waits until the bits of `mask` in STATUS are `value`. */
static enum gnomon_status await(const struct gnomon_tags *tags, uint32_t mask, uint32_t value, uint32_t *state,
                                struct gnomon_error *error) {
    for (int poll = 0; poll < MOST_POLLS; poll++) {
        enum gnomon_status status = gnomon_device_get(tags->device, GNOMON_TAGS_STATUS, state, error);
        if (status || (*state & mask) == value)
            return status;
    }
    gnomon_fail(error, GNOMON_ERR_TIMEOUT, "%s does not %s its tags", tags->device->transport->address,
                mask & GNOMON_TAGS_STATUS_BUSY ? "access" : "clear");
    return gnomon_remedy(error, GNOMON_ERR_TIMEOUT, "reset the device, and report this with its gnomon info");
}

enum gnomon_status gnomon_tags_await_access(const struct gnomon_tags *tags, uint32_t *state,
                                            struct gnomon_error *error) {
    return await(tags, GNOMON_TAGS_STATUS_BUSY, 0, state, error);
}

static enum gnomon_status clear(const struct gnomon_tags *tags, uint32_t what, struct gnomon_error *error) {
    uint32_t state;
    enum gnomon_status status = gnomon_device_set(tags->device, GNOMON_TAGS_CLEAR, what, error);
    return status ? status : await(tags, GNOMON_TAGS_STATUS_READY, GNOMON_TAGS_STATUS_READY, &state, error);
}

enum gnomon_status gnomon_tags_clear_counts(const struct gnomon_tags *tags, struct gnomon_error *error) {
    return clear(tags, GNOMON_TAGS_CLEAR_COUNTS, error);
}

enum gnomon_status gnomon_tags_clear(const struct gnomon_tags *tags, struct gnomon_error *error) {
    enum gnomon_status status = gnomon_tags_off(tags, error);
    if (!status)
        status = gnomon_device_set(tags->device, GNOMON_TAGS_UNTIL, 0, error);
    return status ? status : clear(tags, GNOMON_TAGS_CLEAR_TAGS | GNOMON_TAGS_CLEAR_COUNTS, error);
}

enum gnomon_status gnomon_tags_set_blocks(const struct gnomon_tags *tags, const struct gnomon_tag_block *code,
                                          const struct gnomon_tag_block *data, struct gnomon_error *error) {
    uint32_t words[2][GNOMON_TAG_BLOCKS];
    for (unsigned kind = 0; kind < 2; kind++)
        for (unsigned i = 0; i < GNOMON_TAG_BLOCKS; i++) {
            const struct gnomon_tag_block *block = &(kind ? data : code)[i];
            words[kind][i] = !block->used ? 0
                                          : (block->address & -tags->sizes.bytes) | GNOMON_TAGS_CODE_BLOCK_VALID |
                                                (block->per_address ? GNOMON_TAGS_CODE_BLOCK_PER_ADDRESS : 0);
        }
    if (!tags->sizes.bytes)
        return GNOMON_OK;
    enum gnomon_status status =
        gnomon_device_write(tags->device, GNOMON_TAGS_CODE_BLOCK, words[0], tags->sizes.blocks, error);
    return status ? status
                  : gnomon_device_write(tags->device, GNOMON_TAGS_DATA_BLOCK, words[1], tags->sizes.blocks, error);
}

enum gnomon_status gnomon_tags_fill(const struct gnomon_tags *tags, uint32_t start, uint32_t end, uint32_t word,
                                    struct gnomon_error *error) {
    uint32_t state = 0;
    enum gnomon_status status = gnomon_device_set(tags->device, GNOMON_TAGS_ADDRESS, start, error);
    if (!status)
        status = gnomon_tags_await_access(tags, &state, error);
    const uint32_t unmapped =
        (word & (GNOMON_TAGS_TAG_LOW | GNOMON_TAGS_TAG_HIGH) ? GNOMON_TAGS_STATUS_UNMAPPED_CODE : 0) |
        (word & GNOMON_TAGS_TAG_DATA ? GNOMON_TAGS_STATUS_UNMAPPED_DATA : 0);
    if (!status && state & unmapped)
        return gnomon_fail(error, GNOMON_ERR_PROTOCOL, "%s does not map 0x%08x to tags, though it was told to",
                           tags->device->transport->address, (unsigned)start);
    if (!status)
        status = gnomon_device_set(tags->device, GNOMON_TAGS_UNTIL, end, error);
    if (!status)
        status = gnomon_device_set(tags->device, GNOMON_TAGS_TAG, word, error);
    return status ? status : gnomon_tags_await_access(tags, &state, error);
}

static uint32_t in_block(const struct gnomon_tag_word *word) {
    return word->tags & ~word->filled;
}

/* Consecutive words with the same tags are set with one access. Tags in main memory are not among them. */
static enum gnomon_status set_words(const struct gnomon_tags *tags, const struct gnomon_tag_plan *plan,
                                    struct gnomon_error *error) {
    enum gnomon_status status = GNOMON_OK;
    for (size_t i = 0, end; i < plan->word_count && !status; i = end) {
        const struct gnomon_tag_word *first = &plan->words[i];
        for (end = i + 1; end < plan->word_count && in_block(&plan->words[end]) == in_block(first) &&
                          plan->words[end].address == plan->words[end - 1].address + 4;)
            end++;
        if (in_block(first))
            status = gnomon_tags_fill(tags, first->address, plan->words[end - 1].address + 4, in_block(first), error);
    }
    return status ? status : gnomon_device_set(tags->device, GNOMON_TAGS_UNTIL, 0, error);
}

static enum gnomon_status set_thresholds(const struct gnomon_tags *tags, const struct gnomon_tag_plan *plan,
                                         struct gnomon_error *error) {
    enum gnomon_status status = GNOMON_OK;
    for (unsigned i = 0; i < tags->sizes.timers && !status; i++) {
        const struct gnomon_tag_thresholds *of = &plan->list->thresholds[i];
        status = gnomon_device_set(tags->device, GNOMON_TAGS_TIMER_INTERRUPT + i * TIMER_BYTES, of->interrupts, error);
        if (!status && tags->sizes.steps)
            status = gnomon_device_write(tags->device, GNOMON_TAGS_TIMER_STEP + i * TIMER_BYTES, of->cycles,
                                         tags->sizes.steps, error);
    }
    return status;
}

enum gnomon_status gnomon_tags_load(const struct gnomon_tags *tags, const struct gnomon_tag_plan *plan,
                                    struct gnomon_error *error) {
    enum gnomon_status status = gnomon_tags_clear(tags, error);
    if (!status)
        status = gnomon_tags_set_blocks(tags, plan->code, plan->data, error);
    if (!status)
        status = set_words(tags, plan, error);
    if (!status && tags->sizes.cache)
        status = gnomon_tags_load_memory(tags, plan, error);
    if (!status)
        status = gnomon_device_write(tags->device, GNOMON_TAGS_MODE, plan->modes, GNOMON_TAG_VALUES + 1, error);
    if (!status)
        status = set_thresholds(tags, plan, error);
    if (!status)
        status =
            gnomon_device_set(tags->device, GNOMON_TAGS_GATE, plan->traced_first ? GNOMON_TAGS_GATE_TRACE : 0, error);
    uint32_t control = GNOMON_TAGS_CONTROL_ENABLE | (plan->hints ? GNOMON_TAGS_CONTROL_HINTS : 0) |
                       (plan->trace ? GNOMON_TAGS_CONTROL_TRACE : 0);
    return status ? status : gnomon_device_set(tags->device, GNOMON_TAGS_CONTROL, control, error);
}

enum gnomon_status gnomon_tags_off(const struct gnomon_tags *tags, struct gnomon_error *error) {
    return gnomon_device_set(tags->device, GNOMON_TAGS_CONTROL, 0, error);
}

/* ---- Counters ---- */

/* Counts reach their registers in rounds: all of now are there after two more rounds. */
static enum gnomon_status await_counts(const struct gnomon_tags *tags, struct gnomon_tag_losses *losses,
                                       struct gnomon_error *error) {
    uint32_t state = 0;
    enum gnomon_status status = gnomon_device_get(tags->device, GNOMON_TAGS_STATUS, &state, error);
    const uint32_t first = state & GNOMON_TAGS_STATUS_ROUNDS;
    for (int poll = 0; poll < MOST_POLLS && !status; poll++) {
        if (field(state - first, GNOMON_TAGS_STATUS_ROUNDS, GNOMON_TAGS_STATUS_ROUNDS_SHIFT) >= 2) {
            losses->saturated = state & GNOMON_TAGS_STATUS_SATURATED;
            losses->missed = state & GNOMON_TAGS_STATUS_MISSED;
            return GNOMON_OK;
        }
        status = gnomon_device_get(tags->device, GNOMON_TAGS_STATUS, &state, error);
    }
    if (status)
        return status;
    gnomon_fail(error, GNOMON_ERR_TIMEOUT, "%s does not finish counting its tags", tags->device->transport->address);
    return gnomon_remedy(error, GNOMON_ERR_TIMEOUT, "reset the device, and report this with its gnomon info");
}

static uint64_t pair(const uint32_t *words) {
    return (uint64_t)words[1] << 32 | words[0];
}

static enum gnomon_status read_values(const struct gnomon_tags *tags, struct gnomon_tag_counts *counts,
                                      struct gnomon_error *error) {
    uint32_t words[(GNOMON_TAG_VALUES + 1) * VALUE_WORDS];
    enum gnomon_status status =
        gnomon_device_read(tags->device, GNOMON_TAGS_VALUE_EXECUTIONS_LO, words, sizeof words / sizeof *words, error);
    for (size_t i = 0; i <= GNOMON_TAG_VALUES && !status; i++) {
        const uint32_t *of = words + i * VALUE_WORDS;
        counts->values[i] = (struct gnomon_tag_count){pair(of), pair(of + 2), pair(of + 4), pair(of + 6)};
    }
    return status;
}

static enum gnomon_status read_timers(const struct gnomon_tags *tags, struct gnomon_tag_counts *counts,
                                      struct gnomon_error *error) {
    uint32_t gate = 0, words[TIMER_WORDS];
    enum gnomon_status status = gnomon_device_get(tags->device, GNOMON_TAGS_GATE, &gate, error);
    for (unsigned i = 0; i < tags->sizes.timers && !status; i++) {
        struct gnomon_timer_count *timer = &counts->timers[i];
        status =
            gnomon_device_read(tags->device, GNOMON_TAGS_TIMER_INTERVALS + i * TIMER_BYTES, words, TIMER_WORDS, error);
        if (!status && tags->sizes.steps)
            status = gnomon_device_read(tags->device, GNOMON_TAGS_TIMER_OVER + i * TIMER_BYTES, timer->over,
                                        tags->sizes.steps, error);
        if (status)
            return status;
        timer->intervals = words[0];
        timer->cycles = pair(words + 1);
        timer->last = words[3];
        timer->shortest = words[4];
        timer->longest = words[5];
        timer->running = gate >> i & 1;
        counts->losses.part |= timer->running && gate >> (GNOMON_TAGS_GATE_LONG_SHIFT + i) & 1;
    }
    return status;
}

enum gnomon_status gnomon_tags_read(const struct gnomon_tags *tags, struct gnomon_tag_counts *counts,
                                    struct gnomon_error *error) {
    *counts = (struct gnomon_tag_counts){0};
    struct gnomon_tag_losses *losses = &counts->losses;
    const struct {
        uint32_t address;
        uint32_t *value;
    } registers[] = {
        {GNOMON_TAGS_HINTED, &counts->hinted},
        {GNOMON_TAGS_CLEARED, &losses->cleared},
        {GNOMON_TAGS_CLEARED_ADDRESS, &losses->cleared_address},
        {GNOMON_TAGS_HINTS_LOST, &losses->hints_lost},
        {GNOMON_TAGS_TIMERS_LOST, &losses->timers_lost},
        {GNOMON_TAGS_PER_ADDRESS_OVERFLOW, &losses->per_address_overflow},
    };
    enum gnomon_status status = await_counts(tags, losses, error);
    if (!status)
        status = read_values(tags, counts, error);
    if (!status)
        status = read_timers(tags, counts, error);
    for (size_t i = 0; i < sizeof registers / sizeof *registers && !status; i++)
        status = gnomon_device_get(tags->device, registers[i].address, registers[i].value, error);
    for (size_t i = 0; i < 3 && !status && tags->sizes.cache; i++) {
        static const uint32_t unknown[] = {GNOMON_TAGS_INSTRUCTIONS_UNKNOWN, GNOMON_TAGS_ACCESSES_UNKNOWN,
                                           GNOMON_TAGS_STORES_INTO_CODE};
        uint32_t *const counts_of[] = {&losses->instructions_unknown, &losses->accesses_unknown,
                                       &losses->stores_into_code};
        status = gnomon_device_get(tags->device, unknown[i], counts_of[i], error);
    }
    losses->at_least = tags->sizes.reduced;
    if (!losses->cleared)
        losses->cleared_address = 0; /* the register holds what an earlier run left */
    return status;
}

enum gnomon_status gnomon_tags_read_per_address(const struct gnomon_tags *tags, uint32_t address, bool data,
                                                uint32_t *counts, size_t count, struct gnomon_error *error) {
    uint32_t state;
    enum gnomon_status status =
        gnomon_device_set(tags->device, GNOMON_TAGS_PER_ADDRESS_SELECT, address | (data ? DATA_ADDRESS : 0), error);
    for (size_t i = 0; i < count && !status; i++) {
        status = gnomon_tags_await_access(tags, &state, error);
        if (!status)
            status = gnomon_device_get(tags->device, GNOMON_TAGS_PER_ADDRESS_COUNT, &counts[i], error);
    }
    return status;
}

struct gnomon_tag_count gnomon_tags_sum(const struct gnomon_tag_plan *plan, const struct gnomon_tag_counts *counts,
                                        size_t index) {
    struct gnomon_tag_count sum = {0};
    for (size_t number = 1; number <= GNOMON_TAG_VALUES; number++) {
        const struct gnomon_tag_count *one = &counts->values[number];
        if (!(plan->members[number] >> index & 1))
            continue;
        sum.executions += one->executions;
        sum.cycles += one->cycles;
        sum.reads += one->reads;
        sum.writes += one->writes;
    }
    return sum;
}
