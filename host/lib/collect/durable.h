/* SPDX-License-Identifier: Apache-2.0 */
/* Files that only this user can read, and that are whole also after the machine has lost its power. */
#ifndef GNOMON_LIB_COLLECT_DURABLE_H
#define GNOMON_LIB_COLLECT_DURABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/util/error.h"

/* Writes a file beside its place, lets the disk have it, and renames it: an earlier one survives any failure. Two
 * processes must not write the same file at a time. */
enum gnomon_status gnomon_durable_write(const char *path, const void *data, size_t size, struct gnomon_error *error);
/* Renames within a folder, and lets the disk have that. */
enum gnomon_status gnomon_durable_rename(const char *from, const char *to, struct gnomon_error *error);

/* Makes the folder, and those above it, if they are not there. */
enum gnomon_status gnomon_durable_folder(const char *path, struct gnomon_error *error);
/* The same for the folder of a file. */
enum gnomon_status gnomon_durable_folder_of(const char *path, struct gnomon_error *error);

/* Locks the file, which is made if it is not there, until the descriptor is closed or the process has ended. Returns
 * the descriptor; -1: with `wait` false, that another one has it, or that it cannot be made (errno). */
int gnomon_durable_lock(const char *path, bool wait);

#endif
