/* SPDX-License-Identifier: Apache-2.0 */
/* Finds and interprets call frame information. Whatever the tables contain, the code reads nothing outside the tables,
 * and ends. */
#include <stddef.h>

#include "cfi.h"

/* Bounds from the linker script; all 0 in a program that was linked without them. */
extern const uint8_t __gnomon_frames_index[] __attribute__((weak)), __gnomon_frames_index_end[] __attribute__((weak));
extern const uint8_t __gnomon_frames[] __attribute__((weak)), __gnomon_frames_end[] __attribute__((weak));
extern const uint8_t __gnomon_debug_frames[] __attribute__((weak)), __gnomon_debug_frames_end[] __attribute__((weak));

enum {
    POINTER_ABSOLUTE = 0x00,
    POINTER_RELATIVE = 0x1B, /* DW_EH_PE_pcrel | DW_EH_PE_sdata4 */
    INDEX_COUNT = 0x03,      /* DW_EH_PE_udata4 */
    INDEX_ENTRIES = 0x3B,    /* DW_EH_PE_datarel | DW_EH_PE_sdata4 */
    RA_COLUMN = 1,
    REMEMBERED = 4, /* most states remembered at a time */
};

/* A part of a table that is being read. Reads past its end return zeros and set `bad`. */
struct cursor {
    const uint8_t *at, *end;
    bool bad;
};

static inline uint32_t take(struct cursor *c, unsigned bytes) {
    uint32_t value = 0;
    if ((size_t)(c->end - c->at) < bytes) {
        c->bad = true;
        c->at = c->end;
        return 0;
    }
    for (unsigned i = 0; i < bytes; i++)
        value |= (uint32_t)*c->at++ << (8 * i);
    return value;
}

static uint32_t take_leb(struct cursor *c, bool is_signed) {
    uint32_t value = 0, byte;
    unsigned shift = 0;
    do {
        byte = take(c, 1);
        if (shift < 32)
            value |= (byte & 0x7F) << shift;
        shift += 7;
    } while (byte & 0x80);
    if (is_signed && (byte & 0x40) && shift < 32)
        value |= ~0u << shift;
    return value;
}

static uint32_t uleb(struct cursor *c) {
    return take_leb(c, false);
}
static int32_t sleb(struct cursor *c) {
    return (int32_t)take_leb(c, true);
}

static void skip(struct cursor *c, uint32_t bytes) {
    if (bytes > (uint32_t)(c->end - c->at))
        c->bad = true;
    else
        c->at += bytes;
}

struct table {
    const uint8_t *begin, *end;
    bool debug; /* table in the form of .debug_frame */
};

/* Opens the entry at `at`; reading begins after its length. Sets `bad` if there is no entry. */
static struct cursor open_entry(const struct table *table, const uint8_t *at) {
    struct cursor c = {at, table->end, at < table->begin || at > table->end};
    if (c.bad)
        return (struct cursor){table->end, table->end, true};
    const uint32_t length = take(&c, 4);
    if (!length || length > (uint32_t)(c.end - c.at))
        c.bad = true;
    else
        c.end = c.at + length;
    return c;
}

/* Reads the part that several entries share. Returns the encoding of addresses, or -1 if it is not supported. */
static int read_common(const struct table *table, const uint8_t *at, struct gnomon_cfi_entry *entry) {
    struct cursor c = open_entry(table, at);
    const uint32_t id = take(&c, 4), version = take(&c, 1);
    const bool augmented = take(&c, 1) == 'z', relative = augmented && take(&c, 1) == 'R';
    if (c.bad || id != (table->debug ? UINT32_MAX : 0) || (augmented && !relative))
        return -1;
    if (!augmented)
        c.at--;
    if (take(&c, 1) != 0) /* end of the augmentation string */
        return -1;
    if (version == 4 && take(&c, 2) != 4) /* addresses must have four bytes; no segment */
        return -1;
    entry->code_unit = uleb(&c);
    entry->data_unit = sleb(&c);
    const uint32_t column = version == 1 ? take(&c, 1) : uleb(&c);
    const int pointer = augmented && uleb(&c) == 1 ? (int)take(&c, 1) : POINTER_ABSOLUTE;
    entry->common = c.at;
    entry->common_end = c.end;
    return c.bad || column != RA_COLUMN || (version != 1 && version != 3 && version != 4) ? -1 : pointer;
}

static bool read_entry(const struct table *table, const uint8_t *at, struct gnomon_cfi_entry *entry) {
    struct cursor c = open_entry(table, at);
    const uint8_t *own = c.at;
    const uint32_t common = take(&c, 4);
    if (c.bad || common == (table->debug ? UINT32_MAX : 0)) /* the entry is itself a shared part */
        return false;
    /* In .eh_frame, `common` is the distance back to the shared part. In .debug_frame it is an offset, to which ld adds
     * the address of the section. */
    const uint32_t address = table->debug ? common : (uint32_t)(uintptr_t)own - common;
    const int pointer = read_common(table, (const uint8_t *)(uintptr_t)address, entry);
    if (pointer != POINTER_ABSOLUTE && pointer != POINTER_RELATIVE)
        return false;
    entry->start = pointer == POINTER_RELATIVE ? (uint32_t)(uintptr_t)c.at : 0;
    entry->start += take(&c, 4);
    entry->size = take(&c, 4);
    if (!table->debug)
        skip(&c, uleb(&c));
    entry->program = c.at;
    entry->program_end = c.end;
    return !c.bad;
}

static bool holds(const struct gnomon_cfi_entry *entry, uint32_t address) {
    return address - entry->start < entry->size;
}

/* The index and the entries are aligned to 4 bytes. */
static uint32_t word_at(const uint8_t *at) {
    return *(const uint32_t *)(const void *)at;
}

/* Searches the sorted index that the linker made: pairs (function, entry), both relative to the index. */
static bool find_indexed(uint32_t address, struct gnomon_cfi_entry *entry) {
    const uint8_t *index = __gnomon_frames_index;
    const struct table table = {__gnomon_frames, __gnomon_frames_end, false};
    const uint32_t room = (uint32_t)(__gnomon_frames_index_end - index);
    if (room < 12 || index[0] != 1 || index[2] != INDEX_COUNT || index[3] != INDEX_ENTRIES)
        return false;
    const uint8_t *pairs = index + 12;
    uint32_t low = 0, high = word_at(index + 8);
    if (high > (room - 12) / 8)
        return false;
    const int32_t wanted = (int32_t)(address - (uint32_t)(uintptr_t)index);
    while (low < high) { /* finds the first entry that begins after the address */
        const uint32_t middle = low + (high - low) / 2;
        if ((int32_t)word_at(pairs + 8 * middle) > wanted)
            high = middle;
        else
            low = middle + 1;
    }
    return low && read_entry(&table, index + (int32_t)word_at(pairs + 8 * (low - 1) + 4), entry) &&
           holds(entry, address);
}

/* Searches the entries one by one: these are the few entries of the library. */
static bool find_listed(uint32_t address, struct gnomon_cfi_entry *entry) {
    const struct table table = {__gnomon_debug_frames, __gnomon_debug_frames_end, true};
    const uint8_t *at = table.begin;
    while ((size_t)(table.end - at) >= 16) {
        const uint32_t length = word_at(at), start = word_at(at + 8), size = word_at(at + 12);
        if (address - start < size && read_entry(&table, at, entry) && holds(entry, address))
            return true;
        if (length > (uint32_t)(table.end - at) - 4 || length % 4) /* entries are padded to words */
            return false;
        at += 4 + length;
    }
    return false;
}

bool __gnomon_cfi_find(uint32_t address, struct gnomon_cfi_entry *entry) {
    return find_indexed(address, entry) || find_listed(address, entry);
}

/* ---- Interpreter ---- */

enum {
    ADVANCE_LOC = 0x40, /* opcode in the upper two bits; the lower bits are an operand */
    OFFSET = 0x80,
    RESTORE = 0xC0,
    NOP = 0x00,
    ADVANCE_LOC1 = 0x02,
    ADVANCE_LOC2,
    ADVANCE_LOC4,
    OFFSET_EXTENDED,
    RESTORE_EXTENDED,
    UNDEFINED,
    SAME_VALUE,
    REMEMBER_STATE = 0x0A,
    RESTORE_STATE,
    DEF_CFA,
    DEF_CFA_REGISTER,
    DEF_CFA_OFFSET,
    OFFSET_EXTENDED_SF = 0x11,
    DEF_CFA_SF,
    DEF_CFA_OFFSET_SF,
    ARGS_SIZE = 0x2E,
};

struct machine {
    const struct gnomon_cfi_entry *entry;
    struct gnomon_cfi_row *row, initial, remembered[REMEMBERED];
    unsigned depth;
    uint32_t location, address; /* address of the current row, and the address whose row is wanted */
};

static void set_rule(struct machine *m, struct cursor *c, uint32_t number, int32_t rule) {
    if (number < GNOMON_CFI_REGISTERS) /* floating-point registers have numbers, too, and are ignored */
        m->row->saved[number] = rule;
    else
        c->bad = number >= 2 * GNOMON_CFI_REGISTERS;
}

static void set_cfa(struct machine *m, struct cursor *c, uint32_t number, int32_t offset) {
    c->bad |= number >= GNOMON_CFI_REGISTERS;
    m->row->cfa_register = number;
    m->row->cfa_offset = offset;
}

static void restore(struct machine *m, struct cursor *c, uint32_t number) {
    set_rule(m, c, number, number < GNOMON_CFI_REGISTERS ? m->initial.saved[number] : GNOMON_CFI_SAME);
}

static void advance(struct machine *m, uint32_t units) {
    m->location += units * m->entry->code_unit;
}

static void step_state(struct machine *m, struct cursor *c, bool remember) {
    if (remember && m->depth < REMEMBERED)
        m->remembered[m->depth++] = *m->row;
    else if (!remember && m->depth)
        *m->row = m->remembered[--m->depth];
    else
        c->bad = true;
}

static void step(struct machine *m, struct cursor *c) {
    const uint32_t code = take(c, 1), low = code & 0x3F;
    const int32_t unit = m->entry->data_unit;
    uint32_t number;
    switch (code & 0xC0) {
    case ADVANCE_LOC:
        advance(m, low);
        return;
    case OFFSET:
        set_rule(m, c, low, (int32_t)uleb(c) * unit);
        return;
    case RESTORE:
        restore(m, c, low);
        return;
    }
    switch (code) {
    case NOP:
        break;
    case ADVANCE_LOC1:
        advance(m, take(c, 1));
        break;
    case ADVANCE_LOC2:
        advance(m, take(c, 2));
        break;
    case ADVANCE_LOC4:
        advance(m, take(c, 4));
        break;
    case OFFSET_EXTENDED:
        number = uleb(c);
        set_rule(m, c, number, (int32_t)uleb(c) * unit);
        break;
    case OFFSET_EXTENDED_SF:
        number = uleb(c);
        set_rule(m, c, number, sleb(c) * unit);
        break;
    case RESTORE_EXTENDED:
        restore(m, c, uleb(c));
        break;
    case UNDEFINED:
        set_rule(m, c, uleb(c), GNOMON_CFI_UNDEFINED);
        break;
    case SAME_VALUE:
        set_rule(m, c, uleb(c), GNOMON_CFI_SAME);
        break;
    case REMEMBER_STATE:
    case RESTORE_STATE:
        step_state(m, c, code == REMEMBER_STATE);
        break;
    case DEF_CFA:
        number = uleb(c);
        set_cfa(m, c, number, (int32_t)uleb(c));
        break;
    case DEF_CFA_SF:
        number = uleb(c);
        set_cfa(m, c, number, sleb(c) * unit);
        break;
    case DEF_CFA_REGISTER:
        set_cfa(m, c, uleb(c), m->row->cfa_offset);
        break;
    case DEF_CFA_OFFSET:
        m->row->cfa_offset = (int32_t)uleb(c);
        break;
    case DEF_CFA_OFFSET_SF:
        m->row->cfa_offset = sleb(c) * unit;
        break;
    case ARGS_SIZE:
        uleb(c);
        break;
    default: /* expressions and SET_LOC, which the compiler does not use here */
        c->bad = true;
    }
}

/* Instructions for addresses after the wanted one are not executed. */
static bool run(struct machine *m, const uint8_t *at, const uint8_t *end) {
    struct cursor c = {at, end, false};
    while (c.at < c.end && !c.bad && m->location <= m->address)
        step(m, &c);
    return !c.bad;
}

bool __gnomon_cfi_row(const struct gnomon_cfi_entry *entry, uint32_t address, struct gnomon_cfi_row *row) {
    struct machine m;
    m.entry = entry;
    m.row = row;
    m.depth = 0;
    m.location = entry->start;
    m.address = address;
    m.row->cfa_register = GNOMON_CFI_REGISTERS;
    m.row->cfa_offset = 0;
    for (unsigned i = 0; i < GNOMON_CFI_REGISTERS; i++)
        m.row->saved[i] = GNOMON_CFI_SAME;
    if (!run(&m, entry->common, entry->common_end))
        return false;
    m.initial = *row;
    return run(&m, entry->program, entry->program_end) && row->cfa_register < GNOMON_CFI_REGISTERS;
}
