// SPDX-License-Identifier: Apache-2.0
// The host's end of the cable, bit by bit: drives D+ and D- and checks all that the device drives. A tick is one cycle
// of the device's 48 MHz clock; the host's own clock may be faster or slower.
#ifndef GNOMON_SIM_USB_LINE_BUS_H
#define GNOMON_SIM_USB_LINE_BUS_H

#include <cstddef>

#include "line_packet.h"
#include "usb_bus.h"

namespace gnomon {

struct LineSignals { // signals of the device's ports
    uint8_t *dp_i;
    uint8_t *dn_i;
    const uint8_t *dp_o;
    const uint8_t *dn_o;
    const uint8_t *oe_o;
    const uint8_t *pullup_o;
};

class LineBus final : public UsbBus {
  public:
    explicit LineBus(const LineSignals &signals, int host_ppm = 0);

    void start(const UsbTransaction &transaction, uint64_t now) override;
    void hold(UsbHold what, uint64_t now, uint64_t ticks) override;
    void tick(uint64_t now) override;
    bool needs_sof() const override {
        return true;
    }

    // The smallest number of ticks seen between the end of a host's packet and the device's answer.
    unsigned shortest_answer() const {
        return shortest_answer_;
    }
    unsigned longest_answer() const {
        return longest_answer_;
    }

  private:
    enum class State { idle, holding, ending, ended, sending, waiting, receiving, releasing, draining };
    enum class Next { answer, finish };

    LineState device() const;
    void drive(LineState state);
    void drive_late(LineState state);
    void write_request();
    void held();
    void send(Next next);
    void sent();
    void wait_for_answer(LineState line);
    void receive(LineState line);
    void received();
    void drain();
    void finish();
    void fail(const char *error);

    LineSignals signals_;
    uint64_t host_rate_; // rate of the host's clock, in parts per million of the simulator's clock
    uint64_t phase_ = 0; // phase of the host's bit
    State state_ = State::idle;
    Next next_ = Next::finish;
    LineWriter writer_;
    LineReader reader_;
    size_t position_ = 0;
    UsbHold hold_ = UsbHold::reset;
    unsigned answer_bits_ = 0; // bits of the device's packet so far
    unsigned flip_at_ = 0;     // with usb_fault_flip_answer: the bit to flip
    bool flipped_ = false;
    LineState last_line_ = LineState::j;
    unsigned since_end_ = 0; // ticks since the end of the host's last packet
    unsigned released_ = 0;
    unsigned quiet_ = 0;
    unsigned shortest_answer_ = ~0u;
    unsigned longest_answer_ = 0;
    LineState late_ = LineState::j; // the state of both lines one tick later
    bool is_late_ = false;
};

} // namespace gnomon

#endif
