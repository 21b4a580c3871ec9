/* SPDX-License-Identifier: Apache-2.0 */
/* The parameter block (include/gnomon/param.h): arguments and input files to the program, output files back. */
#ifndef GNOMON_LIB_PARAMETERS_H
#define GNOMON_LIB_PARAMETERS_H

#include "lib/device/board.h"

/* A file with the name that the program uses for it. */
struct gnomon_file {
    char *name;
    char *path; /* path on this machine */
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

/* The bytes for the top of main memory; `address` goes to SYSCTL.PARAM. The data of files lies further down, below the
 * space that is left for the stack. */
struct gnomon_param_block {
    uint32_t address, files_address;
    uint8_t *data, *files;
    size_t size, files_size;
};

/* `end`: the first address after the program. Between the program and the block there must be room for a small stack.
 */
enum gnomon_status gnomon_param_build(const struct gnomon_board *board, uint32_t end, int argc, const char *const *argv,
                                      const struct gnomon_files *inputs, struct gnomon_param_block *block,
                                      struct gnomon_error *error);
/* Copies the data of the files into the block again, after it has changed. */
void gnomon_param_put_files(struct gnomon_param_block *block, const struct gnomon_files *inputs);
/* Reserves the numbers from 0 to before `numbers`: no module gets them. */
void gnomon_param_reserve(struct gnomon_param_block *block, uint32_t numbers);
/* Writes the whole block. The hart must be in reset. */
enum gnomon_status gnomon_param_load(const struct gnomon_param_block *block, struct gnomon_device *device,
                                     struct gnomon_error *error);
void gnomon_param_free(struct gnomon_param_block *block);

/* A file that the program wrote; its data is still in the device. */
struct gnomon_output {
    char name[256];
    uint32_t address, size;
};

/* Reads the table of files that the program has written, after the program has ended. Data from the device is not
 * trusted. */
enum gnomon_status gnomon_param_outputs(struct gnomon_device *device, const struct gnomon_board *board,
                                        uint32_t address, struct gnomon_output **outputs, size_t *count,
                                        struct gnomon_error *error);
/* Reads one output file from the device and writes it to `path`. */
enum gnomon_status gnomon_param_fetch(struct gnomon_device *device, const struct gnomon_output *output,
                                      const char *path, struct gnomon_error *error);

#endif
