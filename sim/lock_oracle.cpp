// SPDX-License-Identifier: Apache-2.0
#include "lock_oracle.h"

#include <algorithm>
#include <numeric>
#include <string>

namespace gnomon {

namespace {

json_t *durations_json(const std::vector<uint64_t> &durations) {
    const uint64_t sum = std::accumulate(durations.begin(), durations.end(), uint64_t{0});
    const uint64_t most = durations.empty() ? 0 : *std::max_element(durations.begin(), durations.end());
    return json_pack("{s:I, s:I, s:I}", "count", static_cast<json_int_t>(durations.size()), "cycles",
                     static_cast<json_int_t>(sum), "max", static_cast<json_int_t>(most));
}

} // namespace

void LockOracle::reset() {
    locks_.clear();
}

// Enters the hold that the thread's last message ended.
void LockOracle::settle(Figures &lock, unsigned thread) {
    Holder &holder = lock.holders[thread];
    if (holder.releasing && holder.had && holder.depth == 0) {
        lock.holds[thread].push_back(holder.released - holder.since);
        lock.harts[holder.hart].holds.push_back(holder.released - holder.since);
    }
    holder.releasing = false;
}

void LockOracle::answer(Figures &lock, unsigned thread, uint64_t cycle, bool refused) {
    const auto found = lock.requested.find(thread);
    if (found == lock.requested.end()) {
        return;
    }
    const Request &request = found->second;
    if (request.held) {
        lock.held_waits.push_back(cycle - request.since);
        lock.harts[request.hart].held_waits.push_back(cycle - request.since);
        lock.across += request.across;
    }
    if (refused || request.posts != lock.posts) {
        lock.posted_waits.push_back(cycle - request.since);
    }
    lock.requested.erase(found);
}

void LockOracle::request(Figures &lock, unsigned thread, uint64_t cycle, unsigned hart) {
    lock.requests++;
    lock.harts[hart].requests++;
    const auto holder = std::find_if(lock.holders.begin(), lock.holders.end(), [thread](const auto &other) {
        return other.first != thread && other.second.depth > 0;
    });
    const bool held = holder != lock.holders.end();
    lock.requested[thread] = {cycle, lock.posts, held, held && holder->second.hart != hart, hart};
}

void LockOracle::acquire(Figures &lock, unsigned thread, uint64_t cycle, unsigned hart) {
    lock.acquisitions++;
    lock.harts[hart].acquisitions++;
    for (auto &entry : lock.requested) { // who asked before has to wait, also if the lock was free then
        Request &other = entry.second;
        other.across = other.held ? other.across : other.hart != hart;
        other.held = true;
    }
    Holder &holder = lock.holders[thread];
    if (holder.depth++ == 0) {
        holder.since = cycle;
        holder.hart = hart;
    }
}

void LockOracle::release(Figures &lock, unsigned thread, uint64_t cycle, unsigned hart, uint32_t caller) {
    lock.releases++;
    lock.harts[hart].releases++;
    lock.posts++;
    Holder &holder = lock.holders[thread];
    holder.releasing = true;
    holder.had = holder.depth > 0;
    holder.depth -= holder.had;
    holder.released = cycle;
    holder.caller = caller;
    holder.released_on = hart;
}

// A refusal right after a release with the same caller: the release has failed.
bool LockOracle::take_back(Figures &lock, unsigned thread, uint32_t caller) {
    Holder &holder = lock.holders[thread];
    if (!holder.releasing || holder.caller != caller || lock.requested.count(thread)) {
        return false;
    }
    holder.releasing = false;
    holder.depth += holder.had;
    lock.releases--;
    lock.harts[holder.released_on].releases--;
    return true;
}

void LockOracle::store(uint64_t cycle, unsigned hart, uint32_t address, uint32_t value) {
    const unsigned thread = address >> 16 & 0xFF;
    if ((address >> 4 & 0xFFF) == 0) {
        return; // a thread blocks
    }
    Figures &lock = locks_[address >> 4 & 0xFFF];
    const bool flag = (address & 8) != 0, second = (address >> 24 & 1) != 0;
    if (second && !flag && take_back(lock, thread, value)) {
        return;
    }
    settle(lock, thread);
    if (second && flag) {
        request(lock, thread, cycle, hart);
    } else if (second) {
        lock.refused++;
        lock.harts[hart].refused++;
        answer(lock, thread, cycle, true);
    } else if (flag) {
        answer(lock, thread, cycle, false);
        acquire(lock, thread, cycle, hart);
    } else {
        release(lock, thread, cycle, hart, value);
    }
}

json_t *LockOracle::harts_json(const Figures &lock) {
    json_t *list = json_array();
    for (const auto &entry : lock.harts) {
        const OnHart &hart = entry.second;
        json_array_append_new(
            list, json_pack("{s:i, s:I, s:I, s:I, s:I, s:o, s:o}", "hart", static_cast<int>(entry.first), "requests",
                            static_cast<json_int_t>(hart.requests), "acquisitions",
                            static_cast<json_int_t>(hart.acquisitions), "refused",
                            static_cast<json_int_t>(hart.refused), "releases", static_cast<json_int_t>(hart.releases),
                            "holds", durations_json(hart.holds), "held_waits", durations_json(hart.held_waits)));
    }
    return list;
}

json_t *LockOracle::json() const {
    json_t *list = json_array();
    for (const auto &entry : locks_) {
        Figures lock = entry.second;
        std::vector<unsigned> threads;
        for (const auto &holder : lock.holders) {
            threads.push_back(holder.first);
        }
        std::vector<uint64_t> all;
        json_t *by_thread = json_object();
        for (const unsigned thread : threads) {
            settle(lock, thread);
            const auto &holds = lock.holds[thread];
            all.insert(all.end(), holds.begin(), holds.end());
            json_object_set_new(by_thread, std::to_string(thread).c_str(), durations_json(holds));
        }
        json_array_append_new(
            list, json_pack("{s:i, s:I, s:I, s:I, s:I, s:o, s:o, s:o, s:o, s:I, s:o}", "index",
                            static_cast<int>(entry.first), "requests", static_cast<json_int_t>(lock.requests),
                            "acquisitions", static_cast<json_int_t>(lock.acquisitions), "refused",
                            static_cast<json_int_t>(lock.refused), "releases", static_cast<json_int_t>(lock.releases),
                            "holds", durations_json(all), "held_waits", durations_json(lock.held_waits), "posted_waits",
                            durations_json(lock.posted_waits), "holds_by_thread", by_thread, "held_across_harts",
                            static_cast<json_int_t>(lock.across), "by_hart", harts_json(lock)));
    }
    return list;
}

} // namespace gnomon
