/* SPDX-License-Identifier: Apache-2.0 */
/* libgnomon: Gnomon devices and recordings for other tools (docs/reference/api.md). The library is a thin layer over
 * the functions that the command `gnomon` uses.
 *
 * A function that can fail returns 0 on success. On failure it returns an enum libgnomon_status and fills *error, which
 * may be NULL. No function prints anything or ends the process. Only one thread at a time may use a handle; different
 * threads may use different handles. Texts are UTF-8 and zero-terminated; a text in a structure is valid as long as the
 * handle that the structure comes from. */
#ifndef LIBGNOMON_H
#define LIBGNOMON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ABI version of this header. It changes when a program compiled with an older header no longer runs with the
 * library. */
#define LIBGNOMON_ABI 2
/* ABI version of the library that runs; a program compares it with LIBGNOMON_ABI. */
unsigned libgnomon_abi(void);

enum libgnomon_status {
    LIBGNOMON_OK = 0,
    LIBGNOMON_ERR_MEMORY,       /* the host is out of memory */
    LIBGNOMON_ERR_ARGUMENT,     /* the request is invalid, or comes at the wrong time */
    LIBGNOMON_ERR_SYSTEM,       /* a call to the operating system failed */
    LIBGNOMON_ERR_NOT_FOUND,    /* no such device, file, function ... */
    LIBGNOMON_ERR_PERMISSION,   /* the thing exists, but this user may not use it */
    LIBGNOMON_ERR_BUSY,         /* another process is using it */
    LIBGNOMON_ERR_DISCONNECTED, /* the device, or the connection to it, went away */
    LIBGNOMON_ERR_TIMEOUT,      /* no answer in time */
    LIBGNOMON_ERR_STALL,        /* the device refused a control request or halted an endpoint */
    LIBGNOMON_ERR_PROTOCOL,     /* the device sent something that the protocol does not allow */
    LIBGNOMON_ERR_FORMAT,       /* a file is not of its format, or is damaged */
    LIBGNOMON_ERR_UNSUPPORTED,  /* well formed, but this version or this device cannot do it */
    LIBGNOMON_ERR_TOO_BIG,      /* does not fit into the device's memory */
    LIBGNOMON_ERR_MISMATCH,     /* two things that should belong together do not (program and recording) */
    LIBGNOMON_ERR_INTERRUPTED,  /* the user asked to stop */
};

struct libgnomon_error {
    int status;       /* an enum libgnomon_status */
    char what[768];   /* one line: what failed, and which thing */
    char remedy[512]; /* what to do about it; may be empty */
};

/* ---- Devices ---- */

struct libgnomon_device;

/* Opens a device. `address`: as for gnomon -d, "sim:full", "usb", "usbip:HOST:PORT"; NULL: a board on USB, else
 * sim:full. `options`: command-line options for a simulator that this call starts, ending in NULL; NULL: none. On
 * failure *device is NULL. */
int libgnomon_open(const char *address, const char *const *options, struct libgnomon_device **device,
                   struct libgnomon_error *error);
/* Closes the device and frees the handle. If libgnomon_open started a simulator, this ends it. NULL: does nothing. */
void libgnomon_close(struct libgnomon_device *device);

/* Gets what the device can do: the JSON of `gnomon info --json`. The caller owns *text and frees it with
 * libgnomon_free. */
int libgnomon_info(struct libgnomon_device *device, char **text, struct libgnomon_error *error);
void libgnomon_free(void *text);

/* These two functions read and write words at consecutive addresses (multiples of 4). Registers
 * (docs/reference/registers.md) are accessible at any time, also while a program runs (from `tick`); main memory only
 * while the hart is stopped. One call takes at most 2^20 words. */
int libgnomon_read(struct libgnomon_device *device, uint32_t address, uint32_t *words, size_t count,
                   struct libgnomon_error *error);
int libgnomon_write(struct libgnomon_device *device, uint32_t address, const uint32_t *words, size_t count,
                    struct libgnomon_error *error);

/* ---- A program ---- */

/* Adds a file for the programs loaded from now on: each libgnomon_load places the file `path` in the program's memory,
 * and the program opens it as `name`. */
int libgnomon_put(struct libgnomon_device *device, const char *path, const char *name, struct libgnomon_error *error);

/* Resets the hart and puts the program (an ELF file) with its arguments into memory; arguments[0] is the program's
 * name. The hart stays in reset: counters are 0, and what the caller sets now is in effect when the program starts. */
int libgnomon_load(struct libgnomon_device *device, const char *path, int count, const char *const *arguments,
                   struct libgnomon_error *error);

enum libgnomon_end {
    LIBGNOMON_END_EXIT = 1,    /* the program exited */
    LIBGNOMON_END_DEBUG = 2,   /* an ebreak or a trigger stopped the program */
    LIBGNOMON_END_STOPPED = 3, /* `tick` stopped the program */
};

struct libgnomon_run {
    /* The caller sets these; each may be NULL. */
    void *context;
    void (*console)(void *context, const uint8_t *data, size_t size); /* gets what the program writes */
    bool (*tick)(void *context); /* called at least ten times a second; returns true to stop the program */
    /* libgnomon_run sets these. */
    int end;              /* an enum libgnomon_end */
    uint32_t exit_status; /* valid with LIBGNOMON_END_EXIT */
    uint64_t cycles, instructions;
};

/* Starts the loaded program and returns when it has ended. Each load allows one run. The device's counts can be read
 * until the next load. */
int libgnomon_run(struct libgnomon_device *device, struct libgnomon_run *run, struct libgnomon_error *error);

/* Call this between libgnomon_load and libgnomon_run: the run is recorded into the file `path` (.gnt), as by `gnomon
 * record --records` or, with `events`, `gnomon record --events`. If anything fails, an existing file stays
 * unchanged. */
int libgnomon_record(struct libgnomon_device *device, const char *path, bool events, struct libgnomon_error *error);

/* Call this after a run that ended with LIBGNOMON_END_EXIT: copies the file that the program wrote as `name` to
 * `path`. */
int libgnomon_get(struct libgnomon_device *device, const char *name, const char *path, struct libgnomon_error *error);

/* ---- Counters (docs/internals/profile.md) ---- */

/* Gets the number of selectable counters, and the number of ranges (of instructions, then of data). */
int libgnomon_counters(struct libgnomon_device *device, unsigned *counters, unsigned *ranges,
                       struct libgnomon_error *error);
/* From now on counter `index` counts `event`, beginning with 0. Events are named as for gnomon stat --events: "loads",
 * "cycles:u", "branches:range0"; NULL: the counter counts nothing. */
int libgnomon_count(struct libgnomon_device *device, unsigned index, const char *event, struct libgnomon_error *error);
int libgnomon_counter(struct libgnomon_device *device, unsigned index, uint64_t *value, struct libgnomon_error *error);

/* Sets range `index` to begin at `base` and end before `limit`, and its counts to 0. */
int libgnomon_range(struct libgnomon_device *device, unsigned index, uint32_t base, uint32_t limit,
                    struct libgnomon_error *error);
struct libgnomon_range {
    uint64_t entries, instructions, cycles, reads, writes;
};
int libgnomon_range_read(struct libgnomon_device *device, unsigned index, struct libgnomon_range *range,
                         struct libgnomon_error *error);
/* Finds the address range of a function (or, with `variable`, of a variable) in an ELF file. */
int libgnomon_find(const char *path, const char *name, bool variable, uint32_t *base, uint32_t *limit,
                   struct libgnomon_error *error);

/* Reads the cycles of the run by cause; the run must have ended. The LIBGNOMON_CAUSES values are in the order of
 * docs/internals/observation.md. */
#define LIBGNOMON_CAUSES 18
int libgnomon_causes(struct libgnomon_device *device, uint64_t cycles[LIBGNOMON_CAUSES], struct libgnomon_error *error);
/* The name of cause `number`, for example "icache_miss"; NULL: there is no such cause. */
const char *libgnomon_cause(unsigned number);

/* Call this between libgnomon_load and libgnomon_run: chooses the code windows that cover `what` of the loaded program.
 * `what`: as for gnomon record --cpi, "all", a function or START-END. In one run the device counts the cycles of each
 * instruction in one code window, by cause: the one that begins at the address in CAUSES.CODE_WINDOW_BASE
 * (docs/reference/registers.md). Sets *count to the number of windows and *bytes to the size of a window, and writes
 * the start of the first `most` windows to `starts`. */
int libgnomon_code_windows(struct libgnomon_device *device, const char *what, uint32_t *starts, size_t most,
                           size_t *count, uint32_t *bytes, struct libgnomon_error *error);

/* ---- Tags (docs/guide/tag.md) ---- */

/* Call this between libgnomon_load and libgnomon_run: adds a tag for the run, WHAT or WHAT:ACTION,... as for gnomon tag
 * -t. The first tag has number 0. */
int libgnomon_tag(struct libgnomon_device *device, const char *what, struct libgnomon_error *error);
/* Call this between libgnomon_load and libgnomon_run: sets threshold `step` of the timer, which counts intervals of
 * `cycles` cycles or more, below 2^31; 0: counts none. A tag must start or stop the timer. */
int libgnomon_threshold(struct libgnomon_device *device, unsigned timer, unsigned step, uint32_t cycles,
                        struct libgnomon_error *error);

struct libgnomon_tag_count {
    uint64_t executions, cycles, reads, writes;
    bool exact; /* no count is missing */
};
/* Reads what tag number `index` has counted. Valid from the start of the run until the next load. */
int libgnomon_tag_count(struct libgnomon_device *device, size_t index, struct libgnomon_tag_count *count,
                        struct libgnomon_error *error);
/* Reads per-address counters (action `each`) from `address` on: of `count` places of two bytes, or with `data` of
 * `count` words. 0: the place or word has no tag with a counter. */
int libgnomon_tag_per_address(struct libgnomon_device *device, uint32_t address, bool data, uint32_t *counts,
                              size_t count, struct libgnomon_error *error);

#define LIBGNOMON_STEPS 4
struct libgnomon_timer {
    uint32_t intervals;             /* intervals that have ended */
    uint64_t cycles;                /* sum over the ended intervals */
    uint32_t shortest, longest;     /* cycles of one ended interval; `shortest` is all ones if there is none */
    uint32_t over[LIBGNOMON_STEPS]; /* intervals that reached each threshold */
};
int libgnomon_timer(struct libgnomon_device *device, unsigned timer, struct libgnomon_timer *result,
                    struct libgnomon_error *error);

/* ---- Recordings ---- */

struct libgnomon_profile;

/* Reads a recording (.gnt) and computes its profile, as `gnomon report` does. `program`: the ELF file; NULL: the path
 * in the recording. On failure *profile is NULL. */
int libgnomon_profile_open(const char *path, const char *program, struct libgnomon_profile **profile,
                           struct libgnomon_error *error);
void libgnomon_profile_close(struct libgnomon_profile *profile);

struct libgnomon_sums {
    uint64_t cycles;     /* of the whole run */
    uint64_t unprofiled; /* while no profiled function was open */
    uint64_t lost;       /* in lost parts of the trace */
    uint64_t clock_hz;
    size_t functions, arcs; /* number of functions, and of arcs */
    size_t faults;          /* number of sentences about missing or damaged data: libgnomon_profile_fault */
};
void libgnomon_profile_sums(const struct libgnomon_profile *profile, struct libgnomon_sums *sums);

/* A function, or a trap ("[interrupt 7]"). */
struct libgnomon_function {
    const char *name;
    const char *file; /* NULL: unknown */
    unsigned line;
    uint32_t address; /* 0: unknown */
    uint64_t calls, self, total;
    uint64_t shortest, longest; /* cycles of one call; shortest > longest: no call was seen completely */
    bool exact;                 /* lost data cannot have changed these figures */
};
/* Returns false if there is no function `index`. */
bool libgnomon_profile_function(const struct libgnomon_profile *profile, size_t index,
                                struct libgnomon_function *function);

#define LIBGNOMON_UNPROFILED UINT32_MAX
struct libgnomon_arc {
    uint32_t caller, callee; /* indices of functions; the caller may be LIBGNOMON_UNPROFILED */
    uint64_t calls, self, total;
};
bool libgnomon_profile_arc(const struct libgnomon_profile *profile, size_t index, struct libgnomon_arc *arc);

/* A sentence about missing or damaged data; NULL: there is no fault `index`. */
const char *libgnomon_profile_fault(const struct libgnomon_profile *profile, size_t index);

#ifdef __cplusplus
}
#endif

#endif
