/* SPDX-License-Identifier: Apache-2.0 */
/* libgnomon: Gnomon devices and recordings for other tools (docs/api.md). A thin layer over the functions that the
 * command `gnomon` uses.
 *
 * A function that can fail returns 0, or an enum libgnomon_status and fills *error, which may be NULL. Nothing is
 * printed, nothing ends the process. A handle belongs to one thread at a time; different handles to different threads.
 * Texts are UTF-8 and zero-terminated; those in structures live as long as the handle that they come from. */
#ifndef LIBGNOMON_H
#define LIBGNOMON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Of this header. It changes when a program compiled with an older one would not run with the library any more. */
#define LIBGNOMON_ABI 1
/* Of the library that runs: a program compares it with the above. */
unsigned libgnomon_abi(void);

enum libgnomon_status {
    LIBGNOMON_OK = 0,
    LIBGNOMON_ERR_MEMORY,       /* the host is out of memory */
    LIBGNOMON_ERR_ARGUMENT,     /* the request makes no sense, or comes at the wrong time */
    LIBGNOMON_ERR_SYSTEM,       /* a call to the operating system failed */
    LIBGNOMON_ERR_NOT_FOUND,    /* no such device, file, function ... */
    LIBGNOMON_ERR_PERMISSION,   /* it is there, but this user may not use it */
    LIBGNOMON_ERR_BUSY,         /* somebody else is using it */
    LIBGNOMON_ERR_DISCONNECTED, /* the device, or the way to it, went away */
    LIBGNOMON_ERR_TIMEOUT,      /* no answer in time */
    LIBGNOMON_ERR_STALL,        /* the device refused a control request or halted an endpoint */
    LIBGNOMON_ERR_PROTOCOL,     /* the device said something that the protocol does not allow */
    LIBGNOMON_ERR_FORMAT,       /* a file is not of its format, or is damaged */
    LIBGNOMON_ERR_UNSUPPORTED,  /* well formed, but not something this version or this device can do */
    LIBGNOMON_ERR_TOO_BIG,      /* does not fit into the device's memory */
    LIBGNOMON_ERR_MISMATCH,     /* two things that should belong together do not (program and recording) */
    LIBGNOMON_ERR_INTERRUPTED,  /* the user asked to stop */
};

struct libgnomon_error {
    int status;       /* of enum libgnomon_status */
    char what[768];   /* one line: what failed, and which thing */
    char remedy[512]; /* what to do about it; may be empty */
};

/* ---- Devices ---- */

struct libgnomon_device;

/* `address`: as for gnomon -d, "sim:full", "usb", "usbip:HOST:PORT"; NULL: a board on USB, else sim:full. `options`:
 * words for a simulator that is started, ending in NULL; NULL: none. On failure *device is NULL. */
int libgnomon_open(const char *address, const char *const *options, struct libgnomon_device **device,
                   struct libgnomon_error *error);
/* Frees it, and ends a simulator that was started; NULL: nothing. */
void libgnomon_close(struct libgnomon_device *device);

/* What the device can do: the JSON of `gnomon info --json`. *text is the caller's, for libgnomon_free. */
int libgnomon_info(struct libgnomon_device *device, char **text, struct libgnomon_error *error);
void libgnomon_free(void *text);

/* Words at consecutive addresses (multiples of 4): registers (docs/registers.md) at any time, also while a program runs
 * (from `tick`); main memory while the hart is stopped. At most 2^20 at once. */
int libgnomon_read(struct libgnomon_device *device, uint32_t address, uint32_t *words, size_t count,
                   struct libgnomon_error *error);
int libgnomon_write(struct libgnomon_device *device, uint32_t address, const uint32_t *words, size_t count,
                    struct libgnomon_error *error);

/* ---- A program ---- */

/* From now on the next libgnomon_load places the file `path` in the program's memory, where it opens it as `name`. */
int libgnomon_put(struct libgnomon_device *device, const char *path, const char *name, struct libgnomon_error *error);

/* Resets the hart and puts the program (an ELF file) with its arguments into memory, arguments[0] being its name. The
 * hart stays in reset: counters are 0, and what is set now is there when it starts. */
int libgnomon_load(struct libgnomon_device *device, const char *path, int count, const char *const *arguments,
                   struct libgnomon_error *error);

enum libgnomon_end {
    LIBGNOMON_END_EXIT = 1,    /* by itself */
    LIBGNOMON_END_DEBUG = 2,   /* an ebreak or a trigger stopped it */
    LIBGNOMON_END_STOPPED = 3, /* `tick` said so */
};

struct libgnomon_run {
    /* Given: each may be NULL. */
    void *context;
    void (*console)(void *context, const uint8_t *data, size_t size); /* what the program writes */
    bool (*tick)(void *context); /* ten times a second or more often; true: stop the program */
    /* Filled in. */
    int end;              /* of enum libgnomon_end */
    uint32_t exit_status; /* with LIBGNOMON_END_EXIT */
    uint64_t cycles, instructions;
};

/* Starts the loaded program and returns when it has ended; once for each load. What the device has counted can be read
 * until the next load. */
int libgnomon_run(struct libgnomon_device *device, struct libgnomon_run *run, struct libgnomon_error *error);

/* Between libgnomon_load and libgnomon_run: the run is recorded into the file `path` (.gnt), as by `gnomon record
 * --records` or, with `events`, `--events`. An earlier file survives any failure. */
int libgnomon_record(struct libgnomon_device *device, const char *path, bool events, struct libgnomon_error *error);

/* After a run that ended by LIBGNOMON_END_EXIT: writes the file that the program wrote as `name` to `path`. */
int libgnomon_get(struct libgnomon_device *device, const char *name, const char *path, struct libgnomon_error *error);

/* ---- What it counts (docs/profile.md) ---- */

/* How many selectable counters there are, and ranges (of instructions, then of data). */
int libgnomon_counters(struct libgnomon_device *device, unsigned *counters, unsigned *ranges,
                       struct libgnomon_error *error);
/* Counter `index` counts this from now on, beginning with 0: "loads", "cycles:u", "branches:range0", as for gnomon stat
 * --events; NULL: nothing. */
int libgnomon_count(struct libgnomon_device *device, unsigned index, const char *event, struct libgnomon_error *error);
int libgnomon_counter(struct libgnomon_device *device, unsigned index, uint64_t *value, struct libgnomon_error *error);

/* Range `index` begins at `base` and ends before `limit`; its counts are 0. */
int libgnomon_range(struct libgnomon_device *device, unsigned index, uint32_t base, uint32_t limit,
                    struct libgnomon_error *error);
struct libgnomon_range {
    uint64_t entries, instructions, cycles, reads, writes;
};
int libgnomon_range_read(struct libgnomon_device *device, unsigned index, struct libgnomon_range *range,
                         struct libgnomon_error *error);
/* Where a function (or, with `variable`, a variable) of an ELF file lies. */
int libgnomon_find(const char *path, const char *name, bool variable, uint32_t *base, uint32_t *limit,
                   struct libgnomon_error *error);

/* Cycles of the run, which has ended, by cause: in the order of docs/observation.md, LIBGNOMON_CAUSES of them. */
#define LIBGNOMON_CAUSES 18
int libgnomon_causes(struct libgnomon_device *device, uint64_t cycles[LIBGNOMON_CAUSES], struct libgnomon_error *error);
/* "icache_miss"; NULL: there is none of that number. */
const char *libgnomon_cause(unsigned number);

/* ---- Tags (docs/tag.md) ---- */

/* Between libgnomon_load and libgnomon_run: this is tagged in the run, WHAT or WHAT:ACTION,... as for gnomon tag -t.
 * The first one is number 0. */
int libgnomon_tag(struct libgnomon_device *device, const char *what, struct libgnomon_error *error);
/* Likewise: intervals of the timer that take so many cycles or more are counted; 0: none are. */
int libgnomon_threshold(struct libgnomon_device *device, unsigned timer, unsigned step, uint32_t cycles,
                        struct libgnomon_error *error);

struct libgnomon_tag_count {
    uint64_t executions, cycles, reads, writes;
    bool exact; /* nothing is missing */
};
/* From the start of the run on, and until the next load: what number `index` has counted. */
int libgnomon_tag_count(struct libgnomon_device *device, size_t index, struct libgnomon_tag_count *count,
                        struct libgnomon_error *error);
/* Own counters (action `each`) of `count` places of two bytes, or (`data`) words, from `address` on; 0: it has none. */
int libgnomon_tag_own(struct libgnomon_device *device, uint32_t address, bool data, uint32_t *counts, size_t count,
                      struct libgnomon_error *error);

#define LIBGNOMON_STEPS 4
struct libgnomon_timer {
    uint32_t intervals;             /* that have ended */
    uint64_t cycles;                /* of these */
    uint32_t shortest, longest;     /* of these; `shortest` is all ones where there is none */
    uint32_t over[LIBGNOMON_STEPS]; /* intervals that reached each threshold */
};
int libgnomon_timer(struct libgnomon_device *device, unsigned timer, struct libgnomon_timer *result,
                    struct libgnomon_error *error);

/* ---- Recordings ---- */

struct libgnomon_profile;

/* Reads a recording (.gnt) and works out its profile, as `gnomon report` does. `program`: its ELF file; NULL: where the
 * recording says. On failure *profile is NULL. */
int libgnomon_profile_open(const char *path, const char *program, struct libgnomon_profile **profile,
                           struct libgnomon_error *error);
void libgnomon_profile_close(struct libgnomon_profile *profile);

struct libgnomon_sums {
    uint64_t cycles;  /* of the run */
    uint64_t outside; /* while no profiled function was open */
    uint64_t lost;    /* in what was lost */
    uint64_t clock_hz;
    size_t functions, arcs; /* how many there are */
    size_t faults;          /* sentences about what is not whole: libgnomon_profile_fault */
};
void libgnomon_profile_sums(const struct libgnomon_profile *profile, struct libgnomon_sums *sums);

/* A function, or a trap ("[interrupt 7]"). */
struct libgnomon_function {
    const char *name;
    const char *file; /* NULL: not known */
    unsigned line;
    uint32_t address; /* 0: not known */
    uint64_t calls, self, total;
    uint64_t shortest, longest; /* cycles of one call; shortest > longest: there was no whole one */
    bool exact;                 /* nothing that was lost can have changed these figures */
};
/* False: there is none of that index. */
bool libgnomon_profile_function(const struct libgnomon_profile *profile, size_t index,
                                struct libgnomon_function *function);

#define LIBGNOMON_OUTSIDE UINT32_MAX
struct libgnomon_arc {
    uint32_t caller, callee; /* indices of functions; the caller may be LIBGNOMON_OUTSIDE */
    uint64_t calls, self, total;
};
bool libgnomon_profile_arc(const struct libgnomon_profile *profile, size_t index, struct libgnomon_arc *arc);

/* NULL: there is none of that index. */
const char *libgnomon_profile_fault(const struct libgnomon_profile *profile, size_t index);

#ifdef __cplusplus
}
#endif

#endif
