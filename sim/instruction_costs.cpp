// SPDX-License-Identifier: Apache-2.0
#include "instruction_costs.h"

#include <jansson.h>
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

void Instructions::reset() {
    started_ = ended_ = false;
    cycles_ = unattributed_ = 0;
    causes_ = waiting_ = Costs{};
    costs_.clear();
}

void Instructions::cycle(const OracleSample &sample) {
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
        good_ = write() && good_;
    }
}

bool Instructions::write() const {
    const std::unique_ptr<json_t, decltype(&json_decref)> root(json_object(), json_decref);
    json_t *causes = json_array(), *list = json_array();
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
    json_object_set_new(root.get(), "cycles", integer(cycles_));
    json_object_set_new(root.get(), "unattributed", integer(unattributed_));
    json_object_set_new(root.get(), "causes", causes);
    json_object_set_new(root.get(), "instructions", list);
    return json_dump_file(root.get(), path_.c_str(), JSON_COMPACT) == 0;
}

} // namespace gnomon
