/* SPDX-License-Identifier: Apache-2.0 */
/* Prints the TOML file on standard input as JSON, or the error, with exit status 1. */
#include <stdio.h>
#include <stdlib.h>

#include "lib/util/toml.h"

int main(void) {
    static char text[1 << 20];
    struct gnomon_error error;
    json_t *root = NULL;
    text[fread(text, 1, sizeof text - 1, stdin)] = '\0';
    if (gnomon_toml_read(&root, text, "input", &error)) {
        printf("%s\n", error.what);
        return 1;
    }
    json_dumpf(root, stdout, 0);
    json_decref(root);
    return 0;
}
