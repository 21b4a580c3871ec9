/* SPDX-License-Identifier: Apache-2.0 */
#include "session.h"

#include <string.h>
#include <time.h>

#include "exactness.h"
#include "gnomon/registers.h"
#include "gnomon/sim_time.h"
#include "gnomon/trace.h"

#define TICK_MS 100
#define ASK_MS 200                /* between questions of how far the program is */
#define INPUT_MS 20               /* of waiting for input, between looks at what the device still has to say */
#define DRAIN_MS 50               /* without data until left-overs of an earlier run count as gone; scaled */
#define CAUSE_HALT 3              /* dcsr.cause: SYSCTL.CONTROL.HALT */
#define SILENCE_MS 2000           /* without data after the program's end until the trace's end is given up; scaled */
#define MOST_AFTER_END (4u << 20) /* bytes of trace after the program: no device holds as many */
#define MOST_DRAINED (1 << 16)

static uint64_t now_ms(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000 + (uint64_t)time.tv_nsec / 1000000;
}

/* Trace packets that nobody fetched in an earlier run. A device that is still in the reset after power-on, or after a
 * run that ended well, has none, and is spared the wait. */
static enum gnomon_status drain_trace(struct gnomon_session *session, struct gnomon_error *error) {
    enum gnomon_status status = gnomon_device_set(session->device, GNOMON_PROFILE_CONTROL, 0, error);
    uint8_t data[GNOMON_FRAME_BYTES];
    size_t got = 0;
    for (size_t total = 0; !status && total < MOST_DRAINED; total += got)
        status =
            gnomon_transport_in(session->device->transport, GNOMON_EP_TRACE, data, sizeof data, &got, DRAIN_MS, error);
    return status == GNOMON_ERR_TIMEOUT ? GNOMON_OK : status;
}

static enum gnomon_status reset_hart(struct gnomon_session *session, struct gnomon_error *error) {
    uint32_t control = 0;
    enum gnomon_status status = gnomon_device_get(session->device, GNOMON_SYSCTL_CONTROL, &control, error);
    if (!status)
        status = gnomon_device_set(session->device, GNOMON_SYSCTL_CONTROL, GNOMON_SYSCTL_CONTROL_HART_RESET, error);
    if (!status && !(control & GNOMON_SYSCTL_CONTROL_HART_RESET))
        status = drain_trace(session, error);
    return status;
}

enum gnomon_status gnomon_session_prepare(struct gnomon_session *session, struct gnomon_error *error) {
    const struct {
        uint32_t address, value;
    } registers[] = {
        {GNOMON_SYSCTL_ENTRY, session->image->entry},
        {GNOMON_SYSCTL_PARAM, session->param->address},
        {GNOMON_PROFILE_FLUSH_CYCLES, session->flush_cycles},
        {GNOMON_PROFILE_CONTROL, session->profile_control},
    };
    size_t count = sizeof registers / sizeof *registers;
    if (!session->board->profiler)
        count -= 2;
    enum gnomon_status status = reset_hart(session, error);
    if (!status)
        status = gnomon_image_load(session->image, session->device, error);
    if (!status)
        status = gnomon_param_load(session->param, session->device, error);
    if (!status && session->watch)
        status = gnomon_watch_load(session->watch, session->device, error);
    for (size_t i = 0; i < count && !status; i++)
        status = gnomon_device_set(session->device, registers[i].address, registers[i].value, error);
    return status;
}

static bool starts_run(const uint8_t *frame) {
    bool magic = frame[0] == (GNOMON_FRAME_MAGIC & 0xFF) && frame[1] == GNOMON_FRAME_MAGIC >> 8;
    return magic && !frame[4] && !frame[5] && !frame[6] && !frame[7];
}

/* Bytes of the trace to frames. Before the first one, packets of an earlier run may come. */
static void on_trace(void *context, const uint8_t *data, size_t size) {
    struct gnomon_session *session = context;
    session->activity++;
    if (session->end != GNOMON_END_NONE || session->asked)
        session->after_end += size;
    while (size && session->after_end <= MOST_AFTER_END) {
        size_t room = sizeof session->buffer - session->buffered, part = size < room ? size : room;
        memcpy(session->buffer + session->buffered, data, part);
        session->buffered += part;
        data += part;
        size -= part;
        if (session->buffered < sizeof session->buffer)
            return;
        session->in_step |= starts_run(session->buffer);
        if (session->in_step) {
            session->trace_ended |= session->frame(session->context, session->buffer);
            session->buffered = 0;
        } else {
            session->buffered -= GNOMON_USB_PACKET;
            memmove(session->buffer, session->buffer + GNOMON_USB_PACKET, session->buffered);
        }
    }
}

static void on_console(void *context, const uint8_t *data, size_t size) {
    struct gnomon_session *session = context;
    session->activity++;
    if (session->console)
        session->console(session->context, data, size);
}

static void on_event(void *context, unsigned number, const uint32_t *words, size_t count) {
    struct gnomon_session *session = context;
    session->activity++;
    uint32_t word = count ? words[0] : 0;
    if (number == GNOMON_UNIT_EVENT_EXIT) {
        session->end = GNOMON_END_EXIT;
        session->exit_status = word & 0xFF;
    } else if (number == GNOMON_UNIT_EVENT_DEBUG && word == CAUSE_HALT && !session->asked) {
        session->halted = true;
    } else if (number == GNOMON_UNIT_EVENT_DEBUG && session->end == GNOMON_END_NONE) {
        session->end = session->asked ? GNOMON_END_STOPPED : GNOMON_END_DEBUG;
        session->debug_cause = word;
    }
}

/* Ends the trace first, so that its END stands at the cycle of the wish, then halts the hart; in one transfer, so that
 * how fast the host is does not show in what a simulated board's hart does between. */
static enum gnomon_status ask_to_stop(struct gnomon_session *session, struct gnomon_error *error) {
    const struct gnomon_setting settings[] = {
        {GNOMON_PROFILE_CONTROL, session->profile_control & ~GNOMON_PROFILE_CONTROL_ENABLE},
        {GNOMON_SYSCTL_CONTROL, GNOMON_SYSCTL_CONTROL_HALT},
    };
    session->asked = true;
    if (session->reading.request) /* it has halted */
        session->end = GNOMON_END_STOPPED;
    const size_t first = session->profile_control ? 0 : 1;
    enum gnomon_status status = gnomon_device_batch(session->device, 0, NULL, 0, settings + first, 2 - first, error);
    if (!status && session->most_cycles && session->device->transport->sim_time)
        status = gnomon_transport_sim_limit(session->device->transport, 0, error);
    return status;
}

/* The program waits for input: it gets what there is. Until then the device is left alone, so that how long it takes
 * does not show in a simulated board's time. */
static enum gnomon_status feed(struct gnomon_session *session, struct gnomon_error *error) {
    struct gnomon_input none = {0}, *input = session->input ? session->input : &none;
    const uint8_t *data;
    size_t size;
    bool ready;
    enum gnomon_status status = gnomon_input_take(input, session->reading.size, INPUT_MS, &ready, &data, &size, error);
    if (status || !ready)
        return status;
    return gnomon_serve_input(session->device, session->param->address, &session->reading, data, size, error);
}

/* A halt that was not asked for here: the program wants something, or else it has ended. */
static enum gnomon_status serve(struct gnomon_session *session, struct gnomon_error *error) {
    enum gnomon_served served;
    session->halted = false;
    session->asked_host = true;
    enum gnomon_status status = gnomon_serve(session->device, session->board, session->param->address, session->offers,
                                             &served, &session->reading, error);
    if (!status && served == GNOMON_SERVED_NOT) {
        session->end = GNOMON_END_DEBUG;
        session->debug_cause = CAUSE_HALT;
    }
    return status;
}

static bool is_over(const struct gnomon_session *session) {
    return session->end != GNOMON_END_NONE && (!session->profile_control || session->trace_ended);
}

/* The hart has ended, or was asked to: what is left must come soon. */
static bool is_silent(struct gnomon_session *session, unsigned *activity, uint64_t *since) {
    uint64_t now = now_ms();
    bool ending = session->end != GNOMON_END_NONE || session->asked;
    if (!ending || *activity != session->activity) {
        *activity = session->activity;
        *since = now;
    }
    return now - *since > (uint64_t)SILENCE_MS * session->device->transport->timeout_scale;
}

static bool wants_cycles(const struct gnomon_session *session) {
    return session->most_cycles || session->progress;
}

static enum gnomon_status ask_cycles(struct gnomon_session *session, uint64_t *cycles, struct gnomon_error *error) {
    uint32_t words[2] = {0};
    if (session->device->transport->sim_time)
        return gnomon_transport_sim_cycles(session->device->transport, cycles, error);
    enum gnomon_status status = gnomon_device_read(session->device, GNOMON_SYSCTL_CYCLE_LO, words, 2, error);
    *cycles = (uint64_t)words[1] << 32 | words[0];
    return status;
}

/* How far is the program? Asked only where somebody wants to know, and while it runs: a real board's answer takes a
 * transfer. */
static enum gnomon_status look(struct gnomon_session *session, uint64_t *asked, struct gnomon_error *error) {
    const uint64_t now = now_ms();
    uint64_t cycles;
    if (!wants_cycles(session) || session->end != GNOMON_END_NONE || session->asked || session->reading.request ||
        now - *asked < (session->most_cycles ? TICK_MS : ASK_MS))
        return GNOMON_OK;
    *asked = now;
    enum gnomon_status status = ask_cycles(session, &cycles, error);
    if (!status && session->progress)
        session->progress(session->context, cycles);
    session->timed_out = !status && session->most_cycles && cycles >= session->most_cycles;
    return status;
}

/* What is to be done between two looks at what the device sends. */
static enum gnomon_status attend(struct gnomon_session *session, uint64_t *asked, struct gnomon_error *error) {
    enum gnomon_status status = GNOMON_OK;
    if (session->halted)
        status = serve(session, error);
    if (!status && session->reading.request)
        status = feed(session, error);
    if (!status)
        status = look(session, asked, error);
    bool stop = session->timed_out || (session->tick && session->tick(session->context));
    /* A hart that stopped in debug mode sends no END by itself. */
    stop |= session->end == GNOMON_END_DEBUG && session->profile_control;
    if (!status && stop && !session->asked && session->end != GNOMON_END_EXIT)
        status = ask_to_stop(session, error);
    return status;
}

static enum gnomon_status pump_until_over(struct gnomon_session *session, struct gnomon_error *error) {
    unsigned activity = session->activity;
    uint64_t since = now_ms(), asked = since;
    while (!is_over(session)) {
        enum gnomon_status status = gnomon_device_pump(session->device, session->reading.request ? 1 : TICK_MS, error);
        if (!status)
            status = attend(session, &asked, error);
        if (status)
            return status;
        bool endless = session->after_end > MOST_AFTER_END;
        if (!endless && !is_silent(session, &activity, &since))
            continue;
        gnomon_fail(error, GNOMON_ERR_TIMEOUT, "%s does not end its %s", session->board->address,
                    session->end == GNOMON_END_NONE ? "program" : "trace");
        return gnomon_remedy(error, GNOMON_ERR_TIMEOUT, "reset the device, and report this with its gnomon info");
    }
    return GNOMON_OK;
}

/* A simulated board's time stands still where it is to stop, so it stops in the same cycle each time; a limit's unit
 * more, so that it has certainly run for so long by its own count. */
static enum gnomon_status set_limit(const struct gnomon_session *session, struct gnomon_error *error) {
    struct gnomon_transport *transport = session->device->transport;
    uint64_t ignored;
    if (!wants_cycles(session) || !session->board->simulated)
        return GNOMON_OK;
    transport->sim_time = true;
    transport->sim_time = gnomon_transport_sim_cycles(transport, &ignored, NULL) == GNOMON_OK;
    if (!transport->sim_time || !session->most_cycles)
        return GNOMON_OK;
    return gnomon_transport_sim_limit(transport, session->most_cycles + GNOMON_SIM_LIMIT_CYCLES, error);
}

enum gnomon_status gnomon_session_run(struct gnomon_session *session, struct gnomon_error *error) {
    struct gnomon_device *device = session->device;
    device->units.context = session;
    device->units.console = on_console;
    device->units.event = on_event;
    if (session->input)
        gnomon_input_rewind(session->input);
    /* Streams first: a simulated device with its hart in reset sleeps until the next command, however long they take.
     */
    enum gnomon_status status = gnomon_device_start(device, session->profile_control ? on_trace : NULL, session, error);
    if (status)
        return status;
    status = set_limit(session, error);
    if (!status)
        status = gnomon_device_set(device, GNOMON_SYSCTL_CONTROL, 0, error);
    if (!status)
        status = pump_until_over(session, error);
    enum gnomon_status stopped = gnomon_device_stop(device, status ? NULL : error);
    if (!status && !stopped && session->end == GNOMON_END_DEBUG)
        stopped = gnomon_overflow_read(device, session->board, &session->overflow, error);
    if (!status && !stopped && session->end == GNOMON_END_EXIT && session->exit_status >= GNOMON_CRASH_STATUS)
        stopped = gnomon_crash_read(&session->crash, device, session->board, session->param->address, error);
    device->units.console = NULL;
    device->units.event = NULL;
    return status ? status : stopped;
}

const char *gnomon_session_reason(enum gnomon_session_end end, bool timed_out, bool died) {
    static const enum gnomon_run_end ends[] = {
        [GNOMON_END_NONE] = GNOMON_RUN_BROKEN,
        [GNOMON_END_EXIT] = GNOMON_RUN_ENDED,
        [GNOMON_END_DEBUG] = GNOMON_RUN_DEBUG,
        [GNOMON_END_STOPPED] = GNOMON_RUN_INTERRUPTED,
    };
    const bool limited = end == GNOMON_END_STOPPED && timed_out;
    return gnomon_run_end_name(died ? GNOMON_RUN_CRASHED : limited ? GNOMON_RUN_LIMITED : ends[end]);
}

enum gnomon_status gnomon_session_finish(struct gnomon_session *session, struct gnomon_error *error) {
    return gnomon_device_set(session->device, GNOMON_SYSCTL_CONTROL, GNOMON_SYSCTL_CONTROL_HART_RESET, error);
}
