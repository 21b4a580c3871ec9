/* SPDX-License-Identifier: Apache-2.0 */
/* Rust's symbol mangling v0 (RFC 2603), as rustc's own tools print it without hashes. */
#include <ctype.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/elf/demangle.h"

#define MOST_DEPTH 128       /* nesting depth, including back references */
#define MOST_STEPS 16384     /* paths and types in total: back references can repeat each other */
#define MOST_TEXT 8192       /* characters of the result */
#define MOST_LIFETIMES 65536 /* lifetimes bound at one time */

struct rust {
    const char *text; /* after "_R" */
    size_t length, at;
    char *out;
    size_t used;
    unsigned depth, steps, silent;
    uint64_t lifetimes; /* bound so far */
    bool failed;
};

struct name {
    const char *text;
    size_t length;
    bool punycode;
};

static void fail(struct rust *rust) {
    rust->failed = true;
}

__attribute__((format(printf, 2, 3))) static void put(struct rust *rust, const char *format, ...) {
    if (rust->silent || rust->failed)
        return;
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(rust->out + rust->used, MOST_TEXT - rust->used, format, arguments);
    va_end(arguments);
    if (length < 0 || (size_t)length >= MOST_TEXT - rust->used)
        fail(rust);
    else
        rust->used += (size_t)length;
}

/* ---- Letters and numbers ---- */

static char peek(const struct rust *rust) {
    return !rust->failed && rust->at < rust->length ? rust->text[rust->at] : '\0';
}

static char next(struct rust *rust) {
    char letter = peek(rust);
    if (letter)
        rust->at++;
    else
        fail(rust);
    return letter;
}

static bool take(struct rust *rust, char letter) {
    bool there = peek(rust) == letter;
    rust->at += there;
    return there;
}

/* "_" is 0, "0_" is 1, ... */
static uint64_t base62(struct rust *rust) {
    uint64_t value = 0;
    if (take(rust, '_'))
        return 0;
    while (!rust->failed && !take(rust, '_')) {
        char letter = next(rust);
        unsigned digit = isdigit((unsigned char)letter)   ? (unsigned)(letter - '0')
                         : islower((unsigned char)letter) ? (unsigned)(letter - 'a') + 10
                         : isupper((unsigned char)letter) ? (unsigned)(letter - 'A') + 36
                                                          : 62;
        if (digit == 62 || __builtin_mul_overflow(value, 62, &value) || __builtin_add_overflow(value, digit, &value))
            fail(rust);
    }
    if (value == UINT64_MAX)
        fail(rust);
    return value + 1;
}

/* A number after `letter`; 0: the letter does not follow. */
static uint64_t optional(struct rust *rust, char letter) {
    uint64_t value = take(rust, letter) ? base62(rust) : UINT64_MAX;
    return value + 1;
}

static struct name identifier(struct rust *rust) {
    struct name name = {.punycode = take(rust, 'u')};
    size_t length = 0;
    if (!isdigit((unsigned char)peek(rust)))
        fail(rust);
    if (!take(rust, '0'))
        while (isdigit((unsigned char)peek(rust)) && length <= rust->length)
            length = 10 * length + (size_t)(next(rust) - '0');
    take(rust, '_');
    if (rust->failed || length > rust->length - rust->at) {
        fail(rust);
        return (struct name){0};
    }
    name.text = rust->text + rust->at;
    name.length = length;
    rust->at += length;
    return name;
}

static void put_name(struct rust *rust, const struct name *name) {
    put(rust, name->punycode ? "punycode{%.*s}" : "%.*s", (int)name->length, name->text ? name->text : "");
}

/* ---- Paths and types ---- */

static void path(struct rust *rust, bool value);
static void type(struct rust *rust);
static void constant(struct rust *rust);

/* Counts nesting. Call it before anything that can nest, and leave() after it. */
static bool enter(struct rust *rust) {
    if (++rust->depth > MOST_DEPTH || ++rust->steps > MOST_STEPS)
        fail(rust);
    return !rust->failed;
}

static void leave(struct rust *rust) {
    rust->depth--;
}

typedef void part_function(struct rust *rust);

static void value_path(struct rust *rust) {
    path(rust, true);
}

static void type_path(struct rust *rust) {
    path(rust, false);
}

/* Follows a back reference, which must be to an earlier position. Nothing is followed when output is off. */
static void refer(struct rust *rust, part_function *function) {
    size_t start = rust->at - 1;
    uint64_t target = base62(rust);
    if (rust->failed || target >= start) {
        fail(rust);
        return;
    }
    if (rust->silent)
        return;
    size_t back = rust->at;
    rust->at = (size_t)target;
    function(rust);
    rust->at = back;
}

static void lifetime(struct rust *rust, uint64_t index) {
    if (index == 0) {
        put(rust, "'_");
        return;
    }
    if (index > rust->lifetimes) {
        fail(rust);
        return;
    }
    uint64_t depth = rust->lifetimes - index;
    if (depth < 26)
        put(rust, "'%c", (char)('a' + depth));
    else
        put(rust, "'_%llu", (unsigned long long)depth);
}

/* Reads for<'a, 'b> and returns the number of bound lifetimes. */
static uint64_t binder(struct rust *rust) {
    uint64_t count = optional(rust, 'G');
    if (count == 0 || rust->failed)
        return 0;
    if (count > MOST_LIFETIMES - rust->lifetimes) {
        fail(rust);
        return 0;
    }
    put(rust, "for<");
    for (uint64_t i = 0; i < count && !rust->failed; i++) {
        put(rust, i ? ", " : "");
        rust->lifetimes++;
        lifetime(rust, 1);
    }
    put(rust, "> ");
    return count;
}

static void generic_argument(struct rust *rust) {
    if (take(rust, 'L'))
        lifetime(rust, base62(rust));
    else if (take(rust, 'K'))
        constant(rust);
    else
        type(rust);
}

/* Prints parts up to "E" and returns their number. */
static size_t list(struct rust *rust, part_function *function, const char *between) {
    size_t count = 0;
    while (!rust->failed && !take(rust, 'E')) {
        put(rust, "%s", count ? between : "");
        function(rust);
        count++;
    }
    return count;
}

/* Skips the place of an implementation, which is not printed. */
static void skip_place(struct rust *rust) {
    rust->silent++;
    optional(rust, 's');
    path(rust, false);
    rust->silent--;
}

static void nested(struct rust *rust, bool value) {
    char space = next(rust);
    path(rust, value);
    uint64_t number = optional(rust, 's');
    struct name name = identifier(rust);
    if (isupper((unsigned char)space)) {
        put(rust, "::{");
        if (space == 'C' || space == 'S')
            put(rust, space == 'C' ? "closure" : "shim");
        else
            put(rust, "%c", space);
        put(rust, name.length ? ":" : "");
        put_name(rust, &name);
        put(rust, "#%llu}", (unsigned long long)number);
    } else if (name.length) {
        put(rust, "::");
        put_name(rust, &name);
    }
}

/* <TYPE>, <TYPE as TRAIT> */
static void implementation(struct rust *rust, bool of_trait) {
    put(rust, "<");
    type(rust);
    if (of_trait) {
        put(rust, " as ");
        path(rust, false);
    }
    put(rust, ">");
}

/* `value`: a function's path, where generics come after "::". `open`: the caller writes ">"; the result says whether it
 * must. */
static bool path_and(struct rust *rust, bool value, bool open) {
    bool opened = false;
    char kind = enter(rust) ? next(rust) : '\0';
    struct name name;
    switch (kind) {
    case 'C':
        optional(rust, 's');
        name = identifier(rust);
        put_name(rust, &name);
        break;
    case 'N':
        nested(rust, value);
        break;
    case 'M':
    case 'X':
        skip_place(rust);
        implementation(rust, kind == 'X');
        break;
    case 'Y':
        implementation(rust, true);
        break;
    case 'I':
        path(rust, value);
        put(rust, value ? "::<" : "<");
        list(rust, generic_argument, ", ");
        opened = open;
        put(rust, open ? "" : ">");
        break;
    case 'B':
        refer(rust, value ? value_path : type_path);
        break;
    default:
        fail(rust);
    }
    leave(rust);
    return opened;
}

static void path(struct rust *rust, bool value) {
    path_and(rust, value, false);
}

static const char *basic_type(char letter) {
    static const char *const names[26] = {
        ['a' - 'a'] = "i8",  ['b' - 'a'] = "bool", ['c' - 'a'] = "char",  ['d' - 'a'] = "f64",   ['e' - 'a'] = "str",
        ['f' - 'a'] = "f32", ['h' - 'a'] = "u8",   ['i' - 'a'] = "isize", ['j' - 'a'] = "usize", ['l' - 'a'] = "i32",
        ['m' - 'a'] = "u32", ['n' - 'a'] = "i128", ['o' - 'a'] = "u128",  ['p' - 'a'] = "_",     ['s' - 'a'] = "i16",
        ['t' - 'a'] = "u16", ['u' - 'a'] = "()",   ['v' - 'a'] = "...",   ['x' - 'a'] = "i64",   ['y' - 'a'] = "u64",
        ['z' - 'a'] = "!",
    };
    return islower((unsigned char)letter) ? names[letter - 'a'] : NULL;
}

static void reference(struct rust *rust, bool mutable) {
    put(rust, "&");
    if (take(rust, 'L')) {
        uint64_t index = base62(rust);
        if (index) {
            lifetime(rust, index);
            put(rust, " ");
        }
    }
    put(rust, mutable ? "mut " : "");
    type(rust);
}

static void function_type(struct rust *rust) {
    uint64_t bound = binder(rust);
    put(rust, take(rust, 'U') ? "unsafe " : "");
    if (take(rust, 'K')) {
        struct name abi = {"C", 1, false};
        if (!take(rust, 'C'))
            abi = identifier(rust);
        put(rust, "extern \"");
        for (size_t i = 0; i < abi.length; i++)
            put(rust, "%c", abi.text[i] == '_' ? '-' : abi.text[i]);
        put(rust, "\" ");
    }
    put(rust, "fn(");
    list(rust, type, ", ");
    put(rust, ")");
    if (!take(rust, 'u')) {
        put(rust, " -> ");
        type(rust);
    }
    rust->lifetimes -= bound;
}

/* Trait<A, Item = B> */
static void dyn_trait(struct rust *rust) {
    bool open = path_and(rust, false, true);
    while (take(rust, 'p')) {
        put(rust, open ? ", " : "<");
        open = true;
        struct name name = identifier(rust);
        put_name(rust, &name);
        put(rust, " = ");
        type(rust);
    }
    put(rust, open ? ">" : "");
}

static void dyn_type(struct rust *rust) {
    put(rust, "dyn ");
    uint64_t bound = binder(rust);
    list(rust, dyn_trait, " + ");
    rust->lifetimes -= bound;
    if (!take(rust, 'L')) {
        fail(rust);
        return;
    }
    uint64_t index = base62(rust);
    if (index) {
        put(rust, " + ");
        lifetime(rust, index);
    }
}

static void array_type(struct rust *rust, bool sized) {
    put(rust, "[");
    type(rust);
    if (sized) {
        put(rust, "; ");
        constant(rust);
    }
    put(rust, "]");
}

static void type_of_kind(struct rust *rust, char kind) {
    switch (kind) {
    case 'A':
    case 'S':
        array_type(rust, kind == 'A');
        break;
    case 'T':
        put(rust, "(");
        put(rust, list(rust, type, ", ") == 1 ? ",)" : ")");
        break;
    case 'R':
    case 'Q':
        reference(rust, kind == 'Q');
        break;
    case 'P':
    case 'O':
        put(rust, kind == 'P' ? "*const " : "*mut ");
        type(rust);
        break;
    case 'F':
        function_type(rust);
        break;
    case 'D':
        dyn_type(rust);
        break;
    case 'B':
        refer(rust, type);
        break;
    default:
        rust->at--;
        path(rust, false);
    }
}

static void type(struct rust *rust) {
    char kind = enter(rust) ? next(rust) : '\0';
    const char *basic = basic_type(kind);
    if (basic)
        put(rust, "%s", basic);
    else if (kind)
        type_of_kind(rust, kind);
    leave(rust);
}

/* ---- Constants ---- */

static void put_number(struct rust *rust, bool negative, const char *digits, size_t count) {
    uint64_t value = 0;
    put(rust, negative ? "-" : "");
    for (size_t i = 0; i < count && count <= 16; i++)
        value = value << 4 | (uint64_t)(digits[i] <= '9' ? digits[i] - '0' : digits[i] - 'a' + 10);
    if (count <= 16)
        put(rust, "%llu", (unsigned long long)value);
    else
        put(rust, "0x%.*s", (int)count, digits);
}

static void put_letter(struct rust *rust, const char *digits, size_t count) {
    unsigned long code = count <= 6 ? strtoul(digits, NULL, 16) : 0x110000;
    if (code > 0x10FFFF)
        fail(rust);
    else if (code >= 0x20 && code < 0x7F)
        put(rust, "'%c'", (char)code);
    else
        put(rust, "'\\u{%lx}'", code);
}

static void constant(struct rust *rust) {
    char kind = enter(rust) ? next(rust) : '\0';
    if (kind == 'B') {
        refer(rust, constant);
    } else if (kind == 'p') {
        put(rust, "_");
    } else if (kind && strchr("ahbcijlmnostxy", kind)) {
        bool negative = take(rust, 'n');
        const char *digits = rust->text + rust->at;
        size_t count = 0;
        while (isdigit((unsigned char)peek(rust)) || (peek(rust) >= 'a' && peek(rust) <= 'f')) {
            rust->at++;
            count++;
        }
        if (next(rust) != '_')
            fail(rust);
        else if (kind == 'b')
            put(rust, count == 1 && *digits == '1' ? "true" : "false");
        else if (kind == 'c')
            put_letter(rust, digits, count);
        else
            put_number(rust, negative, digits, count);
    } else {
        fail(rust); /* constants of structures: no compiler makes them for functions of stable Rust */
    }
    leave(rust);
}

/* ---- Symbols ---- */

/* Length of the name, without a suffix of the compiler such as ".llvm.123". Any other text after it means that this is
 * no v0 name. */
static size_t name_length(const char *text) {
    size_t length = 0;
    while (isalnum((unsigned char)text[length]) || text[length] == '_')
        length++;
    return !text[length] || text[length] == '.' || text[length] == '$' ? length : 0;
}

char *gnomon_demangle_rust(const char *symbol) {
    if (strncmp(symbol, "_R", 2) != 0 || !isupper((unsigned char)symbol[2]))
        return NULL;
    struct rust rust = {.text = symbol + 2, .length = name_length(symbol + 2), .out = malloc(MOST_TEXT)};
    if (!rust.out)
        return NULL;
    rust.out[0] = '\0';
    path(&rust, true);
    if (!rust.failed && rust.at < rust.length) { /* the crate that instantiated the function */
        rust.silent++;
        path(&rust, false);
    }
    if (rust.failed || rust.at < rust.length || rust.used == 0) {
        free(rust.out);
        return NULL;
    }
    char *result = realloc(rust.out, rust.used + 1);
    return result ? result : rust.out;
}
