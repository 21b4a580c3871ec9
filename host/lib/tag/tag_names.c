/* SPDX-License-Identifier: Apache-2.0 */
/* Translates source names of C++ and Rust into the linker's names. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/elf/demangle.h"
#include "lib/tag/tag_target.h"

/* A symbol without the compiler's suffix (f.cold, f.constprop.0); NULL: out of memory. */
static char *plain_symbol(const char *symbol) {
    return strndup(symbol, strcspn(symbol, "."));
}

enum match { NONE, WITHOUT_PARAMETERS, WHOLE };

static enum match compare(const char *symbol, const char *name, size_t length) {
    char *readable = gnomon_demangle(symbol);
    enum match match = NONE;
    if (readable && strlen(readable) == length && strncmp(readable, name, length) == 0)
        match = WHOLE;
    else if (readable && gnomon_name_length(readable) == length && strncmp(readable, name, length) == 0)
        match = WITHOUT_PARAMETERS;
    free(readable);
    return match;
}

/* The best match so far, and another match that is as good. */
struct found {
    enum match match;
    char *symbol, *other;
};

static void take(struct found *found, enum match match, char *symbol) {
    if (match < found->match || (match == found->match && found->symbol && strcmp(found->symbol, symbol) == 0)) {
        free(symbol);
    } else if (match == found->match) {
        free(found->other);
        found->other = symbol;
    } else {
        free(found->symbol);
        free(found->other);
        *found = (struct found){match, symbol, NULL};
    }
}

enum gnomon_status gnomon_tag_translate(const struct gnomon_tag_program *program, const char *what, char **symbol,
                                        struct gnomon_error *error) {
    const char *at = strrchr(what, '@');
    size_t length = at ? (size_t)(at - what) : strlen(what);
    struct found found = {NONE, NULL, NULL};
    *symbol = NULL;
    for (size_t i = 0; i < program->symbol_count; i++) {
        char *plain = plain_symbol(program->symbols[i].name);
        if (!plain)
            return gnomon_fail_memory(error);
        enum match match = compare(plain, what, length);
        if (match == NONE)
            free(plain);
        else
            take(&found, match, plain);
    }
    enum gnomon_status status = GNOMON_OK;
    if (found.other) {
        gnomon_fail(error, GNOMON_ERR_ARGUMENT, "%s has several %.*s", program->path, (int)length, what);
        status =
            gnomon_remedy(error, GNOMON_ERR_ARGUMENT, "take the linker's name: %s or %s", found.symbol, found.other);
    } else if (found.symbol && asprintf(symbol, "%s%s", found.symbol, at ? at : "") < 0) {
        *symbol = NULL;
        status = gnomon_fail_memory(error);
    }
    free(found.symbol);
    free(found.other);
    return status;
}
