/* SPDX-License-Identifier: Apache-2.0 */
/* What a function of the library says when it could not do its work. The library never prints and never exits: it
 * returns a status and fills a struct gnomon_error with the thing that failed and what a person can do about it. */
#ifndef GNOMON_LIB_ERROR_H
#define GNOMON_LIB_ERROR_H

enum gnomon_status {
    GNOMON_OK = 0,
    GNOMON_ERR_MEMORY,       /* the host is out of memory */
    GNOMON_ERR_ARGUMENT,     /* the caller's (the user's) request makes no sense */
    GNOMON_ERR_SYSTEM,       /* a call to the operating system failed (open, write, connect ...) */
    GNOMON_ERR_NOT_FOUND,    /* no such device, file, section ... */
    GNOMON_ERR_PERMISSION,   /* it is there, but this user may not use it */
    GNOMON_ERR_BUSY,         /* somebody else is using it */
    GNOMON_ERR_DISCONNECTED, /* the device, or the way to it, went away */
    GNOMON_ERR_TIMEOUT,      /* no answer in time */
    GNOMON_ERR_STALL,        /* the device refused a control request or halted an endpoint */
    GNOMON_ERR_PROTOCOL,     /* the device said something that the protocol does not allow */
    GNOMON_ERR_FORMAT,       /* a file is not of its format, or is damaged */
    GNOMON_ERR_UNSUPPORTED,  /* well formed, but not something this version or this device can do */
    GNOMON_ERR_TOO_BIG,      /* does not fit into the device's memory */
    GNOMON_ERR_MISMATCH,     /* two things that should belong together do not (ELF and trace) */
    GNOMON_ERR_INTERRUPTED,  /* the user asked to stop */
};

struct gnomon_error {
    enum gnomon_status status;
    char what[768];   /* one line: what failed, and which thing */
    char remedy[512]; /* what to do about it; may be empty */
};

/* Fills *error (which may be NULL), clears its remedy and returns the status, so that a caller writes
 * `return gnomon_fail(error, GNOMON_ERR_FORMAT, "%s is not an ELF file", path);` */
enum gnomon_status gnomon_fail(struct gnomon_error *error, enum gnomon_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same with ": " and the text of `errno` appended. */
enum gnomon_status gnomon_fail_errno(struct gnomon_error *error, enum gnomon_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Adds the remedy to a filled error and returns its status. */
enum gnomon_status gnomon_remedy(struct gnomon_error *error, enum gnomon_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

enum gnomon_status gnomon_fail_memory(struct gnomon_error *error);

/* Name of a status, for machine-readable output: "not-found". */
const char *gnomon_status_name(enum gnomon_status status);

#endif
