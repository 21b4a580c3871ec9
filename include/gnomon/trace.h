/* SPDX-License-Identifier: Apache-2.0 */
/* Constants of the trace format, version 1; see docs/reference/trace-format.md. */
#ifndef GNOMON_TRACE_H
#define GNOMON_TRACE_H

#define GNOMON_FRAME_BYTES 512
#define GNOMON_FRAME_HEADER_BYTES 28
#define GNOMON_FRAME_MAGIC 0x4E47
#define GNOMON_TRACE_VERSION 1
#define GNOMON_FRAME_FLAG_DROPPING 0x0001

/* Fixed bits of a record's first byte. The comments show the whole first byte, and what follows it. */
#define GNOMON_REC_EXIT_TOP 0x00    /* 00dddddd */
#define GNOMON_REC_ENTER_PRED 0x40  /* 01dddddd */
#define GNOMON_REC_EXIT_TOP2 0x80   /* 100ddddd byte */
#define GNOMON_REC_ENTER_PRED2 0xA0 /* 101ddddd byte */
#define GNOMON_REC_ENTER_NEAR 0xC0  /* 1100dddd byte */
#define GNOMON_REC_ENTER 0xD0       /* 1101nnnn byte LEB */
#define GNOMON_REC_EXT 0xE0         /* 1110tttt LEB fields */
#define GNOMON_REC_RESERVED 0xF0    /* 11110ttt LEB bytes */
#define GNOMON_REC_PAD 0xFF

enum gnomon_ext {
    GNOMON_EXT_ENTER_LONG = 0,
    GNOMON_EXT_EXIT_LONG = 1,
    GNOMON_EXT_EXIT_FAR = 2,
    GNOMON_EXT_ENTER_FAR = 3,
    GNOMON_EXT_TRAP_ENTER = 4,
    GNOMON_EXT_TRAP_LEAVE = 5,
    GNOMON_EXT_CHANNEL = 6,
    GNOMON_EXT_LOCK = 7,
    GNOMON_EXT_MODULE = 8,
    GNOMON_EXT_TIME = 9,
    GNOMON_EXT_LOST = 10,
    GNOMON_EXT_BEGIN = 11,
    GNOMON_EXT_END = 12,
};

#define GNOMON_PRED_ENTRIES 256
#define GNOMON_PRED_CONTEXT_NONE 0x55
#define GNOMON_PRED_MAX_NUMBER 4095

/* Message window, docs/reference/address-map.md. */
#define GNOMON_WINDOW_BASE 0xFFF00000u
#define GNOMON_MAX_FUNCTIONS (0u - GNOMON_WINDOW_BASE) /* each function has one byte */
#define GNOMON_CHANNEL_EXIT 0
#define GNOMON_CHANNEL_THREAD 1
#define GNOMON_CHANNEL_LANDED 3
#define GNOMON_CHANNEL_HEAP_ADDR 4
#define GNOMON_CHANNEL_HEAP_ALLOC 5
#define GNOMON_CHANNEL_HEAP_FREE 6
#define GNOMON_CHANNEL_TEXT 8
#define GNOMON_CHANNEL_LONGJMP 9
#define GNOMON_LONGJMP_OTHER_STACK 1 /* flag in LONGJMP's value: the address is below the present stack pointer */
#define GNOMON_CHANNEL_CALL_ENTER 12
#define GNOMON_CHANNEL_CALL_EXIT 13
#define GNOMON_CHANNEL_CALL_MCOUNT 14
#define GNOMON_CHANNEL_CALL_PATCHED 15
#define GNOMON_CHANNEL_MARK 16
#define GNOMON_CHANNEL_VALUE 64

/* Messages about modules, docs/reference/address-map.md. */
#define GNOMON_MODULE_KEY 0   /* the first four bytes of the build id, the first in the low byte */
#define GNOMON_MODULE_RANGE 1 /* function numbers: the first in 15:0, how many in 31:16 */
#define GNOMON_MODULE_GONE 2  /* the same for a module that was unloaded */
/* These replace RANGE and GONE where 16 bits are not enough: */
#define GNOMON_MODULE_FIRST 3      /* the first function number */
#define GNOMON_MODULE_COUNT 4      /* how many function numbers */
#define GNOMON_MODULE_GONE_FIRST 5 /* the first function number of a module that was unloaded */
#define GNOMON_MODULE_LOADED                                                                                           \
    16 /* + number of modules loaded before, modulo LOADS: load address; after KEY and RANGE, or FIRST and COUNT */
#define GNOMON_MODULE_LOADS 16384

#endif
