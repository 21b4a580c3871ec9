/* SPDX-License-Identifier: Apache-2.0 */
/* Reading and writing whole files. */
#ifndef GNOMON_LIB_FILE_H
#define GNOMON_LIB_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "lib/util/error.h"

/* The last part of a path. */
const char *gnomon_basename(const char *path);

/* Reads a whole file. The caller frees *data, which has room for a byte more. */
enum gnomon_status gnomon_read_file(const char *path, uint8_t **data, size_t *size, struct gnomon_error *error);
/* The same for what may be a pipe. */
enum gnomon_status gnomon_read_stream(const char *path, uint8_t **data, size_t *size, struct gnomon_error *error);
/* Writes a whole file beside its place and then renames it, so that an earlier file survives any failure. */
enum gnomon_status gnomon_write_file(const char *path, const void *data, size_t size, struct gnomon_error *error);
/* The same for a file that only this user can read, and that is on the disk before it is renamed. */
enum gnomon_status gnomon_write_own_file(const char *path, const void *data, size_t size, struct gnomon_error *error);

#endif
