/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include "greeting.h"

int main(int argc, char **argv) {
    printf("%s, %s\n", GREETING, argc > 1 ? argv[1] : name());
    return 0;
}
