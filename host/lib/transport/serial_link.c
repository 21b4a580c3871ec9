/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/transport/serial_link.h"

#include <string.h>

#define FIRST_ROUND_TRIP 20000 /* us */
#define LEAST_PATIENCE 4000    /* us in addition to round trips until a frame counts as lost, scaled */
#define MOST_PATIENCE 50000    /* us, scaled */
#define SILENCE 2000           /* ms without any answer until the board counts as gone, scaled */

static uint64_t now_us(const struct serial_link *link) {
    return link->io.now(link->io.context);
}

static enum gnomon_status lost(const struct serial_link *link, const char *why, struct gnomon_error *error) {
    gnomon_fail(error, GNOMON_ERR_DISCONNECTED, "the connection to %s is lost: %s", link->address, why);
    return gnomon_remedy(error, GNOMON_ERR_DISCONNECTED,
                         "plug it in again or load its bitstream again, then repeat the command");
}

static enum gnomon_status send_bytes(struct serial_link *link, const uint8_t *data, size_t size,
                                     struct gnomon_error *error) {
    const char *wrong = link->io.send(link->io.context, data, size);
    return wrong ? lost(link, wrong, error) : GNOMON_OK;
}

/* Waits for bytes until `end`. If none come, that is no error. */
static enum gnomon_status receive(struct serial_link *link, uint64_t end, struct gnomon_error *error) {
    link->taken = 0;
    const char *wrong = link->io.receive(link->io.context, link->received, sizeof link->received, end,
                                         &link->received_size, &link->interrupted);
    return wrong ? lost(link, wrong, error) : GNOMON_OK;
}

/* Waits for the next good frame with this tag; *found is false if none came until `end`. */
static enum gnomon_status await(struct serial_link *link, uint8_t tag, uint64_t end, struct serial_frame *frame,
                                bool *found, struct gnomon_error *error) {
    *found = false;
    for (;;) {
        while (link->taken < link->received_size)
            if (serial_decode(&link->parser, link->received[link->taken++], frame) && frame->tag == tag) {
                *found = true;
                return GNOMON_OK;
            }
        if (now_us(link) >= end)
            return GNOMON_OK;
        enum gnomon_status status = receive(link, end, error);
        if (status)
            return status;
    }
}

static uint64_t patience(const struct serial_link *link, unsigned attempt) {
    uint64_t most = (uint64_t)MOST_PATIENCE * link->scale;
    uint64_t time = ((uint64_t)LEAST_PATIENCE * link->scale + 4 * link->round_trip) << (attempt < 6 ? attempt : 6);
    return time < most ? time : most;
}

enum gnomon_status serial_link_reset(struct serial_link *link, unsigned timeout, struct gnomon_error *error) {
    link->round_trip = FIRST_ROUND_TRIP;
    link->pending_size = 0;
    link->tag = (uint8_t)(now_us(link) & 0xF); /* differs mostly from the last tag of the previous user */
    uint64_t give_up = now_us(link) + (uint64_t)timeout * 1000;
    while (now_us(link) < give_up) {
        struct serial_frame frame = {.pid = SERIAL_RESET}, answer;
        uint8_t line[SERIAL_LINE_BYTES];
        bool found;
        frame.tag = link->tag = (link->tag + 1) & 0xF;
        enum gnomon_status status = send_bytes(link, line, serial_encode(&frame, line), error);
        uint64_t end = now_us(link) + patience(link, 0);
        do {
            if (!status)
                status = await(link, frame.tag, end, &answer, &found, error);
            if (status)
                return status;
        } while (found && answer.pid != SERIAL_RESET);
        if (found)
            return GNOMON_OK;
    }
    return gnomon_fail(error, GNOMON_ERR_NOT_FOUND, "no Gnomon answers on %s", link->address);
}

/* Takes the answer's frames in order; false while frames are missing. */
static bool take(struct serial_answer *answer, const struct serial_frame *frame) {
    unsigned number = frame->flags & SERIAL_SECOND;
    if (number == answer->count)
        answer->frames[answer->count++] = *frame;
    return answer->count == SERIAL_ANSWERS || (answer->count == 1 && !(answer->frames[0].flags & SERIAL_MORE));
}

/* One attempt: collects frames until `end`. The board sends a lost second packet again with the next token. */
static enum gnomon_status collect(struct serial_link *link, uint8_t tag, uint64_t end, struct serial_answer *answer,
                                  struct gnomon_error *error) {
    bool found = true, whole = false;
    enum gnomon_status status = GNOMON_OK;
    while (!status && found && !whole) {
        struct serial_frame frame;
        status = await(link, tag, end, &frame, &found, error);
        whole = !status && found && take(answer, &frame);
    }
    return status;
}

enum gnomon_status serial_link_exchange(struct serial_link *link, struct serial_frame *frame,
                                        struct serial_answer *answer, struct gnomon_error *error) {
    uint8_t line[2 * SERIAL_LINE_BYTES];
    frame->tag = link->tag = (link->tag + 1) & 0xF;
    memcpy(line, link->pending, link->pending_size);
    size_t size = link->pending_size + serial_encode(frame, line + link->pending_size);
    answer->count = 0;
    uint64_t begin = now_us(link), give_up = begin + (uint64_t)SILENCE * 1000 * link->scale;
    for (unsigned attempt = 0;; attempt++) {
        uint64_t sent = now_us(link);
        if (sent >= give_up)
            return lost(link, "it does not answer any more", error);
        link->repeats += attempt != 0;
        enum gnomon_status status = send_bytes(link, line, size, error);
        if (!status)
            status = collect(link, frame->tag, sent + patience(link, attempt), answer, error);
        if (status)
            return status;
        if (answer->count) {
            if (attempt == 0)
                link->round_trip += (now_us(link) - sent) / 8 - link->round_trip / 8;
            link->pending_size = 0;
            return GNOMON_OK;
        }
    }
}

void serial_link_acknowledge(struct serial_link *link, uint8_t endpoint, unsigned count) {
    link->tag = (link->tag + 1) & 0xF;
    struct serial_frame frame = {
        .pid = SERIAL_ACK, .tag = link->tag, .endpoint = endpoint, .flags = (uint8_t)count, .size = 0};
    link->pending_size = serial_encode(&frame, link->pending);
}

void serial_link_flush(struct serial_link *link) {
    if (link->pending_size)
        send_bytes(link, link->pending, link->pending_size, NULL);
}
