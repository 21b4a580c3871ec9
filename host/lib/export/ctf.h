/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the Common Trace Format share: ctf.c writes the streams, ctf_metadata.c their description. */
#ifndef GNOMON_LIB_EXPORT_CTF_H
#define GNOMON_LIB_EXPORT_CTF_H

#include "lib/export/moments.h"

enum ctf_file { CTF_FILE_METADATA, CTF_FILE_HART0, CTF_FILE_HART1 };

enum ctf_event {
    CTF_BEGIN,
    CTF_ENTER,
    CTF_EXIT,
    CTF_TRAP_ENTER,
    CTF_TRAP_LEAVE,
    CTF_ENTRY, /* of a function of which only entries are known */
    CTF_THREAD,
    CTF_LOCK,
    CTF_MARK,
    CTF_VALUE,
    CTF_MESSAGE,
    CTF_ACCESS,
    CTF_MODULE,
    CTF_LOST,
    CTF_GAP,
    CTF_DAMAGE,
    CTF_END,
    CTF_EVENTS,
};

struct ctf {
    struct gnomon_export *export;
    bool locks[GNOMON_LOCKS_MOST], lock_threads[GNOMON_THREADS_MOST]; /* that messages named */
};

enum gnomon_status ctf_put_metadata(const struct ctf *ctf, FILE *stream, struct gnomon_error *error);

#endif
