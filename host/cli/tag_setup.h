/* SPDX-License-Identifier: Apache-2.0 */
/* From `-t WHAT:ACTIONS` to what a device is told: for `gnomon tag` and `gnomon record --tag`. */
#ifndef GNOMON_CLI_TAG_SETUP_H
#define GNOMON_CLI_TAG_SETUP_H

#include "../lib/tags.h"
#include "target.h"

struct tag_setup {
    struct gnomon_tag_program program;
    struct gnomon_tag_list list;
    struct gnomon_tags tags;
    struct gnomon_tag_plan plan; /* of `list`; gnomon_tags_load puts it into the device */
};

/* Everything that can go wrong before the program runs. `metadata`: what the program's source asks for, too. To be
 * closed whatever the status is. */
enum gnomon_status tag_setup_open(struct tag_setup *setup, const struct cli_context *context,
                                  const struct target *target, const struct cli_list *whats, bool metadata,
                                  struct gnomon_error *error);
void tag_setup_close(struct tag_setup *setup); /* also one that is all zeros */

#endif
