/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OBJECTS_H
#define OBJECTS_H

#include "matrix.h"

/* COMDAT: both files have a copy, the image has one. */
template <typename T> struct Box {
    T value;
    KEEP T get() const {
        return value + T(sink);
    }
};
template <typename T> KEEP T twice(T x) {
    return T(x + x + T(sink));
}
KEEP inline int shared(int x) {
    return x + 1 + sink;
}

struct Shape {
    virtual ~Shape() = default;
    virtual int area() const = 0;
};
struct Square : Shape {
    int side;
    explicit Square(int s) : side(s) {
    }
    KEEP int area() const override {
        return side * side + sink;
    }
};

namespace one {
int work(int x);
}
namespace two {
int work(int x);
}

#endif
