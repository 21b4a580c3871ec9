/* SPDX-License-Identifier: Apache-2.0 */
/* Recursion: deep, mutual, and with returns at every depth of the stack.
 *
 * - > main 1
 * main > fibonacci 1
 * fibonacci > fibonacci 176
 * main > deep 1
 * deep > deep 400
 * main > ping 1
 * ping > pong 6
 * pong > ping 5
 */
#include "matrix.h"

volatile int sink;

KEEP static int fibonacci(int n) {
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2) + sink;
}
KEEP static int deep(int n) {
    return n == 0 ? 0 : deep(n - 1) + 1 + sink;
}
KEEP static int pong(int n);
KEEP static int ping(int n) {
    return n == 0 ? 0 : pong(n - 1) + 1 + sink;
}
KEEP static int pong(int n) {
    return n == 0 ? 0 : ping(n - 1) + 1 + sink;
}

int main(void) {
    return fibonacci(10) + deep(400) + ping(11) == 55 + 400 + 11 ? 0 : 1;
}
