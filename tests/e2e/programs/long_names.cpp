// SPDX-License-Identifier: Apache-2.0
// Names longer than a line.
#include <cstdio>
#include <string>
#include <vector>

namespace a_rather_long_namespace_name::detail_of_the_implementation {

template <typename Key, typename Value, typename Compare> struct TreeOfThings {
    volatile int sum = 0;
    __attribute__((noinline)) int insert_or_assign_with_hint(const Key &key, const Value &value, const Compare &) {
        for (int i = 0; i < 200; i++)
            sum = sum + i * static_cast<int>(sizeof key + sizeof value);
        return sum;
    }
};
int table_with_a_name_that_does_not_fit_the_terminal_at_all_and_not_even_nearly_so[64];

} // namespace a_rather_long_namespace_name::detail_of_the_implementation

using namespace a_rather_long_namespace_name::detail_of_the_implementation;
struct ComparatorOfTwoThings {};

int main() {
    TreeOfThings<std::vector<unsigned long long>, std::string, ComparatorOfTwoThings> tree;
    int sum = 0;
    for (int i = 0; i < 50; i++) {
        sum += tree.insert_or_assign_with_hint({}, "", {});
        table_with_a_name_that_does_not_fit_the_terminal_at_all_and_not_even_nearly_so[i] = sum;
    }
    std::printf("%d\n", table_with_a_name_that_does_not_fit_the_terminal_at_all_and_not_even_nearly_so[3]);
}
