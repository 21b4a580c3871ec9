// SPDX-License-Identifier: Apache-2.0
// Uses the parts of the C++ library that need no operating system, and objects that live before and after main. Prints
// the same text as on the host. usage: library [FAULT]
#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <new>
#include <numeric>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

namespace {
struct Named {
    std::string name;
    explicit Named(std::string what) : name(std::move(what)) {
        std::printf("made %s\n", name.c_str());
    }
    Named(const Named &) = delete;
    ~Named() {
        std::printf("gone %s\n", name.c_str());
    }
};

Named global("global");

const std::string &once() {
    static Named local("in a function");
    return local.name;
}

template <typename T> void show(const char *what, const T &values) {
    std::printf("%s:", what);
    for (const auto &value : values)
        std::printf(" %d", static_cast<int>(value));
    std::printf("\n");
}

// The same sequence on each machine.
int next_random() {
    static std::minstd_rand source(22);
    return static_cast<int>(source() % 1000);
}

void sequences() {
    std::vector<int> values(12);
    std::generate(values.begin(), values.end(), next_random);
    std::sort(values.begin(), values.end());
    show("sorted", values);
    std::list<int> list(values.begin(), values.begin() + 5), other{7, 8, 9};
    list.reverse();
    list.splice(std::next(list.begin(), 2), other);
    list.sort(std::greater<int>());
    show("list", list);
    other.swap(list);
    std::printf("swapped: %zu %zu\n", list.size(), other.size());
    std::deque<int> queue;
    for (int i = 0; i < 200; i++)
        i % 3 ? queue.push_back(i) : queue.push_front(i);
    std::printf("deque: %d %d %d\n", queue.front(), queue[100], queue.back());
    std::array<int, 4> fixed{4, 3, 2, 1};
    std::printf("sum: %d\n", std::accumulate(fixed.begin(), fixed.end(), 0));
}

void trees() {
    std::map<std::string, int> words;
    for (const char *word : {"the", "store", "is", "the", "message", "the", "end"})
        words[word]++;
    for (const auto &[word, times] : words)
        std::printf("%s=%d ", word.c_str(), times);
    std::set<int> numbers;
    size_t erased = 0;
    for (int i = 0; i < 600; i++) {
        numbers.insert(next_random());
        erased += numbers.erase(next_random());
    }
    std::printf("\nset: %zu, %zu erased, %s, %d..%d\n", numbers.size(), erased,
                std::is_sorted(numbers.begin(), numbers.end()) ? "sorted" : "NOT SORTED", *numbers.begin(),
                *numbers.rbegin());
    while (numbers.size() > 1)
        numbers.erase(numbers.begin());
    show("last", numbers);
}

void hashes() {
    std::unordered_map<std::string, int> table;
    for (int i = 0; i < 300; i++)
        table[std::to_string(i % 150)] += i;
    int sum = 0;
    for (const auto &[name, value] : table)
        sum += value;
    std::printf("hashed: %zu names, %d, load %s\n", table.size(), sum, table.load_factor() <= 1 ? "good" : "BAD");
}

void memory() {
    auto owned = std::make_unique<Named>("owned");
    auto shared = std::make_shared<int>(42);
    std::weak_ptr<int> weak = shared;
    std::function<int(int)> add = [shared](int value) { return value + *shared; };
    shared.reset();
    std::printf("function: %d, %s\n", add(1), weak.expired() ? "expired" : "alive");
    add = nullptr;
    std::printf("then %s\n", weak.expired() ? "expired" : "alive");
    struct alignas(64) Wide {
        char bytes[64];
    };
    auto wide = std::make_unique<Wide>();
    std::printf("aligned: %d\n", static_cast<int>(reinterpret_cast<uintptr_t>(wide.get()) % 64));
    std::printf("nothrow: %d\n", new (std::nothrow) char[0x7F000000] == nullptr || sizeof(void *) == 8);
    std::optional<std::string> maybe = "present";
    std::variant<int, std::string> either = std::string("text");
    std::string_view view = *maybe;
    std::printf("%s %s %zu\n", view.substr(3).data(), std::get<std::string>(either).c_str(), view.find('e'));
}
} // namespace

int main(int argc, char **argv) {
    if (argc > 1 && std::strcmp(argv[1], "range") == 0)
        std::printf("%d\n", std::vector<int>(3).at(static_cast<size_t>(argc) + 5));
    if (argc > 1 && std::strcmp(argv[1], "memory") == 0)
        std::printf("%zu\n", std::string(0x3F000000u, 'x').size());
    sequences();
    trees();
    hashes();
    memory();
    std::printf("%s, %s\n", once().c_str(), global.name.c_str());
    return once().size() == 13 ? 0 : 1;
}
