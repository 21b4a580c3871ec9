/* SPDX-License-Identifier: Apache-2.0 */
/* The variables of a program by address, from its symbol table. */
#ifndef GNOMON_LIB_OBJECTS_H
#define GNOMON_LIB_OBJECTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gnomon_object {
    uint32_t address, size; /* size 0: not known */
    char *name;             /* in source form (demangle.h) */
};

struct gnomon_objects {
    size_t count;
    struct gnomon_object *list; /* sorted by address */
};

/* Reads the variables of an ELF file. If it cannot be read, or has no symbols, there are none. False: out of memory. */
bool gnomon_objects_load(struct gnomon_objects *objects, const char *path);
void gnomon_objects_free(struct gnomon_objects *objects);

/* The address of the variable of that name; false: there is none. */
bool gnomon_objects_named(const struct gnomon_objects *objects, const char *name, uint32_t *address);

/* The smallest variable that holds `address`; NULL: none does. */
const struct gnomon_object *gnomon_objects_at(const struct gnomon_objects *objects, uint32_t address);

#endif
