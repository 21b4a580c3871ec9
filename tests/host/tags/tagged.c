/* SPDX-License-Identifier: Apache-2.0 */
/* One of each kind that can have a tag; the program is resolved, never run. */
struct point {
    int x, y;
    short values[6];
    unsigned flag : 3;
};

struct point points[4];
int single, table[5], matrix[2][3];
static char letters[6] = "abcde";
volatile int sink;

static int shared_name(int value) {
    static int calls; /* the symbol is calls.0 or similar */
    return value + ++calls;
}

int other_file(int value);

__attribute__((noinline)) static int twice(int value) {
    if (value == 3)
        return 7;
    sink = value;
    return value * 2;
}

__attribute__((noinline)) int tail(int value) {
    sink = value;
    return twice(value + 1);
}

__attribute__((noinline)) int several_returns(int value) {
    if (value > 100) {
        sink = 1;
        return 3;
    }
    sink = 2;
    if (value > 50)
        return sink + 1;
    sink = value;
    return sink;
}

__attribute__((noreturn, noinline)) void never(void) {
    for (;;)
        sink = 0;
}

int _start(int value) {
    points[1].y = shared_name(value);
    letters[value & 3] = 'x';
    table[2] = other_file(value) + tail(value);
    for (int i = 0; i < 5; i++)
        single += table[i] + letters[i];
    if (several_returns(single) == 7)
        never();
    return matrix[1][1];
}
