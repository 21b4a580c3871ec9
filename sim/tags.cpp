// SPDX-License-Identifier: Apache-2.0
#include "tags.h"

#include <algorithm>

#include "json.h"

namespace gnomon {

namespace {

constexpr uint8_t kDebug = 9, kReset = 10, kProfiler = 0x20 | 16;
constexpr uint8_t kHost = 2;                                     // the host's master number on the bus
constexpr size_t kMost = 1000;                                   // maximum length of lists in the result
constexpr uint32_t kHint = 0x46002013, kHintMask = 0xFE0FFFFF;   // slti x0, x0, 0x460 + tag
constexpr uint32_t kGroup = 0x00003013, kGroupMask = 0x800FFFFF; // sltiu x0, x0, 32 * many + tag

uint32_t number(const json_t *item, const char *name) {
    return static_cast<uint32_t>(json_integer_value(json_object_get(item, name)));
}

bool is_true(const json_t *item, const char *name) {
    return json_is_true(json_object_get(item, name));
}

json_t *integer(uint64_t value) {
    return json_integer(static_cast<json_int_t>(value));
}

} // namespace

Tags::Tags(const std::string &path) {
    if (load(path))
        reset();
}

bool Tags::load(const std::string &path) {
    const Json root = load_json(path, error_);
    if (!root)
        return false;
    size_t index;
    json_t *item;
    json_array_foreach(json_object_get(root.get(), "tags"), index, item) {
        const bool data = is_true(item, "data");
        const uint32_t step = data ? 4 : 2, begin = number(item, "address") & -step;
        const uint32_t length = json_object_get(item, "length") ? number(item, "length") : 2;
        for (uint32_t at = begin; at < number(item, "address") + length; at += step)
            (data ? first_data_ : first_code_)[at] = number(item, "value") & 31;
    }
    const auto act = [](const json_t *mode, const char *name) {
        const char *text = json_string_value(json_object_get(mode, name));
        const std::string what = text ? text : "";
        return what == "start" ? Act::Start : what == "stop" ? Act::Stop : what == "toggle" ? Act::Toggle : Act::None;
    };
    json_array_foreach(json_object_get(root.get(), "modes"), index, item) {
        Mode &mode = modes_[number(item, "value") & 31];
        mode.execute = is_true(item, "execute");
        mode.read = is_true(item, "read");
        mode.write = is_true(item, "write");
        mode.tagged = is_true(item, "tagged");
        mode.own = is_true(item, "own");
        mode.interrupt = is_true(item, "interrupt");
        mode.trace = act(item, "trace");
        mode.timer = act(item, "timer");
        mode.which = number(item, "which") % kTimers;
    }
    json_array_foreach(json_object_get(root.get(), "steps"), index, item) {
        for (size_t step = 0; index < kTimers && step < kSteps; step++)
            steps_[index][step] = static_cast<uint64_t>(json_integer_value(json_array_get(item, step)));
    }
    hints_ = is_true(root.get(), "hints");
    return true;
}

void Tags::reset() {
    code_ = first_code_;
    data_ = first_data_;
    values_ = {};
    timers_ = {};
    own_.clear();
    waiting_.reset();
    trace_open_ = false;
    cleared_ = hinted_ = hints_lost_ = 0;
    cleared_address_ = 0;
    now_ = unpaid_ = 0;
    interrupts_.clear();
    taken_.clear();
    trace_.clear();
}

// Returns the instruction's tag: that of a hint, else the tag in memory.
unsigned Tags::tag_of(const CountsSample &sample) {
    if (waiting_ && waiting_->address == sample.pc) {
        const unsigned value = waiting_->value;
        waiting_->address = sample.next_pc;
        if (--waiting_->many == 0)
            waiting_.reset();
        hinted_++;
        return value;
    }
    const auto at = code_.find(sample.pc);
    return at == code_.end() ? 0 : at->second;
}

void Tags::act(Act what, unsigned which) {
    Timer &timer = timers_[which];
    if (what == Act::Toggle)
        what = timer.running ? Act::Stop : Act::Start;
    if (what == Act::Start && !timer.running) {
        timer.running = true;
        timer.began = now_;
    } else if (what == Act::Stop && timer.running) {
        const uint64_t took = now_ - timer.began;
        timer.running = false;
        timer.intervals++;
        timer.cycles += took;
        timer.last = took;
        timer.shortest = std::min(timer.shortest, took);
        timer.longest = std::max(timer.longest, took);
    }
}

void Tags::open_trace(Act what) {
    const bool open = what == Act::Start || (what == Act::Toggle && !trace_open_) || (what == Act::None && trace_open_);
    if (open != trace_open_ && trace_.size() < kMost)
        trace_.emplace_back(now_, open);
    trace_open_ = open;
}

void Tags::use(unsigned value, CountsSample &sample, bool data) {
    const Mode &mode = modes_[value];
    const bool reads = data && mode.read && sample.mem_rmask != 0, writes = data && mode.write && sample.mem_wmask != 0;
    if (value == 0 || !(data ? reads || writes : mode.execute))
        return;
    Value &count = values_[value];
    count.reads += reads;
    count.writes += writes;
    if (!data) {
        count.executions++;
        count.cycles += unpaid_;
    }
    if (mode.own)
        own_[{data, data ? sample.mem_addr & ~3u : sample.pc}]++;
    if (mode.interrupt && interrupts_.size() < kMost)
        interrupts_.push_back({now_, sample.pc, value, data});
    sample.tagged |= mode.tagged;
    open_trace(mode.trace);
    act(mode.timer, mode.which);
}

void Tags::pass_steps() {
    for (unsigned t = 0; t < kTimers; t++)
        for (unsigned s = 0; s < kSteps; s++) {
            Timer &timer = timers_[t];
            if (!timer.running || steps_[t][s] == 0 || now_ - timer.began != steps_[t][s])
                continue;
            timer.over[s]++;
            if (timer.first_over[s] < 0)
                timer.first_over[s] = static_cast<int64_t>(now_);
        }
}

void Tags::take_hint(const CountsSample &sample) {
    const unsigned value = sample.insn >> 20 & 31;
    const bool group = (sample.insn & kGroupMask) == kGroup;
    const unsigned many = group ? sample.insn >> 25 : (sample.insn & kHintMask) == kHint;
    if (!hints_ || many == 0 || value == 0)
        return;
    const uint32_t address = sample.pc + 4;
    if (waiting_ && waiting_->address != address)
        hints_lost_++;
    waiting_ = {address, value, many};
}

void Tags::overwrite(uint32_t address) {
    const uint32_t word = address & ~3u;
    if (code_.erase(word) + code_.erase(word + 2) == 0)
        return;
    cleared_++;
    cleared_address_ = word;
}

void Tags::cycle(CountsSample &sample) {
    sample.tagged = false;
    sample.gates = 0;
    for (unsigned t = 0; t < kTimers; t++)
        sample.gates |= static_cast<uint8_t>(timers_[t].running << t);
    unpaid_ += sample.cause != kDebug && sample.cause != kReset;
    pass_steps();
    if (sample.retired) {
        use(tag_of(sample), sample, false);
        if ((sample.mem_rmask | sample.mem_wmask) != 0) {
            const auto at = data_.find(sample.mem_addr & ~3u);
            use(at == data_.end() ? 0 : at->second, sample, true);
        }
        if (sample.mem_wmask != 0)
            overwrite(sample.mem_addr);
        take_hint(sample);
        unpaid_ = 0;
    }
    if (sample.bus && sample.bus_write && sample.bus_master == kHost)
        overwrite(sample.bus_addr);
    if (sample.trap_enter && sample.trap_cause == kProfiler && taken_.size() < kMost)
        taken_.push_back(now_);
    now_++;
}

bool Tags::write(const std::string &path) const {
    json_t *values = json_array(), *own = json_array(), *timers = json_array(), *interrupts = json_array(),
           *taken = json_array(), *trace = json_array();
    for (const auto &value : values_)
        json_array_append_new(values, json_pack("{s:o, s:o, s:o, s:o}", "executions", integer(value.executions),
                                                "cycles", integer(value.cycles), "reads", integer(value.reads),
                                                "writes", integer(value.writes)));
    for (const auto &[whose, count] : own_)
        json_array_append_new(own, json_pack("[o, b, o]", integer(whose.second), whose.first, integer(count)));
    for (const auto &timer : timers_) {
        json_t *over = json_array(), *first_over = json_array();
        for (unsigned s = 0; s < kSteps; s++) {
            json_array_append_new(over, integer(timer.over[s]));
            json_array_append_new(first_over, json_integer(timer.first_over[s]));
        }
        json_array_append_new(timers, json_pack("{s:o, s:o, s:o, s:o, s:o, s:b, s:o, s:o}", "intervals",
                                                integer(timer.intervals), "cycles", integer(timer.cycles), "last",
                                                integer(timer.last), "shortest",
                                                timer.intervals ? integer(timer.shortest) : json_null(), "longest",
                                                integer(timer.longest), "running", timer.running, "over", over,
                                                "first_over", first_over));
    }
    for (const auto &one : interrupts_)
        json_array_append_new(
            interrupts, json_pack("[o, o, o, b]", integer(one.cycle), integer(one.pc), integer(one.value), one.data));
    for (const uint64_t cycle : taken_)
        json_array_append_new(taken, integer(cycle));
    for (const auto &[cycle, open] : trace_)
        json_array_append_new(trace, json_pack("[o, b]", integer(cycle), open));
    const Json root(json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "values", values, "own", own,
                              "timers", timers, "interrupts", interrupts, "taken", taken, "trace", trace, "cleared",
                              integer(cleared_), "cleared_address", integer(cleared_address_), "hinted",
                              integer(hinted_), "hints_lost", integer(hints_lost_)));
    return json_dump_file(root.get(), path.c_str(), JSON_INDENT(1)) == 0;
}

} // namespace gnomon
