/* SPDX-License-Identifier: Apache-2.0 */
/* What the user says of functions that need more than usual arguments: a file in TOML (docs/guide/exhaust.md). */
#ifndef GNOMON_CLI_EXHAUST_RECIPE_H
#define GNOMON_CLI_EXHAUST_RECIPE_H

#include <jansson.h>

#include "cli/cli.h"

/* Texts are borrowed from `file`. NULL: it does not say. */
struct exhaust_recipe {
    const char *function;
    bool has_arguments;
    struct cli_list arguments;  /* C expressions */
    const char *before, *after; /* C statements around the call */
    const char *skip;           /* why it is not called */
    const char *values;         /* numbers with commas between them */
};

struct exhaust_recipes {
    json_t *file;
    struct cli_list code; /* C files that come before the calls; paths below the file's folder are whole; owned, each */
    size_t count;
    struct exhaust_recipe *list;
};

/* The caller closes `recipes`, whatever the status is. */
enum gnomon_status exhaust_recipes_read(struct exhaust_recipes *recipes, const char *path, struct gnomon_error *error);
void exhaust_recipes_close(struct exhaust_recipes *recipes);
/* NULL: there is none. */
const struct exhaust_recipe *exhaust_recipe_of(const struct exhaust_recipes *recipes, const char *function);

#endif
