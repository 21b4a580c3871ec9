// SPDX-License-Identifier: Apache-2.0
#define NOINLINE __attribute__((noinline, noclone, noipa))

extern "C" volatile int sink;

template <class T> struct Box {
    T value;
    NOINLINE T scaled(T by) {
        return value * by + sink;
    }
    NOINLINE static int shared(int x) {
        return x - sink;
    }
};

struct Base {
    virtual int act(int x) {
        return x + sink;
    }
};
int second(Base *base);
