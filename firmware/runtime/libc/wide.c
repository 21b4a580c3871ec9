/* SPDX-License-Identifier: Apache-2.0 */
/* Wide output, which picolibc lacks. Formats mean the same as in narrow output, so the narrow functions do the work.
 * Streams have no orientation. Widths and precisions count bytes. */
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

/* Converts to multibyte text in memory from malloc. NULL with errno: no memory, or the locale has no such character. */
static char *narrow(const wchar_t *text) {
    const wchar_t *from = text;
    mbstate_t state = {0};
    const size_t length = wcsrtombs(NULL, &from, 0, &state);
    char *bytes = length == (size_t)-1 ? NULL : malloc(length + 1);
    from = text;
    if (bytes)
        wcsrtombs(bytes, &from, length + 1, &state);
    return bytes;
}

int vfwprintf(FILE *restrict stream, const wchar_t *restrict format, va_list list) {
    char *bytes = narrow(format);
    const int length = bytes ? vfprintf(stream, bytes, list) : -1;
    free(bytes);
    return length;
}

int vwprintf(const wchar_t *restrict format, va_list list) {
    return vfwprintf(stdout, format, list);
}

int vswprintf(wchar_t *restrict out, size_t size, const wchar_t *restrict format, va_list list) {
    char *bytes = narrow(format), *text = NULL;
    const int length = bytes ? vasprintf(&text, bytes, list) : -1;
    const char *from = text;
    mbstate_t state = {0};
    const size_t wide = length >= 0 && size ? mbsrtowcs(out, &from, size, &state) : (size_t)-1;
    free(bytes);
    free(text);
    if (wide < size)
        return (int)wide;
    if (size)
        out[size - 1] = 0;
    if (length >= 0)
        errno = EOVERFLOW;
    return -1;
}

int fwprintf(FILE *restrict stream, const wchar_t *restrict format, ...) {
    va_list list;
    va_start(list, format);
    const int length = vfwprintf(stream, format, list);
    va_end(list);
    return length;
}

int wprintf(const wchar_t *restrict format, ...) {
    va_list list;
    va_start(list, format);
    const int length = vfwprintf(stdout, format, list);
    va_end(list);
    return length;
}

int swprintf(wchar_t *restrict out, size_t size, const wchar_t *restrict format, ...) {
    va_list list;
    va_start(list, format);
    const int length = vswprintf(out, size, format, list);
    va_end(list);
    return length;
}

wint_t fputwc(wchar_t character, FILE *stream) {
    char bytes[MB_LEN_MAX];
    mbstate_t state = {0};
    const size_t length = wcrtomb(bytes, character, &state);
    return length == (size_t)-1 || fwrite(bytes, 1, length, stream) != length ? WEOF : (wint_t)character;
}

int fputws(const wchar_t *restrict text, FILE *restrict stream) {
    for (; *text; text++)
        if (fputwc(*text, stream) == WEOF)
            return -1;
    return 0;
}
