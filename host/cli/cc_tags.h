/* SPDX-License-Identifier: Apache-2.0 */
/* Tags that the sources of a program ask for, after it was linked: names and lines become addresses. */
#ifndef GNOMON_CLI_CC_TAGS_H
#define GNOMON_CLI_CC_TAGS_H

#include "cli.h"

/* Replaces what the compiler left in the program `path` (.gnomon.tags.source) by .gnomon.tags; nothing happens to a
 * file without it. What the program has not (inlined, dropped) is left out, with a warning. On error the file is as the
 * linker made it. */
enum gnomon_status cc_tags(const struct cli_context *context, const char *path, struct gnomon_error *error);

#endif
