/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of `gnomon collect` share. */
#ifndef GNOMON_CLI_COLLECT_H
#define GNOMON_CLI_COLLECT_H

#include "cli/run/target.h"
#include "lib/collect/sender.h"

struct collect_values {
    struct target_values target;
    const char *join, *token, *scenario, *program, *ca;
    struct cli_list functions, headers;
    uint64_t most, seed, size;
    bool leave, submit, due, status, show, yes, insecure_http;
};

int collect_join(struct cli_context *context);
int collect_leave(struct cli_context *context);
int collect_run(struct cli_context *context);
int collect_submit(struct cli_context *context);
int collect_status(struct cli_context *context);
int collect_show(struct cli_context *context);

/* This host's places, and what it has agreed to. The caller closes it, whatever the status is. */
struct collect_member {
    struct gnomon_collect_places places;
    struct gnomon_collect_settings settings;
};
enum gnomon_status collect_member_open(struct collect_member *member, struct gnomon_error *error);
void collect_member_close(struct collect_member *member);

#endif
