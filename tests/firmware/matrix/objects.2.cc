// SPDX-License-Identifier: Apache-2.0
#include "objects.h"

KEEP static int local(int x) {
    return x + 20 + sink;
}

namespace one {
KEEP int work(int x) {
    const Box<int> box{x};
    return box.get() + twice(x * 3);
}
} // namespace one
namespace two {
KEEP int work(int x) {
    return shared(x) + local(x);
}
} // namespace two
