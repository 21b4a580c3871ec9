/* SPDX-License-Identifier: Apache-2.0 */
/* Static functions of one name in two files are two functions.
 *
 * - > main 1
 * main > helper@statics.c 2
 * main > other 3
 * other > helper@statics.2.c 6
 */
#include "matrix.h"

volatile int sink;
int other(int x);

KEEP static int helper(int x) {
    return x * 3 + sink;
}

int main(void) {
    int sum = helper(1) + helper(2);
    for (int i = 0; i < 3; i++)
        sum += other(i);
    return sum == 9 + 0 + 1 + 1 + 2 + 2 + 3 ? 0 : 1;
}
