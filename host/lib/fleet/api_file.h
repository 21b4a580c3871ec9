/* SPDX-License-Identifier: Apache-2.0 */
/* API profiles as files, *.gnp (docs/reference/gnp.md). Equal profiles are equal files, byte for byte. */
#ifndef GNOMON_LIB_API_FILE_H
#define GNOMON_LIB_API_FILE_H

#include "lib/fleet/api_profile.h"
#include "lib/util/error.h"

/* Does a file that begins with these bytes claim to be an API profile? */
bool gnomon_api_file_is(const void *data, size_t size);

/* Adds what the file has to the profile. `name` is for messages. After a failure the profile may have a part of it. */
enum gnomon_status gnomon_api_file_read(struct gnomon_api_profile *profile, const void *data, size_t size,
                                        const char *name, struct gnomon_error *error);

/* Adds the profile at `path`, which may be a pipe. *is_profile false: it is another kind of file, and nothing was
 * added; a pipe of another kind is an error. */
enum gnomon_status gnomon_api_file_add(struct gnomon_api_profile *profile, const char *path, bool *is_profile,
                                       struct gnomon_error *error);

/* The same where any other kind of file is an error. */
enum gnomon_status gnomon_api_file_need(struct gnomon_api_profile *profile, const char *path,
                                        struct gnomon_error *error);

/* *data is the caller's to free. */
enum gnomon_status gnomon_api_file_write(const struct gnomon_api_profile *profile, uint8_t **data, size_t *size,
                                         struct gnomon_error *error);

/* The same to a file, which appears when it is whole; "-" is standard output. */
enum gnomon_status gnomon_api_file_save(const struct gnomon_api_profile *profile, const char *path,
                                        struct gnomon_error *error);

#endif
