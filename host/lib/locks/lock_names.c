/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/locks/lock_names.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool gnomon_lock_names_open(struct gnomon_lock_names *names, const struct gnomon_lock_tables *tables,
                            const struct gnomon_analysis *analysis) {
    *names = (struct gnomon_lock_names){.tables = tables, .analysis = analysis, .fd = -1};
    if (!analysis->elf_path)
        return true;
    names->fd = open(analysis->elf_path, O_RDONLY | O_CLOEXEC);
    elf_version(EV_CURRENT);
    names->elf = names->fd >= 0 ? elf_begin(names->fd, ELF_C_READ, NULL) : NULL;
    names->lines = names->elf ? gnomon_lines_open(names->elf) : NULL;
    return gnomon_objects_load(&names->objects, analysis->elf_path);
}

void gnomon_lock_names_close(struct gnomon_lock_names *names) {
    gnomon_objects_free(&names->objects);
    gnomon_lines_close(names->lines);
    elf_end(names->elf);
    if (names->fd >= 0)
        close(names->fd);
    *names = (struct gnomon_lock_names){.fd = -1};
}

/* ---- Call sites ---- */

void gnomon_lock_caller(const struct gnomon_lock_names *names, uint32_t caller, struct gnomon_code *code,
                        struct gnomon_line *line) {
    const uint32_t within = caller - 2; /* in the call instruction: what follows it may belong to another function */
    const struct gnomon_analysis *analysis = names->analysis;
    gnomon_code_at(code, analysis->symbols, analysis->modules, within);
    if (!code->function || code->base || !names->lines || !gnomon_lines_find(names->lines, within, line))
        *line = (struct gnomon_line){0};
}

const char *gnomon_lock_caller_text(const struct gnomon_lock_names *names, uint32_t caller,
                                    char text[GNOMON_LOCK_NAME_BYTES]) {
    struct gnomon_code code;
    struct gnomon_line line;
    if (!caller) {
        snprintf(text, GNOMON_LOCK_NAME_BYTES, "?");
        return text;
    }
    gnomon_lock_caller(names, caller, &code, &line);
    const char *slash = line.line ? strrchr(line.file, '/') : NULL,
               *name = gnomon_code_name(&code, names->analysis->raw_names);
    if (!code.function && !code.module)
        snprintf(text, GNOMON_LOCK_NAME_BYTES, "0x%08" PRIx32, caller);
    else if (line.line)
        snprintf(text, GNOMON_LOCK_NAME_BYTES, "%.160s (%.100s:%u)", name, slash ? slash + 1 : line.file, line.line);
    else
        snprintf(text, GNOMON_LOCK_NAME_BYTES, "%.300s", name);
    return text;
}

/* ---- Locks ---- */

static void name_by_address(const struct gnomon_lock_names *names, const struct gnomon_table_lock *entry,
                            char text[GNOMON_LOCK_NAME_BYTES]) {
    const struct gnomon_object *object = gnomon_objects_at(&names->objects, entry->address);
    char caller[GNOMON_LOCK_NAME_BYTES];
    if (object && object->address == entry->address)
        snprintf(text, GNOMON_LOCK_NAME_BYTES, "%.240s", object->name);
    else if (object)
        snprintf(text, GNOMON_LOCK_NAME_BYTES, "%.240s+%" PRIu32, object->name, entry->address - object->address);
    else if (entry->caller)
        snprintf(text, GNOMON_LOCK_NAME_BYTES, "0x%08" PRIx32 " of %.240s", entry->address,
                 gnomon_lock_caller_text(names, entry->caller, caller));
    else
        snprintf(text, GNOMON_LOCK_NAME_BYTES, "0x%08" PRIx32, entry->address);
}

const char *gnomon_lock_name(const struct gnomon_lock_names *names, unsigned lock, char text[GNOMON_LOCK_NAME_BYTES]) {
    const struct gnomon_table_lock *entry = &names->tables->locks[lock];
    const struct gnomon_table_lock *before = lock > 0 ? entry - 1 : entry;
    const bool read = entry->kind == GNOMON_LOCK_RWLOCK_READ;
    const bool room = entry->kind == GNOMON_LOCK_QUEUE && lock % 2 && before->kind == GNOMON_LOCK_QUEUE &&
                      before->address == entry->address;
    if ((room || (read && before->kind == GNOMON_LOCK_RWLOCK)) && !entry->name)
        entry = before;
    if (entry->kind == GNOMON_LOCK_INTERRUPTS)
        snprintf(text, GNOMON_LOCK_NAME_BYTES, "interrupts off%s",
                 gnomon_analysis_of_both(names->analysis) ? " on hart 0" : "");
    else if (lock == GNOMON_LOCKS_LOCK_OTHER && names->tables->known)
        snprintf(text, GNOMON_LOCK_NAME_BYTES, "[locks without an entry]");
    else if (entry->state == GNOMON_LOCK_UNUSED)
        snprintf(text, GNOMON_LOCK_NAME_BYTES, "lock %u", lock);
    else if (entry->name)
        snprintf(text, GNOMON_LOCK_NAME_BYTES, "%.255s", entry->name);
    else
        name_by_address(names, entry, text);
    if (read || room)
        strcat(text, read ? " (read)" : " (room)");
    return text;
}

/* ---- Threads ---- */

/* Is it what hart 1 does before its first THREAD? */
static bool is_context(const struct gnomon_analysis *analysis, uint32_t thread) {
    return thread == GNOMON_TRACE_CONTEXT(1) && (analysis->hart == 1 || analysis->other);
}

const char *gnomon_thread_name(const struct gnomon_lock_names *names, uint32_t thread,
                               char text[GNOMON_LOCK_NAME_BYTES]) {
    if (is_context(names->analysis, thread))
        return gnomon_hart_name(1, text);
    return gnomon_table_thread_name(names->tables, names->analysis->symbols, thread, text);
}

bool gnomon_thread_is(const struct gnomon_lock_names *names, uint32_t thread, const char *wanted) {
    char text[GNOMON_LOCK_NAME_BYTES], *end;
    const unsigned long number = strtoul(wanted, &end, 10);
    return (*wanted && !*end && number == thread) || !strcmp(gnomon_thread_name(names, thread, text), wanted);
}
