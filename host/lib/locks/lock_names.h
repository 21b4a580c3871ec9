/* SPDX-License-Identifier: Apache-2.0 */
/* Names of locks, threads and call sites. */
#ifndef GNOMON_LIB_LOCK_NAMES_H
#define GNOMON_LIB_LOCK_NAMES_H

#include "lib/elf/lines.h"
#include "lib/elf/objects.h"
#include "lib/model/lock_tables.h"
#include "lib/profile/analysis.h"
#include "lib/profile/code.h"

struct gnomon_lock_names {
    const struct gnomon_lock_tables *tables;
    const struct gnomon_analysis *analysis;
    struct gnomon_objects objects;
    int fd; /* of the program; -1: it cannot be read */
    Elf *elf;
    struct gnomon_lines *lines; /* NULL: no debug information */
};

/* The analysis has symbols, and outlives the names. False: out of memory. */
bool gnomon_lock_names_open(struct gnomon_lock_names *names, const struct gnomon_lock_tables *tables,
                            const struct gnomon_analysis *analysis);
void gnomon_lock_names_close(struct gnomon_lock_names *names);

#define GNOMON_LOCK_NAME_BYTES GNOMON_THREAD_NAME_BYTES

/* The name that the program gave; else the variable that holds it ("pool", "pool+8"); else its address and who
 * registered it; else "lock 5". The read side of a read-write lock has " (read)" after it, the room of a queue
 * " (room)". Returns `text`. */
const char *gnomon_lock_name(const struct gnomon_lock_names *names, unsigned lock, char text[GNOMON_LOCK_NAME_BYTES]);

/* The name that the program gave; else its function; else "main" for the first; "hart 1" for what hart 1 did before its
 * first THREAD; else "thread 3". Returns `text`. */
const char *gnomon_thread_name(const struct gnomon_lock_names *names, uint32_t thread,
                               char text[GNOMON_LOCK_NAME_BYTES]);
/* Does `wanted` name the thread: by its name or its number? */
bool gnomon_thread_is(const struct gnomon_lock_names *names, uint32_t thread, const char *wanted);

/* What called, from the return address: fills `code`; *line is the source line, its `line` 0 if not known. */
void gnomon_lock_caller(const struct gnomon_lock_names *names, uint32_t caller, struct gnomon_code *code,
                        struct gnomon_line *line);
/* "put (queue.c:31)", "put", "0x10000124"; "?" if `caller` is 0. Returns `text`. */
const char *gnomon_lock_caller_text(const struct gnomon_lock_names *names, uint32_t caller,
                                    char text[GNOMON_LOCK_NAME_BYTES]);

#endif
