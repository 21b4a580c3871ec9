// SPDX-License-Identifier: Apache-2.0
// Library functions that std::list, the hash containers and std::make_shared need.
#include <cstring>
#include <list>
#include <memory>
#include <unordered_map>

namespace std {
namespace __detail {
void _List_node_base::_M_hook(_List_node_base *const before) noexcept {
    _M_next = before;
    _M_prev = before->_M_prev;
    before->_M_prev->_M_next = this;
    before->_M_prev = this;
}

void _List_node_base::_M_unhook() noexcept {
    _M_prev->_M_next = _M_next;
    _M_next->_M_prev = _M_prev;
}

// Moves [first, last) in front of this.
void _List_node_base::_M_transfer(_List_node_base *const first, _List_node_base *const last) noexcept {
    if (this == last)
        return;
    _List_node_base *const end = last->_M_prev;
    first->_M_prev->_M_next = last;
    last->_M_prev = first->_M_prev;
    first->_M_prev = _M_prev;
    _M_prev->_M_next = first;
    end->_M_next = this;
    _M_prev = end;
}

void _List_node_base::_M_reverse() noexcept {
    _List_node_base *node = this;
    do {
        std::swap(node->_M_next, node->_M_prev);
        node = node->_M_prev;
    } while (node != this);
}

static void adopt(_List_node_base &head, const _List_node_base &from, const _List_node_base *old) {
    if (from._M_next == old) {
        head._M_next = head._M_prev = &head;
        return;
    }
    head = from;
    head._M_next->_M_prev = head._M_prev->_M_next = &head;
}

void _List_node_base::swap(_List_node_base &a, _List_node_base &b) noexcept {
    const _List_node_base of_a = a, of_b = b;
    adopt(a, of_b, &b);
    adopt(b, of_a, &a);
}

// Numbers of buckets are powers of two minus one: odd, and computed without a table.
static size_t buckets_for(float wanted) {
    size_t size = 1;
    while (static_cast<float>(size) < wanted && size < ~size_t(0) / 2)
        size = 2 * size + 1;
    return size;
}

size_t _Prime_rehash_policy::_M_next_bkt(size_t wanted) const {
    const size_t size = buckets_for(static_cast<float>(wanted));
    _M_next_resize = static_cast<size_t>(static_cast<float>(size) * _M_max_load_factor);
    return size;
}

pair<bool, size_t> _Prime_rehash_policy::_M_need_rehash(size_t buckets, size_t elements, size_t more) const {
    if (elements + more <= _M_next_resize)
        return {false, 0};
    float wanted = static_cast<float>(elements + more) / _M_max_load_factor;
    if (wanted < 11) // avoids repeated growth of small tables
        wanted = 11;
    if (wanted >= static_cast<float>(buckets)) {
        const float grown = static_cast<float>(buckets * _S_growth_factor);
        return {true, _M_next_bkt(static_cast<size_t>((wanted > grown ? wanted : grown) + 1))};
    }
    _M_next_resize = static_cast<size_t>(static_cast<float>(buckets) * _M_max_load_factor);
    return {false, 0};
}
} // namespace __detail

// Without run-time type information only the tag's address identifies it; the header compares that address.
bool _Sp_make_shared_tag::_S_eq(const type_info &) noexcept {
    return false;
}

// FNV-1a.
size_t _Hash_bytes(const void *data, size_t size, size_t seed) {
    const auto *bytes = static_cast<const unsigned char *>(data);
    size_t hash = 2166136261u ^ seed;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ bytes[i]) * 16777619u;
    return hash;
}
} // namespace std
