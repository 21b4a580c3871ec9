/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "api.h"

/* Both headers have the same list of error codes, so a program can include either header. */
_Static_assert((int)LIBGNOMON_ERR_INTERRUPTED == (int)GNOMON_ERR_INTERRUPTED &&
                   (int)LIBGNOMON_ERR_PROTOCOL == (int)GNOMON_ERR_PROTOCOL,
               "libgnomon.h and error.h have different lists");
_Static_assert(sizeof((struct libgnomon_error *)0)->what == sizeof((struct gnomon_error *)0)->what &&
                   sizeof((struct libgnomon_error *)0)->remedy == sizeof((struct gnomon_error *)0)->remedy,
               "texts have different lengths");

unsigned libgnomon_abi(void) {
    return LIBGNOMON_ABI;
}

void libgnomon_free(void *text) {
    free(text);
}

int api_result(enum gnomon_status status, const struct gnomon_error *from, struct libgnomon_error *error) {
    if (status && error) {
        error->status = (int)status;
        memcpy(error->what, from->what, sizeof error->what);
        memcpy(error->remedy, from->remedy, sizeof error->remedy);
    }
    return (int)status;
}
