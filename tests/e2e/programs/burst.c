// SPDX-License-Identifier: Apache-2.0
// Events where a device has the least room for them: messages in successive instructions; calls nested deeper than the
// trace FIFO, with messages among their exits; calls while the console uses the bus.
#include <gnomon.h>
#include <stdio.h>

static volatile int one = 1;

static int __attribute__((noipa)) leaf(int n) {
    return n & one;
}

static int __attribute__((noipa)) descend(int n) {
    return n == 0 ? 0 : leaf(n) + descend(n - 1) + one;
}

static int __attribute__((noipa)) tell(int n) {
    GNOMON_VALUE(1, n);
    if (n == 0)
        return 0;
    GNOMON_VALUE(2, n);
    GNOMON_VALUE(3, n);
    GNOMON_VALUE(2, n);
    int result = tell(n - 1);
    GNOMON_VALUE(3, result);
    return result + one;
}

#define FOUR(x)                                                                                                        \
    GNOMON_VALUE(5, x);                                                                                                \
    GNOMON_VALUE(6, x);                                                                                                \
    GNOMON_VALUE(5, x);                                                                                                \
    GNOMON_VALUE(6, x);
#define MANY(x) FOUR(x) FOUR(x) FOUR(x) FOUR(x) FOUR(x) FOUR(x) FOUR(x) FOUR(x)

static void messages(int rounds) {
    for (int i = 0; i < rounds; i++) {
        MANY(i)
        MANY(i)
    }
}

int main(void) {
    int sum = descend(600) + tell(600);
    messages(200);
    for (int i = 0; i < 10; i++) {
        printf("line %d, on its way while the calls go on\n", i);
        for (int j = 0; j < 200; j++)
            sum = leaf(sum);
    }
    printf("%d\n", sum);
    return 0;
}
