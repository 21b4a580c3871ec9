/* SPDX-License-Identifier: Apache-2.0 */
/* picolibc's fgets drops a last line without a newline. */
#include <stdio.h>

char *fgets(char *restrict line, int size, FILE *restrict stream) {
    int length = 0, c = 0;
    if (size < 1)
        return NULL;
    while (length < size - 1 && c != '\n' && (c = getc(stream)) != EOF)
        line[length++] = (char)c;
    if (length == 0 && c == EOF)
        return NULL;
    line[length] = 0;
    return line;
}
