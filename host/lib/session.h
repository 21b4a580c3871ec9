/* SPDX-License-Identifier: Apache-2.0 */
/* One run of a program on a device, from reset to its end (docs/usb-protocol.md, "A session"). */
#ifndef GNOMON_LIB_SESSION_H
#define GNOMON_LIB_SESSION_H

#include "crash.h"
#include "input.h"
#include "load.h"
#include "overflow.h"
#include "param.h"
#include "serve.h"
#include "watch.h"

enum gnomon_session_end {
    GNOMON_END_NONE,    /* an error came first */
    GNOMON_END_EXIT,    /* the program ended by itself */
    GNOMON_END_DEBUG,   /* the hart entered debug mode (ebreak, trigger) */
    GNOMON_END_STOPPED, /* `tick` asked for it */
};

struct gnomon_session {
    /* Filled by the caller. */
    struct gnomon_device *device;
    const struct gnomon_board *board;
    const struct gnomon_image *image;
    const struct gnomon_param_block *param;
    const struct gnomon_files *offers; /* what the program may ask for; NULL: nothing */
    struct gnomon_input *input;        /* of its console, from the first byte on; NULL: there is none */
    uint32_t profile_control;          /* PROFILE.CONTROL; 0: no trace */
    uint32_t flush_cycles;
    const struct gnomon_watch *watch; /* NULL: no calls are watched */
    void *context;
    void (*console)(void *context, const uint8_t *data, size_t size);
    /* A frame of the trace; true: it holds the END record. */
    bool (*frame)(void *context, const uint8_t *frame);
    /* Ten times a second or more often; true: stop the program now. */
    bool (*tick)(void *context);
    uint64_t most_cycles; /* the program is stopped after so many, or soon after; 0: it is not */
    /* How far it is, a few times a second; NULL: the device is not asked. */
    void (*progress)(void *context, uint64_t cycles);

    /* Filled by gnomon_session_run. */
    enum gnomon_session_end end;
    uint32_t exit_status;            /* with END_EXIT, as a parent process sees it: 0 to 255 */
    struct gnomon_crash crash;       /* likewise: `died` where the program did not end by itself */
    uint32_t debug_cause;            /* with END_DEBUG */
    bool trace_ended;                /* the END record came */
    bool timed_out;                  /* with END_STOPPED: after `most_cycles` */
    bool asked_host;                 /* the program was halted for a file or input of its console */
    struct gnomon_overflow overflow; /* with END_DEBUG: of the stack, if that is why */

    /* Its own. */
    uint8_t buffer[512];
    size_t buffered;
    bool in_step;                  /* a frame with sequence 0 was seen */
    bool asked;                    /* to stop */
    bool halted;                   /* the program asked for a halt, or somebody else did */
    struct gnomon_reading reading; /* input that the program waits for */
    unsigned activity;             /* counts whatever comes in */
    size_t after_end;              /* bytes of trace since the program ended, or was asked to */
};

/* Reset, program and parameters into memory, registers set: all but the start. */
enum gnomon_status gnomon_session_prepare(struct gnomon_session *session, struct gnomon_error *error);
/* Starts the hart and returns when the run (and its trace) is over. After an error `end` says what was known. */
enum gnomon_status gnomon_session_run(struct gnomon_session *session, struct gnomon_error *error);
/* Why a run ended, as gnomon_run_end_name has it. `died`: the program did not end by itself. */
const char *gnomon_session_reason(enum gnomon_session_end end, bool timed_out, bool died);
/* After the output files were read: leaves the device in reset, ready for the next. */
enum gnomon_status gnomon_session_finish(struct gnomon_session *session, struct gnomon_error *error);

#endif
