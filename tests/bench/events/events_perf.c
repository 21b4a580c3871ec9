/* SPDX-License-Identifier: Apache-2.0 */
/* A perf.data file. Perf has no record of a call's begin or end, so each event is a sample: its time, thread, and the
 * address of the function that begins or ends. */
#include <linux/perf_event.h>
#include <string.h>

#include "events.h"
#include "lib/util/bytes.h"

#define PROCESS 1000
#define HEADER_BYTES 104
#define ATTRIBUTE_BYTES (sizeof(struct perf_event_attr) + 16) /* and where its ids are */
#define SAMPLE_BYTES 32
#define ROUND_SAMPLES 100000     /* as perf record ends a round: what comes after it is later than what came before */
#define RECORD_FINISHED_ROUND 68 /* PERF_RECORD_FINISHED_ROUND, of perf's own headers */
#define TEXT_OFFSET 0x1000       /* of the program's code in its file */

static uint64_t put_record(FILE *file, uint32_t type, uint16_t misc, const void *body, uint16_t size) {
    const struct perf_event_header header = {.type = type, .misc = misc, .size = (uint16_t)(size + sizeof header)};
    put_bytes(file, &header, sizeof header);
    put_bytes(file, body, size);
    return header.size;
}

static uint64_t put_program(FILE *file, const char *elf) {
    struct {
        uint32_t pid, tid;
        uint64_t start, length, offset;
        char path[256];
    } map = {PROCESS, PROCESS, PROGRAM_BASE, (FUNCTIONS + 1) * FUNCTION_BYTES, TEXT_OFFSET, ""};
    struct {
        uint32_t pid, tid;
        char name[16];
    } name = {PROCESS, PROCESS, "generated"};
    snprintf(map.path, sizeof map.path, "%s", elf);
    uint64_t size = 0;
    for (unsigned i = 0; i < THREADS; i++) {
        name.tid = PROCESS + i;
        size += put_record(file, PERF_RECORD_COMM, 0, &name, sizeof name);
    }
    return size + put_record(file, PERF_RECORD_MMAP, PERF_RECORD_MISC_USER, &map, sizeof map);
}

static uint64_t put_sample(FILE *file, uint64_t time, const struct call_event *event) {
    const struct {
        uint64_t ip;
        uint32_t pid, tid;
        uint64_t time;
    } sample = {FUNCTIONS_BASE + (uint64_t)event->function * FUNCTION_BYTES, PROCESS, PROCESS + event->thread, time};
    return put_record(file, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, &sample, sizeof sample);
}

static void put_header(FILE *file, uint64_t data_bytes) {
    const struct perf_event_attr attribute = {
        .type = PERF_TYPE_SOFTWARE,
        .size = sizeof attribute,
        .config = PERF_COUNT_SW_TASK_CLOCK,
        .sample_period = 1,
        .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME,
    };
    uint64_t header[HEADER_BYTES / 8] = {0};
    memcpy(header, "PERFILE2", 8);
    header[1] = HEADER_BYTES;
    header[2] = ATTRIBUTE_BYTES;
    header[3] = HEADER_BYTES; /* where the attributes are */
    header[4] = ATTRIBUTE_BYTES;
    header[5] = HEADER_BYTES + ATTRIBUTE_BYTES; /* where the data are */
    header[6] = data_bytes;
    const uint64_t ids[2] = {0};
    put_bytes(file, header, sizeof header);
    put_bytes(file, &attribute, sizeof attribute);
    put_bytes(file, ids, sizeof ids);
}

void write_perf(const struct job *job) {
    FILE *file = create(job->path, NULL);
    put_header(file, 0);
    uint64_t size = put_program(file, job->elf), samples = 0;
    for (uint64_t repetition = 0; repetition < job->repetitions; repetition++)
        for (size_t i = 0; i < job->block->count; i++) {
            const struct call_event *event = &job->block->events[i];
            size += put_sample(file, repetition * job->block->cycles + event->cycle, event);
            if (++samples % ROUND_SAMPLES == 0)
                size += put_record(file, RECORD_FINISHED_ROUND, 0, "", 0);
        }
    rewind(file);
    put_header(file, size);
    if (fclose(file))
        die("cannot write", job->path);
}
