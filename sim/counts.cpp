// SPDX-License-Identifier: Apache-2.0
#include "counts.h"

#include <map>

#include "gnomon/registers.h"
#include "gnomon/trace.h"
#include "json.h"

namespace gnomon {

namespace {

constexpr uint32_t kWindow = GNOMON_WINDOW_BASE;
constexpr uint32_t kThreadAddress = 0u - 4 - 4 * GNOMON_CHANNEL_THREAD;
constexpr uint8_t kDebug = 9, kReset = 10, kOverflow = 0x20 | 13;
constexpr size_t kMostTaken = 1000; // maximum number of entries that are written

// Numbers of causes, except the one that is 31.
constexpr size_t kUnknownAt = 15;
constexpr int kUnknown = 31;
const char *const kCauses[] = {
    "retired",      "cycles-fetch",       "cycles-jump",        "cycles-mispredict", "cycles-load-use", "cycles-muldiv",
    "cycles-data",  "cycles-trap",        "cycles-wfi",         "cycles-debug",      "cycles-reset",    "cycles-csr",
    "cycles-fence", "cycles-icache-miss", "cycles-dcache-miss", "cycles-unknown",    "cycles-refresh",  "cycles-page"};
const char *const kEntries[] = {"range0-entries", "range1-entries", "data-range-entries"};

bool is_short(uint32_t insn) {
    return (insn & 3) != 3;
}

bool is_branch(uint32_t insn) {
    return is_short(insn) ? (insn & 0xC003) == 0xC001 : (insn & 0x7F) == 0x63; // c.beqz, c.bnez
}

bool is_jump(uint32_t insn) {
    if (!is_short(insn))
        return (insn & 0x7F) == 0x6F || (insn & 0x7F) == 0x67;
    const bool c_j = (insn & 0xE003) == 0xA001, c_jal = (insn & 0xE003) == 0x2001;
    const bool by_register = (insn & 0xE07F) == 0x8002 && (insn & 0x0F80) != 0;
    return c_j || c_jal || by_register;
}

template <uint8_t Master, bool Write> bool on_bus(const CountsSample &s) {
    return s.bus && s.bus_master == Master && s.bus_write == Write;
}

template <uint8_t Bit> bool in_cache(const CountsSample &s) {
    return s.cache >> Bit & 1;
}

// A word that was loaded says with its top bit that there was no byte.
bool is_byte_of_uart(const CountsSample &s) {
    const bool none = s.mem_rmask == 0xF && s.rd_wdata >> 31;
    return s.retired && s.mem_addr == GNOMON_UART_DATA && (s.mem_rmask != 0 || s.mem_wmask != 0) && !none;
}

unsigned bytes_of(uint8_t mask) {
    return mask == 0xF ? 4 : mask == 3 ? 2 : 1;
}

} // namespace

CountedEvent::CountedEvent(const std::string &name) {
    static const std::map<std::string, bool (*)(const CountsSample &)> table = {
        {"branches", [](const CountsSample &s) { return s.retired && is_branch(s.insn); }},
        {"branches-taken",
         [](const CountsSample &s) {
             return s.retired && is_branch(s.insn) && s.next_pc - s.pc != (is_short(s.insn) ? 2u : 4u);
         }},
        {"jumps", [](const CountsSample &s) { return s.retired && is_jump(s.insn); }},
        {"loads", [](const CountsSample &s) { return s.retired && s.mem_rmask != 0; }},
        {"stores", [](const CountsSample &s) { return s.retired && s.mem_wmask != 0; }},
        {"compressed", [](const CountsSample &s) { return s.retired && is_short(s.insn); }},
        {"messages", [](const CountsSample &s) { return s.retired && s.mem_wmask != 0 && s.mem_addr >= kWindow; }},
        {"exceptions", [](const CountsSample &s) { return s.trap_enter && s.trap_cause < 32; }},
        {"interrupts", [](const CountsSample &s) { return s.trap_enter && s.trap_cause >= 32; }},
        {"cycles", [](const CountsSample &) { return true; }},
        {"io-bytes", is_byte_of_uart},
        {"tagged", [](const CountsSample &s) { return s.retired && s.tagged; }},
        {"mispredictions", [](const CountsSample &s) { return s.retired && s.mispredict; }},
        {"icache-accesses", in_cache<3>},
        {"icache-misses", in_cache<2>},
        {"dcache-accesses", in_cache<1>},
        {"dcache-misses", in_cache<0>},
        {"bus-instruction-reads", on_bus<0, false>},
        {"bus-data-reads", on_bus<1, false>},
        {"bus-data-writes", on_bus<1, true>},
        {"bus-host-reads", on_bus<2, false>},
        {"bus-host-writes", on_bus<2, true>},
    };
    const auto at = table.find(name);
    if (at != table.end())
        event_ = at->second;
    for (size_t i = 0; i < sizeof kCauses / sizeof *kCauses; i++)
        if (name == kCauses[i])
            cause_ = i == kUnknownAt ? kUnknown : static_cast<int>(i);
}

Counts::Counts(const std::string &path) {
    if (load(path))
        reset();
}

// Sets what the counter counts; false: there is no such event.
bool Counts::choose(Counter &counter, const std::string &name) {
    counter.event = CountedEvent(name);
    for (size_t i = 0; i < kRanges; i++)
        if (name == kEntries[i])
            counter.entry = static_cast<int>(i);
    if (counter.event.known() || counter.entry >= 0)
        return true;
    error_ = "no event " + name;
    return false;
}

bool Counts::load(const std::string &path) {
    const Json root = load_json(path, error_);
    if (!root)
        return false;
    size_t index;
    json_t *item;
    json_array_foreach(json_object_get(root.get(), "ranges"), index, item) {
        if (index >= kRanges) {
            error_ = path + ": too many ranges";
            return false;
        }
        ranges_[index].base = static_cast<uint32_t>(json_integer_value(json_array_get(item, 0)));
        ranges_[index].limit = static_cast<uint32_t>(json_integer_value(json_array_get(item, 1)));
    }
    json_array_foreach(json_object_get(root.get(), "counters"), index, item) {
        Counter counter;
        const char *text = json_string_value(json_object_get(item, "event"));
        if (!choose(counter, text ? text : ""))
            return false;
        counter.start = static_cast<uint64_t>(json_integer_value(json_object_get(item, "start")));
        size_t at;
        json_t *range;
        json_array_foreach(json_object_get(item, "ranges"), at, range)
            counter.inside[static_cast<size_t>(json_integer_value(range)) % kRanges] = counter.filtered = true;
        if (const json_t *thread = json_object_get(item, "thread")) {
            counter.thread = json_integer_value(thread);
            counter.filtered = true;
        }
        if (const json_t *gate = json_object_get(item, "gate")) {
            counter.gate = json_integer_value(gate);
            counter.filtered = true;
        }
        if (json_is_true(json_object_get(item, "tagged")))
            counter.tagged = counter.filtered = true;
        if (const char *mode = json_string_value(json_object_get(item, "mode"))) {
            counter.mode = *mode;
            counter.filtered = true;
        }
        counters_.push_back(counter);
    }
    if (const json_t *sample = json_object_get(root.get(), "sample")) {
        const char *text = json_string_value(json_object_get(sample, "event"));
        sample_period_ = static_cast<uint64_t>(json_integer_value(json_object_get(sample, "period")));
        if (!choose(sampled_, text ? text : ""))
            return false;
    }
    if (const json_t *latency = json_object_get(root.get(), "latency")) {
        const char *text = json_string_value(json_object_get(latency, "kind"));
        const std::string kind = text ? text : "";
        latency_.wanted = true;
        latency_.loads = kind == "loads" || kind == "accesses";
        latency_.stores = kind == "stores" || kind == "accesses";
        latency_.tagged = json_is_true(json_object_get(latency, "tagged"));
        latency_.threshold = static_cast<uint64_t>(json_integer_value(json_object_get(latency, "threshold")));
        json_array_foreach(json_object_get(latency, "ranges"), index, item)
            latency_.inside[static_cast<size_t>(json_integer_value(item)) % kRanges] = true;
    }
    return true;
}

void Counts::reset() {
    for (auto &counter : counters_) {
        counter.count = counter.start;
        counter.pending = 0;
        counter.wrapped = -1;
    }
    for (auto &range : ranges_)
        range = Range{range.base, range.limit};
    latency_.counts.clear();
    latency_.slow.clear();
    samples_.clear();
    until_sample_ = sample_period_;
    due_ = 0;
    now_ = unpaid_ = 0;
    thread_ = 0;
    first_pending_ = -1;
    taken_.clear();
}

bool Counts::inside(size_t range, const CountsSample &sample) const {
    const Range &r = ranges_[range];
    if (range < 2)
        return r.base <= sample.pc && sample.pc < r.limit;
    const uint8_t mask = sample.mem_rmask | sample.mem_wmask;
    for (unsigned i = 0; mask != 0 && i < bytes_of(mask); i++)
        if (r.base <= sample.mem_addr + i && sample.mem_addr + i < r.limit)
            return true;
    return false;
}

bool Counts::belongs(const Counter &counter, const CountsSample &sample, const std::array<bool, kRanges> &in) const {
    for (size_t i = 0; i < kRanges; i++)
        if (counter.inside[i] && !in[i])
            return false;
    if (counter.thread >= 0 && counter.thread != thread_)
        return false;
    if ((counter.tagged && !sample.tagged) || (counter.gate >= 0 && !(sample.gates >> counter.gate & 1)))
        return false;
    return counter.mode == 0 || counter.mode == (sample.user ? 'u' : 'm');
}

// The instruction that retires pays for `unpaid_` cycles.
void Counts::count_latency(const CountsSample &sample, const std::array<bool, kRanges> &in) {
    const bool reads = sample.mem_rmask != 0, writes = sample.mem_wmask != 0;
    const bool any = !latency_.loads && !latency_.stores;
    if (!latency_.wanted || (latency_.tagged && !sample.tagged))
        return;
    if (!any && !(latency_.loads && reads) && !(latency_.stores && writes))
        return;
    for (size_t i = 0; i < kRanges; i++)
        if (latency_.inside[i] && !in[i])
            return;
    latency_.counts[unpaid_]++;
    if (latency_.threshold != 0 && unpaid_ >= latency_.threshold && latency_.slow.size() < kMostTaken)
        latency_.slow.push_back(
            {now_, sample.pc, unpaid_, reads || writes ? static_cast<int64_t>(sample.mem_addr) : -1});
}

bool Counts::happens(const Counter &counter, const CountsSample &sample, const std::array<bool, kRanges> &entered) {
    return counter.event.known() ? counter.event.happens(sample) : entered[static_cast<size_t>(counter.entry)];
}

// No instruction pays for events in debug mode and reset.
void Counts::take_samples(const CountsSample &sample, const std::array<bool, kRanges> &entered) {
    const bool paid = sample.cause != kDebug && sample.cause != kReset;
    if (paid && happens(sampled_, sample, entered) && --until_sample_ == 0) {
        until_sample_ = sample_period_;
        due_++;
    }
    for (; sample.retired && due_ > 0; due_--)
        samples_.push_back({sample.pc, thread_, sample.mem_rmask != 0, sample.mem_wmask != 0, sample.mem_addr});
}

void Counts::add(Counter &counter, uint64_t amount) {
    const uint64_t before = counter.count;
    counter.count += amount;
    if (counter.count < before && counter.wrapped < 0)
        counter.wrapped = static_cast<int64_t>(now_);
}

void Counts::cycle(const CountsSample &sample) {
    std::array<bool, kRanges> in{}, entered{};
    unpaid_ += sample.cause != kDebug && sample.cause != kReset;
    if (sample.retired) {
        for (size_t i = 0; i < kRanges; i++) {
            Range &range = ranges_[i];
            in[i] = inside(i, sample);
            entered[i] = in[i] && !range.was;
            range.was = in[i];
            if (in[i]) {
                range.entries += entered[i];
                range.instructions++;
                range.cycles += unpaid_;
                range.reads += sample.mem_rmask != 0;
                range.writes += sample.mem_wmask != 0;
            }
        }
        count_latency(sample, in);
        unpaid_ = 0;
    }
    if (sample_period_ != 0)
        take_samples(sample, entered);
    for (auto &counter : counters_) {
        bool happened = happens(counter, sample, entered);
        if (sample.cause == kDebug && (counter.event.cause() != kDebug || counter.filtered))
            happened = false;
        if (!counter.filtered) {
            add(counter, happened);
            continue;
        }
        counter.pending += happened && sample.cause != kReset;
        if (sample.retired) {
            if (belongs(counter, sample, in))
                add(counter, counter.pending);
            counter.pending = 0;
        }
    }
    if (sample.retired && sample.mem_wmask == 0xF && sample.mem_addr == kThreadAddress)
        thread_ = sample.mem_wdata;
    if (sample.irq_pending && first_pending_ < 0)
        first_pending_ = static_cast<int64_t>(now_);
    if (sample.trap_enter && sample.trap_cause == kOverflow && taken_.size() < kMostTaken)
        taken_.push_back(now_);
    now_++;
}

bool Counts::write(const std::string &path) const {
    const Json root(json_object());
    json_t *counters = json_array(), *ranges = json_array(), *taken = json_array();
    for (const auto &counter : counters_)
        json_array_append_new(counters,
                              json_pack("{s:I, s:o}", "count", static_cast<json_int_t>(counter.count), "wrapped",
                                        counter.wrapped < 0 ? json_null() : json_integer(counter.wrapped)));
    for (const auto &range : ranges_)
        json_array_append_new(
            ranges, json_pack("[I, I, I, I, I]", static_cast<json_int_t>(range.entries),
                              static_cast<json_int_t>(range.instructions), static_cast<json_int_t>(range.cycles),
                              static_cast<json_int_t>(range.reads), static_cast<json_int_t>(range.writes)));
    for (const uint64_t cycle : taken_)
        json_array_append_new(taken, json_integer(static_cast<json_int_t>(cycle)));
    json_t *latencies = json_array(), *slow = json_array();
    for (const auto &[cycles, count] : latency_.counts)
        json_array_append_new(latencies,
                              json_pack("[I, I]", static_cast<json_int_t>(cycles), static_cast<json_int_t>(count)));
    for (const auto &one : latency_.slow)
        json_array_append_new(slow, json_pack("[I, I, I, o]", static_cast<json_int_t>(one.cycle),
                                              static_cast<json_int_t>(one.pc), static_cast<json_int_t>(one.latency),
                                              one.address < 0 ? json_null() : json_integer(one.address)));
    json_t *samples = json_array();
    for (const auto &one : samples_)
        json_array_append_new(samples, json_pack("[I, I, b, b, I]", static_cast<json_int_t>(one.pc),
                                                 static_cast<json_int_t>(one.thread), one.reads, one.writes,
                                                 static_cast<json_int_t>(one.address)));
    json_object_set_new(root.get(), "samples", samples);
    json_object_set_new(root.get(), "latencies", latencies);
    json_object_set_new(root.get(), "slow", slow);
    json_object_set_new(root.get(), "counters", counters);
    json_object_set_new(root.get(), "ranges", ranges);
    json_object_set_new(root.get(), "first_pending", json_integer(first_pending_));
    json_object_set_new(root.get(), "taken", taken);
    return json_dump_file(root.get(), path.c_str(), JSON_INDENT(1)) == 0;
}

} // namespace gnomon
