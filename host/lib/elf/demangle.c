/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/elf/demangle.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define HASH_DIGITS 16
#define HASH_BYTES 19 /* "::h" and the digits */

/* From the C++ runtime library (Itanium C++ ABI, 3.4). */
extern char *__cxa_demangle(const char *symbol, char *buffer, size_t *size, int *status);

/* Does the name end in "::h" and 16 hexadecimal digits? Names of legacy Rust do, C++ names do not. */
static bool has_hash(const char *name, size_t length) {
    if (length <= HASH_BYTES || strncmp(name + length - HASH_BYTES, "::h", 3) != 0)
        return false;
    for (size_t i = length - HASH_DIGITS; i < length; i++)
        if (!isxdigit((unsigned char)name[i]))
            return false;
    return true;
}

/* Decodes one escape. Legacy Rust writes characters that C++ identifiers cannot hold as $XX$, and "::" within types as
 * "..". */
static size_t unescape_one(const char *at, char *character) {
    static const struct {
        const char *escape;
        char character;
    } escapes[] = {{"$SP$", '@'}, {"$BP$", '*'}, {"$RF$", '&'}, {"$LT$", '<'},
                   {"$GT$", '>'}, {"$LP$", '('}, {"$RP$", ')'}, {"$C$", ','}};
    for (size_t i = 0; i < sizeof escapes / sizeof *escapes; i++) {
        size_t length = strlen(escapes[i].escape);
        if (strncmp(at, escapes[i].escape, length) == 0) {
            *character = escapes[i].character;
            return length;
        }
    }
    char *end;
    unsigned long code = at[1] == 'u' && isxdigit((unsigned char)at[2]) ? strtoul(at + 2, &end, 16) : 0;
    if (code < 0x20 || code > 0x7E || *end != '$')
        return 0;
    *character = (char)code;
    return (size_t)(end - at) + 1;
}

/* Decodes all escapes in place: the output is never longer than the input. */
static void unescape(char *name) {
    char *to = name;
    for (const char *at = name; *at;) {
        char character = *at;
        size_t length = *at == '$' ? unescape_one(at, &character) : 0;
        if (length) {
            *to++ = character;
            at += length;
        } else if (at[0] == '.' && at[1] == '.') {
            *to++ = ':';
            *to++ = ':';
            at += 2;
        } else if (at[0] == '_' && at[1] == '$' && (at == name || at[-1] == ':')) {
            at++; /* a path element may not begin with an escape */
        } else {
            *to++ = *at++;
        }
    }
    *to = '\0';
}

static bool is_cpp(const char *symbol) {
    return strncmp(symbol, "_Z", 2) == 0 || strncmp(symbol, "__Z", 3) == 0;
}

char *gnomon_demangle(const char *symbol) {
    if (strnlen(symbol, GNOMON_MOST_SYMBOL + 1) > GNOMON_MOST_SYMBOL)
        return NULL;
    if (strncmp(symbol, "_R", 2) == 0)
        return gnomon_demangle_rust(symbol);
    int status = 0;
    char *name = is_cpp(symbol) ? __cxa_demangle(symbol, NULL, NULL, &status) : NULL;
    size_t length = name ? strlen(name) : 0;
    if (has_hash(name, length)) {
        name[length - HASH_BYTES] = '\0';
        unescape(name);
    }
    return name;
}

size_t gnomon_name_length(const char *name) {
    const char *end = strrchr(name, ')');
    if (!end || (end[1] && strcmp(end + 1, " const") != 0 && strncmp(end + 1, " [clone", 7) != 0))
        return 0;
    unsigned depth = 0;
    for (const char *at = end; at > name; at--) {
        depth += *at == ')';
        if (*at == '(' && --depth == 0)
            return (size_t)(at - name);
    }
    return 0;
}
