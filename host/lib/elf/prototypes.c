/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/elf/prototypes.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/elf/declared.h"
#include "lib/util/array.h"

#define LONGEST 64 /* types that lead to one another */

struct reading {
    struct gnomon_prototypes *prototypes;
    const char *const *headers;
    size_t count;
};

/* ---- Types ---- */

/* A type without the names and qualifiers around it. */
struct stripped {
    Dwarf_Die die;
    bool any;         /* false: void */
    bool constant;    /* const */
    const char *name; /* the outermost name on the way; NULL: it has none */
    bool stream, list;
};

static bool is_qualifier(int tag) {
    return tag == DW_TAG_const_type || tag == DW_TAG_volatile_type || tag == DW_TAG_restrict_type ||
           tag == DW_TAG_typedef || tag == DW_TAG_atomic_type;
}

static void take_name(struct stripped *type) {
    const char *name = dwarf_diename(&type->die);
    if (!type->name)
        type->name = name;
    type->stream |= name && (!strcmp(name, "FILE") || !strcmp(name, "__FILE"));
    type->list |= name && strstr(name, "va_list");
}

static struct stripped strip(Dwarf_Die *of) {
    struct stripped type = {0};
    Dwarf_Attribute attribute;
    Dwarf_Die *found = dwarf_formref_die(dwarf_attr_integrate(of, DW_AT_type, &attribute), &type.die);
    for (unsigned i = 0; found && i < LONGEST; i++) {
        take_name(&type);
        if (!is_qualifier(dwarf_tag(&type.die))) {
            type.any = true;
            break;
        }
        type.constant |= dwarf_tag(&type.die) == DW_TAG_const_type;
        found = dwarf_formref_die(dwarf_attr_integrate(&type.die, DW_AT_type, &attribute), &type.die);
    }
    return type;
}

static bool is_integer(Dwarf_Die *die) {
    Dwarf_Attribute attribute;
    Dwarf_Word encoding = 0;
    if (dwarf_tag(die) == DW_TAG_enumeration_type)
        return true;
    if (dwarf_tag(die) != DW_TAG_base_type ||
        dwarf_formudata(dwarf_attr(die, DW_AT_encoding, &attribute), &encoding) != 0)
        return false;
    return encoding != DW_ATE_float && encoding != DW_ATE_complex_float;
}

static uint32_t size_of(Dwarf_Die *die) {
    Dwarf_Word size;
    return dwarf_aggregate_size(die, &size) == 0 && size <= UINT32_MAX ? (uint32_t)size : 0;
}

static enum gnomon_parameter_kind kind_pointed(struct stripped *to, uint32_t *size) {
    const int tag = to->any ? dwarf_tag(&to->die) : DW_TAG_base_type;
    *size = to->any ? size_of(&to->die) : 1;
    if (to->stream)
        return GNOMON_PARAMETER_STREAM;
    if (tag == DW_TAG_subroutine_type)
        return GNOMON_PARAMETER_CODE;
    if (!to->any || (is_integer(&to->die) && *size <= 1))
        return GNOMON_PARAMETER_BYTES;
    if (is_integer(&to->die))
        return GNOMON_PARAMETER_INTEGERS;
    return *size ? GNOMON_PARAMETER_OBJECT : GNOMON_PARAMETER_OPAQUE;
}

static bool take_type(struct gnomon_parameter *parameter, Dwarf_Die *die) {
    struct stripped type = strip(die);
    const char *name = type.name;
    const int tag = type.any ? dwarf_tag(&type.die) : 0;
    parameter->size = type.any ? size_of(&type.die) : 0;
    if (type.list || !type.any) {
        parameter->kind = GNOMON_PARAMETER_VALUE;
    } else if (tag == DW_TAG_pointer_type || tag == DW_TAG_reference_type) {
        struct stripped to = strip(&type.die);
        parameter->kind = kind_pointed(&to, &parameter->size);
        parameter->constant = to.constant;
        name = name ? name : to.name;
    } else if (is_integer(&type.die)) {
        parameter->kind = GNOMON_PARAMETER_INTEGER;
    } else {
        parameter->kind = tag == DW_TAG_base_type ? GNOMON_PARAMETER_REAL : GNOMON_PARAMETER_VALUE;
    }
    parameter->type = name ? strdup(name) : NULL;
    return !name || parameter->type;
}

/* ---- Functions ---- */

static bool add_parameter(struct gnomon_prototype *prototype, Dwarf_Die *die) {
    const char *name = dwarf_diename(die);
    if (!gnomon_array_room(&prototype->parameters, &prototype->room, prototype->count + 1,
                           sizeof *prototype->parameters))
        return false;
    struct gnomon_parameter *parameter = &prototype->parameters[prototype->count++];
    *parameter = (struct gnomon_parameter){.name = name ? strdup(name) : NULL};
    return take_type(parameter, die) && (!name || parameter->name);
}

static bool take_parameters(struct gnomon_prototype *prototype, Dwarf_Die *function) {
    Dwarf_Die die;
    Dwarf_Off before = 0; /* a damaged file can lead back */
    bool good = true;
    if (dwarf_child(function, &die) != 0)
        return true;
    do {
        before = dwarf_dieoffset(&die);
        if (dwarf_tag(&die) == DW_TAG_formal_parameter)
            good = add_parameter(prototype, &die);
        prototype->variadic |= dwarf_tag(&die) == DW_TAG_unspecified_parameters;
    } while (good && dwarf_siblingof(&die, &die) == 0 && dwarf_dieoffset(&die) > before);
    return good;
}

static bool from_headers(const struct reading *reading, const char *file) {
    for (size_t i = 0; file && i < reading->count; i++)
        if (gnomon_ends_path(file, reading->headers[i]))
            return true;
    return false;
}

static bool add_prototype(const struct reading *reading, Dwarf_Die *die, const char *name) {
    struct gnomon_prototypes *prototypes = reading->prototypes;
    Dwarf_Attribute attribute;
    if (!gnomon_array_room(&prototypes->list, &prototypes->room, prototypes->count + 1, sizeof *prototypes->list))
        return false;
    struct gnomon_prototype *prototype = &prototypes->list[prototypes->count++];
    *prototype =
        (struct gnomon_prototype){.name = strdup(name), .returns = dwarf_attr(die, DW_AT_type, &attribute) != NULL};
    return prototype->name && take_parameters(prototype, die);
}

/* Names of parameters, from a definition that has as many. */
static void take_names(struct gnomon_prototype *to, struct gnomon_prototype *from) {
    for (size_t i = 0; i < to->count && from->count == to->count; i++)
        if (!to->parameters[i].name) {
            to->parameters[i].name = from->parameters[i].name;
            from->parameters[i].name = NULL;
        }
}

static void free_prototype(struct gnomon_prototype *prototype) {
    for (size_t i = 0; i < prototype->count; i++) {
        free(prototype->parameters[i].name);
        free(prototype->parameters[i].type);
    }
    free(prototype->parameters);
    free(prototype->name);
}

/* Goes through the functions of all units: first the declarations, then, with `names`, the definitions. */
static bool take(const struct reading *reading, Dwarf_Die *die, bool names) {
    Dwarf_Attribute attribute;
    const char *linkage = dwarf_formstring(dwarf_attr(die, DW_AT_linkage_name, &attribute));
    const char *name = linkage ? linkage : dwarf_diename(die);
    if (dwarf_tag(die) != DW_TAG_subprogram || !name || !dwarf_hasattr(die, DW_AT_external))
        return true;
    if (!names)
        return !from_headers(reading, dwarf_decl_file(die)) || add_prototype(reading, die, name);
    struct gnomon_prototype *known = (struct gnomon_prototype *)gnomon_prototypes_find(reading->prototypes, name);
    struct gnomon_prototype definition = {0};
    if (!known || dwarf_hasattr(die, DW_AT_declaration))
        return true;
    const bool good = take_parameters(&definition, die);
    take_names(known, &definition);
    free_prototype(&definition);
    return good;
}

static bool take_all(const struct reading *reading, Dwarf *dwarf, bool names) {
    Dwarf_CU *unit = NULL;
    Dwarf_Half version;
    Dwarf_Die parent, die;
    uint8_t type;
    bool good = true;
    while (good && dwarf_get_units(dwarf, unit, &unit, &version, &type, &parent, NULL) == 0) {
        Dwarf_Off before = 0;
        for (bool more = dwarf_child(&parent, &die) == 0; more && good && dwarf_dieoffset(&die) > before;
             more = dwarf_siblingof(&die, &die) == 0) {
            before = dwarf_dieoffset(&die);
            good = take(reading, &die, names);
        }
    }
    return good;
}

static int compare(const void *a, const void *b) {
    return strcmp(((const struct gnomon_prototype *)a)->name, ((const struct gnomon_prototype *)b)->name);
}

static void sort(struct gnomon_prototypes *prototypes) {
    size_t kept = 0;
    if (prototypes->count)
        qsort(prototypes->list, prototypes->count, sizeof *prototypes->list, compare);
    for (size_t i = 0; i < prototypes->count; i++)
        if (!kept || compare(&prototypes->list[i], &prototypes->list[kept - 1]) != 0)
            prototypes->list[kept++] = prototypes->list[i];
        else
            free_prototype(&prototypes->list[i]);
    prototypes->count = kept;
}

/* ---- The file ---- */

enum gnomon_status gnomon_prototypes_read(struct gnomon_prototypes *prototypes, const char *path,
                                          const char *const *headers, size_t count, struct gnomon_error *error) {
    const struct reading reading = {.prototypes = prototypes, .headers = headers, .count = count};
    *prototypes = (struct gnomon_prototypes){0};
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return gnomon_fail_errno(error, GNOMON_ERR_SYSTEM, "cannot open %s", path);
    Dwarf *dwarf = dwarf_begin(fd, DWARF_C_READ);
    bool good = !dwarf || take_all(&reading, dwarf, false);
    sort(prototypes);
    good = good && (!dwarf || take_all(&reading, dwarf, true));
    dwarf_end(dwarf);
    close(fd);
    return good ? GNOMON_OK : gnomon_fail_memory(error);
}

const struct gnomon_prototype *gnomon_prototypes_find(const struct gnomon_prototypes *prototypes, const char *name) {
    size_t from = 0, to = prototypes->count;
    while (from < to) {
        const size_t middle = from + (to - from) / 2;
        const int order = strcmp(name, prototypes->list[middle].name);
        if (!order)
            return &prototypes->list[middle];
        if (order < 0)
            to = middle;
        else
            from = middle + 1;
    }
    return NULL;
}

void gnomon_prototypes_free(struct gnomon_prototypes *prototypes) {
    for (size_t i = 0; i < prototypes->count; i++)
        free_prototype(&prototypes->list[i]);
    free(prototypes->list);
    *prototypes = (struct gnomon_prototypes){0};
}
