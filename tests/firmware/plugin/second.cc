// SPDX-License-Identifier: Apache-2.0
#include "comdat.h"

NOINLINE int second(Base *base) {
    Box<int> box = {5};
    return box.scaled(2) + Box<int>::shared(7) + base->act(3);
}
