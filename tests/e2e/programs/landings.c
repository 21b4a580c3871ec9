/* SPDX-License-Identifier: Apache-2.0 */
/* longjmp into one function that can be open several times. Argument: where it comes back to: "once", to a function
 * that calls itself never; "nested", to one that does, whose last activation it is; "outer", to another activation;
 * "calm", to none: setjmp returns once in functions that call themselves. */
#include <setjmp.h>
#include <string.h>

#define KEEP __attribute__((noinline))

static jmp_buf places[8];
static volatile unsigned sum;

KEEP static void add(unsigned rounds) {
    while (rounds--)
        sum++;
}
KEEP static void throws(unsigned depth, unsigned place, unsigned land) {
    add(3);
    if (depth == 0) {
        if (land)
            longjmp(places[place], 1);
        return;
    }
    throws(depth - 1, place, land);
    add(1);
}
KEEP static void once(void) {
    if (setjmp(places[0]) == 0)
        throws(4, 0, 1);
    add(200);
}
KEEP static void catches(unsigned depth, unsigned place, unsigned land) {
    if (setjmp(places[depth]) == 0) {
        if (depth > 0)
            catches(depth - 1, place, land);
        else
            throws(3, place, land);
    }
    add(100);
}

int main(int argc, char **argv) {
    const char *where = argc > 1 ? argv[1] : "once";
    if (strcmp(where, "once") == 0)
        for (unsigned i = 0; i < 5; i++)
            once();
    if (strcmp(where, "nested") == 0)
        catches(3, 0, 1);
    if (strcmp(where, "outer") == 0)
        catches(3, 2, 1);
    if (strcmp(where, "calm") == 0)
        catches(3, 0, 0);
    return 0;
}
