/* SPDX-License-Identifier: Apache-2.0 */
/* The description of the streams, in the language of the Common Trace Format (TSDL). Functions, threads and locks are
 * numbers in the streams, and have their names here. */
#include <inttypes.h>

#include "lib/export/ctf.h"
#include "lib/export/labels.h"
#include "lib/locks/lock_message.h"

#define UNKNOWN_HZ 1000000000 /* of a clock whose frequency is not known: a cycle looks like a nanosecond */

#define FUNCTION "enum functions "
#define NUMBER "uint32_t "
#define LONG "uint64_t "
#define ADDRESS "address_t "

static const struct {
    const char *name, *fields;
} events[CTF_EVENTS] = {
    [CTF_BEGIN] = {"begin", ADDRESS "pc;"},
    [CTF_ENTER] = {"enter", FUNCTION "function;"},
    [CTF_EXIT] = {"exit", FUNCTION "function; " NUMBER "ended;"},
    [CTF_TRAP_ENTER] = {"trap_enter", FUNCTION "trap;"},
    [CTF_TRAP_LEAVE] = {"trap_leave", FUNCTION "function; " NUMBER "ended;"},
    [CTF_ENTRY] = {"entry", FUNCTION "function;"},
    [CTF_THREAD] = {"thread", "enum threads next;"},
    [CTF_LOCK] = {"lock", "enum actions action; enum locks lock; enum threads by; " ADDRESS "caller;"},
    [CTF_MARK] = {"mark", NUMBER "number; " NUMBER "value;"},
    [CTF_VALUE] = {"value", NUMBER "number; " NUMBER "value;"},
    [CTF_MESSAGE] = {"message", NUMBER "channel; " NUMBER "value;"},
    [CTF_ACCESS] = {"access", NUMBER "info; " ADDRESS "address;"},
    [CTF_MODULE] = {"module", NUMBER "what; " NUMBER "value;"},
    [CTF_LOST] = {"lost", LONG "enters; " LONG "exits; " LONG "others; " LONG "cycles;"},
    [CTF_GAP] = {"gap", "enum threads next; " LONG "frames;"},
    [CTF_DAMAGE] = {"damage", "string what;"},
    [CTF_END] = {"end", NUMBER "status; uint8_t how; " LONG "instructions;"},
};

static void put_string(FILE *stream, const char *text) {
    fputc('"', stream);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            fputc('\\', stream);
        fputc((unsigned char)*text < 0x20 ? '?' : *text, stream);
    }
    fputc('"', stream);
}

/* ---- Names ---- */

static void put_names(FILE *stream, const char *name, const char *type, const struct export_labels *labels) {
    fprintf(stream, "enum %s : %s {\n", name, type);
    for (size_t i = 0; i < labels->count; i++) {
        fputc('\t', stream);
        put_string(stream, labels->list[i].text);
        fprintf(stream, " = %" PRIu32 ",\n", labels->list[i].number);
    }
    if (!labels->count) /* the language knows no empty list */
        fprintf(stream, "\t\"[none]\" = %" PRIu32 "\n", UINT32_MAX);
    fputs("};\n", stream);
}

static void put_functions(const struct gnomon_export *export, FILE *stream) {
    fputs("enum functions : uint32_t {\n", stream);
    for (size_t i = 0; i < export->count; i++) {
        fputc('\t', stream);
        put_string(stream, export->functions[i].label);
        fprintf(stream, " = %zu,\n", i);
    }
    fprintf(stream, "\t\"" GNOMON_EXPORT_UNPROFILED "\" = %" PRIu32 "\n};\n", GNOMON_PROFILE_UNPROFILED);
}

static bool put_threads(const struct ctf *ctf, FILE *stream) {
    struct export_labels labels = {0};
    char text[GNOMON_LOCK_NAME_BYTES];
    bool seen[GNOMON_THREADS_MOST] = {false}, good = true;
    size_t count;
    const struct gnomon_profile_thread *threads = gnomon_profile_threads(ctf->export->profile, &count);
    for (size_t i = 0; good && i < count; i++) {
        good = export_labels_add(&labels, threads[i].thread,
                                 gnomon_thread_name(&ctf->export->names, threads[i].thread, text));
        if (threads[i].thread < GNOMON_THREADS_MOST)
            seen[threads[i].thread] = true;
    }
    for (uint32_t i = 0; good && i < GNOMON_THREADS_MOST; i++)
        if (ctf->lock_threads[i] && !seen[i])
            good = export_labels_add(&labels, i, gnomon_thread_name(&ctf->export->names, i, text));
    good = good && export_labels_finish(&labels);
    if (good)
        put_names(stream, "threads", "uint32_t", &labels);
    export_labels_free(&labels);
    return good;
}

static bool put_locks(const struct ctf *ctf, FILE *stream) {
    struct export_labels labels = {0};
    char text[GNOMON_LOCK_NAME_BYTES];
    bool good = true;
    for (unsigned i = 0; good && i < GNOMON_LOCKS_MOST; i++)
        if (ctf->locks[i])
            good = export_labels_add(&labels, i, gnomon_lock_name(&ctf->export->names, i, text));
    good = good && export_labels_finish(&labels);
    if (good)
        put_names(stream, "locks", "uint32_t", &labels);
    export_labels_free(&labels);
    return good;
}

static void put_actions(FILE *stream) {
    fputs("enum actions : uint8_t {\n", stream);
    for (enum gnomon_lock_action i = GNOMON_LOCK_REQUEST; i <= GNOMON_LOCK_RELEASED; i++)
        fprintf(stream, "\t\"%s\" = %u,\n", gnomon_lock_action_name(i), (unsigned)i);
    fputs("};\n", stream);
}

/* ---- Streams ---- */

struct remarks {
    FILE *stream;
    unsigned count;
};

static void put_remark(void *context, const char *line) {
    struct remarks *remarks = context;
    fprintf(remarks->stream, "\tremark_%u = ", ++remarks->count);
    put_string(remarks->stream, line);
    fputs(";\n", remarks->stream);
}

static void put_head(const struct ctf *ctf, FILE *stream) {
    const struct gnomon_analysis *analysis = &ctf->export->analysis;
    struct remarks remarks = {.stream = stream};
    fputs("/* CTF 1.8 */\n\n", stream);
    for (unsigned bits = 8; bits <= 64; bits *= 2)
        fprintf(stream, "typealias integer { size = %u; align = 8; signed = false; } := uint%u_t;\n", bits, bits);
    fputs("typealias integer { size = 32; align = 8; signed = false; base = 16; } := address_t;\n\n", stream);
    fputs("trace {\n\tmajor = 1;\n\tminor = 8;\n\tbyte_order = le;\n"
          "\tpacket.header := struct { uint32_t magic; uint32_t stream_id; };\n};\n\n",
          stream);
    fputs("env {\n\ttracer_name = \"gnomon\";\n\tprogram = ", stream);
    put_string(stream, analysis->elf_path ? analysis->elf_path : "?");
    fputs(";\n", stream);
    gnomon_export_remarks(ctf->export, put_remark, &remarks);
    fprintf(stream, "};\n\nclock {\n\tname = cycles;\n\tfreq = %" PRIu64 ";\n};\n",
            analysis->clock_hz ? analysis->clock_hz : UNKNOWN_HZ);
    fputs("typealias integer { size = 64; align = 8; signed = false; map = clock.cycles.value; } := cycle_t;\n\n",
          stream);
}

static void put_stream(FILE *stream) {
    fputs("stream {\n\tid = 0;\n"
          "\tpacket.context := struct {\n"
          "\t\tcycle_t timestamp_begin;\n\t\tcycle_t timestamp_end;\n\t\tuint64_t content_size;\n"
          "\t\tuint64_t packet_size;\n\t\tuint64_t events_discarded;\n\t\tuint64_t packet_seq_num;\n"
          "\t\tuint32_t cpu_id;\n\t};\n"
          "\tevent.header := struct { uint8_t id; cycle_t timestamp; };\n"
          "\tevent.context := struct {\n"
          "\t\tenum threads thread;\n\t\tenum functions running;\n\t\tuint64_t lost_cycles;\n\t};\n};\n\n",
          stream);
    for (unsigned i = 0; i < CTF_EVENTS; i++)
        fprintf(stream, "event {\n\tname = \"%s\";\n\tid = %u;\n\tstream_id = 0;\n\tfields := struct { %s };\n};\n",
                events[i].name, i, events[i].fields);
}

enum gnomon_status ctf_put_metadata(const struct ctf *ctf, FILE *stream, struct gnomon_error *error) {
    put_head(ctf, stream);
    put_functions(ctf->export, stream);
    if (!put_threads(ctf, stream) || !put_locks(ctf, stream))
        return gnomon_fail_memory(error);
    put_actions(stream);
    put_stream(stream);
    return GNOMON_OK;
}
