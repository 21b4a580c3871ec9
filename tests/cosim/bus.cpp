// SPDX-License-Identifier: Apache-2.0
#include "bus.hpp"

#include "program.hpp"

namespace cosim {

namespace {

constexpr uint32_t irq_clear = 0xf0001000;
constexpr std::array<unsigned, 4> codes = {3, 7, 11, 16};
constexpr unsigned patience = 80;      // cycles for which a line stays high, if it is not cleared
constexpr uint64_t in_pipeline = 2000; // maximum of cycles for an interrupt that is in the pipeline

bool in_ram(uint32_t addr) {
    return addr - ram_base < ram_bytes;
}

} // namespace

void Port::begin(Random &random, uint64_t now) {
    ready = below(random, 100) >= stall_.refuse_percent;
    rsp_valid = !open_.empty() && open_.front().due <= now;
    rsp_rdata = rsp_valid ? open_.front().data : static_cast<uint32_t>(random());
    rsp_error = rsp_valid ? open_.front().error : random() & 1;
    if (rsp_valid)
        open_.pop_front();
}

void Port::end(Random &random, uint64_t now, bool accepted, uint32_t data, bool error) {
    if (!accepted)
        return;
    uint64_t due = now + 1;
    while (below(random, 100) < stall_.delay_percent)
        due++;
    open_.push_back({due, data, error});
}

int Interrupts::index_of(unsigned code) {
    for (unsigned n = 0; n < codes.size(); n++)
        if (codes[n] == code)
            return static_cast<int>(n);
    return -1;
}

void Interrupts::step(Random &random, uint64_t now) {
    for (unsigned n = 0; n < high_.size(); n++) {
        if (!high_[n] && mean != 0 && below(random, mean) == 0) {
            high_[n] = true;
            since_[n] = now;
        } else if (high_[n] && below(random, patience) == 0) {
            high_[n] = false;
            fallen_[n] = now;
        }
        if (high_[n])
            last_high_[n] = now;
    }
}

void Interrupts::clear(uint32_t mcause) {
    int n = index_of(mcause & 0x7fffffff);
    if (n >= 0)
        high_[static_cast<unsigned>(n)] = false;
}

bool Interrupts::seen(unsigned code, uint64_t now, uint64_t cycles) const {
    int n = index_of(code);
    if (n < 0)
        return false;
    auto line = static_cast<unsigned>(n);
    return (last_high_[line] != 0 && now - last_high_[line] <= cycles) ||
           (fallen_[line] != 0 && now - fallen_[line] <= in_pipeline);
}

uint64_t Interrupts::age(unsigned code, uint64_t now) const {
    int n = index_of(code);
    return n >= 0 && high_[static_cast<unsigned>(n)] ? now - since_[static_cast<unsigned>(n)] : 0;
}

Bus::Bus(std::vector<uint8_t> ram, uint64_t seed) : ram_(std::move(ram)), random_(seed) {
}

void Bus::set_mode(StallMode mode, bool stale_fetch) {
    mode_ = mode;
    stale_fetch_ = stale_fetch;
    choose_stalls();
}

void Bus::choose_stalls() {
    static constexpr std::array<unsigned, 6> chances = {0, 0, 10, 30, 60, 85};
    Stall a, b;
    if (mode_ == StallMode::light) {
        a = b = {10, 15};
    } else if (mode_ == StallMode::heavy) {
        a = b = {50, 60};
    } else if (mode_ == StallMode::mixed) {
        a = {chances[below(random_, 6)], chances[below(random_, 6)]};
        b = {chances[below(random_, 6)], chances[below(random_, 6)]};
    }
    i.set(a);
    d.set(b);
}

void Bus::begin_cycle() {
    if (mode_ == StallMode::mixed && below(random_, 400) == 0)
        choose_stalls();
    interrupts.step(random_, now);
    i.begin(random_, now);
    d.begin(random_, now);
    // Without stalls, as for a core without a cache: done is tied to 1.
    flush_done = mode_ == StallMode::none || below(random_, 4) == 0;
}

uint32_t Bus::ram_word(uint32_t addr) const {
    const uint8_t *b = &ram_[addr - ram_base];
    return b[0] | static_cast<uint32_t>(b[1]) << 8 | static_cast<uint32_t>(b[2]) << 16 |
           static_cast<uint32_t>(b[3]) << 24;
}

uint32_t Bus::fetch(uint32_t addr, bool &error) {
    error = !in_ram(addr);
    if (error)
        return static_cast<uint32_t>(random_());
    if (!stale_fetch_)
        return ram_word(addr);
    uint32_t start = addr & ~(line_bytes - 1);
    Line &line = cache_[(addr / line_bytes) % lines];
    if (!line.valid || line.addr != start) {
        line.valid = true;
        line.addr = start;
        for (uint32_t n = 0; n < line.words.size(); n++)
            line.words[n] = ram_word(start + 4 * n);
    }
    return line.words[(addr - start) / 4];
}

uint32_t Bus::access(const DataRequest &d, bool &error) {
    error = false;
    if (in_ram(d.addr)) {
        for (unsigned n = 0; d.write && n < 4; n++)
            if (d.strb >> n & 1)
                ram_[d.addr - ram_base + n] = static_cast<uint8_t>(d.wdata >> (8 * n));
        if (d.write)
            return static_cast<uint32_t>(random_());
        // Lanes that are not requested are zero.
        uint32_t mask = 0;
        for (unsigned n = 0; n < 4; n++)
            mask |= d.strb >> n & 1 ? 0xffu << (8 * n) : 0;
        return (ram_word(d.addr) & mask) | (static_cast<uint32_t>(random_()) & ~mask);
    }
    if (d.write && d.addr == irq_clear) {
        interrupts.clear(d.wdata);
        return 0;
    }
    error = true;
    return static_cast<uint32_t>(random_());
}

// The lock is high after the acceptance of a locked request until its answer, or until the answer to the store that
// follows a load. The store goes to the same word and is the next request. In the cycle of the last answer the lock is
// still high for that access, even if a new request comes (never an sc): later cycles and the number of pairs at the
// end must show it.
std::string Bus::watch_lock(const DataRequest &request, bool accepted) {
    if (lock_ != Lock::none && !request.held) {
        if (!lock_doubtful_)
            return "data request: the lock falls too early";
        lock_ = Lock::none;
    }
    bool last = false;
    if (d.rsp_valid && lock_ == Lock::read) {
        lock_ = d.rsp_error ? Lock::none : Lock::between;
        last = d.rsp_error;
    } else if (d.rsp_valid && lock_ == Lock::write) {
        lock_ = Lock::none;
        last = true;
        if (!d.rsp_error)
            (lock_pair_ ? locked_pairs_ : locked_writes_)++;
    }
    if (!accepted)
        return "";
    lock_pair_ = lock_ == Lock::between && request.write && request.lock && request.addr == lock_addr_;
    if (lock_ == Lock::between && !lock_pair_ && !lock_doubtful_)
        return "data request: not the store that belongs to a locked load";
    lock_doubtful_ = last;
    lock_addr_ = request.addr;
    lock_ = !request.lock || (request.write && last) ? Lock::none : request.write ? Lock::write : Lock::read;
    return "";
}

std::string Bus::end_cycle(bool i_valid, uint32_t i_addr, bool flush, const DataRequest &request) {
    std::string wrong;
    if (request.valid && (request.addr & 3))
        wrong = "data request: address not aligned";
    else if (request.valid && request.strb == 0)
        wrong = "data request: no byte lanes";
    else if (request.valid && request.addr >= window)
        wrong = "data request: the message window must not reach the bus";
    else if (previous_refused_ && !(request == previous_))
        wrong = "data request: changed or withdrawn before it was accepted";
    else if (i_valid && (i_addr & 3))
        wrong = "fetch request: address not aligned";
    previous_ = request;
    previous_refused_ = request.valid && !d.ready;

    if (wrong.empty())
        wrong = watch_lock(request, request.valid && d.ready);

    // `done`: from this cycle on the cache returns no stale words.
    if (flush && flush_done)
        for (Line &line : cache_)
            line.valid = false;
    bool error = false;
    uint32_t data = 0;
    bool d_accepted = request.valid && d.ready && wrong.empty(), i_accepted = i_valid && i.ready && wrong.empty();
    if (i_accepted)
        data = fetch(i_addr, error);
    i.end(random_, now, i_accepted, data, error);
    if (d_accepted)
        data = access(request, error);
    d.end(random_, now, d_accepted, data, error);
    now++;
    return wrong;
}

} // namespace cosim
