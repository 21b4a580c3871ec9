/* SPDX-License-Identifier: Apache-2.0 */
/* More output than any buffer holds, at full speed, with the line number in each line, so that a lost byte shows. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { BLOCK = 10000 };

int main(void) {
    static char block[BLOCK];
    char line[80];
    memset(line, '.', sizeof line);
    for (int i = 0; i < 200; i++) {
        printf("%06d ", i);
        fwrite(line, 1, (size_t)(i % 50), stdout);
        putchar('\n');
        if (i % 50 == 0)
            fprintf(stderr, "stderr %d\n", i);
    }
    fflush(stdout);
    for (int i = 0; i < BLOCK; i++)
        block[i] = i % 100 == 99 ? '\n' : (char)('a' + i % 23);
    write(1, block, BLOCK); /* faster than USB carries it */
    write(1, "no newline at the end", 21);
    printf(" and %5.3f, %lld, %s", 3.14159, 123456789012345LL, "text");
    return 0;
}
