// SPDX-License-Identifier: Apache-2.0
// A board that is accessible only through its pins (netlist_tb.v), with a USB host on its cable. Time is counted in
// ticks of the 48 MHz oscillator since power-up.
#ifndef GNOMON_NETLIST_PIN_BOARD_H
#define GNOMON_NETLIST_PIN_BOARD_H

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>

#include "usb/line_bus.h"
#include "usb/usb_host.h"

class Vnetlist_tb;
class VerilatedContext;

namespace gnomon {

constexpr uint64_t pin_board_hz = 48000000;

struct PinBoardOptions {
    std::string log;     // log file: a line for each time in which the device drove the cable; empty: none
    unsigned seed = 0;   // contents of memories and registers without a defined value; 0: zeros
    unsigned mutant = 0; // fault of a netlist with selectable faults; 0: none
    int host_ppm = 0;    // deviation of the host's clock, in ppm
};

class PinBoard {
  public:
    explicit PinBoard(const PinBoardOptions &options);
    ~PinBoard();
    PinBoard(const PinBoard &) = delete;
    PinBoard &operator=(const PinBoard &) = delete;

    // False: the log cannot be written.
    bool good() const;
    UsbHost &usb() {
        return *host_;
    }
    uint64_t now() const {
        return now_;
    }
    // Runs until tick `limit`, or until a transfer's `done` has set `stop`: then the tick is not over, and transfers
    // submitted before the next call take no time.
    void run(uint64_t limit, const bool &stop);

  private:
    void look();
    void note();
    void clock();

    std::unique_ptr<VerilatedContext> context_;
    std::unique_ptr<Vnetlist_tb> top_;
    std::unique_ptr<LineBus> bus_;
    std::unique_ptr<UsbHost> host_;
    FILE *log_ = nullptr;
    bool logging_;
    uint64_t now_ = 0;
    uint64_t looked_ = UINT64_MAX; // the last tick in which look() was called
    uint64_t pll_phase_ = 0;
    // The device's side of the cable, as LineBus samples it.
    uint8_t dp_ = 0, dn_ = 0, oe_ = 0, pullup_ = 0;
    // The device's levels since `since_`.
    uint8_t seen_pullup_ = 0;
    bool driving_ = false;
    uint64_t since_ = 0;
    uint64_t hash_ = 0;
};

} // namespace gnomon

#endif
