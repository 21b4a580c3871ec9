// SPDX-License-Identifier: Apache-2.0
// Pointers to a part of an object, arrays with a count before the first element, and global destructors. Every
// function's name says what each mode of the leak check must find of its blocks (test_leaks.py).
#include <cstdint>

#define KEEP __attribute__((noinline))

struct left {
    virtual ~left() = default;
    volatile int32_t of_left[3] = {};
};
struct right {
    virtual ~right() = default;
    volatile int32_t of_right[2] = {};
};
struct both : left, right {
    ~both() override {
        of_left[0] = 1;
    }
    volatile int32_t own = 0;
};

// Its destructor forgets one block and frees the other.
struct keeper {
    both *volatile forgotten = nullptr, *volatile freed = nullptr;
    ~keeper() {
        forgotten = nullptr;
        delete freed;
        freed = nullptr;
    }
};

static keeper global;
static right *volatile second_base;
static both *volatile elements;
static both *volatile sink;

KEEP static void reached_by_second_base() {
    second_base = new both;
}
KEEP static void reached_behind_count() {
    elements = new both[3];
}
KEEP static void lost_object() {
    sink = new both;
    sink = nullptr;
}
KEEP static void lost_array() {
    sink = new both[2];
    sink = nullptr;
}
KEEP static void lost_at_exit() {
    global.forgotten = new both;
    global.freed = new both;
}

int main() {
    reached_by_second_base();
    reached_behind_count();
    lost_object();
    lost_array();
    lost_at_exit();
    return 0;
}
