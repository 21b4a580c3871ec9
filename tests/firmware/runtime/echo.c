/* SPDX-License-Identifier: Apache-2.0 */
/* Asks and answers, until the input ends (Ctrl-D). */
#include <stdio.h>
#include <string.h>

int main(void) {
    char line[100];
    int count = 0;
    printf("name? ");
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = 0;
        printf("hello %s\nname? ", line);
        count++;
    }
    printf("bye\n");
    return count;
}
