// SPDX-License-Identifier: Apache-2.0
// The Verilated SoC with a USB host on its port, or with the far end of an asynchronous line (SIM_SERIAL). Time is
// counted in ticks of the clock that the USB bus is driven with: the hart's clock at packet level and with the line,
// the 48 MHz clock at bit level.
#ifndef GNOMON_SIM_BOARD_H
#define GNOMON_SIM_BOARD_H

#include <cstdint>
#include <memory>
#include <string>

#include "counts.h"
#include "instructions.h"
#include "oracle.h"
#include "serial/uart.h"
#include "tags.h"
#include "usb/usb_host.h"

namespace gnomon {

// When USB at packet level goes at the rate of the cable.
enum class UsbRate {
    by_board, // lossless; of real boards, and where options ask for a rate or for faults: load
    cable,    // always
    load,     // while a program runs; else transfers take no time of the cable's
    lossless, // likewise, but the trace is taken as it comes
};

struct BoardOptions {
    std::string vcd; // empty: no waveforms
    UsbRate usb_rate = UsbRate::by_board;
    unsigned usb_speedup = 0;   // at packet level USB runs so many times as fast against the hart's clock; 0: once
    unsigned trace_divisor = 0; // the trace endpoint is served at such a part of USB's rate; 0: at all of it
    bool skip = true;           // parts of the SoC in which nothing changes are not evaluated
    uint32_t fault_seed = 0;    // of what goes wrong on the cable
    unsigned fault_rate = 0;    // with so many of 1000 transactions
    std::string usb_log;        // file for a line for each bulk packet; empty: none
    unsigned latency_us = 0;    // of the asynchronous line's bridge, each way
    UartFaults faults;          // on that line
};

class Board {
  public:
    // Powers up.
    explicit Board(const BoardOptions &options);
    ~Board();
    Board(const Board &) = delete;
    Board &operator=(const Board &) = delete;

#if SIM_SERIAL
    Uart &uart();
    // True when nothing is on the line, in the bridge, or about to be.
    bool line_idle() const;
    // Runs until tick `limit` or until the line is idle.
    void run_line(uint64_t limit);
    unsigned baud() const;
#else
    UsbHost &usb();
    // Pulls the cable out, in the middle of whatever is on it, and puts it in again after so long.
    void replug(unsigned away_us);
    // False if the log cannot be written.
    bool usb_log_good() const;
    // Ticks in a millisecond.
    uint64_t ticks_per_ms() const;
    // The tick in which the hart last left its reset: USB's frames begin with it, so that a run is the same whatever
    // was before it.
    uint64_t started() const {
        return started_;
    }
#endif
    uint64_t now() const {
        return now_;
    }
    uint64_t clock_hz() const;
    // True when the device cannot do anything until it gets a transfer from the host: the hart is in reset or has
    // halted, no command is being worked on and nothing waits to be sent.
    bool quiet() const;
    bool in_reset() const;
    // In debug mode, but not in reset.
    bool halted() const;
    // The program has ended, and the hart has halted.
    bool ended() const;
    // What was used of what a lean model leaves out: a bit for each unit, as in gnomon_left_out.
    unsigned left_out_used() const;

    // Runs until tick `limit`, or until a transfer's `done` has set `stop`.
    void run(uint64_t limit, const bool &stop);

    // From the hart's next reset on every cycle is shown to the oracle, and the result written at the program's end.
    void observe(Oracle *oracle, std::string output);
    // Likewise to these counts, which their owner writes.
    void observe(Counts *counts);
    // Likewise to these tags, which their owner writes; counts that are observed, too, see what tags make of an
    // instruction.
    void observe(Tags *tags);
    // Likewise to this account, which writes its result itself.
    void observe(Instructions *instructions);
    // Writes what the oracle has, if the program did not end itself.
    bool finish_oracle();

  private:
    struct Model;

    template <bool Observed> void cycles(uint64_t limit);
    void show();
    void show_oracle();
    void show_counts();

    std::unique_ptr<Model> model_;
    uint64_t now_ = 0;
#if !SIM_SERIAL
    uint64_t started_ = 0;
#endif
    Oracle *oracle_ = nullptr;
    std::string oracle_output_;
    Counts *counts_ = nullptr;
    Tags *tags_ = nullptr;
    bool in_reset_ = false;
    uint64_t cycle_ = 0; // of the hart, since it left reset; kept up for the log
    Instructions *instructions_ = nullptr;
    bool oracle_dirty_ = false;
};

} // namespace gnomon

#endif
