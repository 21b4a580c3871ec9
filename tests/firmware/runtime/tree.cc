// SPDX-License-Identifier: Apache-2.0
// Runs the runtime's trees and lists natively in place of the library's: checks that each step leaves a red-black tree,
// and that both directions visit all nodes.
#include <cstdio>
#include <functional>
#include <list>
#include <random>
#include <set>
#include <vector>

using Tree = std::_Rb_tree<int, int, std::_Identity<int>, std::less<int>>;

// `there`: for each number, whether the tree must contain it.
static bool is_whole(const Tree &tree, const std::vector<bool> &there) {
    size_t met = 0;
    auto forward = tree.begin();
    for (size_t value = 0; value < there.size(); value++)
        if (there[value] && (++met, *forward++ != static_cast<int>(value)))
            return false;
    auto backward = tree.end();
    for (size_t value = there.size(); value-- > 0;)
        if (there[value] && *--backward != static_cast<int>(value))
            return false;
    return tree.size() == met && forward == tree.end() && backward == tree.begin() && tree.__rb_verify();
}

int main() {
    std::minstd_rand source(1);
    for (unsigned most : {1u, 2u, 3u, 7u, 20u, 100u, 1000u}) {
        Tree tree;
        std::vector<bool> there(most);
        for (int i = 0; i < 3000; i++) {
            const int value = static_cast<int>(source() % most);
            if (source() % 2) {
                tree._M_insert_unique(value);
                there[static_cast<size_t>(value)] = true;
            } else {
                tree.erase(value);
                there[static_cast<size_t>(value)] = false;
            }
            if (!is_whole(tree, there)) {
                std::printf("tree of up to %u: wrong after step %d\n", most, i);
                return 1;
            }
        }
    }
    std::list<int> one{1}, none;
    one.swap(none);
    one.swap(one);
    none.reverse();
    none.splice(none.begin(), none, none.begin());
    return !(one.empty() && none.size() == 1 && none.front() == 1);
}
