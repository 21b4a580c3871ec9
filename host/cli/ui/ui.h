/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of `gnomon ui` share. */
#ifndef GNOMON_CLI_UI_H
#define GNOMON_CLI_UI_H

#include "cli/cli.h"
#include "lib/ui/ui.h"

/* True once the user wants to stop. */
bool ui_interrupted(void);

/* Serves the page on loopback until the user stops it; `port` 0: any that is free. Returns the exit status. */
int ui_serve(const struct cli_context *context, struct gnomon_ui *ui, uint64_t port);

#endif
