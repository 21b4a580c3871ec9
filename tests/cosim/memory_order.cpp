// SPDX-License-Identifier: Apache-2.0
#include "memory_order.hpp"

#include <cstring>

namespace cosim {

using gnomon::RetiredRecord;

MemoryOrder::MemoryOrder() : bytes_(bytes) {
}

uint32_t MemoryOrder::word(uint32_t addr) const {
    uint32_t value = 0;
    memcpy(&value, &bytes_[(addr - base) & ~3u], sizeof value);
    return value;
}

uint32_t MemoryOrder::parcel(uint32_t addr) const {
    return word(addr) >> (addr & 2 ? 16 : 0) & 0xffff;
}

void MemoryOrder::take(const RetiredRecord &record) {
    const unsigned writer = record.master == host ? host : record.of;
    number_++;
    if (record.master == 0)
        return;
    Access access;
    access.addr = record.mem_addr & ~3u;
    access.strb = record.wmask;
    access.data = record.mem_wdata;
    access.number = number_;
    const bool inside = holds(access.addr);
    if (inside && access.strb == 0) {
        access.data = word(access.addr);
        auto found = writes_.find(access.addr);
        access.from_other = found != writes_.end() && found->second.back().writer != writer;
    }
    if (inside && access.strb != 0) {
        for (unsigned lane = 0; lane < 4; lane++)
            if (access.strb >> lane & 1)
                bytes_[access.addr - base + lane] = static_cast<uint8_t>(access.data >> (8 * lane));
        std::deque<Write> &writes = writes_[access.addr];
        writes.push_back({number_, writer});
        if (writes.size() > kept)
            writes.pop_front();
    }
    if (record.master == 1)
        waiting_[writer].push_back(access);
}

bool MemoryOrder::next(unsigned hart, Access &access) {
    if (waiting_[hart].empty())
        return false;
    access = waiting_[hart].front();
    waiting_[hart].pop_front();
    return true;
}

void MemoryOrder::forget(unsigned hart) {
    waiting_[hart].clear();
}

bool MemoryOrder::disturbed(uint32_t addr, unsigned hart, uint64_t since) const {
    return disturbed(addr, hart, since, number_ + 1);
}

bool MemoryOrder::disturbed(uint32_t addr, unsigned hart, uint64_t since, uint64_t until) const {
    auto found = writes_.find(addr);
    if (found == writes_.end())
        return false;
    for (const Write &write : found->second)
        if (write.writer != hart && write.number > since && write.number < until)
            return true;
    return false;
}

} // namespace cosim
