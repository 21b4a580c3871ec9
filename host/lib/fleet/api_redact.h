/* SPDX-License-Identifier: Apache-2.0 */
/* What of an API profile may leave the machine that measured it (docs/guide/collect.md): names of programs, functions
 * and modules without their folders, and paths of sources below the folder of their compilation. The collector reduces
 * its profiles to that, and a service takes no others. */
#ifndef GNOMON_LIB_API_REDACT_H
#define GNOMON_LIB_API_REDACT_H

#include "lib/fleet/api_profile.h"
#include "lib/util/error.h"

struct gnomon_api_redaction {
    const char *program;        /* a name in place of the program's file name; NULL: none */
    const char *const *folders; /* in which the compiler ran: what is below one keeps its path below it */
    size_t folder_count;
};

/* The path of a source as it may be sent: relative, and without "..". An absolute one keeps what is below one of the
 * folders; if it is below none, and if a relative one leads out of its folder, the file's name is left. Paths of
 * Windows are taken as such. The caller frees it; NULL: out of memory. */
char *gnomon_api_redact_path(const char *file, const struct gnomon_api_redaction *redaction);

/* A copy that has only what may be sent: it passes gnomon_api_redact_check, if `program` fits. Rows that become the
 * same are added. Functions whose linker's name is made of a path are left out. The caller frees it; NULL: out of
 * memory. */
struct gnomon_api_profile *gnomon_api_redact(const struct gnomon_api_profile *profile,
                                             const struct gnomon_api_redaction *redaction);

/* GNOMON_ERR_FORMAT: the profile has a text that must not be sent; `error` names it, and what it is in. */
enum gnomon_status gnomon_api_redact_check(const struct gnomon_api_profile *profile, struct gnomon_error *error);

/* May this be sent as the name of a program, a module, a scenario or a device? */
bool gnomon_api_redact_name_fits(const char *name);
/* And this as the linker's name of a function? */
bool gnomon_api_redact_function_fits(const char *function);

#endif
