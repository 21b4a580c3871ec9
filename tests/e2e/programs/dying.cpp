// SPDX-License-Identifier: Apache-2.0
// Ways to crash, in C++. usage: dying null|illegal|misaligned|unmapped|nowhere|abort|assert|ebreak|exit
#include <assert.h>
#include <stdlib.h>
#include <string.h>

namespace demo {

struct Base {
    virtual ~Base() {
    }
    virtual int act(int x) = 0;
};

__attribute__((noinline)) void poke(volatile int *place, int x) {
    *place = x;
}

template <typename T> struct Actor : Base {
    T how;
    explicit Actor(T which) : how(which) {
    }
    bool is(const char *which) const {
        return strcmp(how, which) == 0;
    }
    __attribute__((noinline)) int act(int x) override {
        if (is("null"))
            poke(nullptr, x);
        if (is("illegal"))
            __asm__ volatile("unimp");
        if (is("misaligned"))
            poke(reinterpret_cast<volatile int *>(0x10000002), x);
        if (is("unmapped"))
            poke(reinterpret_cast<volatile int *>(0x80000000), x);
        if (is("nowhere"))
            reinterpret_cast<void (*)()>(0x40000000)();
        if (is("abort"))
            abort();
        if (is("assert"))
            assert(x != 4);
        if (is("ebreak"))
            __asm__ volatile("ebreak");
        return x;
    }
};

} // namespace demo

__attribute__((noinline)) static int outer(demo::Base &base, int x) {
    return base.act(x + 1) + 1;
}

// a name in Rust's mangling
extern "C" __attribute__((noinline)) int _RNvC6_123foo3bar(int x);
extern "C" int _RNvC6_123foo3bar(int x) {
    return x * 3;
}

int main(int argc, char **argv) {
    demo::Actor<const char *> actor(argc > 1 ? argv[1] : "exit");
    return outer(actor, _RNvC6_123foo3bar(1));
}
