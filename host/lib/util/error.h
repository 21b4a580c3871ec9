/* SPDX-License-Identifier: Apache-2.0 */
/* How the library reports failures. It never prints and never exits: a function returns a status and fills a struct
 * gnomon_error with the thing that failed and with what the user can do about it. */
#ifndef GNOMON_LIB_ERROR_H
#define GNOMON_LIB_ERROR_H

enum gnomon_status {
    GNOMON_OK = 0,
    GNOMON_ERR_MEMORY,       /* the host is out of memory */
    GNOMON_ERR_ARGUMENT,     /* the request of the caller (the user) makes no sense */
    GNOMON_ERR_SYSTEM,       /* a call to the operating system failed (open, write, connect ...) */
    GNOMON_ERR_NOT_FOUND,    /* no such device, file, section ... */
    GNOMON_ERR_PERMISSION,   /* it is there, but this user may not use it */
    GNOMON_ERR_BUSY,         /* another program is using it */
    GNOMON_ERR_DISCONNECTED, /* the device, or the connection to it, was lost */
    GNOMON_ERR_TIMEOUT,      /* no answer in time */
    GNOMON_ERR_STALL,        /* the device refused a control request or halted an endpoint */
    GNOMON_ERR_PROTOCOL,     /* the device sent something that the protocol does not allow */
    GNOMON_ERR_FORMAT,       /* a file has the wrong format, or is damaged */
    GNOMON_ERR_UNSUPPORTED,  /* well formed, but this version or this device cannot do it */
    GNOMON_ERR_TOO_BIG,      /* does not fit into the device's memory */
    GNOMON_ERR_MISMATCH,     /* two things do not belong together (ELF and trace) */
    GNOMON_ERR_INTERRUPTED,  /* the user asked to stop */
    GNOMON_ERR_FULL,         /* no room is left on a disk */
};

struct gnomon_error {
    enum gnomon_status status;
    char what[768];   /* one line: what failed, and which thing */
    char remedy[512]; /* what to do about it; may be empty */
};

/* Fills *error (which may be NULL), sets the usual remedy of the status, if there is one, and returns the status, so
 * that a caller can write `return gnomon_fail(error, GNOMON_ERR_FORMAT, "%s is not an ELF file", path);` These are
 * macros, so that compilers and checkers see that the result is the status. */
#define gnomon_fail(error, status, ...) (gnomon_error_fill(error, status, __VA_ARGS__), gnomon_given(status))
/* The same with ": " and the text of `errno` appended. */
#define gnomon_fail_errno(error, status, ...)                                                                          \
    (gnomon_error_fill_errno(error, status, __VA_ARGS__), gnomon_given(status))
/* Adds the remedy to a filled error and returns its status. */
#define gnomon_remedy(error, status, ...) (gnomon_error_remedy(error, __VA_ARGS__), gnomon_given(status))
#define gnomon_fail_memory(error) gnomon_fail(error, GNOMON_ERR_MEMORY, "out of memory")

static inline enum gnomon_status gnomon_given(enum gnomon_status status) {
    return status;
}

void gnomon_error_fill(struct gnomon_error *error, enum gnomon_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void gnomon_error_fill_errno(struct gnomon_error *error, enum gnomon_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void gnomon_error_remedy(struct gnomon_error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Name of a status, for machine-readable output: "not-found". */
const char *gnomon_status_name(enum gnomon_status status);

#endif
