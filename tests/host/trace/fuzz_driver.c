/* SPDX-License-Identifier: Apache-2.0 */
/* Runs `gnomon report`, `gnomon dump`, `gnomon locks`, `gnomon export` and `gnomon ui`, in this process, over damaged
 * copies of trace files. Built with the sanitizers; a run of more than TIME_LIMIT seconds ends the process. Both ways
 * of decoding must give the same events.
 *
 * usage: fuzz_driver COUNT SEED WORK_FILE KEEP_FOLDER KEEP_COUNT TRACE...
 * GNOMON_FUZZ_ELF, if set: the program for files that do not name one.
 * GNOMON_FUZZ_EXPORTS, if set: only `gnomon export`, each trace in each format; what is JSON must be read as such. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "cli/options.h"
#include "decode_twice.h"
#include "gnomon/trace.h"
#include "lib/export/export.h"

#define TIME_LIMIT 20
#define FRAME GNOMON_FRAME_BYTES
#define MAX_CORPUS 64
#define MAGIC_BYTES 8
#define RECORDS_MAGIC "GNTREC\x0D\x0A"
#define INSTRUCTIONS_MAGIC "GNTCPI\x0D\x0A"
#define LOCKS_MAGIC "GNTLOC\x0D\x0A"
#define TRAILER_MAGIC "GNTEND\x0D\x0A"

extern const struct command command_report, command_dump, command_locks, command_export, command_ui;
const struct command *const gnomon_commands[] = {&command_report, &command_dump, &command_locks,
                                                 &command_export, &command_ui,   NULL};

struct bytes {
    uint8_t *data;
    size_t size;
};

static struct bytes corpus[MAX_CORPUS];
static size_t corpus_count;
static uint64_t state;

static void die(const char *what) {
    fprintf(stderr, "fuzz_driver: %s\n", what);
    exit(2);
}

static uint64_t draw(uint64_t below) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return below ? (state >> 11) % below : 0;
}

static struct bytes load(const char *path) {
    FILE *file = fopen(path, "rb");
    struct stat about;
    if (!file || fstat(fileno(file), &about))
        die(path);
    struct bytes bytes = {malloc((size_t)about.st_size + 1), (size_t)about.st_size};
    if (!bytes.data || fread(bytes.data, 1, bytes.size, file) != bytes.size)
        die(path);
    fclose(file);
    return bytes;
}

static void save(const char *path, const struct bytes *bytes) {
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes->data, 1, bytes->size, file) != bytes->size || fclose(file))
        die(path);
}

static uint32_t word(const uint8_t *bytes) {
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static void put_word(uint8_t *bytes, uint32_t value) {
    for (unsigned i = 0; i < 4; i++)
        bytes[i] = (uint8_t)(value >> (8 * i));
}

/* Returns the offset of the first frame; 0 if the header is invalid. */
static size_t frames_at(const struct bytes *bytes) {
    if (bytes->size < MAGIC_BYTES + 4)
        return 0;
    size_t at = MAGIC_BYTES + 4 + (size_t)word(bytes->data + MAGIC_BYTES) + 4;
    return at <= bytes->size ? at : 0;
}

/* ---- Damage ---- */

static void flip_bits(struct bytes *bytes) {
    for (uint64_t count = 1 + draw(8); count > 0 && bytes->size; count--)
        bytes->data[draw(bytes->size)] ^= (uint8_t)(1u << draw(8));
}

static void set_bytes(struct bytes *bytes) {
    static const uint8_t liked[] = {0x00, 0xFF, 0x7F, 0x80, 0xE0, 0xE1, 0xE4, 0xE5, 0xE6, 0xEA, 0xEC, 0xF0, 0xF7, 0x47};
    for (uint64_t count = 1 + draw(16); count > 0 && bytes->size; count--)
        bytes->data[draw(bytes->size)] = draw(2) ? liked[draw(sizeof liked)] : (uint8_t)draw(256);
}

static void truncate_it(struct bytes *bytes) {
    bytes->size = draw(bytes->size + 1);
}

static void splice(struct bytes *bytes) {
    const struct bytes *other = &corpus[draw(corpus_count)];
    size_t from = draw(other->size), to = draw(bytes->size), size = draw(4 * FRAME);
    if (size > other->size - from)
        size = other->size - from;
    if (size > bytes->size - to)
        size = bytes->size - to;
    memcpy(bytes->data + to, other->data + from, size);
}

static void remove_some(struct bytes *bytes) {
    size_t from = draw(bytes->size), size = draw(2) ? FRAME : draw(3 * FRAME);
    if (size > bytes->size - from)
        size = bytes->size - from;
    memmove(bytes->data + from, bytes->data + from + size, bytes->size - from - size);
    bytes->size -= size;
}

/* Damages frames: copies one over another, or changes a field of a frame's header. */
static void meddle(struct bytes *bytes) {
    size_t at = frames_at(bytes), count = at ? (bytes->size - at) / FRAME : 0;
    if (!count)
        return;
    uint8_t *frame = bytes->data + at + FRAME * draw(count);
    if (draw(2))
        memmove(frame, bytes->data + at + FRAME * draw(count), FRAME);
    else
        frame[draw(GNOMON_FRAME_HEADER_BYTES)] ^= (uint8_t)(1u << draw(8));
}

/* Corrects the checksum of the section at `at`, if it exists. Returns the end of the section. */
static size_t mend_section(struct bytes *bytes, size_t at, const char *magic) {
    if (at + MAGIC_BYTES + 8 > bytes->size || memcmp(bytes->data + at, magic, MAGIC_BYTES) != 0)
        return at;
    size_t length = word(bytes->data + at + MAGIC_BYTES);
    if (length > bytes->size - at - MAGIC_BYTES - 8)
        return at;
    uint8_t *text = bytes->data + at + MAGIC_BYTES + 4;
    put_word(text + length, (uint32_t)crc32(0, text, (uInt)length));
    return at + MAGIC_BYTES + 8 + length;
}

/* Corrects checksums, so that the data after them are read. */
static void mend(struct bytes *bytes) {
    size_t at = frames_at(bytes);
    if (!at)
        return;
    put_word(bytes->data + at - 4, (uint32_t)crc32(0, bytes->data + MAGIC_BYTES + 4, (uInt)(at - MAGIC_BYTES - 8)));
    size_t end = at;
    while (end + FRAME <= bytes->size && memcmp(bytes->data + end, TRAILER_MAGIC, MAGIC_BYTES) != 0 &&
           memcmp(bytes->data + end, RECORDS_MAGIC, MAGIC_BYTES) != 0 &&
           memcmp(bytes->data + end, INSTRUCTIONS_MAGIC, MAGIC_BYTES) != 0 &&
           memcmp(bytes->data + end, LOCKS_MAGIC, MAGIC_BYTES) != 0)
        end += FRAME;
    uint32_t frames_crc = (uint32_t)crc32(0, bytes->data + at, (uInt)(end - at));
    end = mend_section(bytes, end, RECORDS_MAGIC);
    end = mend_section(bytes, end, INSTRUCTIONS_MAGIC);
    end = mend_section(bytes, end, LOCKS_MAGIC);
    if (end + MAGIC_BYTES + 12 > bytes->size || memcmp(bytes->data + end, TRAILER_MAGIC, MAGIC_BYTES) != 0)
        return;
    size_t length = word(bytes->data + end + MAGIC_BYTES);
    if (length > bytes->size - end - MAGIC_BYTES - 12)
        return;
    uint8_t *sums = bytes->data + end + MAGIC_BYTES + 4 + length;
    put_word(sums, frames_crc);
    put_word(sums + 4, (uint32_t)crc32(0, bytes->data + end + MAGIC_BYTES + 4, (uInt)length));
}

static void damage(struct bytes *bytes) {
    static void (*const ways[])(struct bytes *) = {flip_bits, flip_bits,   set_bytes, truncate_it,
                                                   splice,    remove_some, meddle};
    for (uint64_t count = 1 + draw(3); count > 0 && bytes->size; count--)
        ways[draw(sizeof ways / sizeof *ways)](bytes);
    if (draw(2))
        mend(bytes);
}

/* ---- Runs ---- */

static const char *output; /* NULL: none */

static int run(const struct command *command, const char *option, const char *strict, const char *path) {
    char *argv[8] = {(char *)command->name};
    char *elf = getenv("GNOMON_FUZZ_ELF");
    int argc = 1;
    if (elf) {
        argv[argc++] = (char *)"--elf";
        argv[argc++] = elf;
    }
    if (option)
        argv[argc++] = (char *)option;
    if (strict)
        argv[argc++] = (char *)strict;
    if (output)
        argv[argc++] = (char *)output;
    argv[argc++] = (char *)path;
    struct cli_context context = {.command = command, .values = calloc(1, command->values_size)};
    alarm(TIME_LIMIT);
    int status = cli_parse(&context, argc, argv) == CLI_PARSED ? command->run(&context) : CLI_USAGE;
    alarm(0);
    cli_free_values(&context);
    return status;
}

static unsigned counts[5];

static void expect(int status, bool strict) {
    if (status != CLI_OK && status != CLI_FAILED && !(strict && status == CLI_INCOMPLETE))
        die("an exit status that is not documented");
    counts[status]++;
}

#define EXPORT_EACH 9 /* an odd number, so that some are strict */

static size_t count_formats(void) {
    size_t count = 0;
    while (gnomon_export_formats[count])
        count++;
    return count;
}

static void check_json(const char *path) {
    json_t *json = json_load_file(path, 0, NULL);
    if (!json)
        die("an export is no JSON");
    json_decref(json);
}

static void export_one(const char *path, const struct gnomon_export_format *format, const char *strict) {
    static char option[2][4096];
    const bool json = !strcmp(format->extension, "json");
    snprintf(option[0], sizeof option[0], "--to=%s", format->name);
    const bool file = format->files || json;
    if (file)
        snprintf(option[1], sizeof option[1], "-o%.4000s.%s", path, format->name);
    else
        snprintf(option[1], sizeof option[1], "-o/dev/null");
    output = option[1];
    if (file) /* root can remove /dev/null, too */
        unlink(output + 2);
    expect(run(&command_export, option[0], strict, path), strict);
    if (json && access(output + 2, F_OK) == 0)
        check_json(output + 2);
    output = NULL;
}

#define UI_EACH 7
/* Page and data of the recording, as files. */
static void export_page(const char *path, const char *strict) {
    static char option[4096];
    snprintf(option, sizeof option, "--export=%.4000s.ui", path);
    expect(run(&command_ui, option, strict, path), strict);
}

/* In one format after another, or in all. */
static void export_some(const char *path, uint64_t number, const char *strict) {
    const size_t formats = count_formats();
    for (size_t i = 0; getenv("GNOMON_FUZZ_EXPORTS") && i < formats; i++)
        export_one(path, gnomon_export_formats[i], strict);
    if (!getenv("GNOMON_FUZZ_EXPORTS") && number % EXPORT_EACH == 0)
        export_one(path, gnomon_export_formats[number / EXPORT_EACH % formats], strict);
}

static uint64_t decoded_calls, decoded_events;

static void decode(const char *path) {
    alarm(TIME_LIMIT);
    const char *differs = decode_twice(path, &decoded_calls, &decoded_events);
    alarm(0);
    if (differs)
        die(differs);
}

static void try_one(const char *path, uint64_t number) {
    static const char *const report_options[] = {NULL,       "--json",    "--graph",   "--flat",
                                                 "--causes", "--threads", "--thread=1"};
    static const char *const dump_options[] = {NULL, "--json", "--raw", NULL, NULL};
    static const char *const locks_options[] = {NULL, "--json", "--order", "--by-caller", "--lock=3"};
    bool strict = number % 2;
    export_some(path, number, strict ? "--strict" : NULL);
    if (getenv("GNOMON_FUZZ_EXPORTS"))
        return;
    decode(path);
    expect(run(&command_report, report_options[number / 2 % 7], strict ? "--strict" : NULL, path), strict);
    expect(run(&command_dump, dump_options[number / 2 % 5], strict ? "--strict" : NULL, path), strict);
    expect(run(&command_locks, locks_options[number / 2 % 5], strict ? "--strict" : NULL, path), strict);
    if (number % UI_EACH == 0)
        export_page(path, strict ? "--strict" : NULL);
}

int main(int argc, char **argv) {
    if (argc < 7)
        die("usage: fuzz_driver COUNT SEED WORK_FILE KEEP_FOLDER KEEP_COUNT TRACE...");
    uint64_t count = strtoull(argv[1], NULL, 0), keep = strtoull(argv[5], NULL, 0);
    state = strtoull(argv[2], NULL, 0) * UINT64_C(0x9E3779B97F4A7C15) | 1;
    size_t largest = 0;
    for (int i = 6; i < argc && corpus_count < MAX_CORPUS; i++) {
        corpus[corpus_count] = load(argv[i]);
        if (corpus[corpus_count].size > largest)
            largest = corpus[corpus_count].size;
        corpus_count++;
    }
    struct bytes copy = {malloc(largest), 0};
    FILE *result = fdopen(dup(STDOUT_FILENO), "w");
    if (!copy.data || !result || !freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr))
        die("cannot begin");
    for (uint64_t i = 0; i < count; i++) {
        const struct bytes *original = &corpus[draw(corpus_count)];
        memcpy(copy.data, original->data, original->size);
        copy.size = original->size;
        damage(&copy);
        save(argv[3], &copy);
        char kept[4096];
        snprintf(kept, sizeof kept, "%s/%04u.gnt", argv[4], (unsigned)i);
        if (i < keep)
            save(kept, &copy);
        try_one(argv[3], i);
    }
    fprintf(result, "%llu damaged traces: %u good, %u damaged or unreadable, %u incomplete, no crash\n",
            (unsigned long long)count, counts[CLI_OK], counts[CLI_FAILED], counts[CLI_INCOMPLETE]);
    if (decoded_events)
        fprintf(result, "%llu events decoded in both ways, %llu of them many at a time\n",
                (unsigned long long)decoded_events, (unsigned long long)decoded_calls);
    for (size_t i = 0; i < corpus_count; i++)
        free(corpus[i].data);
    free(copy.data);
    return fclose(result) != 0;
}
