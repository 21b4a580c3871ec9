/* SPDX-License-Identifier: Apache-2.0 */
/* The command line of gnomon cc: what it asks for, and the arguments for the compiler, which grow from it. */
#ifndef GNOMON_CLI_CC_REQUEST_H
#define GNOMON_CLI_CC_REQUEST_H

#include <stdbool.h>
#include <stddef.h>

#include "cli/cli.h"

/* Starts as zeros, with `links` and `expects_hooks` true. */
struct cc_request {
    char **args; /* arguments for the compiler, owned; ends in NULL */
    size_t count, room;
    bool links;           /* false with -c, -E, -S, -M, -r, and without any input */
    bool relocatable;     /* -r */
    bool own_start_files; /* -nostartfiles, -nostdlib */
    bool own_libraries;   /* -nostdlib, -nodefaultlibs */
    bool own_script;      /* -T */
    bool expects_hooks;   /* no filter is given: an image without any hook is a mistake */
    bool save_restore;    /* -msave-restore was given, and must be undone */
    bool inputs;
    bool off;            /* --gnomon-off */
    bool patchable;      /* --gnomon-patchable */
    const char *profile; /* --gnomon-profile, or NULL */
    const char *records; /* --gnomon-records: the object to link in, or NULL */
    bool module;         /* --gnomon-module */
    bool overlays;       /* --gnomon-overlays */
    bool monitor;        /* --gnomon-monitor */
    bool flash;          /* --gnomon-flash */
    bool heap;           /* --gnomon-heap */
    bool heap_guard;     /* --gnomon-heap=guard */
    bool locks;          /* --gnomon-locks */
    bool freertos;       /* --gnomon-freertos */
    bool harts;          /* --gnomon-harts */
};

/* Adds an argument for the compiler. False: out of memory. */
bool cc_push(struct cc_request *request, const char *arg);
/* Takes ownership of `arg`, also on failure; fails if `arg` is NULL. */
bool cc_push_owned(struct cc_request *request, char *arg);
/* `flags` ends in NULL. */
bool cc_push_all(struct cc_request *request, const char *const *flags);
/* One argument from three texts. */
bool cc_push_joined(struct cc_request *request, const char *a, const char *b, const char *c);
void cc_request_free(struct cc_request *request);

/* The caller frees the result; NULL: out of memory. */
char *cc_join(const char *a, const char *b, const char *c);
bool cc_starts_with(const char *text, const char *prefix);

/* Reads the user's arguments, and adds those that are the compiler's. False: one of our own options is wrong, which the
 * user was told, or out of memory. */
bool cc_request_read(struct cli_context *context, struct cc_request *request);
/* Drops options of other measuring tools, with a warning: with their hooks in the same function, each call would count
 * twice. */
void cc_request_drop_other_ways(struct cli_context *context, struct cc_request *request);

#endif
