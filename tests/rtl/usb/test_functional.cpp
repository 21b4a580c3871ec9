// SPDX-License-Identifier: Apache-2.0
#include "bench_board.h"

int main(int argc, char **) {
    if (argc > 1)
        gnomon::speed();
    else
        gnomon::common_cases();
    return 0;
}
