/* SPDX-License-Identifier: Apache-2.0 */
/* The program of docs/guide/heap.md that reads what it has freed. */
#include <stdio.h>
#include <stdlib.h>

struct job {
    unsigned number, size;
};
static struct job *latest;

__attribute__((noinline)) static void begin(unsigned number) {
    latest = malloc(sizeof *latest);
    *latest = (struct job){number, 100 * number};
}

__attribute__((noinline)) static void finish(void) {
    free(latest);
}

__attribute__((noinline)) static unsigned done(void) {
    return latest->size; /* of which job? */
}

int main(void) {
    begin(1);
    finish();
    printf("%u bytes done\n", done());
    return 0;
}
