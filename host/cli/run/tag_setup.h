/* SPDX-License-Identifier: Apache-2.0 */
/* Turns `-t WHAT:ACTIONS` into the settings of a device, for `gnomon tag` and `gnomon record --tag`. */
#ifndef GNOMON_CLI_TAG_SETUP_H
#define GNOMON_CLI_TAG_SETUP_H

#include "cli/run/target.h"
#include "lib/tag/tag_device.h"
#include "lib/tag/tag_module.h"

struct tag_setup {
    struct gnomon_tag_program program;
    struct gnomon_tag_list list;
    struct gnomon_tag_modules modules; /* whose source has tags */
    struct gnomon_tags tags;
    struct gnomon_tag_plan plan; /* plan for `list`; gnomon_tags_load puts it into the device */
};

/* Does everything that can fail before the program runs. `metadata`: also takes the tags in the program's source, and
 * in that of the modules among the files that the program gets. Enters their numbers into these files. `shadow`: where
 * the tags are. The caller closes `setup` whatever status this returns. */
enum gnomon_status tag_setup_open(struct tag_setup *setup, const struct cli_context *context, struct target *target,
                                  const struct cli_list *names, const struct cli_list *thresholds, bool metadata,
                                  enum gnomon_tag_shadow shadow, struct gnomon_error *error);
void tag_setup_close(struct tag_setup *setup); /* also takes a `setup` that is all zeros */

#endif
