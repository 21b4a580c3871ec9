/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of libgnomon share. */
#ifndef GNOMON_API_H
#define GNOMON_API_H

#include "../include/libgnomon.h"
#include "lib/run/measure.h"
#include "lib/run/recorder.h"

/* Copies `from` into *error and returns `status` as an enum libgnomon_status. */
int api_result(enum gnomon_status status, const struct gnomon_error *from, struct libgnomon_error *error);

struct libgnomon_device {
    struct gnomon_device *device;
    struct gnomon_board board;
    struct gnomon_files inputs;
    struct gnomon_image *image;
    struct gnomon_param_block param;
    int argc; /* argument count of the loaded program */
    char **argv;
    struct gnomon_files placed;       /* files placed for the loaded program */
    struct gnomon_recorder *recorder; /* NULL: the run is not recorded */
    char *recording;                  /* path of the recording */
    bool loaded, exited;
    struct api_tags *tags; /* tags of the next run; NULL: none */
};

/* Fails with GNOMON_ERR_ARGUMENT: no program is loaded. */
enum gnomon_status api_not_loaded(struct gnomon_error *error);

/* Puts the requested tags, if any, into the device. */
enum gnomon_status api_tags_load(struct libgnomon_device *device, struct gnomon_error *error);
void api_tags_free(struct libgnomon_device *device);

#endif
