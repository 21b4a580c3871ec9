/* SPDX-License-Identifier: Apache-2.0 */
/* usage: make_events FORMAT EVENTS ELF OUTPUT TOTALS [--loss N] [--bytes N] [--seconds N]
 *
 * Writes a recording of about EVENTS calls and returns in FORMAT (gnt, uftrace, perf), and what a reader must find in
 * it as JSON to the file TOTALS. With OUTPUT - a gnt goes to standard output. A gnt can leave out one frame in N, and
 * ends early after that many bytes or seconds. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "events.h"

#define BLOCK_EVENTS 1000000
#define BUFFER_BYTES (1 << 20)

void die(const char *what, const char *which) {
    fprintf(stderr, "make_events: %s: %s: %s\n", which, what, strerror(errno));
    exit(1);
}

FILE *create(const char *directory, const char *name) {
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s%s%s", directory, name ? "/" : "", name ? name : "");
    FILE *file = !name && !strcmp(directory, "-") ? stdout : fopen(path, "w+");
    if (!file)
        die("cannot write", path);
    setvbuf(file, NULL, _IOFBF, BUFFER_BYTES);
    fcntl(fileno(file), F_SETPIPE_SZ, BUFFER_BYTES); /* fails if it is no pipe */
    return file;
}

void put_bytes(FILE *file, const void *bytes, size_t size) {
    if (fwrite_unlocked(bytes, 1, size, file) != size)
        die("cannot write", "output");
}

static uint64_t number_after(const char *option, int argc, char **argv) {
    for (int i = 6; i + 1 < argc; i++)
        if (!strcmp(argv[i], option))
            return strtoull(argv[i + 1], NULL, 10);
    return 0;
}

static void put_totals(const char *path, const struct job *job, const struct written *written) {
    FILE *file = create(path, NULL);
    const struct totals totals = block_totals(job->block, written->repetitions);
    fprintf(file,
            "{\"events\": %" PRIu64 ", \"cycles\": %" PRIu64 ", \"bytes\": %" PRIu64 ", \"frames\": %" PRIu64
            ", \"frames_lost\": %" PRIu64 ", \"produced\": %" PRIu64 ", \"received\": %" PRIu64 ", \"functions\": {",
            written->repetitions * job->block->count, totals.cycles, written->bytes, written->frames,
            written->frames_lost, written->produced, written->received);
    const char *comma = "";
    for (unsigned i = 0; i < FUNCTIONS; i++)
        if (totals.calls[i]) {
            fprintf(file, "%s\"f%u\": [%" PRIu64 ", %" PRIu64 ", %" PRIu64 "]", comma, i, totals.calls[i],
                    totals.self[i], totals.total[i]);
            comma = ", ";
        }
    fprintf(file, "}}\n");
    if (fclose(file))
        die("cannot write", path);
}

int main(int argc, char **argv) {
    if (argc < 6) {
        fprintf(stderr, "usage: make_events FORMAT EVENTS ELF OUTPUT TOTALS [--loss N] [--bytes N] [--seconds N]\n");
        return 2;
    }
    const uint64_t events = strtoull(argv[2], NULL, 10);
    struct block block = block_new(events < BLOCK_EVENTS ? events : BLOCK_EVENTS);
    const struct job job = {
        .block = &block,
        .repetitions = events <= block.count ? 1 : (events + block.count / 2) / block.count,
        .elf = argv[3],
        .path = argv[4],
        .loss = number_after("--loss", argc, argv),
        .bytes = number_after("--bytes", argc, argv),
        .seconds = (unsigned)number_after("--seconds", argc, argv),
    };
    struct written written = {.repetitions = job.repetitions};
    if (!strcmp(argv[1], "uftrace"))
        write_uftrace(&job);
    else if (!strcmp(argv[1], "perf"))
        write_perf(&job);
    else
        written = write_gnt(&job);
    put_totals(argv[5], &job, &written);
    block_free(&block);
    return 0;
}
