/* SPDX-License-Identifier: Apache-2.0 */
#include "greeting.h"

const char *name(void) {
    return "world";
}
