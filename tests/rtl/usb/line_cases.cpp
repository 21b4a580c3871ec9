// SPDX-License-Identifier: Apache-2.0
#include "board.h"

int main() {
    gnomon::common_cases();
    return 0;
}
