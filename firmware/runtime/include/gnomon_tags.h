/* SPDX-License-Identifier: Apache-2.0 */
/* Tags of the program's own instructions and data, for the program itself (docs/tags.md). Only devices with the block
 * TAGS have them (full); elsewhere an access traps. What the host has set up is the same registers.
 *
 * What a tag counts arrives some cycles after its instruction retired; the functions that read counts wait that long.
 */
#ifndef GNOMON_TAGS_H
#define GNOMON_TAGS_H

#include <stdbool.h>
#include <stdint.h>

#include <gnomon/registers.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Tags have effect (bits of CONTROL: ENABLE, HINTS, TRACE), or none (0). */
void gnomon_tags_control(uint32_t control);
/* Waits until it is done. WHAT: bits of CLEAR: TAGS takes as many cycles as the device has words that can have tags. */
void gnomon_tags_clear(uint32_t what);
/* Segment SEGMENT (from 0 on) is for the part of memory around ADDRESS: as many bytes, and a multiple of as many, as a
 * segment covers, which is returned. */
uint32_t gnomon_tags_map(unsigned segment, const volatile void *address);

/* The instructions that begin from FIRST up to, not with, LIMIT have this tag, 0: none. False: not all of that is
 * mapped. */
bool gnomon_tag_code(const void *first, const void *limit, unsigned tag);
/* Likewise the words of data. */
bool gnomon_tag_data(const volatile void *first, const volatile void *limit, unsigned tag);
/* What the tag does: bits of MODE. */
void gnomon_tag_mode(unsigned tag, uint32_t mode);
#define GNOMON_TAG_STARTS(timer)                                                                                       \
    (1u << GNOMON_TAGS_MODE_TIMER_SHIFT | (uint32_t)(timer) << GNOMON_TAGS_MODE_WHICH_SHIFT)
#define GNOMON_TAG_STOPS(timer) (2u << GNOMON_TAGS_MODE_TIMER_SHIFT | (uint32_t)(timer) << GNOMON_TAGS_MODE_WHICH_SHIFT)
#define GNOMON_TAG_TOGGLES(timer)                                                                                      \
    (3u << GNOMON_TAGS_MODE_TIMER_SHIFT | (uint32_t)(timer) << GNOMON_TAGS_MODE_WHICH_SHIFT)

/* A hint: the instruction behind it in program order has this tag (1 to 31), where CONTROL.HINTS is on. */
#define GNOMON_TAG_HINT 0x460
#define GNOMON_TAG_NEXT(tag) __asm__ volatile("slti x0, x0, %0" ::"i"(GNOMON_TAG_HINT + (tag)))

struct gnomon_tag_counts {
    uint64_t executions, cycles, reads, writes;
};
void gnomon_tag_read(unsigned tag, struct gnomon_tag_counts *counts);

/* Segment SEGMENT of own counters begins at FIRST: for instructions, or (DATA) words. */
void gnomon_tag_own(unsigned segment, const volatile void *first, bool data);
/* How often the instruction was executed, or the word accessed, whose tag's mode has OWN; 0 where it has no counter. */
uint32_t gnomon_tag_own_count(const volatile void *address, bool data);

struct gnomon_tag_timer {
    uint32_t intervals, last, shortest, longest;
    uint64_t cycles;
};
void gnomon_tag_timer_read(unsigned timer, struct gnomon_tag_timer *counts);
/* Threshold STEP (0 to 3) of the timer is passed when an interval reaches so many cycles, 0: never; it interrupts, or
 * is counted only. */
void gnomon_tag_timer_step(unsigned timer, unsigned step, uint32_t cycles, bool interrupt);
uint32_t gnomon_tag_timer_over(unsigned timer, unsigned step);

/* In gnomon_profile_interrupt (GNOMON_IRQ_PROFILE): what asked for it, as in INTERRUPT, which is cleared. PC and VALUE,
 * if not null, are the instruction's address and tag where INTERRUPT.TAG is set. */
uint32_t gnomon_tag_interrupt(uint32_t *pc, uint32_t *value);

#ifdef __cplusplus
}
#endif

#endif
