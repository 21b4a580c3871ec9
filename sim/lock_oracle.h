// SPDX-License-Identifier: Apache-2.0
// Reference model of the locks: an account from the retired stores to the lock segments alone, without the trace. It
// knows no kinds of locks. Each lock has all figures that a kind can need: `gnomon locks` must print those of its kind.
#pragma once
#include <cstdint>
#include <jansson.h>
#include <map>
#include <utility>
#include <vector>

namespace gnomon {

class LockOracle {
  public:
    static bool is_lock(uint32_t address) {
        return address >> 25 == 0x70; // 0xE0000000 to 0xE1FFFFFF
    }
    void reset();
    // A store to a lock segment has retired.
    void store(uint64_t cycle, unsigned hart, uint32_t address, uint32_t value);
    // A new array with an object for each lock.
    json_t *json() const;

  private:
    using Durations = std::vector<uint64_t>;
    struct Holder {
        uint64_t since = 0;
        unsigned depth = 0, hart = 0; // `hart`: on which it acquired the lock
        // The last release, until the next message of this thread: it may turn out to have failed.
        bool releasing = false, had = false; // `had`: it had the lock
        uint64_t released = 0;
        uint32_t caller = 0;
        unsigned released_on = 0;
    };
    struct Request {
        uint64_t since = 0, posts = 0;
        bool held = false;   // by another thread, when it was asked for or since
        bool across = false; // which acquired it on another hart (the first of them)
        unsigned hart = 0;
    };
    // What happened on one hart. A hold counts where it began, a wait where it began.
    struct OnHart {
        uint64_t requests = 0, acquisitions = 0, refused = 0, releases = 0;
        Durations holds, held_waits;
    };
    struct Figures {
        uint64_t requests = 0, acquisitions = 0, refused = 0, releases = 0, posts = 0;
        std::map<unsigned, Holder> holders;    // by thread
        std::map<unsigned, Request> requested; // by thread; without those that were answered
        std::map<unsigned, Durations> holds;   // by thread
        uint64_t across = 0;                   // waits for a lock that was acquired on another hart
        std::map<unsigned, OnHart> harts;
        Durations held_waits, posted_waits; // waits for a lock that another thread had; waits with a post meanwhile
    };

    static void settle(Figures &lock, unsigned thread);
    static void answer(Figures &lock, unsigned thread, uint64_t cycle, bool refused);
    static void request(Figures &lock, unsigned thread, uint64_t cycle, unsigned hart);
    static void acquire(Figures &lock, unsigned thread, uint64_t cycle, unsigned hart);
    static void release(Figures &lock, unsigned thread, uint64_t cycle, unsigned hart, uint32_t caller);
    static bool take_back(Figures &lock, unsigned thread, uint32_t caller);

    static json_t *harts_json(const Figures &lock);

    std::map<unsigned, Figures> locks_;
};

} // namespace gnomon
