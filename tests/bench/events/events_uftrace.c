/* SPDX-License-Identifier: Apache-2.0 */
/* A data directory of uftrace, version 4 of its format: a file of 16-byte records for each task, and text files that
 * say which tasks, program and symbols there are. */
#include <stdlib.h>
#include <sys/stat.h>

#include "events.h"
#include "lib/util/bytes.h"

#define FIRST_TASK 1000
#define SESSION "0123456789abcdef"
#define RECORD_MAGIC 5
#define RECORD_BYTES 16
enum { RECORD_ENTRY, RECORD_EXIT };
enum { FEATURES = 1 << 1 /* sessions */ | 1 << 5 /* relative addresses */ | 1 << 6 /* largest depth */ };
enum { INFORMATION = 1 << 0 /* name of the program */ | 1 << 7 /* tasks */ };

static void write_info(const struct job *job) {
    FILE *file = create(job->path, "info");
    uint8_t header[40] = "Ftrace!";
    gnomon_put_little(header + 8, 4, 4); /* version */
    gnomon_put_little(header + 12, 2, sizeof header);
    header[14] = 1; /* little endian */
    header[15] = 2; /* 64 bit */
    gnomon_put_little(header + 16, 8, FEATURES);
    gnomon_put_little(header + 24, 8, INFORMATION);
    gnomon_put_little(header + 32, 2, 1024); /* largest depth */
    put_bytes(file, header, sizeof header);
    fprintf(file, "exename:%s\ntaskinfo:lines=2\ntaskinfo:nr_tid=%d\ntaskinfo:tids=", job->elf, THREADS);
    for (unsigned i = 0; i < THREADS; i++)
        fprintf(file, "%s%u", i ? "," : "", FIRST_TASK + i);
    fprintf(file, "\n");
    fclose(file);
}

static void write_tasks(const struct job *job) {
    FILE *file = create(job->path, "task.txt");
    fprintf(file, "SESS timestamp=0.000000000 pid=%d sid=" SESSION " exename=\"%s\"\n", FIRST_TASK, job->elf);
    for (unsigned i = 0; i < THREADS; i++)
        fprintf(file, "TASK timestamp=0.000000000 tid=%u pid=%d\n", FIRST_TASK + i, FIRST_TASK);
    fclose(file);
}

static void write_symbols(const struct job *job) {
    const char *slash = job->elf, *name = job->elf;
    for (; *slash; slash++)
        if (*slash == '/')
            name = slash + 1;
    char path[256];
    snprintf(path, sizeof path, "%s.sym", name);
    FILE *file = create(job->path, path);
    fprintf(file, "# symbols: %d\n# path name: %s\n", FUNCTIONS, job->elf);
    for (unsigned i = 0; i < FUNCTIONS; i++)
        fprintf(file, "%016x T f%u\n", (i + 1) * FUNCTION_BYTES, i);
    fprintf(file, "%016x ? __sym_end\n", (FUNCTIONS + 1) * FUNCTION_BYTES);
    fclose(file);
    file = create(job->path, "sid-" SESSION ".map");
    fprintf(file, "%012x-%012x r-xp 00000000 00:00 0                          %s\n", PROGRAM_BASE,
            PROGRAM_BASE + 0x10000, job->elf);
    fprintf(file, "7ffc77447000-7ffc77468000 rw-p 00000000 00:00 0                          [stack]\n");
    fclose(file);
}

static void write_record(FILE *file, uint64_t time, const struct call_event *event) {
    uint8_t record[RECORD_BYTES];
    const uint64_t address = FUNCTIONS_BASE + (uint64_t)event->function * FUNCTION_BYTES;
    gnomon_put_little(record, 8, time);
    gnomon_put_little(record + 8, 8,
                      (event->enters ? RECORD_ENTRY : RECORD_EXIT) | RECORD_MAGIC << 3 | (uint64_t)event->depth << 6 |
                          address << 16);
    put_bytes(file, record, sizeof record);
}

void write_uftrace(const struct job *job) {
    FILE *files[THREADS];
    if (mkdir(job->path, 0777))
        die("cannot make the directory", job->path);
    for (unsigned i = 0; i < THREADS; i++) {
        char name[32];
        snprintf(name, sizeof name, "%u.dat", FIRST_TASK + i);
        files[i] = create(job->path, name);
    }
    for (uint64_t repetition = 0; repetition < job->repetitions; repetition++)
        for (size_t i = 0; i < job->block->count; i++) {
            const struct call_event *event = &job->block->events[i];
            /* a time of 0 means that there is no record */
            write_record(files[event->thread], repetition * job->block->cycles + event->cycle + 1, event);
        }
    for (unsigned i = 0; i < THREADS; i++)
        if (fclose(files[i]))
            die("cannot write", job->path);
    write_info(job);
    write_tasks(job);
    write_symbols(job);
}
