/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

ssize_t getdelim(char **restrict line, size_t *restrict size, int end, FILE *restrict stream) {
    size_t length = 0;
    int c = 0;
    if (!*line)
        *size = 0;
    for (;;) {
        if (length + 1 >= *size) {
            const size_t room = *size ? 2 * *size : 128;
            char *more = realloc(*line, room);
            if (!more) {
                errno = ENOMEM;
                return -1;
            }
            *line = more;
            *size = room;
        }
        if ((length && c == end) || (c = getc(stream)) == EOF)
            break;
        (*line)[length++] = (char)c;
    }
    (*line)[length] = 0;
    return length ? (ssize_t)length : -1;
}

ssize_t getline(char **restrict line, size_t *restrict size, FILE *restrict stream) {
    return getdelim(line, size, '\n', stream);
}
