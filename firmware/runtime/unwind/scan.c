/* SPDX-License-Identifier: Apache-2.0 */
#include <gnomon.h>
#include <gnomon_scan.h>
#include <gnomon_tags.h>

#include "internal.h"

enum { TAGS = 31 };

static uint32_t pages_of(const struct gnomon_scan *scan) {
    return (scan->limit - scan->first + scan->page_bytes - 1) / scan->page_bytes;
}

static uint32_t start_of(const struct gnomon_scan *scan, uint32_t page) {
    return scan->first + page * scan->page_bytes;
}

static uint32_t end_of(const struct gnomon_scan *scan, uint32_t page) {
    const uint32_t end = start_of(scan, page + 1);
    return end < scan->limit ? end : scan->limit;
}

static void mark(const struct gnomon_scan *scan, uint32_t page, unsigned tag) {
    gnomon_tag_code((const void *)start_of(scan, page), (const void *)end_of(scan, page), tag);
}

/* The memory that can have tags at a time, in bytes; *block: that of a block. */
static uint32_t taggable(uint32_t *block) {
    const uint32_t config = GNOMON_REG(GNOMON_TAGS_CONFIG);
    const uint32_t log2 = (config & GNOMON_TAGS_CONFIG_SHADOW_LOG2) >> GNOMON_TAGS_CONFIG_SHADOW_LOG2_SHIFT;
    const uint32_t all = log2 ? 4u << log2 : 0;
    *block = all >> ((config & GNOMON_TAGS_CONFIG_BLOCKS_LOG2) >> GNOMON_TAGS_CONFIG_BLOCKS_LOG2_SHIFT);
    return all;
}

/* Begins the turn of the pages from `next` on: as many as there are tags, and as can have tags at a time. */
static void begin_turn(struct gnomon_scan *scan) {
    uint32_t block;
    const uint32_t pages = pages_of(scan), first = scan->next, all = taggable(&block);
    const uint32_t begin = start_of(scan, first) & -block;
    while (scan->next < pages && scan->next - first < TAGS && end_of(scan, scan->next) - begin <= all)
        scan->next++;
    scan->count = scan->next - first;
    gnomon_tags_map(GNOMON_TAGS_CODE, (const void *)begin, (const void *)end_of(scan, scan->next - 1));
    for (uint32_t i = 0; i < scan->count; i++)
        mark(scan, first + i, i + 1);
    gnomon_tags_clear(GNOMON_TAGS_CLEAR_COUNTS);
    scan->began = gnomon_timer_now();
    gnomon_tags_control(GNOMON_TAGS_CONTROL_ENABLE);
}

static void end_turn(struct gnomon_scan *scan) {
    const uint64_t took = gnomon_timer_now() - scan->began;
    gnomon_tags_control(0);
    for (unsigned tag = 1; tag <= scan->count; tag++) {
        const uint32_t page = scan->next - scan->count + tag - 1;
        struct gnomon_tag_counts counts;
        gnomon_tag_read(tag, &counts);
        scan->pages[page].executions += counts.executions;
        scan->pages[page].cycles += counts.cycles;
        scan->pages[page].watched += took;
        mark(scan, page, 0);
    }
}

int gnomon_scan_begin(struct gnomon_scan *scan) {
    uint32_t block;
    const uint32_t all = taggable(&block);
    if (scan->page_bytes + block > all) /* wherever it begins */
        return -1;
    gnomon_tags_control(0);
    gnomon_tags_clear(GNOMON_TAGS_CLEAR_TAGS | GNOMON_TAGS_CLEAR_COUNTS);
    for (unsigned tag = 1; tag <= TAGS; tag++)
        gnomon_tag_mode(tag, GNOMON_TAGS_MODE_EXECUTE);
    scan->next = 0;
    scan->rounds = 0;
    begin_turn(scan);
    return 0;
}

void gnomon_scan_next(struct gnomon_scan *scan) {
    end_turn(scan);
    if (scan->next >= pages_of(scan)) {
        scan->next = 0;
        scan->rounds++;
    }
    begin_turn(scan);
}

void gnomon_scan_end(struct gnomon_scan *scan) {
    end_turn(scan);
}
