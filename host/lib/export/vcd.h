/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the value change dump share: vcd.c follows the signals, vcd_signals.c keeps and writes them. */
#ifndef GNOMON_LIB_EXPORT_VCD_H
#define GNOMON_LIB_EXPORT_VCD_H

#include "lib/export/moments.h"
#include "lib/profile/profile_map.h"

/* What a signal is of; in the order of the file. */
enum vcd_kind {
    VCD_HART_THREAD, /* of a hart: texts */
    VCD_HART_FUNCTION,
    VCD_HART_TRAP,
    VCD_HART_LOST,   /* events so far */
    VCD_THREAD_RUNS, /* of a thread */
    VCD_THREAD_FUNCTION,
    VCD_THREAD_WAITS, /* for a lock */
    VCD_LOCK_OWNER,
    VCD_MARK,
    VCD_VALUE,
    VCD_KINDS,
};

/* Values of texts that are no number of a function, thread or lock. */
#define VCD_NONE (UINT64_C(1) << 32)
#define VCD_LOST (UINT64_C(2) << 32)

struct vcd_signal {
    enum vcd_kind kind;
    uint32_t number; /* of the hart, thread, lock, mark */
    uint64_t value;
    bool known; /* it has a value */
};

/* The changes go to a temporary file, because names and signals are known only at the end, and the names come first. */
struct vcd_signals {
    struct profile_map map; /* by kind and number */
    struct vcd_signal *list;
    size_t room;
    FILE *changes;
    uint64_t time; /* of the last change */
    bool failed;   /* out of memory */
    int reason;    /* errno of a change that could not be written; 0: none */
};

bool vcd_signals_open(struct vcd_signals *signals);
/* Times do not go back: an earlier one counts as the last one. */
void vcd_set(struct vcd_signals *signals, uint64_t time, enum vcd_kind kind, uint32_t number, uint64_t value);
/* The whole file; `end` is its last time. */
enum gnomon_status vcd_signals_write(struct vcd_signals *signals, struct gnomon_export *export, uint64_t end,
                                     FILE *stream, struct gnomon_error *error);
void vcd_signals_close(struct vcd_signals *signals);

#endif
