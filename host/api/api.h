/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of libgnomon share. */
#ifndef GNOMON_API_H
#define GNOMON_API_H

#include "../include/libgnomon.h"
#include "../lib/measure.h"
#include "../lib/recorder.h"

/* Hands on what the library said; returns the status. */
int api_result(enum gnomon_status status, const struct gnomon_error *from, struct libgnomon_error *error);

struct libgnomon_device {
    struct gnomon_device *device;
    struct gnomon_board board;
    struct gnomon_files inputs;
    struct gnomon_image *image;
    struct gnomon_param_block param;
    int argc; /* of the program that is loaded */
    char **argv;
    struct gnomon_files placed;       /* for it */
    struct gnomon_recorder *recorder; /* NULL: its run is not recorded */
    char *recording;                  /* where to */
    bool loaded, exited;
    struct api_tags *tags; /* for that run; NULL: none */
};

/* GNOMON_ERR_ARGUMENT: there is nothing to run. */
enum gnomon_status api_not_loaded(struct gnomon_error *error);

/* Puts the tags that were asked for into the device, if any. */
enum gnomon_status api_tags_load(struct libgnomon_device *device, struct gnomon_error *error);
void api_tags_free(struct libgnomon_device *device);

#endif
