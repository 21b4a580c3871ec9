// SPDX-License-Identifier: Apache-2.0
// Templates, COMDAT and inline functions of two files, virtual functions, overloads, lambdas, functions of one name in
// two namespaces, constructors of global objects.
//
// - > main 1
// * > Global::Global() 1
// main > Box<int>::get() const 2
// one::work(int) > Box<int>::get() const 1
// main > Box<short>::get() const 1
// main > int twice<int>(int) 1
// one::work(int) > int twice<int>(int) 1
// main > char twice<char>(char) 1
// main > shared(int) 1
// two::work(int) > shared(int) 1
// main > Square::area() const 2
// main > overloaded(int) 1
// main > overloaded(char) 2
// main > one::work(int) 1
// main > two::work(int) 1
// main > local(int)@objects.cc 1
// two::work(int) > local(int)@objects.2.cc 1
// main > main::{lambda(int)#1}::operator()(int) const 2
// main|- > main::{lambda(int)#1}::_FUN(int) 0 ?
// main > Square::Square(int) 2 ?
// main > Square::~Square() 2 ?
// Square::~Square()|main > Shape::~Shape() 2 ?
// Square::Square(int)|main > Shape::Shape() 2 ?
// * > __static_initialization_and_destruction_0(int, int) 1 ?
// - > _GLOBAL__sub_I_sink|_GLOBAL__sub_I_objects.cc 1 ?
#include "objects.h"

volatile int sink;

struct Global {
    int value;
    KEEP Global() : value(3 + sink) {
    }
};
static Global global;

KEEP static int local(int x) {
    return x + 11 + sink;
}
KEEP static int overloaded(int x) {
    return x + sink;
}
KEEP static int overloaded(char x) {
    return x + 1 + sink;
}

int main() {
    const Box<int> box{1};
    const Box<short> small{2};
    int sum = box.get() + box.get() + small.get() + twice(3) + twice('\1') + shared(1);
    const auto lambda = [sum](int x) __attribute__((noinline, noclone, noipa)) {
        return x + sum - sum + sink;
    };
    for (int i = 1; i < 3; i++) {
        const Square square(i);
        const Shape *volatile shape = &square;
        sum += shape->area() + lambda(i) + overloaded(char(i));
    }
    sum += overloaded(5) + one::work(1) + two::work(2) + local(3) + global.value;
    return sum == 14 + 5 + 3 + 5 + 5 + 7 + 25 + 14 + 3 ? 0 : 1;
}
