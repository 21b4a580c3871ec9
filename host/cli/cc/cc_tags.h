/* SPDX-License-Identifier: Apache-2.0 */
/* Tags in the sources of a program: after linking, names and lines become addresses. */
#ifndef GNOMON_CLI_CC_TAGS_H
#define GNOMON_CLI_CC_TAGS_H

#include "cli/cli.h"

/* In the program `path`, replaces what the compiler left (.gnomon.tags.source) by .gnomon.tags; a file without the
 * former stays unchanged. Leaves out targets that the program does not have (inlined or dropped code), with a warning.
 * On error the file stays as the linker made it. */
enum gnomon_status cc_tags(const struct cli_context *context, const char *path, struct gnomon_error *error);

#endif
