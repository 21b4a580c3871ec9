/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that are never called: the linker drops them and their numbers if each has a section of its own. Aliases
 * and weak functions; callbacks from a library without hooks.
 *
 * - > main 1
 * main > used|other_name 2
 * main > strong 1
 * main > compare 3
 * dropped never never_either
 */
#include <stdlib.h>

#include "matrix.h"

volatile int sink;

KEEP int never(int x) {
    return x + sink;
}
KEEP int never_either(int x) {
    return never(x) + 1;
}
KEEP int used(int x) {
    return x * 2 + sink;
}
int other_name(int x) __attribute__((alias("used")));
int strong(int x);
KEEP static int compare(const void *left, const void *right) {
    const int a = *(const int *)left, b = *(const int *)right;
    return (a > b) - (a < b);
}

int main(void) {
    int numbers[] = {3, 2, 1, 0};
    const int key = 2;
    static const int sorted[] = {0, 1, 2, 3, 4, 5, 6};
    sink = 0;
    int found = bsearch(&key, sorted, 7, sizeof *sorted, compare) == &sorted[2];
    return used(numbers[0]) + other_name(numbers[1]) + strong(1) + found == 6 + 4 + 8 + 1 ? 0 : 1;
}
