/* SPDX-License-Identifier: Apache-2.0 */
#include "matrix.h"

int strong(int x);
KEEP int strong(int x) {
    return x + 7 + sink;
}
