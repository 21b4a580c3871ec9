// SPDX-License-Identifier: Apache-2.0
// Inline members in COMDAT groups, emitted by this file and by second.cc.
#include "comdat.h"

extern "C" {
volatile int sink;
}

struct Derived : Base {
    int act(int x) override {
        return Box<int>::shared(x) * 2;
    }
};

int main() {
    Box<int> box = {4};
    Derived derived;
    return box.scaled(3) + Box<int>::shared(2) + second(&derived);
}
