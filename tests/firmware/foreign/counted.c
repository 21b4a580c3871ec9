/* SPDX-License-Identifier: Apache-2.0 */
#include "foreign.h"

KEEP static int counted_inner(int x) {
    return x * 5 + sink;
}
KEEP int counted(int x) {
    return counted_inner(x) + back(x);
}
