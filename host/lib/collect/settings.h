/* SPDX-License-Identifier: Apache-2.0 */
/* What the user of a host has agreed to: a file that `gnomon collect --join` writes. Without it nothing is measured and
 * nothing is sent. */
#ifndef GNOMON_LIB_COLLECT_SETTINGS_H
#define GNOMON_LIB_COLLECT_SETTINGS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/collect/choice.h"
#include "lib/util/error.h"

#define GNOMON_COLLECT_SCENARIO "collected"            /* default of the scenario's name */
#define GNOMON_COLLECT_MOST_BYTES ((uint64_t)16 << 20) /* default of what is kept on disk */

/* Where things are, by the XDG base directory specification. */
struct gnomon_collect_places {
    char *settings; /* file */
    char *state;    /* folder of results, which only this user can read */
};
/* The caller frees `places`, whatever the status is. */
enum gnomon_status gnomon_collect_places_find(struct gnomon_collect_places *places, struct gnomon_error *error);
void gnomon_collect_places_free(struct gnomon_collect_places *places);

struct gnomon_collect_settings {
    const char *service; /* its address, as gnomon_service_check takes it */
    const char *token;
    const char *ca;       /* a file with certificates of authorities; NULL: those of this machine */
    const char *program;  /* name that is sent in place of the program's file name; NULL: none */
    const char *scenario; /* never NULL */
    struct gnomon_collect_filter filter;
    uint64_t most_bytes; /* of results on disk */
    bool insecure_http;

    json_t *root; /* of a file that was read; owned, with the texts */
};

/* GNOMON_ERR_NOT_FOUND: this host has not joined. The caller frees `settings`, whatever the status is. */
enum gnomon_status gnomon_collect_settings_read(struct gnomon_collect_settings *settings, const char *path,
                                                struct gnomon_error *error);
void gnomon_collect_settings_free(struct gnomon_collect_settings *settings);

/* Are they complete, and of values that can be sent? */
enum gnomon_status gnomon_collect_settings_check(const struct gnomon_collect_settings *settings,
                                                 struct gnomon_error *error);
/* Makes the file, which only this user can read, and the folders to it. An earlier one survives any failure. */
enum gnomon_status gnomon_collect_settings_write(const struct gnomon_collect_settings *settings, const char *path,
                                                 struct gnomon_error *error);

#endif
