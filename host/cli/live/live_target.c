/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/live/live_target.h"

#include <string.h>

#include "cli/print_names.h"

enum gnomon_status live_target_open(struct live_target *live, struct cli_context *context,
                                    const struct target_values *values, enum gnomon_live_way way,
                                    struct gnomon_error *error) {
    *live = (struct live_target){.context = context};
    enum gnomon_status status = target_open(&live->target, context, values, error);
    if (!status)
        status = gnomon_live_open(&live->live, live->target.device, &live->target.board, live->target.image->path, way,
                                  error);
    if (!status && live->live.why)
        cli_note(context, "%s: functions come as events (--events)", live->live.why);
    if (!status && !live->live.events && live->target.board.harts > 1)
        cli_note(context, "the figures are of hart 0; --events has those of both harts");
    live->live.analysis.raw_names = context->raw_names;
    if (!status)
        cli_note_stripped(context, live->live.analysis.symbols);
    return status;
}

void live_target_close(struct live_target *live) {
    gnomon_live_close(&live->live);
    target_close(&live->target);
}

static bool on_frame(void *context, const uint8_t *frame) {
    struct live_target *live = context;
    return gnomon_live_frame(&live->live, frame);
}

enum gnomon_status live_target_prepare(struct live_target *live, void *owner, bool (*tick)(void *),
                                       void (*console)(void *, const uint8_t *, size_t), struct gnomon_error *error) {
    live->session = target_session(&live->target, owner);
    live->session.progress = NULL;
    live->session.tick = tick;
    live->session.console = console;
    live->session.frame = on_frame;
    gnomon_live_session(&live->live, &live->session);
    enum gnomon_status status = gnomon_live_begin(&live->live, &live->target.inputs, error);
    return status ? status : gnomon_session_prepare(&live->session, error);
}

bool live_target_runs(const struct live_target *live) {
    const struct gnomon_session *session = &live->session;
    return session->end == GNOMON_END_NONE && !session->asked && !session->halted && !session->reading.request;
}

const char *live_target_state(const struct live_target *live, char text[LIVE_STATE_BYTES]) {
    const struct gnomon_session *session = &live->session;
    if (session->end == GNOMON_END_EXIT && session->crash.died)
        snprintf(text, LIVE_STATE_BYTES, "crashed");
    else if (session->end == GNOMON_END_EXIT)
        snprintf(text, LIVE_STATE_BYTES, "ended with status %u", (unsigned)session->exit_status);
    else if (session->end == GNOMON_END_STOPPED)
        snprintf(text, LIVE_STATE_BYTES, "stopped");
    else if (session->end == GNOMON_END_DEBUG)
        snprintf(text, LIVE_STATE_BYTES, "stopped in debug mode");
    else
        snprintf(text, LIVE_STATE_BYTES, session->reading.request ? "waits for input" : "running");
    return text;
}

int live_target_finish(struct live_target *live) {
    struct gnomon_session *session = &live->session;
    struct cli_context *context = live->context;
    struct gnomon_error error;
    if (session->end == GNOMON_END_DEBUG && !session->overflow.found && target_explain_debug(session, &error))
        return cli_error(context, &error);
    if (target_explain_death(context, &live->target, session))
        return CLI_FAILED;
    if (session->end == GNOMON_END_EXIT && target_fetch(&live->target, context, &error))
        return cli_error(context, &error);
    return gnomon_session_finish(session, &error) ? cli_error(context, &error) : CLI_OK;
}
