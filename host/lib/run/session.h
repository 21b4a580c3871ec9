/* SPDX-License-Identifier: Apache-2.0 */
/* One run of a program on a device, from reset to its end (docs/reference/usb-protocol.md, "A session"). */
#ifndef GNOMON_LIB_SESSION_H
#define GNOMON_LIB_SESSION_H

#include "gnomon/trace.h"
#include "lib/device/watch_table.h"
#include "lib/run/crash.h"
#include "lib/run/input.h"
#include "lib/run/load_image.h"
#include "lib/run/overflow.h"
#include "lib/run/parameters.h"
#include "lib/run/serve.h"

enum gnomon_session_end {
    GNOMON_END_NONE,    /* an error came first */
    GNOMON_END_EXIT,    /* the program ended by itself */
    GNOMON_END_DEBUG,   /* the hart entered debug mode (ebreak, trigger) */
    GNOMON_END_STOPPED, /* stopped on request of `tick`, or after `most_cycles` */
};

struct gnomon_clock_samples;

/* Which accesses of the bus are traced, with PROFILE.CONTROL.BUS. */
struct gnomon_bus_filter {
    uint32_t first, last; /* addresses, inclusive */
    uint32_t control;     /* PROFILE.BUS_CONTROL */
};

struct gnomon_session {
    /* Filled by the caller. */
    struct gnomon_device *device;
    const struct gnomon_board *board;
    const struct gnomon_image *image;
    const struct gnomon_param_block *param;
    const struct gnomon_files *offers; /* files that the program may ask for; NULL: none */
    struct gnomon_input *input;        /* console input, from the first byte on; NULL: none */
    unsigned terminals;                /* bit N: descriptor N of its console is a terminal */
    uint32_t profile_control;          /* PROFILE.CONTROL; 0: no trace */
    uint32_t flush_cycles;
    bool both_harts;                     /* with two harts: hart 1 is traced, too */
    const struct gnomon_watch *watch;    /* NULL: no calls are watched */
    const struct gnomon_bus_filter *bus; /* NULL: no accesses of the bus are traced */
    void *context;
    void (*console)(void *context, const uint8_t *data, size_t size);
    /* Gets a frame of the trace; returns true if the END record of the frame's hart has come. */
    bool (*frame)(void *context, const uint8_t *frame);
    /* Called while the program stands still, because it wants its heap to be looked at; NULL: it goes on at once. */
    enum gnomon_status (*look)(void *context, struct gnomon_error *error);
    /* Called at least ten times a second, or every `tick_ms` ms; returns true to stop the program now. */
    bool (*tick)(void *context);
    unsigned tick_ms;     /* 0: 100 */
    uint64_t most_cycles; /* the program is stopped at or soon after this cycle; 0: no limit */
    /* Gets the current cycle a few times a second; NULL: the device is not asked. */
    void (*progress)(void *context, uint64_t cycles);
    /* Gets samples of the cycle counter during the run; NULL: none are taken. */
    struct gnomon_clock_samples *clock;
    /* Gets the progress of writing flash memory (gnomon_flash_memory_write); NULL: nothing does. */
    void (*flashing)(void *context, const char *doing, size_t done, size_t size);

    /* Filled by gnomon_session_run. */
    enum gnomon_session_end end;
    uint32_t exit_status;            /* with END_EXIT, as a parent process sees it: 0 to 255 */
    struct gnomon_crash crash;       /* with END_EXIT: `died` is set if the program did not end by itself */
    uint32_t debug_cause;            /* with END_DEBUG */
    bool trace_ended;                /* the END record has come */
    bool other_ran;                  /* hart 1 was started */
    bool timed_out;                  /* with END_STOPPED: after `most_cycles` */
    bool asked_host;                 /* the program was halted to wait for a file or console input */
    struct gnomon_overflow overflow; /* with END_DEBUG: the stack overflow, if that is the cause */

    /* Private to the session. */
    uint8_t buffer[GNOMON_FRAME_BYTES];
    size_t buffered;
    bool in_step;                  /* a frame with sequence 0 was seen */
    bool other_over;               /* hart 1's END record has come, or there is none */
    bool other_known;              /* the device was asked whether there is one */
    bool asked;                    /* the program was asked to stop */
    bool halted;                   /* a halt was requested, by the program or by something else */
    struct gnomon_reading reading; /* input that the program waits for */
    unsigned activity;             /* counts everything that arrives */
    size_t after_end;              /* bytes of trace since the program ended, or was asked to stop */
};

/* Resets the device, loads program and parameters, and sets the registers. Does not start the program. */
enum gnomon_status gnomon_session_prepare(struct gnomon_session *session, struct gnomon_error *error);
/* Starts the hart and returns when the run (and its trace) is over. After an error `end` says what was known by then.
 */
enum gnomon_status gnomon_session_run(struct gnomon_session *session, struct gnomon_error *error);
/* Why a run ended, as a name of gnomon_run_end_name. `died`: the program did not end by itself. */
const char *gnomon_session_reason(enum gnomon_session_end end, bool timed_out, bool died);
/* Leaves the device in reset, ready for the next run. Call it after the output files were read. */
enum gnomon_status gnomon_session_finish(struct gnomon_session *session, struct gnomon_error *error);

#endif
