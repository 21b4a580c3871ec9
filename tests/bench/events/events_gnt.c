/* SPDX-License-Identifier: Apache-2.0 */
/* Gnomon's trace files, encoded as docs/reference/trace-format.md says. A block is encoded once. Its repetitions are
 * the same frames with other numbers and times, so the writer is faster than any reader. */
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <zlib.h>

#include "events.h"
#include "gnomon/trace.h"
#include "lib/trace/gnt_internal.h"
#include "lib/util/bytes.h"

#define MOST_PACKET 48
#define NOT_PREDICTED 0xFFFF

struct encoder {
    uint8_t *frames;
    uint32_t *messages; /* of each frame: enters, exits, and THREAD */
    size_t count, room; /* frames */
    size_t used;        /* bytes of the last frame */
    uint64_t last;
    unsigned depth, thread;
    uint16_t predicted[GNOMON_PRED_ENTRIES];
    uint8_t context;
};

struct packet {
    uint8_t bytes[MOST_PACKET];
    size_t size;
};

static void put(struct packet *packet, unsigned byte) {
    packet->bytes[packet->size++] = (uint8_t)byte;
}

static void put_leb(struct packet *packet, uint64_t value) {
    for (; value > 127; value >>= 7)
        put(packet, (unsigned)(value & 127) | 128);
    put(packet, (unsigned)value);
}

static void put_little(struct packet *packet, unsigned bytes, uint64_t value) {
    gnomon_put_little(packet->bytes + packet->size, bytes, value);
    packet->size += bytes;
}

static uint8_t *open_frame(struct encoder *encoder) {
    if (encoder->count == encoder->room) {
        encoder->room = encoder->room ? 2 * encoder->room : 64;
        encoder->frames = realloc(encoder->frames, encoder->room * GNOMON_FRAME_BYTES);
        encoder->messages = realloc(encoder->messages, encoder->room * sizeof *encoder->messages);
        if (!encoder->frames || !encoder->messages)
            die("out of memory", "frames");
    }
    uint8_t *frame = encoder->frames + encoder->count * GNOMON_FRAME_BYTES;
    encoder->messages[encoder->count++] = 0;
    memset(frame, 0, GNOMON_FRAME_HEADER_BYTES);
    memset(frame + GNOMON_FRAME_HEADER_BYTES, GNOMON_PACKET_PAD, GNOMON_FRAME_BYTES - GNOMON_FRAME_HEADER_BYTES);
    gnomon_put_little(frame, 2, GNOMON_FRAME_MAGIC);
    frame[GNOMON_FRAME_AT_VERSION] = GNOMON_TRACE_VERSION;
    gnomon_put_little(frame + GNOMON_FRAME_AT_CYCLE, 8, encoder->last);
    gnomon_put_little(frame + GNOMON_FRAME_AT_FIRST, 2, GNOMON_FRAME_HEADER_BYTES);
    gnomon_put_little(frame + GNOMON_FRAME_AT_DEPTH, 2, encoder->depth);
    gnomon_put_little(frame + GNOMON_FRAME_AT_THREAD, 2, encoder->thread);
    encoder->used = GNOMON_FRAME_HEADER_BYTES;
    memset(encoder->predicted, 0xFF, sizeof encoder->predicted);
    encoder->context = GNOMON_PRED_CONTEXT_NONE;
    return frame;
}

static struct packet packet_of(const struct encoder *encoder, const struct call_event *event) {
    struct packet packet = {.size = 0};
    const uint32_t delta = (uint32_t)(event->cycle - encoder->last), number = event->function;
    const bool predicted = encoder->predicted[encoder->context] == number;
    if (delta < 64 && (!event->enters || predicted)) {
        put(&packet, (event->enters ? GNOMON_PACKET_ENTER_PRED : GNOMON_PACKET_EXIT_TOP) | delta);
    } else if (delta < 8192 && (!event->enters || predicted)) {
        put(&packet, (event->enters ? GNOMON_PACKET_ENTER_PRED2 : GNOMON_PACKET_EXIT_TOP2) | delta >> 8);
        put(&packet, delta & 255);
    } else if (!event->enters) {
        put(&packet, GNOMON_PACKET_EXT | GNOMON_EXT_EXIT_FAR);
        put_leb(&packet, delta);
    } else if (delta < 16 && number < 256) {
        put(&packet, GNOMON_PACKET_ENTER_NEAR | delta);
        put(&packet, number);
    } else {
        put(&packet, GNOMON_PACKET_ENTER | number >> 8);
        put(&packet, number & 255);
        put_leb(&packet, delta);
    }
    return packet;
}

static bool append(struct encoder *encoder, const struct packet *packet) {
    if (!encoder->count || encoder->used + packet->size > GNOMON_FRAME_BYTES)
        return false;
    memcpy(encoder->frames + (encoder->count - 1) * GNOMON_FRAME_BYTES + encoder->used, packet->bytes, packet->size);
    encoder->used += packet->size;
    encoder->messages[encoder->count - 1]++;
    return true;
}

static void encode_call(struct encoder *encoder, const struct call_event *event) {
    struct packet packet = packet_of(encoder, event);
    if (!append(encoder, &packet)) {
        open_frame(encoder);
        packet = packet_of(encoder, event);
        append(encoder, &packet);
    }
    if (event->enters)
        encoder->predicted[encoder->context] = event->function;
    encoder->context = (uint8_t)(event->enters ? event->function : ~event->function);
    encoder->depth = event->depth + event->enters;
    encoder->last = event->cycle;
}

/* The message comes in the cycle of the event before it. */
static void encode_thread(struct encoder *encoder, unsigned thread) {
    struct packet packet = {.size = 0};
    put(&packet, GNOMON_PACKET_EXT | GNOMON_EXT_CHANNEL);
    put_leb(&packet, 0);
    put_leb(&packet, GNOMON_CHANNEL_THREAD);
    put_little(&packet, 4, thread);
    if (!append(encoder, &packet)) {
        open_frame(encoder);
        append(encoder, &packet);
    }
    encoder->thread = thread;
    encoder->context = GNOMON_PRED_CONTEXT_NONE;
}

static struct encoder encode_block(const struct block *block) {
    struct encoder encoder = {0};
    for (size_t i = 0; i < block->count; i++) {
        if (block->events[i].thread != encoder.thread)
            encode_thread(&encoder, block->events[i].thread);
        encode_call(&encoder, &block->events[i]);
    }
    encode_thread(&encoder, 0);
    return encoder;
}

/* ---- The file ---- */

struct output {
    FILE *file;
    uint32_t crc;
    struct written done;
    uint64_t loss;
};

static void put_text(FILE *file, const char *magic, const char *text, bool frames, uint32_t frames_crc) {
    uint8_t word[4];
    const size_t length = strlen(text);
    put_bytes(file, magic, GNT_MAGIC_BYTES);
    gnomon_put_little(word, 4, length);
    put_bytes(file, word, 4);
    put_bytes(file, text, length);
    gnomon_put_little(word, 4, frames_crc);
    if (frames)
        put_bytes(file, word, 4);
    gnomon_put_little(word, 4, crc32(0, (const Bytef *)text, (uInt)length));
    put_bytes(file, word, 4);
}

/* Writes the frame, or leaves it out. Its number and cycle are those of this repetition. */
static void put_frame(struct output *output, uint8_t *frame, uint64_t cycle, uint32_t messages) {
    struct written *done = &output->done;
    const uint64_t number = done->frames + done->frames_lost;
    gnomon_put_little(frame + GNOMON_FRAME_AT_SEQUENCE, 4, number & 0xFFFFFFFF);
    gnomon_put_little(frame + GNOMON_FRAME_AT_CYCLE, 8, cycle);
    done->produced += messages;
    if (output->loss && messages && number % output->loss == output->loss - 1) {
        done->frames_lost++;
        return;
    }
    done->frames++;
    done->received += messages;
    done->bytes += GNOMON_FRAME_BYTES;
    output->crc = (uint32_t)crc32(output->crc, frame, GNOMON_FRAME_BYTES);
    put_bytes(output->file, frame, GNOMON_FRAME_BYTES);
}

/* A frame of one packet: the begin or the end of the run. */
static void put_single(struct output *output, const struct packet *packet, uint64_t cycle) {
    struct encoder encoder = {0};
    uint8_t *frame = open_frame(&encoder);
    append(&encoder, packet);
    put_frame(output, frame, cycle, 0);
    free(encoder.frames);
    free(encoder.messages);
}

static void put_begin(struct output *output) {
    struct packet packet = {.size = 0};
    put(&packet, GNOMON_PACKET_EXT | GNOMON_EXT_BEGIN);
    put_leb(&packet, 0);
    put_little(&packet, 4, FUNCTIONS_BASE);
    put_single(output, &packet, 0);
}

static void put_end(struct output *output, uint64_t cycle) {
    struct packet packet = {.size = 0};
    put(&packet, GNOMON_PACKET_EXT | GNOMON_EXT_END);
    put_leb(&packet, 0);
    put_little(&packet, 4, 0);
    put_little(&packet, 8, cycle);
    put_little(&packet, 8, output->done.produced);
    put_little(&packet, 8, 0); /* the device dropped nothing: frames were lost on the way */
    put(&packet, 0);
    put_single(output, &packet, cycle);
}

static bool enough(const struct job *job, const struct written *done, time_t start) {
    return done->repetitions == job->repetitions || (job->bytes && done->bytes >= job->bytes) ||
           (job->seconds && time(NULL) - start >= (time_t)job->seconds);
}

struct written write_gnt(const struct job *job) {
    struct encoder encoder = encode_block(job->block);
    struct output output = {.file = create(job->path, NULL), .loss = job->loss};
    char text[1024];
    snprintf(
        text, sizeof text,
        "{\"device\": {\"address\": \"generated\"}, \"clock_hz\": %d, \"elf\": {\"path\": \"%s\"}, \"records\": false}",
        CLOCK_HZ, job->elf);
    put_text(output.file, GNT_MAGIC, text, false, 0);
    const time_t start = time(NULL);
    put_begin(&output);
    while (!enough(job, &output.done, start)) {
        const uint64_t from = output.done.repetitions++ * job->block->cycles;
        for (size_t i = 0; i < encoder.count; i++) {
            uint8_t frame[GNOMON_FRAME_BYTES];
            memcpy(frame, encoder.frames + i * GNOMON_FRAME_BYTES, sizeof frame);
            put_frame(&output, frame, from + gnomon_little(frame + GNOMON_FRAME_AT_CYCLE, 8), encoder.messages[i]);
        }
    }
    put_end(&output, output.done.repetitions * job->block->cycles);
    snprintf(text, sizeof text, "{\"frames\": %llu, \"complete\": true, \"reason\": \"exit\", \"exit_status\": 0}",
             (unsigned long long)output.done.frames);
    put_text(output.file, GNT_TRAILER_MAGIC, text, true, output.crc);
    if (fclose(output.file))
        die("cannot write", job->path);
    free(encoder.frames);
    free(encoder.messages);
    return output.done;
}
