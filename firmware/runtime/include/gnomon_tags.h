/* SPDX-License-Identifier: Apache-2.0 */
/* Tags of the program's own instructions and data, for use by the program itself (docs/internals/tags.md). Only devices
 * with the block TAGS (full) have them; on other devices an access traps. The host sets up tags with the same
 * registers.
 *
 * Counts reach their registers some cycles after the instruction has retired; the functions that read counts wait for
 * that: some hundred cycles. */
#ifndef GNOMON_TAGS_H
#define GNOMON_TAGS_H

#include <stdbool.h>
#include <stdint.h>

#include <gnomon/registers.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Switches tags on (bits of CONTROL: ENABLE, HINTS, TRACE, FILL_INTERRUPT) or off (0). With FILL_INTERRUPT, a cache
 * that fills a line with a tag causes an interrupt: INTERRUPT.FILL. */
void gnomon_tags_control(uint32_t control);
/* Clears tags or counts, and waits until this is done. WHAT: bits of CLEAR. The bit TAGS takes one cycle for each word
 * that the device has for tags. */
void gnomon_tags_clear(uint32_t what);
/* The kinds of memory that can have tags, each with blocks of its own; PER_ADDRESS gives the words of a block counters
 * of their own, too. */
enum { GNOMON_TAGS_CODE, GNOMON_TAGS_DATA, GNOMON_TAGS_CODE_PER_ADDRESS, GNOMON_TAGS_DATA_PER_ADDRESS };
/* Makes it possible to tag the memory from FIRST up to, not including, LIMIT, in whole blocks. Memory whose addresses
 * differ by a multiple of what all blocks cover shares a block: the block then serves the last of them. Returns the
 * number of bytes that a block covers. */
uint32_t gnomon_tags_map(int kind, const volatile void *first, const volatile void *limit);

/* Gives the tag (0: none) to all instructions that begin at FIRST or later and before LIMIT. Returns false if a part of
 * that range is not mapped. */
bool gnomon_tag_code(const void *first, const void *limit, unsigned tag);
/* Gives the tag to the words of data from FIRST up to, not including, LIMIT; otherwise the same as gnomon_tag_code. */
bool gnomon_tag_data(const volatile void *first, const volatile void *limit, unsigned tag);
/* Sets what the tag does: bits of MODE. */
void gnomon_tag_mode(unsigned tag, uint32_t mode);
#define GNOMON_TAG_STARTS(timer)                                                                                       \
    (1u << GNOMON_TAGS_MODE_TIMER_SHIFT | (uint32_t)(timer) << GNOMON_TAGS_MODE_WHICH_SHIFT)
#define GNOMON_TAG_STOPS(timer) (2u << GNOMON_TAGS_MODE_TIMER_SHIFT | (uint32_t)(timer) << GNOMON_TAGS_MODE_WHICH_SHIFT)
#define GNOMON_TAG_TOGGLES(timer)                                                                                      \
    (3u << GNOMON_TAGS_MODE_TIMER_SHIFT | (uint32_t)(timer) << GNOMON_TAGS_MODE_WHICH_SHIFT)

/* A hint instruction: the next instruction in program order gets this tag (1 to 31) if CONTROL.HINTS is on. */
#define GNOMON_TAG_HINT 0x460
#define GNOMON_TAG_NEXT(tag) __asm__ volatile("slti x0, x0, %0" ::"i"(GNOMON_TAG_HINT + (tag)))
/* The same for the next MANY instructions (1 to 63) in program order, through jumps and calls. */
#define GNOMON_TAG_NEXT_MANY(tag, many) __asm__ volatile("sltiu x0, x0, %0" ::"i"(32 * (many) + (tag)))

struct gnomon_tag_counts {
    uint64_t executions, cycles, reads, writes;
};
void gnomon_tag_read(unsigned tag, struct gnomon_tag_counts *counts);

/* Returns how often the instruction at ADDRESS was executed, or (DATA) the word accessed. Its tag's mode must have
 * PER_ADDRESS, and its memory must be mapped so. The low bits of the address choose the counter: CONFIG says how many.
 * What is tagged so must not have two addresses with the same counter. */
uint32_t gnomon_tag_per_address_count(const volatile void *address, bool data);

struct gnomon_tag_timer {
    uint32_t intervals, last, shortest, longest; /* all ones: 2^31 or more cycles, or no interval */
    uint64_t cycles;
};
void gnomon_tag_timer_read(unsigned timer, struct gnomon_tag_timer *counts);
/* Sets threshold STEP (0 to 3) of the timer to CYCLES, below 2^31; 0: no threshold. An interval that reaches CYCLES
 * passes the threshold: this is counted, and with INTERRUPT it also causes an interrupt, some cycles later
 * (docs/internals/tags.md). */
void gnomon_tag_timer_step(unsigned timer, unsigned step, uint32_t cycles, bool interrupt);
uint32_t gnomon_tag_timer_over(unsigned timer, unsigned step);

/* To be called in gnomon_profile_interrupt (GNOMON_IRQ_PROFILE). Returns the causes of the interrupt, as in the
 * register INTERRUPT, and clears that register. If INTERRUPT.TAG is set, PC and VALUE, unless NULL, receive the
 * instruction's address and tag. */
uint32_t gnomon_tag_interrupt(uint32_t *pc, uint32_t *value);

#ifdef __cplusplus
}
#endif

#endif
