/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/run/session.h"

#include <string.h>

#include "gnomon/registers.h"
#include "gnomon/sim_time.h"
#include "gnomon/trace.h"
#include "lib/device/event_clock.h"
#include "lib/profile/exactness.h"
#include "lib/run/calibrate.h"
#include "lib/util/bytes.h"
#include "lib/util/clock.h"

#define TICK_MS 100
#define ASK_MS 200      /* ms between requests for the current cycle */
#define SAMPLES 4       /* of the cycle counter, at a time ... */
#define SAMPLE_MS 50    /* ... with this many ms between */
#define INPUT_MS 20     /* ms of waiting for input between looks at the device's output */
#define DRAIN_MS 50     /* ms without data after which packets of an earlier run count as gone; scaled */
#define CAUSE_HALT 3    /* dcsr.cause: SYSCTL.CONTROL.HALT */
#define SILENCE_MS 2000 /* ms without data after the program's end until the trace's end is given up; scaled */
#define MOST_AFTER_END (4u << 20) /* bytes of trace after the program's end: no device holds as many */
#define MOST_DRAINED (1 << 16)

enum { HART1 = GNOMON_BLOCKS_OF_HART(1) };

/* Drops trace packets of an earlier run that were not read. A device that is still in the reset after power-on, or
 * after a run that ended well, has no such packets, and needs no wait. */
static enum gnomon_status drain_trace(struct gnomon_session *session, struct gnomon_error *error) {
    enum gnomon_status status = gnomon_device_set(session->device, GNOMON_PROFILE_CONTROL, 0, error);
    if (!status && session->board->harts > 1)
        status = gnomon_device_set(session->device, HART1 + GNOMON_PROFILE_CONTROL, 0, error);
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

static enum gnomon_status load_bus_filter(const struct gnomon_session *session, unsigned hart,
                                          struct gnomon_error *error) {
    const uint32_t blocks = GNOMON_BLOCKS_OF_HART(hart);
    const struct gnomon_setting settings[] = {{blocks + GNOMON_PROFILE_BUS_FIRST, session->bus->first},
                                              {blocks + GNOMON_PROFILE_BUS_LAST, session->bus->last},
                                              {blocks + GNOMON_PROFILE_BUS_CONTROL, session->bus->control}};
    return gnomon_device_batch(session->device, 0, NULL, 0, settings, sizeof settings / sizeof *settings, error);
}

/* A device that does not see when interrupts are switched off keeps the bit 0. */
static enum gnomon_status check_interrupts(const struct gnomon_session *session, struct gnomon_error *error) {
    uint32_t control = 0;
    enum gnomon_status status = gnomon_device_get(session->device, GNOMON_PROFILE_CONTROL, &control, error);
    if (status || control & GNOMON_PROFILE_CONTROL_INTERRUPTS)
        return status;
    gnomon_fail(error, GNOMON_ERR_UNSUPPORTED, "%s does not see when the program switches interrupts off",
                session->board->address);
    return gnomon_remedy(error, GNOMON_ERR_UNSUPPORTED, "leave out --interrupts, or use the simulated board full");
}

enum gnomon_status gnomon_session_prepare(struct gnomon_session *session, struct gnomon_error *error) {
    const struct {
        uint32_t address, value;
    } registers[] = {
        {GNOMON_SYSCTL_ENTRY, session->image->entry},
        {GNOMON_SYSCTL_PARAM, session->param->address},
        {GNOMON_PROFILE_FLUSH_CYCLES, session->flush_cycles},
        {GNOMON_PROFILE_CONTROL, session->profile_control},
        {HART1 + GNOMON_PROFILE_FLUSH_CYCLES, session->flush_cycles},
        {HART1 + GNOMON_PROFILE_CONTROL, session->both_harts ? session->profile_control : 0},
    };
    size_t count = sizeof registers / sizeof *registers;
    if (session->board->harts == 1)
        count -= 2;
    if (!session->board->profiler)
        count -= 2;
    enum gnomon_status status = reset_hart(session, error);
    if (!status)
        status = gnomon_image_load(session->image, session->board, session->device, session->flashing, session->context,
                                   error);
    if (!status)
        status = gnomon_param_load(session->param, session->device, error);
    for (unsigned hart = 0; !status && session->watch && hart <= session->both_harts; hart++)
        status = gnomon_watch_load(session->watch, session->device, hart, error);
    for (unsigned hart = 0; !status && session->bus && hart <= session->both_harts; hart++)
        status = load_bus_filter(session, hart, error);
    for (size_t i = 0; i < count && !status; i++)
        status = gnomon_device_set(session->device, registers[i].address, registers[i].value, error);
    if (!status && session->profile_control & GNOMON_PROFILE_CONTROL_INTERRUPTS)
        status = check_interrupts(session, error);
    for (unsigned hart = 0;
         !status && session->profile_control & GNOMON_PROFILE_CONTROL_CLOCK && hart <= session->both_harts; hart++)
        status = gnomon_event_clock_check(session->device, session->board, hart, session->profile_control, error);
    return status;
}

static bool starts_run(const uint8_t *frame) {
    return gnomon_little(frame + GNOMON_FRAME_AT_MAGIC, 2) == GNOMON_FRAME_MAGIC &&
           gnomon_little(frame + GNOMON_FRAME_AT_SEQUENCE, 4) == 0;
}

/* Splits the bytes of the trace into frames. Packets of an earlier run may come before the first frame. */
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
            bool ended = session->frame(session->context, session->buffer);
            *(session->buffer[GNOMON_FRAME_AT_HART] ? &session->other_over : &session->trace_ended) |= ended;
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
    if (number == GNOMON_REPLY_EVENT_EXIT) {
        session->end = GNOMON_END_EXIT;
        session->exit_status = word & 0xFF;
    } else if (number == GNOMON_REPLY_EVENT_DEBUG && word == CAUSE_HALT && !session->asked) {
        session->halted = true;
    } else if (number == GNOMON_REPLY_EVENT_DEBUG && session->end == GNOMON_END_NONE) {
        session->end = session->asked ? GNOMON_END_STOPPED : GNOMON_END_DEBUG;
        session->debug_cause = word;
    }
}

/* First ends the trace, so that END has the cycle of the request, then halts the hart. Both are in one transfer, so
 * that a simulated board's hart does the same in between, whatever the host's speed. */
static enum gnomon_status ask_to_stop(struct gnomon_session *session, struct gnomon_error *error) {
    const struct gnomon_setting settings[] = {
        {HART1 + GNOMON_PROFILE_CONTROL, session->profile_control & ~GNOMON_PROFILE_CONTROL_ENABLE},
        {GNOMON_PROFILE_CONTROL, session->profile_control & ~GNOMON_PROFILE_CONTROL_ENABLE},
        {GNOMON_SYSCTL_CONTROL, GNOMON_SYSCTL_CONTROL_HALT},
    };
    enum { ALL = sizeof settings / sizeof *settings };
    session->asked = true;
    if (session->reading.request) /* the hart is already halted */
        session->end = GNOMON_END_STOPPED;
    const size_t first = !session->profile_control ? 2 : session->both_harts ? 0 : 1;
    enum gnomon_status status = gnomon_device_batch(session->device, 0, NULL, 0, settings + first, ALL - first, error);
    if (!status && session->most_cycles && session->device->transport->sim_time)
        status = gnomon_transport_sim_limit(session->device->transport, 0, error);
    return status;
}

/* Gives a waiting program the available input. Until there is input, the host sends nothing to the device, so that the
 * waiting does not change a simulated board's time. */
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

/* Handles a halt that the session did not request: the program has a request, or else it has ended. */
static enum gnomon_status serve(struct gnomon_session *session, struct gnomon_error *error) {
    enum gnomon_served served;
    session->halted = false;
    session->asked_host = true;
    enum gnomon_status status = gnomon_serve(session->device, session->board, session->param->address, session->offers,
                                             session->terminals, &served, &session->reading, error);
    if (!status && served == GNOMON_SERVED_LOOK && session->look)
        status = session->look(session->context, error);
    if (!status && served == GNOMON_SERVED_LOOK)
        status = gnomon_serve_input(session->device, session->param->address, &session->reading, NULL, 0, error);
    if (!status && served == GNOMON_SERVED_NOT) {
        session->end = GNOMON_END_DEBUG;
        session->debug_cause = CAUSE_HALT;
    }
    return status;
}

static bool is_over(const struct gnomon_session *session) {
    return session->end != GNOMON_END_NONE &&
           (!session->profile_control || (session->trace_ended && (!session->both_harts || session->other_over)));
}

/* True if the hart has ended, or was asked to stop, and no data has come for some time. */
static bool is_silent(struct gnomon_session *session, unsigned *activity, uint64_t *since) {
    uint64_t now = gnomon_now_ms();
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

/* Asks how far the program is. Only if the caller wants to know and while the program runs, because the answer of a
 * real board takes a transfer. */
static enum gnomon_status look(struct gnomon_session *session, uint64_t *asked, struct gnomon_error *error) {
    const uint64_t now = gnomon_now_ms();
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

/* Takes some samples of the cycle counter, if the caller wants them. */
static enum gnomon_status sample_clock(const struct gnomon_session *session, uint64_t *sampled,
                                       struct gnomon_error *error) {
    const uint64_t now = gnomon_now_ms();
    enum gnomon_status status = GNOMON_OK;
    if (!session->clock || session->reading.request || now - *sampled < SAMPLE_MS)
        return GNOMON_OK;
    *sampled = now;
    for (int i = 0; i < SAMPLES && !status; i++)
        status = gnomon_calibrate_sample(session->device, session->clock, error);
    return status;
}

/* Asks, once hart 0's trace has ended, whether hart 1 has one: a hart that never ran sends nothing. */
static enum gnomon_status ask_other(struct gnomon_session *session, struct gnomon_error *error) {
    uint32_t word;
    if (!session->both_harts || session->other_known || !session->trace_ended || session->end == GNOMON_END_NONE)
        return GNOMON_OK;
    enum gnomon_status status = gnomon_device_get(session->device, HART1 + GNOMON_PROFILE_STATUS, &word, error);
    session->other_known = !status;
    session->other_over |= !status && (word & GNOMON_PROFILE_STATUS_EMPTY) && !(word & GNOMON_PROFILE_STATUS_ENDED);
    return status;
}

/* The work between two looks at the device's output. */
static enum gnomon_status attend(struct gnomon_session *session, uint64_t *asked, uint64_t *sampled,
                                 struct gnomon_error *error) {
    enum gnomon_status status = GNOMON_OK;
    if (session->halted)
        status = serve(session, error);
    if (!status && session->reading.request)
        status = feed(session, error);
    if (!status)
        status = look(session, asked, error);
    if (!status)
        status = sample_clock(session, sampled, error);
    if (!status)
        status = ask_other(session, error);
    bool stop = session->timed_out || (session->tick && session->tick(session->context));
    /* A hart that stopped in debug mode does not send END by itself. */
    stop |= session->end == GNOMON_END_DEBUG && session->profile_control;
    if (!status && stop && !session->asked && session->end != GNOMON_END_EXIT)
        status = ask_to_stop(session, error);
    return status;
}

static enum gnomon_status process_until_over(struct gnomon_session *session, struct gnomon_error *error) {
    unsigned activity = session->activity;
    uint64_t since = gnomon_now_ms(), asked = since, sampled = 0;
    const unsigned tick_ms = session->tick_ms ? session->tick_ms : TICK_MS;
    while (!is_over(session)) {
        enum gnomon_status status =
            gnomon_device_process(session->device, session->reading.request ? 1 : tick_ms, error);
        if (!status)
            status = attend(session, &asked, &sampled, error);
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

/* Limits a simulated board's time, so that it stops in the same cycle in each run. The limit is one unit higher, so
 * that the board's own count has certainly reached `most_cycles`. */
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
    device->replies.context = session;
    device->replies.console = on_console;
    device->replies.event = on_event;
    if (session->input)
        gnomon_input_rewind(session->input);
    /* Streams first: a simulated device with its hart in reset sleeps until the next command, so the time to start them
     * does not matter. */
    enum gnomon_status status = gnomon_device_start(device, session->profile_control ? on_trace : NULL, session, error);
    if (status)
        return status;
    status = set_limit(session, error);
    if (!status)
        status = gnomon_device_set(device, GNOMON_SYSCTL_CONTROL, 0, error);
    if (!status)
        status = process_until_over(session, error);
    enum gnomon_status stopped = gnomon_device_stop(device, status ? NULL : error);
    /* The counter goes on until the hart's reset, so a short run has enough samples, too. */
    for (int i = 0; session->clock && !status && !stopped && i < GNOMON_CLOCK_FEWEST_SAMPLES; i++)
        stopped = gnomon_calibrate_sample(device, session->clock, error);
    if (!status && !stopped && session->end == GNOMON_END_DEBUG)
        stopped = gnomon_overflow_read(device, session->board, session->param->address, &session->overflow, error);
    if (!status && !stopped && session->end == GNOMON_END_EXIT && session->exit_status >= GNOMON_CRASH_STATUS)
        stopped = gnomon_crash_read(&session->crash, device, session->board, session->param->address, error);
    uint32_t start = 0;
    if (!status && !stopped && session->board->harts > 1)
        stopped = gnomon_device_get(device, GNOMON_SYSCTL_HART1_START, &start, error);
    session->other_ran = start & GNOMON_SYSCTL_HART1_START_STARTED;
    device->replies.console = NULL;
    device->replies.event = NULL;
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
