// SPDX-License-Identifier: Apache-2.0
#include "instruction_costs.h"

#include <map>
#include <memory>

#include "gnomon/trace.h"

namespace gnomon {

namespace {

constexpr unsigned kDebug = 9, kReset = 10, kUnknown = 15;
constexpr uint8_t kWord = 0xF;
constexpr uint32_t kExitAddress = 0u - 4 - 4 * GNOMON_CHANNEL_EXIT;

json_t *integer(uint64_t value) {
    return json_integer(static_cast<json_int_t>(value));
}

} // namespace

void InstructionCosts::reset() {
    started_ = ended_ = false;
    cycles_ = unattributed_ = 0;
    causes_ = waiting_ = Costs{};
    costs_.clear();
}

void InstructionCosts::cycle(const OracleSample &sample) {
    if (ended_) {
        return;
    }
    if (!started_) { // counting starts with cycle 0
        started_ = true;
        return;
    }
    const unsigned cause = sample.cause < kCauses ? sample.cause : kUnknown;
    ++cycles_;
    ++causes_[cause];
    if (cause == kDebug || cause == kReset) {
        ++unattributed_;
    } else {
        ++waiting_[cause];
    }
    if (!sample.valid || sample.trap) {
        return;
    }
    Costs &costs = costs_[sample.pc];
    for (unsigned i = 0; i < kCauses; ++i) {
        costs[i] += waiting_[i];
    }
    waiting_ = Costs{};
    if (sample.mem_wmask == kWord && sample.mem_addr == kExitAddress) {
        ended_ = true;
    }
}

void InstructionCosts::end() {
    for (uint64_t cycles : waiting_) {
        unattributed_ += cycles;
    }
    waiting_ = Costs{};
    ended_ = true;
}

json_t *InstructionCosts::json() const {
    json_t *root = json_object(), *causes = json_array(), *list = json_array();
    for (uint64_t cycles : causes_) {
        json_array_append_new(causes, integer(cycles));
    }
    for (const auto &entry : std::map<uint32_t, Costs>(costs_.begin(), costs_.end())) {
        json_t *row = json_array();
        json_array_append_new(row, integer(entry.first));
        for (unsigned i = 0; i < kCauses; ++i) {
            if (entry.second[i] != 0) {
                json_array_append_new(row, integer(i));
                json_array_append_new(row, integer(entry.second[i]));
            }
        }
        json_array_append_new(list, row);
    }
    json_object_set_new(root, "cycles", integer(cycles_));
    json_object_set_new(root, "unattributed", integer(unattributed_));
    json_object_set_new(root, "causes", causes);
    json_object_set_new(root, "instructions", list);
    return root;
}

void Instructions::reset() {
    exited_ = written_ = false;
    for (InstructionCosts &hart : harts_) {
        hart.reset();
    }
}

void Instructions::cycle(const OracleSample &sample, const OracleSample *other) {
    harts_[0].cycle(sample);
    if (other) {
        harts_[1].cycle(*other);
    }
    if (exited_) {
        harts_[0].end();
        harts_[1].end();
    }
    exited_ = harts_[0].ended() || harts_[1].ended();
    if (exited_ && !written_ && harts_[0].ended() && (!other || harts_[1].ended())) {
        written_ = true;
        good_ = write(other != nullptr) && good_;
    }
}

bool Instructions::write(bool two_harts) const {
    const std::unique_ptr<json_t, decltype(&json_decref)> root(harts_[0].json(), json_decref);
    if (two_harts) {
        json_object_set_new(root.get(), "hart1", harts_[1].json());
    }
    return json_dump_file(root.get(), path_.c_str(), JSON_COMPACT) == 0;
}

} // namespace gnomon
