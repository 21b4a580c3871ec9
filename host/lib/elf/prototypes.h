/* SPDX-License-Identifier: Apache-2.0 */
/* The parameters of functions that headers declare, from a program's debug information: of each what can be passed. */
#ifndef GNOMON_LIB_PROTOTYPES_H
#define GNOMON_LIB_PROTOTYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/util/error.h"

enum gnomon_parameter_kind {
    GNOMON_PARAMETER_INTEGER, /* also bool, characters and enumerations */
    GNOMON_PARAMETER_REAL,
    GNOMON_PARAMETER_BYTES,    /* points to bytes, or to void */
    GNOMON_PARAMETER_INTEGERS, /* points to integers of more than a byte; `size` is that of one */
    GNOMON_PARAMETER_OBJECT,   /* points to something else of `size` bytes */
    GNOMON_PARAMETER_OPAQUE,   /* points to a type that the header does not describe */
    GNOMON_PARAMETER_CODE,     /* points to a function */
    GNOMON_PARAMETER_STREAM,   /* points to a FILE */
    GNOMON_PARAMETER_VALUE,    /* a structure, a union, or a list of arguments */
};

struct gnomon_parameter {
    enum gnomon_parameter_kind kind;
    bool constant; /* what it points to */
    uint32_t size;
    char *name; /* owned; NULL: not known */
    char *type; /* name of a type on the way to what it points to, or is; owned; NULL: there is none */
};

struct gnomon_prototype {
    char *name; /* the linker's; owned */
    bool returns, variadic;
    size_t count, room;
    struct gnomon_parameter *parameters;
};

struct gnomon_prototypes {
    size_t count, room;
    struct gnomon_prototype *list; /* by name, each once */
};

/* The functions that these headers declare, as in gnomon_declared_read. Only functions that the program names have
 * declarations there. Names of parameters come from the definitions, if these have debug information. The caller frees
 * `prototypes`, whatever the status is. */
enum gnomon_status gnomon_prototypes_read(struct gnomon_prototypes *prototypes, const char *path,
                                          const char *const *headers, size_t count, struct gnomon_error *error);
/* NULL: there is none of that name. */
const struct gnomon_prototype *gnomon_prototypes_find(const struct gnomon_prototypes *prototypes, const char *name);
void gnomon_prototypes_free(struct gnomon_prototypes *prototypes);

#endif
