/* SPDX-License-Identifier: Apache-2.0 */
/* A value change dump, as of a simulation: what each hart and each thread does, who has the locks, marks and values. */
#include "lib/export/vcd.h"

#include <stdlib.h>

#include "lib/locks/lock_account.h"

#define MOST_TRAPS 64 /* one in another; of deeper ones only the number is followed */

struct hart {
    uint64_t thread, function; /* what it does */
    bool losing;               /* it is shown as lost, from its last event on */
    uint64_t lost_until;
    uint64_t lost; /* events */
    unsigned traps;
    uint32_t trap[MOST_TRAPS]; /* functions, the innermost last */
};

struct vcd_writer {
    struct gnomon_export *export;
    struct vcd_signals signals;
    struct gnomon_lock_account *account;
    bool locks[GNOMON_LOCKS_MOST]; /* that have a signal */
    struct hart harts[GNOMON_MAX_HARTS];
};

/* ---- Harts and threads ---- */

static void set_hart(struct vcd_writer *writer, uint64_t time, enum vcd_kind kind, unsigned hart, uint64_t value) {
    vcd_set(&writer->signals, time, kind, hart, value);
}

static void stop_thread(struct vcd_writer *writer, uint64_t time, uint64_t thread) {
    if (thread < VCD_NONE)
        vcd_set(&writer->signals, time, VCD_THREAD_RUNS, (uint32_t)thread, 0);
}

/* What the hart does from `time` on, also if it is shown as lost. */
static void show(struct vcd_writer *writer, uint64_t time, unsigned index) {
    const struct hart *hart = &writer->harts[index];
    set_hart(writer, time, VCD_HART_THREAD, index, hart->thread);
    set_hart(writer, time, VCD_HART_FUNCTION, index, hart->function);
    if (hart->thread >= VCD_NONE)
        return;
    vcd_set(&writer->signals, time, VCD_THREAD_RUNS, (uint32_t)hart->thread, 1);
    vcd_set(&writer->signals, time, VCD_THREAD_FUNCTION, (uint32_t)hart->thread, hart->function);
}

static void run(struct vcd_writer *writer, uint64_t time, unsigned index, const struct gnomon_profile_running *now) {
    struct hart *hart = &writer->harts[index];
    if (hart->thread != now->thread)
        stop_thread(writer, time, hart->thread);
    hart->thread = now->thread;
    hart->function = now->function;
    show(writer, time, index);
}

/* Ends what was lost up to `time`, the earlier one first. */
static void end_losses(struct vcd_writer *writer, uint64_t time) {
    for (unsigned i = 0; i < GNOMON_MAX_HARTS; i++) {
        unsigned first = GNOMON_MAX_HARTS;
        for (unsigned hart = 0; hart < GNOMON_MAX_HARTS; hart++)
            if (writer->harts[hart].losing && writer->harts[hart].lost_until <= time &&
                (first == GNOMON_MAX_HARTS || writer->harts[hart].lost_until < writer->harts[first].lost_until))
                first = hart;
        if (first == GNOMON_MAX_HARTS)
            return;
        writer->harts[first].losing = false;
        show(writer, writer->harts[first].lost_until, first);
    }
}

/* ---- Losses ---- */

/* Lost cycles are shown directly after the hart's last event; where they were is not known. */
static void lose(struct vcd_writer *writer, const struct gnomon_moment *moment) {
    const struct gnomon_event_lost *lost = &moment->event.lost;
    const uint64_t now = moment->after.now;
    struct hart *hart = &writer->harts[moment->event.hart];
    end_losses(writer, now);
    hart->lost += lost->enters + lost->exits + lost->others;
    set_hart(writer, now, VCD_HART_LOST, moment->event.hart, hart->lost);
    if (!lost->cycles)
        return;
    if (!hart->losing)
        hart->lost_until = now > writer->signals.time ? now : writer->signals.time;
    hart->losing = true;
    hart->lost_until += lost->cycles;
    set_hart(writer, now, VCD_HART_FUNCTION, moment->event.hart, VCD_LOST);
    if (hart->thread < VCD_NONE)
        vcd_set(&writer->signals, now, VCD_THREAD_FUNCTION, (uint32_t)hart->thread, VCD_LOST);
}

static bool runs_elsewhere(const struct vcd_writer *writer, unsigned hart, uint32_t thread) {
    for (unsigned i = 0; i < GNOMON_MAX_HARTS; i++)
        if (i != hart && writer->harts[i].thread == thread)
            return true;
    return false;
}

/* Nothing is known from the hart's last event on, and what threads do that do not run. */
static void lose_all(struct vcd_writer *writer, const struct gnomon_moment *moment) {
    const uint64_t now = moment->before.now;
    const unsigned index = moment->event.hart;
    struct hart *hart = &writer->harts[index];
    end_losses(writer, now);
    stop_thread(writer, now, hart->thread);
    set_hart(writer, now, VCD_HART_THREAD, index, VCD_LOST);
    set_hart(writer, now, VCD_HART_FUNCTION, index, VCD_LOST);
    set_hart(writer, now, VCD_HART_TRAP, index, VCD_NONE);
    for (uint32_t i = 0; i < writer->signals.map.count; i++) {
        const struct vcd_signal *signal = &writer->signals.list[i];
        if (signal->kind == VCD_THREAD_FUNCTION && !runs_elsewhere(writer, index, signal->number))
            vcd_set(&writer->signals, now, VCD_THREAD_FUNCTION, signal->number, VCD_LOST);
    }
    hart->traps = 0;
    hart->thread = moment->after.thread;
    hart->function = moment->after.function;
    hart->losing = true;
    hart->lost_until = moment->event.cycle;
}

/* ---- Traps ---- */

/* A return from a trap ends the hart's last one, whichever thread it began in. */
static void follow_traps(struct vcd_writer *writer, const struct gnomon_moment *moment) {
    struct hart *hart = &writer->harts[moment->event.hart];
    if (moment->event.type == GNOMON_EVENT_TRAP_ENTER) {
        if (hart->traps < MOST_TRAPS)
            hart->trap[hart->traps] = moment->called;
        hart->traps++;
    } else if (hart->traps) {
        hart->traps--;
    }
    const unsigned top = hart->traps < MOST_TRAPS ? hart->traps : MOST_TRAPS;
    set_hart(writer, moment->event.cycle, VCD_HART_TRAP, moment->event.hart, top ? hart->trap[top - 1] : VCD_NONE);
}

/* ---- Locks ---- */

/* A thread that is named before it has run has a signal, too. */
static void know_thread(struct vcd_writer *writer, uint64_t time, uint32_t thread) {
    if (!runs_elsewhere(writer, GNOMON_MAX_HARTS, thread))
        vcd_set(&writer->signals, time, VCD_THREAD_RUNS, thread, 0);
}

static void show_owner(struct vcd_writer *writer, uint64_t time, unsigned lock) {
    int owner;
    if (!gnomon_lock_account_owner(writer->account, lock, &owner))
        return;
    writer->locks[lock] = true;
    if (owner >= 0)
        know_thread(writer, time, (uint32_t)owner);
    vcd_set(&writer->signals, time, VCD_LOCK_OWNER, lock,
            owner >= 0                       ? (uint64_t)owner
            : owner == GNOMON_LOCK_NOT_KNOWN ? VCD_LOST
                                             : VCD_NONE);
}

static void follow_locks(struct vcd_writer *writer, const struct gnomon_moment *moment) {
    static const struct gnomon_lock_stack none;
    const struct gnomon_event *event = &moment->event;
    if (!gnomon_lock_account_event(writer->account, event, &none))
        writer->signals.failed = true;
    if (event->type == GNOMON_EVENT_LOCK) {
        const struct gnomon_lock_message message = gnomon_lock_message_of(event);
        show_owner(writer, event->cycle, message.lock);
        if (!writer->locks[message.lock])
            return;
        know_thread(writer, event->cycle, message.thread);
        vcd_set(&writer->signals, event->cycle, VCD_THREAD_WAITS, message.thread,
                message.action == GNOMON_LOCK_REQUEST ? message.lock : VCD_NONE);
    } else if (event->type == GNOMON_EVENT_LOST || event->type == GNOMON_EVENT_GAP ||
               event->type == GNOMON_EVENT_DAMAGE) {
        for (unsigned i = 0; i < GNOMON_LOCKS_MOST; i++)
            if (writer->locks[i])
                show_owner(writer, moment->before.now, i);
    }
}

/* ---- Events ---- */

static void take_known(struct vcd_writer *writer, const struct gnomon_moment *moment) {
    const struct gnomon_event *event = &moment->event;
    struct hart *hart = &writer->harts[event->hart];
    uint32_t number;
    if (hart->losing && hart->lost_until > event->cycle)
        hart->lost_until = event->cycle;
    end_losses(writer, event->cycle);
    hart->lost += gnomon_moments_missing(writer->export, event, hart->lost);
    set_hart(writer, event->cycle, VCD_HART_LOST, event->hart, hart->lost);
    run(writer, event->cycle, event->hart, &moment->after);
    if (event->type == GNOMON_EVENT_TRAP_ENTER || event->type == GNOMON_EVENT_TRAP_LEAVE)
        follow_traps(writer, moment);
    if (gnomon_moment_is_mark(event, &number))
        vcd_set(&writer->signals, event->cycle, VCD_MARK, number, event->value);
    if (gnomon_moment_is_value(event, &number))
        vcd_set(&writer->signals, event->cycle, VCD_VALUE, number, event->value);
}

/* What the hart did before its first event is not known, and counts nowhere. */
static void begin_late(struct vcd_writer *writer, const struct gnomon_moment *moment) {
    struct hart *hart = &writer->harts[moment->event.hart];
    set_hart(writer, 0, VCD_HART_TRAP, moment->event.hart, VCD_NONE);
    set_hart(writer, 0, VCD_HART_LOST, moment->event.hart, 0);
    hart->thread = moment->after.thread;
    hart->function = moment->after.function;
    hart->losing = true;
    hart->lost_until = moment->event.cycle;
}

static void end_hart(struct vcd_writer *writer, unsigned index) {
    struct hart *hart = &writer->harts[index];
    const uint64_t now = gnomon_profile_running(writer->export->profile, index).now;
    stop_thread(writer, now, hart->thread);
    hart->thread = hart->function = VCD_NONE;
    show(writer, now, index);
}

/* The events of one of two harts end without END. */
static bool is_over(const struct vcd_writer *writer, const struct gnomon_event *event) {
    const struct gnomon_analysis *analysis = &writer->export->analysis;
    return event->type == GNOMON_EVENT_DAMAGE && analysis->other && analysis->harts[event->hart].over;
}

static void begin_hart(struct vcd_writer *writer, const struct gnomon_moment *moment) {
    const unsigned hart = moment->event.hart;
    const uint64_t start = hart ? moment->after.now : 0; /* hart 0 starts with the run */
    set_hart(writer, start, VCD_HART_TRAP, hart, VCD_NONE);
    set_hart(writer, start, VCD_HART_LOST, hart, 0);
    run(writer, start, hart, hart ? &moment->after : &moment->before);
}

static void take(struct vcd_writer *writer, const struct gnomon_moment *moment) {
    const struct gnomon_event *event = &moment->event;
    const bool begins = event->type != GNOMON_EVENT_DAMAGE && !moment->before.begun;
    const bool late = begins && event->hart && event->type == GNOMON_EVENT_GAP;
    if (late)
        begin_late(writer, moment);
    else if (begins)
        begin_hart(writer, moment);
    if (event->type == GNOMON_EVENT_LOST)
        lose(writer, moment);
    else if (event->type == GNOMON_EVENT_GAP && !late)
        lose_all(writer, moment);
    else if (event->type != GNOMON_EVENT_DAMAGE && !late)
        take_known(writer, moment);
    follow_locks(writer, moment);
    if (event->type == GNOMON_EVENT_END || is_over(writer, event))
        end_hart(writer, event->hart);
}

static enum gnomon_status take_all(struct vcd_writer *writer, FILE *stream, struct gnomon_error *error) {
    struct gnomon_export *export = writer->export;
    struct gnomon_moment moment;
    bool got = true;
    uint64_t end = 0;
    enum gnomon_status status = gnomon_moments_begin(export, error);
    while (!status && !(status = gnomon_moments_next(export, &moment, &got, error)) && got)
        take(writer, &moment);
    if (!status)
        status = gnomon_moments_end(export, error);
    if (status)
        return status;
    end_losses(writer, UINT64_MAX);
    for (unsigned i = 0; i < GNOMON_MAX_HARTS; i++) {
        const uint64_t now = gnomon_profile_running(export->profile, i).now;
        end = now > end ? now : end;
    }
    return vcd_signals_write(&writer->signals, export, end, stream, error);
}

static enum gnomon_status write_vcd(struct gnomon_export *export, FILE *stream, struct gnomon_error *error) {
    struct vcd_writer *writer = calloc(1, sizeof *writer);
    enum gnomon_status status = GNOMON_OK;
    if (!writer)
        return gnomon_fail_memory(error);
    writer->export = export;
    for (unsigned i = 0; i < GNOMON_MAX_HARTS; i++)
        writer->harts[i].thread = writer->harts[i].function = VCD_NONE;
    if (!vcd_signals_open(&writer->signals))
        status = gnomon_fail_errno(error, GNOMON_ERR_SYSTEM, "cannot make a temporary file");
    else if (!(writer->account = gnomon_lock_account_new(&export->tables)))
        status = gnomon_fail_memory(error);
    if (!status)
        status = take_all(writer, stream, error);
    gnomon_lock_account_free(writer->account);
    vcd_signals_close(&writer->signals);
    free(writer);
    return status;
}

const struct gnomon_export_format gnomon_export_vcd = {
    .name = "vcd",
    .extension = "vcd",
    .description = "what harts, threads and locks do, as signals of a value change dump: for gtkwave",
    .needs = GNOMON_EXPORT_EVENTS,
    .write = write_vcd,
};
