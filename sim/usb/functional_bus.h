// SPDX-License-Identifier: Apache-2.0
// Whole packets through the transaction port of gnomon_usb (docs/internals/usb.md). A packet passes the port in a burst
// at the time it would be complete on the wire; the rest of its wire time nothing happens and no tick is needed.
#ifndef GNOMON_SIM_USB_FUNCTIONAL_BUS_H
#define GNOMON_SIM_USB_FUNCTIONAL_BUS_H

#include "usb_bus.h"

namespace gnomon {

struct FunctionalSignals {
    uint32_t *txn_i;
    const uint16_t *txn_o;
};

class FunctionalBus final : public UsbBus {
  public:
    FunctionalBus(const FunctionalSignals &signals, uint64_t clock_hz);

    void start(const UsbTransaction &transaction, uint64_t now) override;
    void hold(UsbHold what, uint64_t now, uint64_t ticks) override;
    void tick(uint64_t now) override;
    bool needs_sof() const override {
        return false;
    }

  private:
    enum class State { idle, hold, token, data, end, answer, settle, receive, ack, finish };

    void wait(State next, uint64_t until);
    void step(State next, uint64_t now);
    void spoil();
    void answered(uint64_t now);
    void received(uint64_t now);

    FunctionalSignals signals_;
    State state_ = State::idle;
    uint64_t started_ = 0;
    unsigned position_ = 0;
    unsigned sent_ = 0;      // number of bytes that the device gets
    bool good_ = true;       // the device finds no error in them
    bool ack_again_ = false; // the acknowledgement is sent a second time
    bool taken_ = false;     // a byte from the device is on its way
    unsigned patience_ = 0;
};

} // namespace gnomon

#endif
