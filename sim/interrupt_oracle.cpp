// SPDX-License-Identifier: Apache-2.0
#include "interrupt_oracle.h"

namespace gnomon {

void InterruptOracle::reset() {
    *this = InterruptOracle{};
}

// The last instruction left MIE like this.
void InterruptOracle::settle(bool mie_after) {
    if (off_ && mie_after) {
        open_.cycles = last_.cycle - open_.from;
        holds_.push_back(open_);
        off_ = false;
    } else if (!off_ && !mie_after && ever_on_ && last_.trap_leave && traps_then_ == 0) {
        off_ = true;
        open_ = {last_.cycle, 0, 0};
    } else if (!off_ && !mie_after && last_.mie && !last_.trap_leave) {
        off_ = true;
        open_ = {last_.cycle, 0, last_.pc};
    }
    ever_on_ |= mie_after;
}

// A request that is withdrawn can still be taken, because the pipeline has begun to.
void InterruptOracle::wait(const InterruptSample &sample) {
    static const unsigned codes[] = {3, 7, 11, 16, 13};
    for (unsigned line = 0; line < 5; line++) {
        const bool asks = sample.requests >> line & 1;
        if (asks && !(requests_ >> line & 1))
            asked_[codes[line]] = sample.cycle;
    }
    requests_ = sample.requests;
    const unsigned code = sample.trap_cause & 0x1F;
    if (!sample.trap_enter || !(sample.trap_cause & 0x20) || !asked_.count(code))
        return;
    waits_.push_back({sample.cycle, code, sample.cycle - asked_[code]});
    asked_[code] = sample.cycle;
}

void InterruptOracle::cycle(const InterruptSample &sample) {
    wait(sample);
    // The first instruction of a handler has in MPIE what the last instruction before the trap left in MIE.
    if (sample.valid && pending_) {
        settle(trapped_ ? sample.mpie : sample.mie);
        pending_ = false;
    }
    if (sample.trap_leave && traps_ > 0) {
        traps_--;
    }
    if (sample.valid && !sample.trap_enter) {
        last_ = sample;
        pending_ = true;
        trapped_ = false;
        traps_then_ = traps_;
    }
    if (sample.trap_enter) {
        trapped_ = true;
        traps_++;
    }
}

json_t *InterruptOracle::json() const {
    json_t *list = json_array();
    for (const Hold &hold : holds_) {
        json_array_append_new(list, json_pack("[III]", static_cast<json_int_t>(hold.from),
                                              static_cast<json_int_t>(hold.cycles), static_cast<json_int_t>(hold.pc)));
    }
    return json_pack("{s:o, s:b}", "holds", list, "off", static_cast<int>(off_));
}

json_t *InterruptOracle::waits_json() const {
    json_t *list = json_array();
    for (const Wait &wait : waits_) {
        json_array_append_new(list, json_pack("[IiI]", static_cast<json_int_t>(wait.cycle), static_cast<int>(wait.code),
                                              static_cast<json_int_t>(wait.waited)));
    }
    return list;
}

} // namespace gnomon
