/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/util/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* The usual advice for errors of a kind, if the caller gives no better advice. */
static const char *usual_remedy(enum gnomon_status status) {
    switch (status) {
    case GNOMON_ERR_PROTOCOL:
    case GNOMON_ERR_STALL:
        return "unplug the device and plug it in again, or restart its simulator; if that does not help, see that "
               "gnomon "
               "and its bitstream or simulator are of one release";
    case GNOMON_ERR_TIMEOUT:
        return "unplug the device and plug it in again, or restart its simulator; where it is only slow, set "
               "GNOMON_TIMEOUT_SCALE=50";
    default:
        return "";
    }
}

void gnomon_error_fill(struct gnomon_error *error, enum gnomon_status status, const char *format, ...) {
    if (!error)
        return;
    error->status = status;
    snprintf(error->remedy, sizeof error->remedy, "%s", usual_remedy(status));
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->what, sizeof error->what, format, arguments);
    va_end(arguments);
}

void gnomon_error_fill_errno(struct gnomon_error *error, enum gnomon_status status, const char *format, ...) {
    const char *reason = strerror(errno);
    if (!error)
        return;
    error->status = status;
    error->remedy[0] = '\0';
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->what, sizeof error->what, format, arguments);
    va_end(arguments);
    size_t used = strlen(error->what);
    snprintf(error->what + used, sizeof error->what - used, ": %s", reason);
}

void gnomon_error_remedy(struct gnomon_error *error, const char *format, ...) {
    if (!error)
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->remedy, sizeof error->remedy, format, arguments);
    va_end(arguments);
}

const char *gnomon_status_name(enum gnomon_status status) {
    static const char *const names[] = {
        [GNOMON_OK] = "ok",
        [GNOMON_ERR_MEMORY] = "memory",
        [GNOMON_ERR_ARGUMENT] = "argument",
        [GNOMON_ERR_SYSTEM] = "system",
        [GNOMON_ERR_NOT_FOUND] = "not-found",
        [GNOMON_ERR_PERMISSION] = "permission",
        [GNOMON_ERR_BUSY] = "busy",
        [GNOMON_ERR_DISCONNECTED] = "disconnected",
        [GNOMON_ERR_TIMEOUT] = "timeout",
        [GNOMON_ERR_STALL] = "stall",
        [GNOMON_ERR_PROTOCOL] = "protocol",
        [GNOMON_ERR_FORMAT] = "format",
        [GNOMON_ERR_UNSUPPORTED] = "unsupported",
        [GNOMON_ERR_TOO_BIG] = "too-big",
        [GNOMON_ERR_MISMATCH] = "mismatch",
        [GNOMON_ERR_INTERRUPTED] = "interrupted",
        [GNOMON_ERR_FULL] = "full",
    };
    return (size_t)status < sizeof names / sizeof *names ? names[status] : "unknown";
}
