/* SPDX-License-Identifier: Apache-2.0 */
#include "matrix.h"

int other(int x);

KEEP static int helper(int x) {
    return x + sink;
}

KEEP int other(int x) {
    return helper(x) + helper(x + 1);
}
