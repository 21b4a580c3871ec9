/* SPDX-License-Identifier: Apache-2.0 */
/* A fake Gnomon: a USB/IP server with registers and memory but no hart, and with faults on demand. It takes the
 * simulator's options, so gnomon starts it for sim:CONFIG if GNOMON_SIM_DIR names its folder.
 *
 * When its hart is released it prints "hello\n", sends a trace of one frame, leaves an output file in memory and ends
 * with status 7. --fault NAME selects a fault of fake_faults.c, --clock a cycle counter that runs (fake_clock.h). */
#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fake_clock.h"
#include "fake_faults.h"
#include "fake_tags.h"
#include "fake_usbip.h"
#include "gnomon/events.h"
#include "gnomon/param.h"
#include "gnomon/registers.h"
#include "gnomon/trace.h"
#include "lib/transport/usbip_wire.h"

#define RAM_BASE 0x10000000u
#define RAM_BYTES 65536u
#define CLOCK_HZ 12000000u
#define QUEUE 256
#define PIPE 65536

/* Bytes that wait for IN transfers of an endpoint, and the transfers that wait for bytes. */
struct pipe {
    uint8_t data[PIPE];
    size_t used;
    struct {
        uint32_t seqnum, size;
    } queue[QUEUE];
    size_t queued;
};

static enum fault fault;
static struct pipe replies, trace;
static uint8_t ram[RAM_BYTES];
static uint32_t entry, param, profile_control, control = GNOMON_SYSCTL_CONTROL_HART_RESET;
static bool identified; /* the first command was answered: faults of reply packets begin now */

/* ---- The device's side of the pipes ---- */

static void push(struct pipe *pipe, const void *data, size_t size) {
    if (pipe->used + size <= PIPE) {
        memcpy(pipe->data + pipe->used, data, size);
        pipe->used += size;
    }
}

static void push_word(struct pipe *pipe, uint32_t word) {
    uint8_t bytes[4] = {(uint8_t)word, (uint8_t)(word >> 8), (uint8_t)(word >> 16), (uint8_t)(word >> 24)};
    push(pipe, bytes, sizeof bytes);
}

/* Answers transfers while there are bytes. The trace endpoint sends full packets only; replies have any length. */
static void serve(struct pipe *pipe, uint32_t least) {
    while (pipe->queued && pipe->used >= least) {
        uint32_t size = pipe->queue[0].size < pipe->used ? pipe->queue[0].size : (uint32_t)pipe->used;
        uint32_t seqnum = pipe->queue[0].seqnum;
        pipe->queued--;
        memmove(pipe->queue, pipe->queue + 1, pipe->queued * sizeof *pipe->queue);
        fake_answer(seqnum, USBIP_OK, pipe->data, size, size);
        pipe->used -= size;
        memmove(pipe->data, pipe->data + size, pipe->used);
    }
}

/* ---- The hart: a run ends at once ---- */

static void put_le32(uint8_t *at, uint32_t value) {
    for (int i = 0; i < 4; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

/* Writes the program's output file "out.bin" of ten bytes, whose name is in the parameter block. */
static void leave_files(void) {
    uint32_t table = RAM_BASE + 0x8000, name = table + 64, data = table + 128;
    uint8_t *block = ram + (param - RAM_BASE), *file = ram + 0x8000;
    if (param < RAM_BASE || param - RAM_BASE > RAM_BYTES - sizeof(struct gnomon_param))
        return;
    if (fault == MAGIC_GONE)
        put_le32(block, 0);
    put_le32(block + 24, fault == TABLE_HUGE ? 0xFFFFFFFF : 1);
    put_le32(block + 28, fault == TABLE_OUTSIDE ? RAM_BASE + RAM_BYTES - 8 : table);
    memcpy(file + 64, "out.bin", 8);
    memcpy(file + 128, "0123456789", 10);
    if (fault == NAME_ENDLESS)
        memset(ram + RAM_BYTES - 16, 'x', 16);
    put_le32(file, fault == NAME_ENDLESS ? RAM_BASE + RAM_BYTES - 16 : name);
    put_le32(file + 4, data);
    put_le32(file + 8, fault == FILE_OUTSIDE ? RAM_BYTES : 10);
}

static void send_frame(uint32_t sequence, bool last, uint8_t how) {
    uint8_t frame[GNOMON_FRAME_BYTES];
    memset(frame, GNOMON_PACKET_PAD, sizeof frame);
    memset(frame, 0, GNOMON_FRAME_HEADER_BYTES);
    put_le32(frame, GNOMON_FRAME_MAGIC | GNOMON_TRACE_VERSION << 16);
    put_le32(frame + GNOMON_FRAME_AT_SEQUENCE, sequence);
    frame[GNOMON_FRAME_AT_FIRST] = GNOMON_FRAME_HEADER_BYTES;
    uint8_t *at = frame + GNOMON_FRAME_HEADER_BYTES;
    if (!sequence) {
        *at++ = GNOMON_PACKET_EXT | GNOMON_EXT_BEGIN;
        *at++ = 0;
        put_le32(at, entry);
        at += 4;
    }
    if (last) {
        memset(at, 0, 31);
        *at++ = GNOMON_PACKET_EXT | GNOMON_EXT_END;
        *at++ = 100;
        put_le32(at, how ? 0 : 7);
        at[28] = how;
    }
    if (fault == TRACE_GARBAGE)
        memset(frame, 0xA5, sizeof frame);
    for (size_t i = 4; fault == TRACE_RANDOM && i < sizeof frame; i++)
        frame[i] = (uint8_t)rand();
    push(&trace, frame, sizeof frame);
}

static void send_event(unsigned number, uint32_t word) {
    push_word(&replies, 0xE0 | number << 8 | (fault == EVENT_EMPTY ? 0u : 1u << 16));
    push_word(&replies, word);
}

static bool has_tags(void) {
    return fault >= TAGS && fault <= TAGGED_STUCK_ROUNDS;
}

static enum fake_tags_fault tags_fault(void) {
    return (enum fake_tags_fault)(fault - TAGS);
}

static void run_hart(void) {
    bool tracing = profile_control & GNOMON_PROFILE_CONTROL_ENABLE;
    push_word(&replies, 0xC0 | 6 << 16);
    push(&replies, "hello\n\0\0", 8);
    if (has_tags())
        fake_tags_run(RAM_BASE, RAM_BYTES, tags_fault());
    if (fault == RUN_CUT)
        fake_end(0);
    if (fault == RUN_DIES)
        abort();
    if (tracing)
        send_frame(0, (fault < RUN_CUT_MID || fault > NO_EXIT) && fault != TRACE_ENDLESS, 0);
    if (fault == RUN_CUT_MID || fault == RUN_UNPLUG || fault == NO_EXIT)
        return;
    leave_files();
    send_event(fault == EBREAK ? 2 : 1, fault == EBREAK ? 1 : 7);
}

/* Stops a program that does not end by itself. */
static void stop_hart(bool trace_too) {
    if (trace_too && (profile_control & GNOMON_PROFILE_CONTROL_ENABLE))
        send_frame(1, true, 1);
    else if (fault == NO_EXIT)
        send_event(2, 3);
}

/* ---- Commands ---- */

static uint32_t records_page;
static uint64_t cycle; /* that the host read last */
static bool emptied;   /* the table of traced functions is emptied for ever */

static uint32_t watch_config(void) {
    return fault == WATCH_ODD || fault == WATCH_STUCK ? GNOMON_SYSCTL_CONFIG_WATCH : 0;
}

static uint32_t watch_places(void) {
    return fault == WATCH_ODD ? 3000 : fault == WATCH_STUCK && !emptied ? 4096 : 0;
}

static uint32_t records_config(void) {
    if (fault < RECORDS_FEW || fault > RECORDS_WILD)
        return 0;
    uint32_t log2 = fault == RECORDS_FEW ? 6 : 8;
    return log2 << GNOMON_SYSCTL_CONFIG_RECORDS_LOG2_SHIFT | GNOMON_SYSCTL_CONFIG_ARCS;
}

static uint32_t read_records(uint32_t address) {
    uint32_t place = address - GNOMON_PROFILE_RECORD;
    if (address == GNOMON_PROFILE_STATUS)
        return fault == RECORDS_OPEN ? 0 : GNOMON_PROFILE_STATUS_RECORDED;
    if (address == GNOMON_PROFILE_RECORD_CONFIG)
        return fault == BUCKETS_MANY ? 9 : fault == RECORDS_WILD ? 8 : 0;
    if (fault == RECORDS_WILD && place < 2048 && place % 64 == GNOMON_PROFILE_RECORD_STATE - GNOMON_PROFILE_RECORD)
        return GNOMON_PROFILE_RECORD_STATE_READY | ((records_page & GNOMON_PROFILE_RECORD_PAGE_PAGE) * 32 + place / 64);
    return fault == RECORDS_WILD ? 0xFFFFFFFF : 0;
}

static bool has_flash(void) {
    return fault == FLASH_NONE || fault == FLASH_LOCKED;
}

static bool is_of_tags(uint32_t address) {
    return has_tags() && address >= GNOMON_TAGS_BASE && address < GNOMON_TAGS_BASE + 0x1000;
}

static uint32_t read_register(uint32_t address) {
    if (is_of_tags(address))
        return fake_tags_read(address, tags_fault());
    switch (address) {
    case GNOMON_SYSCTL_ID:
        return 0x4D4F4E47;
    case GNOMON_SYSCTL_VERSION:
        return GNOMON_REGISTERS_VERSION + (fault == FUTURE_REGISTERS ? 1 << 16 : 0);
    case GNOMON_SYSCTL_CONFIG:
        return 0x00B80010 | (fault == NO_PROFILER ? 0 : GNOMON_SYSCTL_CONFIG_PROFILE) | records_config() |
               watch_config() | (fault == CLOCK_SIMULATED ? GNOMON_SYSCTL_CONFIG_SIMULATED : 0) |
               (fault == NUMBERS_MANY ? GNOMON_SYSCTL_CONFIG_NUMBERS : 0) |
               (fault == EVENTS_OLD ? 2 << GNOMON_SYSCTL_CONFIG_HPM_SHIFT : 0);
    case GNOMON_PMU_CONFIG:
        return fault == EVENTS_OLD ? 2 | (GNOMON_EVENT_IO_BYTES - 1) << GNOMON_PMU_CONFIG_EVENTS_SHIFT : 0;
    case GNOMON_PROFILE_CONTROL:
        return fault == EVENTS_OLD ? profile_control : 0;
    case GNOMON_SYSCTL_CLOCK_HZ:
        return CLOCK_HZ;
    case GNOMON_SYSCTL_CYCLE_LO:
        cycle = control & GNOMON_SYSCTL_CONTROL_HART_RESET ? 0 : fake_clock_read(fault);
        return (uint32_t)cycle;
    case GNOMON_SYSCTL_CYCLE_HI:
        return (uint32_t)(cycle >> 32);
    case GNOMON_SYSCTL_RAM_BASE:
        return RAM_BASE;
    case GNOMON_SYSCTL_RAM_BYTES:
        return fault == NO_MEMORY ? 0xFFFFFFFC : RAM_BYTES;
    case GNOMON_SYSCTL_MISA:
        return 0x40001104;
    case GNOMON_SYSCTL_CONTROL:
        return control;
    case GNOMON_SYSCTL_FLASH_START:
        return fault == FLASH_ODD ? 0x20080004 : has_flash() ? 0x20080000 : 0;
    case GNOMON_SYSCTL_FLASH_BYTES:
        return fault == FLASH_ODD || has_flash() ? 0x180000 : 0;
    case GNOMON_PROFILE_WATCH_PLACES:
        return watch_places();
    default:
        return fault >= RECORDS_FEW && fault <= RECORDS_WILD ? read_records(address) : 0;
    }
}

static void write_register(uint32_t address, uint32_t value) {
    uint32_t before;
    if (is_of_tags(address))
        fake_tags_write(address, value, tags_fault());
    switch (address) {
    case GNOMON_SYSCTL_CONTROL:
        before = control;
        control = value;
        fake_clock_tell(value);
        if ((before & GNOMON_SYSCTL_CONTROL_HART_RESET) && !value)
            run_hart();
        if (!before && (value & GNOMON_SYSCTL_CONTROL_HALT))
            stop_hart(false);
        break;
    case GNOMON_PROFILE_CONTROL:
        if ((profile_control & ~value & GNOMON_PROFILE_CONTROL_ENABLE) && !control)
            stop_hart(true);
        profile_control = value;
        break;
    case GNOMON_PROFILE_WATCH_PLACES:
        emptied = true;
        break;
    case GNOMON_PROFILE_RECORD_PAGE:
        records_page = value;
        break;
    case GNOMON_SYSCTL_ENTRY:
        entry = value;
        break;
    case GNOMON_SYSCTL_PARAM:
        param = value;
        break;
    default:
        break;
    }
}

static uint32_t *memory(uint32_t address) {
    static uint32_t nothing;
    if (fault == FLASH_NONE) /* nothing drives the flash's wires */
        nothing = 0xFFFFFFFF;
    return address - RAM_BASE < RAM_BYTES ? (uint32_t *)(void *)(ram + (address - RAM_BASE)) : &nothing;
}

static uint32_t le32(const uint8_t *at) {
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static void send_reply(uint8_t op, uint8_t tag, uint32_t count, uint32_t address) {
    uint32_t said = op == 1 ? count : 0;
    bool faulty = identified;
    identified = true;
    if (fault == MUTE || (faulty && fault == REPLIES_ENDLESS))
        return;
    uint32_t wrong_tag = faulty && fault == TAG_WRONG;
    uint32_t claimed = faulty && fault == COUNT_HUGE ? 65535 : faulty && fault == COUNT_WRONG ? said + 1 : said;
    push_word(&replies,
              (faulty && fault == KIND_UNKNOWN ? 0x42u : 0x81u) | ((tag + wrong_tag) & 0xFF) << 8 | claimed << 16);
    for (uint32_t i = 0; i < said; i++)
        push_word(&replies, address >= 0xF0000000 ? read_register(address + 4 * i) : *memory(address + 4 * i));
    push_word(&replies, faulty && fault == BUS_ERROR ? 1u << 16 | 1 : 0);
}

/* Takes the bytes received on endpoint 0x01 so far, and executes the complete commands. */
static void take_commands(const uint8_t *data, size_t size) {
    static uint8_t buffer[1 << 19];
    static size_t used;
    if (used + size > sizeof buffer)
        fake_end(1);
    memcpy(buffer + used, data, size);
    used += size;
    size_t at = 0;
    while (at < used) {
        if (buffer[at] == 0xFF) {
            at++;
            continue;
        }
        if (used - at < 8)
            break;
        uint32_t head = le32(buffer + at), address = le32(buffer + at + 4), count = head >> 16;
        size_t length = 8 + ((head & 0xFF) == 2 ? (size_t)count * 4 : 0);
        if (used - at < length)
            break;
        for (uint32_t i = 0; (head & 0xFF) == 2 && i < count; i++) {
            uint32_t word = le32(buffer + at + 8 + 4 * (size_t)i);
            if (address < 0xF0000000)
                *memory(address + 4 * i) = word;
            else
                write_register(address + 4 * i, word);
        }
        send_reply((uint8_t)head, (uint8_t)(head >> 8), count, address);
        at += length;
    }
    used -= at;
    memmove(buffer, buffer + at, used);
}

/* ---- Descriptors ---- */

static const uint8_t device_descriptor[18] = {18, 1, 0x10, 2, 0, 0, 0, 64, 0x09, 0x12, 1, 0, 0, 1, 1, 2, 3, 1};
static const uint8_t config_descriptor[39] = {9, 2,    39,   0,  1, 1, 0, 0x80, 50,   9,  4,  0, 0,
                                              3, 0xFF, 0x47, 1,  0, 7, 5, 0x01, 2,    64, 0,  0, 7,
                                              5, 0x81, 2,    64, 0, 0, 7, 5,    0x82, 2,  64, 0, 0};
static const char *const strings[] = {"", "Gnomon", "Gnomon fake", "F4KE"};

static uint32_t get_string(unsigned index, uint8_t *data) {
    if (fault == STRING_ENDLESS || fault == STRING_ODD) {
        memset(data, 'x', 255);
        data[0] = fault == STRING_ODD ? 7 : 255;
        data[1] = 3;
        return fault == STRING_ODD ? 5 : 255;
    }
    if (index >= sizeof strings / sizeof *strings)
        return 0;
    size_t length = strlen(strings[index]);
    for (size_t i = 0; i < length; i++)
        data[2 + 2 * i] = (uint8_t)strings[index][i];
    data[0] = (uint8_t)(2 + 2 * length);
    data[1] = 3;
    return data[0];
}

static uint32_t get_descriptor(uint16_t value, uint8_t *data) {
    memset(data, 0, 256);
    if (value >> 8 == 3)
        return get_string(value & 0xFF, data);
    if (value >> 8 == 1) {
        memcpy(data, device_descriptor, sizeof device_descriptor);
        if (fault == DEVICE_GARBAGE)
            memset(data, 0x5A, sizeof device_descriptor);
        if (fault == FUTURE_PROTOCOL)
            data[13] = 2;
        return fault == DEVICE_SHORT ? 7 : sizeof device_descriptor;
    }
    memcpy(data, config_descriptor, sizeof config_descriptor);
    if (fault == CONFIG_GARBAGE)
        memset(data + 9, 0xA5, sizeof config_descriptor - 9);
    if (fault == CONFIG_SHORT)
        data[3] = 0x10; /* claims 4135 bytes */
    if (fault == CONFIG_LOOP)
        data[9] = 0; /* a length of 0 must not make a reader loop */
    if (fault == OTHER_CLASS)
        data[14] = 3;
    if (fault == NO_ENDPOINT)
        data[34] = 0x83;
    if (fault == ENDPOINT_DOUBLE)
        data[34] = 0x81;
    if (fault == ENDPOINT_ZERO)
        data[29] = 0;
    if (fault == ENDPOINT_INTERRUPT)
        data[28] = 3;
    for (size_t i = 9; fault == CONFIG_RANDOM && i < sizeof config_descriptor; i++)
        data[i] = (uint8_t)rand();
    if (fault == CONFIG_NINE)
        data[2] = 9;
    return fault == CONFIG_EMPTY ? 0 : sizeof config_descriptor;
}

static void on_control(uint32_t seqnum, const uint8_t *setup, uint32_t size) {
    uint8_t data[256];
    uint32_t length = 0;
    if (fault == CONTROL_STALL || (fault == CONFIG_REFUSED && setup[1] == 9)) {
        fake_answer(seqnum, USBIP_EPIPE, NULL, 0, 0);
        return;
    }
    if (setup[1] == 6)
        length = get_descriptor((uint16_t)(setup[2] | setup[3] << 8), data);
    length = length < size ? length : size;
    fake_answer(seqnum, USBIP_OK, data, length, length);
}

/* ---- USB/IP ---- */

/* Sends data without end. */
static void chatter(uint32_t size) {
    for (uint32_t i = 0; fault == REPLIES_RANDOM && i < size; i++) {
        uint8_t byte = (uint8_t)rand();
        push(&replies, &byte, 1);
    }
    for (uint32_t i = 0; fault == REPLIES_ENDLESS && i < size; i += 8) {
        push_word(&replies, 0xC0 | 4 << 16);
        push(&replies, "more", 4);
    }
}

static void on_in(uint32_t seqnum, unsigned endpoint, uint32_t size) {
    struct pipe *pipe = endpoint == 2 ? &trace : &replies;
    if (pipe == &replies && identified && fault == BULK_STALL) {
        fake_answer(seqnum, USBIP_EPIPE, NULL, 0, 0);
        return;
    }
    if (identified && (fault == ACTUAL_TOO_LARGE || fault == UNASKED)) {
        static const uint8_t data[128];
        fake_answer(fault == UNASKED ? seqnum + 1000 : seqnum, USBIP_OK, data, 4, fault == UNASKED ? 4 : 0x7FFFFFFF);
    }
    if (identified && fault == ANSWER_STATUS_ODD) {
        fake_answer(seqnum, -71, NULL, 0, 0);
        return;
    }
    if (identified && fault == ANSWER_EMPTY) {
        fake_answer(seqnum, USBIP_OK, NULL, 0, 0);
        return;
    }
    if (identified && fault == ANSWER_TWICE) {
        fake_answer(seqnum, USBIP_OK, NULL, 0, 0);
        fake_answer(seqnum, USBIP_OK, NULL, 0, 0);
        return;
    }
    if (pipe == &trace && fault == TRACE_STALL) {
        fake_answer(seqnum, USBIP_EPIPE, NULL, 0, 0);
        return;
    }
    if (identified && pipe == &replies)
        chatter(size);
    if (pipe == &trace && fault == TRACE_ENDLESS && !control)
        send_frame(2, false, 0);
    if (identified && fault == NOT_USBIP)
        fake_send("HTTP/1.0 400 Bad Request\r\n\r\nThis is not what you think it is.", 62);
    if (pipe->queued == QUEUE)
        fake_end(1);
    pipe->queue[pipe->queued].seqnum = seqnum;
    pipe->queue[pipe->queued++].size = size;
}

/* Applies the faults that end a run in its middle, after the device has sent all its data. */
static void check_run(void) {
    if (control || trace.used || replies.used || !entry)
        return;
    if (fault == RUN_CUT_MID) {
        uint8_t part[60] = {0}; /* a header, and the first bytes of its payload */
        put_be32(part + USBIP_COMMAND, USBIP_RET_SUBMIT);
        put_be32(part + USBIP_SEQNUM, replies.queue[0].seqnum);
        put_be32(part + USBIP_ACTUAL, 64);
        fake_send(part, sizeof part);
        fake_end(0);
    }
    if (fault == RUN_UNPLUG && replies.queued) {
        fake_answer(replies.queue[0].seqnum, USBIP_ESHUTDOWN, NULL, 0, 0);
        fault = NONE;
    }
}

static void on_submit(const uint8_t *header) {
    static uint8_t data[1 << 18];
    uint32_t seqnum = get_be32(header + USBIP_SEQNUM), size = get_be32(header + USBIP_LENGTH);
    unsigned endpoint = get_be32(header + USBIP_EP);
    bool in = get_be32(header + USBIP_DIRECTION) == USBIP_DIR_IN;
    if (size > sizeof data)
        fake_end(1);
    if (!in)
        fake_receive(data, size);
    if (endpoint == 0) {
        on_control(seqnum, header + USBIP_SETUP, in ? size : 0);
    } else if (in) {
        on_in(seqnum, endpoint, size);
    } else {
        fake_answer(seqnum, USBIP_OK, NULL, 0, fault == ANSWER_OUT_SHORT && identified ? size - 1 : size);
        take_commands(data, size);
    }
}

static void on_unlink(const uint8_t *header) {
    uint32_t target = get_be32(header + USBIP_UNLINK_SEQNUM);
    uint8_t reply[USBIP_HEADER_BYTES] = {0};
    put_be32(reply + USBIP_COMMAND, USBIP_RET_UNLINK);
    put_be32(reply + USBIP_SEQNUM, get_be32(header + USBIP_SEQNUM));
    struct pipe *pipes[] = {&replies, &trace};
    for (int p = 0; p < 2; p++)
        for (size_t i = 0; i < pipes[p]->queued; i++)
            if (pipes[p]->queue[i].seqnum == target) {
                put_be32(reply + USBIP_STATUS, (uint32_t)USBIP_ECONNRESET);
                pipes[p]->queued--;
                memmove(&pipes[p]->queue[i], &pipes[p]->queue[i + 1], (pipes[p]->queued - i) * sizeof *pipes[p]->queue);
                break;
            }
    fake_send(reply, sizeof reply);
}

static void serve_device(void) {
    uint8_t header[USBIP_HEADER_BYTES];
    if (fault == STALE) { /* the end of an old reply, an event, console, and a reply that no request waits for */
        push(&replies, "\x81\x81\x01\x00\x47\x4e", 6);
        send_event(1, 3);
        push_word(&replies, 0xC0 | 3 << 16);
        push(&replies, "old", 4);
        push_word(&replies, 0x81 | 1 << 8 | 1 << 16);
        push_word(&replies, 0x4D4F4E47);
        push_word(&replies, 0);
    }
    for (;;) {
        fake_receive(header, sizeof header);
        if (get_be32(header + USBIP_COMMAND) == USBIP_CMD_SUBMIT)
            on_submit(header);
        else
            on_unlink(header);
        serve(&replies, 1);
        serve(&trace, 64);
        check_run();
    }
}

/* Handles one operation. Returns true when the device is imported, false to end the connection. */
static bool serve_operation(void) {
    uint8_t op[USBIP_OP_BYTES], reply[USBIP_OP_BYTES + 4] = {0}, busid[USBIP_BUSID_BYTES], device[USBIP_DEVICE_BYTES];
    fake_receive(op, sizeof op);
    bool list = get_be16(op + 2) == USBIP_OP_REQ_DEVLIST;
    if (!list)
        fake_receive(busid, sizeof busid);
    put_be16(reply, fault == OP_VERSION ? 0x0106 : USBIP_VERSION);
    put_be16(reply + 2, fault == OP_CODE ? 0x7777 : list ? USBIP_OP_REP_DEVLIST : USBIP_OP_REP_IMPORT);
    put_be32(reply + 4, fault == IMPORT_BUSY && !list);
    put_be32(reply + 8, fault == LIST_HUGE ? 0x40000000 : 1);
    if (fault == OP_GARBAGE)
        memset(reply, 0xEE, sizeof reply);
    fake_send(reply, list ? sizeof reply : USBIP_OP_BYTES);
    fake_put_device(device, 0x1209, 1);
    if (fault == IMPORT_CUT && !list) {
        fake_send(device, 100);
        fake_end(0);
    }
    fake_send(device, sizeof device);
    if (!list)
        return fault != IMPORT_BUSY;
    static const uint8_t interface[USBIP_INTERFACE_BYTES] = {0xFF, 0x47, 1, 0};
    fake_send(interface, sizeof interface);
    return false;
}

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        fake_once |= !strcmp(argv[i], "--once");
        if (!strcmp(argv[i], "--fault") && i + 1 < argc)
            fault = fake_find_fault(argv[i + 1]);
        if (!strcmp(argv[i], "--clock") && i + 1 < argc)
            fake_clock_set(argv[i + 1], CLOCK_HZ);
    }
    int listener = fake_listen();
    if (setjmp(fake_next_connection))
        fake_hang_up();
    for (;;) {
        replies.queued = replies.used = trace.queued = trace.used = 0;
        fake_accept(listener);
        if (serve_operation())
            serve_device();
        fake_hang_up();
    }
}
