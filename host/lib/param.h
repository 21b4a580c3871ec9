/* SPDX-License-Identifier: Apache-2.0 */
/* The parameter block (include/gnomon/param.h): arguments and input files to the program, output files back. */
#ifndef GNOMON_LIB_PARAM_H
#define GNOMON_LIB_PARAM_H

#include "board.h"

/* A file by the name that the program knows it by. */
struct gnomon_file {
    char *name;
    char *path; /* where it came from */
    uint8_t *data;
    size_t size;
};

struct gnomon_files {
    struct gnomon_file *files;
    size_t count;
};

/* Reads the file `path` and adds it under `name`. */
enum gnomon_status gnomon_files_add(struct gnomon_files *files, const char *name, const char *path,
                                    struct gnomon_error *error);
bool gnomon_files_has(const struct gnomon_files *files, const char *name);
void gnomon_files_free(struct gnomon_files *files);

/* Bytes to put at the top of main memory; `address` goes to SYSCTL.PARAM. Data of files lies further down, below what
 * is left to the stack. */
struct gnomon_param_block {
    uint32_t address, files_address;
    uint8_t *data, *files;
    size_t size, files_size;
};

/* `end`: first address after the program, which must leave room for the block and a little stack. */
enum gnomon_status gnomon_param_build(const struct gnomon_board *board, uint32_t end, int argc, const char *const *argv,
                                      const struct gnomon_files *inputs, struct gnomon_param_block *block,
                                      struct gnomon_error *error);
/* Numbers from 0 to before `numbers` are taken: no module gets them. */
void gnomon_param_reserve(struct gnomon_param_block *block, uint32_t numbers);
/* Writes it all, with the hart in reset. */
enum gnomon_status gnomon_param_load(const struct gnomon_param_block *block, struct gnomon_device *device,
                                     struct gnomon_error *error);
void gnomon_param_free(struct gnomon_param_block *block);

/* A file that the program wrote; its data is still in the device. */
struct gnomon_output {
    char name[256];
    uint32_t address, size;
};

/* The table of files written by the program, once it has ended. Nothing read from the device is trusted. */
enum gnomon_status gnomon_param_outputs(struct gnomon_device *device, const struct gnomon_board *board,
                                        uint32_t address, struct gnomon_output **outputs, size_t *count,
                                        struct gnomon_error *error);
/* Reads one of them and writes it to `path`. */
enum gnomon_status gnomon_param_fetch(struct gnomon_device *device, const struct gnomon_output *output,
                                      const char *path, struct gnomon_error *error);

#endif
