/* SPDX-License-Identifier: Apache-2.0 */
/* Finds elements and fields of variables by their types in DWARF. */
#include <ctype.h>
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "lib/tag/tag_target.h"

/* The type of a variable or field, without names and qualifiers. */
static bool type_of(Dwarf_Die *die, Dwarf_Die *type) {
    Dwarf_Attribute attribute;
    return dwarf_formref_die(dwarf_attr_integrate(die, DW_AT_type, &attribute), type) &&
           dwarf_peel_type(type, type) == 0;
}

static bool lies_at(Dwarf_Die *die, uint32_t address) {
    Dwarf_Attribute attribute;
    Dwarf_Op *expression;
    size_t length;
    return dwarf_getlocation(dwarf_attr(die, DW_AT_location, &attribute), &expression, &length) == 0 && length == 1 &&
           expression[0].atom == DW_OP_addr && expression[0].number == address;
}

/* The variable at an address, below `die`, including the variables in functions. */
static bool find_variable(Dwarf_Die *die, uint32_t address, Dwarf_Die *variable) {
    Dwarf_Die child;
    if (dwarf_child(die, &child) != 0)
        return false;
    do {
        int tag = dwarf_tag(&child);
        if (tag == DW_TAG_variable && lies_at(&child, address)) {
            *variable = child;
            return true;
        }
        bool inside = tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block || tag == DW_TAG_namespace;
        if (inside && find_variable(&child, address, variable))
            return true;
    } while (dwarf_siblingof(&child, &child) == 0);
    return false;
}

static bool find_type(const struct gnomon_tag_program *program, uint32_t address, Dwarf_Die *type) {
    Dwarf_CU *unit = NULL;
    Dwarf_Half version;
    uint8_t kind;
    Dwarf_Die die, variable;
    while (program->dwarf && dwarf_get_units(program->dwarf, unit, &unit, &version, &kind, &die, NULL) == 0)
        if (kind == DW_UT_compile && find_variable(&die, address, &variable) && type_of(&variable, type))
            return true;
    return false;
}

/* Number and size in bytes of the elements of an array with one dimension. */
static bool measure_array(Dwarf_Die *array, uint64_t *elements, uint64_t *bytes) {
    Dwarf_Die range;
    Dwarf_Attribute attribute;
    Dwarf_Word size, bound;
    if (dwarf_tag(array) != DW_TAG_array_type || dwarf_child(array, &range) != 0 ||
        dwarf_aggregate_size(array, &size) != 0)
        return false;
    Dwarf_Die further = range;
    if (dwarf_siblingof(&further, &further) == 0)
        return false;
    if (dwarf_formudata(dwarf_attr(&range, DW_AT_upper_bound, &attribute), &bound) == 0)
        *elements = bound + 1;
    else if (dwarf_formudata(dwarf_attr(&range, DW_AT_count, &attribute), elements) != 0)
        return false;
    *bytes = *elements ? size / *elements : 0;
    return *bytes > 0;
}

/* Offset and type of a field in a structure or union; bit fields have no bytes of their own. */
static bool find_field(Dwarf_Die *structure, const char *name, size_t length, uint64_t *offset, Dwarf_Die *type) {
    Dwarf_Die child;
    if (dwarf_child(structure, &child) != 0)
        return false;
    do {
        const char *called = dwarf_diename(&child);
        Dwarf_Attribute attribute;
        Dwarf_Word at = 0;
        if (dwarf_tag(&child) != DW_TAG_member || !called || strlen(called) != length ||
            strncmp(called, name, length) != 0 || dwarf_hasattr(&child, DW_AT_data_bit_offset))
            continue;
        if (dwarf_hasattr(&child, DW_AT_data_member_location) &&
            dwarf_formudata(dwarf_attr(&child, DW_AT_data_member_location, &attribute), &at) != 0)
            return false;
        *offset = at;
        return type_of(&child, type);
    } while (dwarf_siblingof(&child, &child) == 0);
    return false;
}

static enum gnomon_status no_part(const struct gnomon_tag_program *program, const char *why, const char *path,
                                  struct gnomon_error *error) {
    gnomon_fail(error, GNOMON_ERR_NOT_FOUND, "%s: %s %s", program->path, why, path);
    return gnomon_remedy(error, GNOMON_ERR_NOT_FOUND,
                         "parts are [NUMBER] and .FIELD; for others take addresses, 0xADDR-0xEND");
}

enum gnomon_status gnomon_tag_find_part(const struct gnomon_tag_program *program, uint32_t address, const char *path,
                                        uint32_t *start, uint32_t *size, struct gnomon_error *error) {
    Dwarf_Die type;
    if (!find_type(program, address, &type)) {
        gnomon_fail(error, GNOMON_ERR_NOT_FOUND, "%s does not say of what type the variable with %s is", program->path,
                    path);
        return gnomon_remedy(error, GNOMON_ERR_NOT_FOUND, "compile it with -g, or take addresses, 0xADDR-0xEND");
    }
    uint64_t offset = 0, elements = 0, bytes = 0, at = 0;
    while (*path) {
        size_t length = strcspn(path + 1, "[.");
        if (*path == '.') {
            if (!find_field(&type, path + 1, length, &at, &type))
                return no_part(program, "there is no field", path, error);
            offset += at;
        } else {
            char *end;
            uint64_t index = isdigit((unsigned char)path[1]) ? strtoull(path + 1, &end, 0) : UINT64_MAX;
            Dwarf_Attribute attribute;
            if (index == UINT64_MAX || *end != ']' || end + 1 != path + 1 + length ||
                !measure_array(&type, &elements, &bytes) || index >= elements)
                return no_part(program, "there is no element", path, error);
            offset += index * bytes;
            if (!dwarf_formref_die(dwarf_attr_integrate(&type, DW_AT_type, &attribute), &type) ||
                dwarf_peel_type(&type, &type) != 0)
                return no_part(program, "there is no type for", path, error);
        }
        path += 1 + length;
    }
    Dwarf_Word whole;
    if (dwarf_aggregate_size(&type, &whole) != 0 || whole == 0 || offset + whole > UINT32_MAX - address)
        return no_part(program, "there is no size for", path, error);
    *start = address + (uint32_t)offset;
    *size = (uint32_t)whole;
    return GNOMON_OK;
}
