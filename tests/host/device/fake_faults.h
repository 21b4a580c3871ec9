/* SPDX-License-Identifier: Apache-2.0 */
/* Faults of the fake device. */
#ifndef TESTS_FAKE_FAULTS_H
#define TESTS_FAKE_FAULTS_H

enum fault {
    NONE,
    /* while connecting */
    OP_VERSION,
    OP_CODE,
    OP_GARBAGE,
    IMPORT_BUSY,
    IMPORT_CUT,
    LIST_HUGE,
    /* descriptors */
    DEVICE_GARBAGE,
    DEVICE_SHORT,
    CONFIG_GARBAGE,
    CONFIG_SHORT,
    CONFIG_LOOP,
    OTHER_CLASS,
    NO_ENDPOINT,
    FUTURE_PROTOCOL,
    CONTROL_STALL,
    STRING_ENDLESS,
    STRING_ODD,
    ENDPOINT_ZERO,
    ENDPOINT_INTERRUPT,
    ENDPOINT_DOUBLE,
    CONFIG_EMPTY,
    CONFIG_NINE,
    CONFIG_RANDOM,
    CONFIG_REFUSED,
    /* USB/IP answers */
    ACTUAL_TOO_LARGE,
    UNASKED,
    NOT_USBIP,
    ANSWER_OUT_SHORT,
    ANSWER_STATUS_ODD,
    ANSWER_EMPTY,
    ANSWER_TWICE,
    /* reply packets */
    STALE,
    MUTE,
    KIND_UNKNOWN,
    COUNT_WRONG,
    EVENT_EMPTY,
    BUS_ERROR,
    BULK_STALL,
    TAG_WRONG,
    REPLIES_RANDOM,
    REPLIES_ENDLESS,
    COUNT_HUGE,
    /* identification */
    FUTURE_REGISTERS,
    NO_MEMORY,
    NO_PROFILER,
    NUMBERS_MANY,
    EVENTS_OLD,
    /* function records */
    RECORDS_FEW,
    RECORDS_OPEN,
    RECORDS_MUTE,
    BUCKETS_MANY,
    RECORDS_WILD,
    /* hookless call tracing */
    WATCH_ODD,
    WATCH_STUCK,
    /* tags */
    TAGS,
    TAGGED_ODD,
    TAGGED_STUCK_CLEARING,
    TAGGED_STUCK_ACCESS,
    TAGGED_UNMAPPED,
    TAGGED_LOST,
    TAGGED_SATURATED,
    TAGGED_STUCK_ROUNDS,
    /* during the run */
    RUN_CUT,
    RUN_CUT_MID,
    RUN_UNPLUG,
    RUN_DIES,
    NO_END,
    NO_EXIT,
    EBREAK,
    TRACE_GARBAGE,
    TRACE_RANDOM,
    TRACE_STALL,
    TRACE_ENDLESS,
    /* output of the program */
    TABLE_OUTSIDE,
    TABLE_HUGE,
    FILE_OUTSIDE,
    NAME_ENDLESS,
    MAGIC_GONE,
    FLASH_ODD,
    FLASH_NONE,
    FLASH_LOCKED,
    /* cycle counter (fake_clock.h) */
    CLOCK_BACK,
    CLOCK_JUMP,
    CLOCK_STOP,
    CLOCK_CUT,
    CLOCK_SIMULATED,
    FAULTS
};

/* Returns the fault of this name on the command line; an unknown name ends the process. */
enum fault fake_find_fault(const char *name);

#endif
