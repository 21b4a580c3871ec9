/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/tag/tag_target.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/util/array.h"
#include "lib/util/file.h"

#define MOST_GROUPS 4 /* files of static symbols of one name that a message lists */

/* ---- Ranges ---- */

bool gnomon_tag_add(struct gnomon_tag_target *target, uint32_t start, uint32_t end) {
    if (!gnomon_array_room(&target->ranges, &target->capacity, target->count + 1, sizeof *target->ranges))
        return false;
    target->ranges[target->count++] = (struct gnomon_tag_range){start, end};
    return true;
}

static int by_start(const void *a, const void *b) {
    const struct gnomon_tag_range *left = a, *right = b;
    return (left->start > right->start) - (left->start < right->start);
}

void gnomon_tag_sort(struct gnomon_tag_target *target) {
    if (target->count == 0)
        return;
    qsort(target->ranges, target->count, sizeof *target->ranges, by_start);
    size_t last = 0;
    for (size_t i = 1; i < target->count; i++) {
        struct gnomon_tag_range *range = &target->ranges[last], *next = &target->ranges[i];
        if (next->start > range->end)
            target->ranges[++last] = *next;
        else if (next->end > range->end)
            range->end = next->end;
    }
    target->count = last + 1;
}

void gnomon_tag_target_free(struct gnomon_tag_target *target) {
    free(target->what);
    free(target->ranges);
    *target = (struct gnomon_tag_target){0};
}

/* Adds the words that hold these bytes. */
static enum gnomon_status add_data(struct gnomon_tag_target *target, uint32_t start, uint32_t end,
                                   struct gnomon_error *error) {
    uint32_t first = start & ~UINT32_C(3), after = ((end - 1) | 3) + 1;
    target->shares_words |= first != start || after != end;
    return gnomon_tag_add(target, first, after) ? GNOMON_OK : gnomon_fail_memory(error);
}

/* ---- Symbols ---- */

/* Is `name` the symbol without the compiler's suffix? f.cold, f.part.0 and f.constprop.0 are f; table.2 is a static
 * variable of a function. */
static bool is_called(const struct gnomon_tag_symbol *symbol, const char *name, size_t length) {
    return strncmp(symbol->name, name, length) == 0 && (!symbol->name[length] || symbol->name[length] == '.');
}

static bool is_exactly(const struct gnomon_tag_symbol *symbol, const char *name, size_t length) {
    return is_called(symbol, name, length) && !symbol->name[length];
}

/* Is it a part of a function (f.cold, f.part.0), and not an entry? Its function jumps to it, or calls it from inlined
 * code. */
static bool is_part(const struct gnomon_tag_symbol *symbol, size_t length) {
    return strstr(symbol->name + length, ".cold") || strstr(symbol->name + length, ".part");
}

static bool same_file(const char *a, const char *b) {
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* The search for a name of functions or of variables, with the file of the local symbol that was chosen. */
struct search {
    const struct gnomon_tag_program *program;
    const char *name;
    size_t length;
    bool data;
    const char *file; /* NULL: the global one */
};

static bool fits(const struct search *search, const struct gnomon_tag_symbol *symbol) {
    return symbol->data == search->data && is_called(symbol, search->name, search->length);
}

/* Notes that a symbol with that name is in this file; NULL: it is global. */
static bool is_in(const struct search *search, const char *file) {
    for (size_t i = 0; i < search->program->symbol_count; i++) {
        const struct gnomon_tag_symbol *symbol = &search->program->symbols[i];
        if (fits(search, symbol) && same_file(symbol->file, file))
            return true;
    }
    return false;
}

static bool is_there(const struct search *search) {
    for (size_t i = 0; i < search->program->symbol_count; i++)
        if (fits(search, &search->program->symbols[i]))
            return true;
    return false;
}

static enum gnomon_status several(const struct search *search, const char *const *files, size_t count,
                                  struct gnomon_error *error) {
    char list[200] = "";
    size_t used = 0;
    for (size_t i = 0; i < count && i < MOST_GROUPS && used < sizeof list; i++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s:%.*s", i ? ", " : "", files[i],
                                 (int)search->length, search->name);
    gnomon_fail(error, GNOMON_ERR_ARGUMENT, "%s has several static %s %.*s", search->program->path,
                search->data ? "variables" : "functions", (int)search->length, search->name);
    return gnomon_remedy(error, GNOMON_ERR_ARGUMENT, "say which by its file: %s%s", list,
                         count > MOST_GROUPS ? ", ..." : "");
}

/* Chooses the global symbol, or else the only local one. GNOMON_ERR_NOT_FOUND without a message: there is none. */
static enum gnomon_status choose(struct search *search, struct gnomon_error *error) {
    const char *files[MOST_GROUPS];
    size_t count = 0;
    search->file = NULL;
    if (is_in(search, NULL))
        return GNOMON_OK;
    for (size_t i = 0; i < search->program->symbol_count; i++) {
        const struct gnomon_tag_symbol *symbol = &search->program->symbols[i];
        bool known = !fits(search, symbol);
        for (size_t n = 0; n < count && n < MOST_GROUPS && !known; n++)
            known = same_file(files[n], symbol->file);
        if (known)
            continue;
        if (count < MOST_GROUPS)
            files[count] = symbol->file;
        count++;
    }
    if (count > 1)
        return several(search, files, count, error);
    search->file = count == 1 ? files[0] : NULL;
    return count == 1 ? GNOMON_OK : GNOMON_ERR_NOT_FOUND;
}

/* Does the symbol belong to the chosen one? Copies that the compiler made of a global function are local. They belong
 * to that function, unless their file has its own function of that name. */
static bool belongs(const struct search *search, const struct gnomon_tag_symbol *symbol) {
    if (!fits(search, symbol))
        return false;
    if (search->file || !symbol->file)
        return same_file(symbol->file, search->file);
    if (search->data || is_exactly(symbol, search->name, search->length))
        return false;
    for (size_t i = 0; i < search->program->symbol_count; i++) {
        const struct gnomon_tag_symbol *other = &search->program->symbols[i];
        if (same_file(other->file, symbol->file) && other->data == search->data &&
            is_exactly(other, search->name, search->length))
            return false;
    }
    return true;
}

static enum gnomon_status check_size(const struct search *search, const struct gnomon_tag_symbol *symbol,
                                     struct gnomon_error *error) {
    if (symbol->size > 0 && symbol->size <= UINT32_MAX - symbol->address)
        return GNOMON_OK;
    gnomon_fail(error, GNOMON_ERR_NOT_FOUND, "%s does not say how long the %s %s is", search->program->path,
                symbol->data ? "variable" : "function", symbol->name);
    return gnomon_remedy(error, GNOMON_ERR_NOT_FOUND, "say where it ends, 0x%08x-END", (unsigned)symbol->address);
}

/* ---- Functions ---- */

enum place { WHOLE, ENTRY, RETURN };

static int32_t sign_extended(uint32_t value, unsigned bits) {
    return (int32_t)(value << (32 - bits)) >> (32 - bits);
}

/* Is it ret, in short or long form, or mret? */
static bool is_return(uint32_t instruction) {
    return instruction == 0x8082 || (instruction & 0xFFFFF) == 0x08067 || instruction == 0x30200073;
}

/* Is it a jump without link to a fixed address (j, c.j)? */
static bool is_jump(uint32_t instruction, unsigned bytes, int32_t *offset) {
    uint32_t i = instruction;
    if (bytes == 4 && (i & 0xFFF) == 0x06F) {
        *offset =
            sign_extended((i >> 31) << 20 | (i >> 12 & 0xFF) << 12 | (i >> 20 & 1) << 11 | (i >> 21 & 0x3FF) << 1, 21);
        return true;
    }
    if (bytes != 2 || (i & 0xE003) != 0xA001)
        return false;
    *offset = sign_extended((i >> 12 & 1) << 11 | (i >> 8 & 1) << 10 | (i >> 9 & 3) << 8 | (i >> 6 & 1) << 7 |
                                (i >> 7 & 1) << 6 | (i >> 2 & 1) << 5 | (i >> 11 & 1) << 4 | (i >> 3 & 7) << 1,
                            12);
    return true;
}

static bool holds(const struct gnomon_tag_target *target, uint32_t address) {
    for (size_t i = 0; i < target->count; i++)
        if (address >= target->ranges[i].start && address < target->ranges[i].end)
            return true;
    return false;
}

/* Replaces the function's code by its returns. */
static enum gnomon_status keep_returns(const struct gnomon_tag_program *program, struct gnomon_tag_target *target,
                                       struct gnomon_error *error) {
    struct gnomon_tag_target returns = {0};
    bool memory = true;
    for (size_t i = 0; i < target->count && memory; i++) {
        uint32_t instruction = 0;
        unsigned bytes = 0;
        for (uint32_t at = target->ranges[i].start; at < target->ranges[i].end && memory; at += bytes) {
            int32_t offset;
            if (!(bytes = gnomon_tag_instruction(program, at, &instruction)))
                break;
            if (is_return(instruction))
                memory = gnomon_tag_add(&returns, at, at + bytes);
            else if (is_jump(instruction, bytes, &offset) && !holds(target, at + (uint32_t)offset))
                target->tail_calls++;
        }
    }
    free(target->ranges);
    target->ranges = returns.ranges;
    target->count = returns.count;
    target->capacity = returns.capacity;
    if (!memory)
        return gnomon_fail_memory(error);
    if (target->count > 0)
        return GNOMON_OK;
    gnomon_fail(error, GNOMON_ERR_NOT_FOUND, "%s: the function has no return instruction%s", target->what,
                target->tail_calls ? ", it ends in other functions" : "");
    return gnomon_remedy(error, GNOMON_ERR_NOT_FOUND,
                         "tag the instruction at its end by its address, 0xADDR; gnomon annotate --asm shows them");
}

static enum gnomon_status add_functions(const struct search *search, enum place place, struct gnomon_tag_target *target,
                                        struct gnomon_error *error) {
    enum gnomon_status status = GNOMON_OK;
    for (size_t i = 0; i < search->program->symbol_count && !status; i++) {
        const struct gnomon_tag_symbol *symbol = &search->program->symbols[i];
        uint32_t instruction, end = symbol->address + symbol->size;
        if (!belongs(search, symbol) || (place == ENTRY && is_part(symbol, search->length)))
            continue;
        if (place == ENTRY)
            end = symbol->address + gnomon_tag_instruction(search->program, symbol->address, &instruction);
        else
            status = check_size(search, symbol, error);
        if (!status && !gnomon_tag_add(target, symbol->address, end))
            status = gnomon_fail_memory(error);
    }
    if (!status)
        gnomon_tag_sort(target);
    return !status && place == RETURN ? keep_returns(search->program, target, error) : status;
}

/* ---- Variables ---- */

static enum gnomon_status add_variables(const struct search *search, const char *part, struct gnomon_tag_target *target,
                                        struct gnomon_error *error) {
    enum gnomon_status status = GNOMON_OK;
    const struct gnomon_tag_symbol *first = NULL;
    for (size_t i = 0; i < search->program->symbol_count && !status; i++) {
        const struct gnomon_tag_symbol *symbol = &search->program->symbols[i];
        if (!belongs(search, symbol) || (first && first->address == symbol->address))
            continue;
        if (first) {
            gnomon_fail(error, GNOMON_ERR_ARGUMENT, "%s has several variables %.*s", search->program->path,
                        (int)search->length, search->name);
            return gnomon_remedy(error, GNOMON_ERR_ARGUMENT, "take the whole name, %s or %s", first->name,
                                 symbol->name);
        }
        first = symbol;
        uint32_t start = symbol->address, size = symbol->size;
        status = check_size(search, symbol, error);
        if (!status && *part)
            status = gnomon_tag_find_part(search->program, symbol->address, part, &start, &size, error);
        if (!status)
            status = add_data(target, start, start + size, error);
    }
    gnomon_tag_sort(target);
    return status;
}

/* ---- Parsing ---- */

static enum gnomon_status nonsense(const char *what, const char *why, struct gnomon_error *error) {
    gnomon_fail(error, GNOMON_ERR_ARGUMENT, "%s: %s", what, why);
    return gnomon_remedy(error, GNOMON_ERR_ARGUMENT,
                         "a tag is for NAME, NAME@entry, NAME@return, FILE:LINE, FILE:LINE-LINE, FILE:NAME, 0xADDR, "
                         "0xADDR-0xEND or hint=N");
}

/* Finds NAME with its suffix; `file`: FILE of a local symbol, or NULL. */
static enum gnomon_status find_name(const struct gnomon_tag_program *program, const char *file, const char *name,
                                    enum gnomon_tag_kind kind, struct gnomon_tag_target *target,
                                    struct gnomon_error *error) {
    static const char *const places[] = {[ENTRY] = "@entry", [RETURN] = "@return"};
    const char *at = strchr(name, '@');
    enum place place = !at ? WHOLE : strcmp(at, places[ENTRY]) == 0 ? ENTRY : RETURN;
    if (at && strcmp(at, places[place]) != 0)
        return nonsense(target->what, "write @entry or @return", error);
    struct search search = {.program = program, .name = name, .length = at ? (size_t)(at - name) : strlen(name)};
    for (int data = 0; data < 2; data++) {
        search.data = data;
        if (data && !is_there(&search)) /* a part (.FIELD) may follow; a symbol's name may contain a full stop */
            search.length = strcspn(name, "[.");
        if ((data && (at || kind == GNOMON_TAG_CODE)) || (!data && kind == GNOMON_TAG_DATA))
            continue;
        enum gnomon_status status = GNOMON_ERR_NOT_FOUND;
        if (!file)
            status = choose(&search, error);
        else if (is_in(&search, file))
            status = GNOMON_OK;
        search.file = file ? file : search.file;
        target->data = data;
        if (!status)
            return data ? add_variables(&search, name + search.length, target, error)
                        : add_functions(&search, place, target, error);
        if (status != GNOMON_ERR_NOT_FOUND)
            return status;
    }
    char wanted[256];
    snprintf(wanted, sizeof wanted, "%.*s", (int)(at ? (size_t)(at - name) : strcspn(name, "[")), name);
    const char *what = at || kind == GNOMON_TAG_CODE ? "function"
                       : kind == GNOMON_TAG_DATA     ? "variable"
                                                     : "function or variable";
    if (!file)
        return gnomon_tag_unknown(program, what, wanted, error);
    gnomon_fail(error, GNOMON_ERR_NOT_FOUND, "%s has no static %s %s of a file %s", program->path, what, wanted, file);
    return gnomon_remedy(
        error, GNOMON_ERR_NOT_FOUND,
        "write global names without a file; actions follow after the last colon: count, each, start=N, "
        "stop=N, toggle=N, ...");
}

static bool parse_number(const char *text, char **end, int base, uint32_t *number) {
    unsigned long long value = isdigit((unsigned char)*text) ? strtoull(text, end, base) : UINT64_MAX;
    *number = (uint32_t)value;
    return value <= UINT32_MAX;
}

static enum gnomon_status find_address(const struct gnomon_tag_program *program, enum gnomon_tag_kind kind,
                                       struct gnomon_tag_target *target, struct gnomon_error *error) {
    char *rest;
    uint32_t start, end, instruction;
    if (!parse_number(target->what, &rest, 0, &start))
        return nonsense(target->what, "no address of 32 bits", error);
    bool single = !*rest;
    if (!single && (*rest != '-' || !parse_number(rest + 1, &rest, 0, &end) || *rest))
        return nonsense(target->what, "no range of addresses, START-END", error);
    if (!single && start >= end)
        return nonsense(target->what, "nothing lies in this range, END is not in it", error);
    bool code = gnomon_tag_is_code(program, start);
    target->data = kind == GNOMON_TAG_DATA || (kind == GNOMON_TAG_EITHER && !code);
    if (single && target->data) { /* the word that holds the address */
        start &= ~UINT32_C(3);
        end = start + 4;
    } else if (single) {
        end = start + (code ? gnomon_tag_instruction(program, start, &instruction) : 2);
    }
    if (target->data)
        return add_data(target, start, end, error);
    if (start % 2)
        return nonsense(target->what, "instructions begin at even addresses", error);
    if (!code || !gnomon_tag_is_code(program, end - 1)) {
        gnomon_fail(error, GNOMON_ERR_NOT_FOUND, "%s: there is no code of %s", target->what, program->path);
        return gnomon_remedy(error, GNOMON_ERR_NOT_FOUND, "leave out \"execute\", or take addresses of a function");
    }
    return gnomon_tag_add(target, start, end) ? GNOMON_OK : gnomon_fail_memory(error);
}

static enum gnomon_status find_hint(struct gnomon_tag_target *target, struct gnomon_error *error) {
    char *end;
    uint32_t number;
    if (!parse_number(strchr(target->what, '=') + 1, &end, 10, &number) || *end || number < 1 ||
        number > GNOMON_TAG_VALUES)
        return nonsense(target->what, "hints have numbers from 1 to 31", error);
    target->hint = number;
    return GNOMON_OK;
}

/* Finds FILE:LINE, FILE:LINE-LINE or FILE:NAME. */
static enum gnomon_status find_in_file(const struct gnomon_tag_program *program, const char *colon,
                                       enum gnomon_tag_kind kind, struct gnomon_tag_target *target,
                                       struct gnomon_error *error) {
    char file[1024], *end = NULL;
    uint32_t first, last;
    if (snprintf(file, sizeof file, "%.*s", (int)(colon - target->what), target->what) >= (int)sizeof file)
        return nonsense(target->what, "the name is too long", error);
    if (!isdigit((unsigned char)colon[1]))
        return find_name(program, gnomon_basename(file), colon + 1, kind, target, error);
    bool good = parse_number(colon + 1, &end, 10, &first);
    last = first;
    if (good && *end == '-')
        good = parse_number(end + 1, &end, 10, &last);
    if (!good || *end || first < 1 || last < first)
        return nonsense(target->what, "no line, and no lines from one to another", error);
    if (kind == GNOMON_TAG_DATA)
        return nonsense(target->what, "lines have instructions; \"read\" and \"write\" are for data", error);
    return gnomon_tag_find_lines(program, file, first, last, target, error);
}

enum gnomon_status gnomon_tag_find(const struct gnomon_tag_program *program, const char *what,
                                   enum gnomon_tag_kind kind, struct gnomon_tag_target *target,
                                   struct gnomon_error *error) {
    *target = (struct gnomon_tag_target){.what = strdup(what)};
    if (!target->what)
        return gnomon_fail_memory(error);
    const char *colon = strrchr(target->what, ':');
    if (strncmp(what, "hint=", 5) == 0)
        return find_hint(target, error);
    char *symbol;
    enum gnomon_status status = gnomon_tag_translate(program, what, &symbol, error);
    if (!status && symbol)
        status = find_name(program, NULL, symbol, kind, target, error);
    if (status || symbol) {
        free(symbol);
        return status;
    }
    if (colon)
        return find_in_file(program, colon, kind, target, error);
    if (isdigit((unsigned char)*what))
        return find_address(program, kind, target, error);
    if (!*what)
        return nonsense("-t", "nothing is named", error);
    return find_name(program, NULL, what, kind, target, error);
}
