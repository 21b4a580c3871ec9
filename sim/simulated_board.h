// SPDX-License-Identifier: Apache-2.0
// The Verilated SoC with a USB host on its port, or with the far end of a UART link (SIM_SERIAL). Time is
// counted in ticks of the clock that the USB bus is driven with: the hart's clock at packet level and with the line,
// the 48 MHz clock at bit level.
#ifndef GNOMON_SIM_SIMULATED_BOARD_H
#define GNOMON_SIM_SIMULATED_BOARD_H

#include <cstdint>
#include <memory>
#include <string>

#include "counts.h"
#include "instruction_costs.h"
#include "oracle.h"
#include "retired_log.h"
#include "serial/uart.h"
#include "tags.h"
#include "usb/usb_host.h"

namespace gnomon {

// When USB at packet level has the rate of the cable.
enum class UsbRate {
    by_board, // lossless; load for real boards, and if options ask for a rate or for faults
    cable,    // always
    load,     // while a program runs; at other times transfers take no time on the cable
    lossless, // as load, but a tap takes the trace at once
};

struct BoardOptions {
    std::string vcd; // empty: no waveforms
    UsbRate usb_rate = UsbRate::by_board;
    unsigned usb_speedup = 0;   // at packet level: factor by which USB is faster against the hart's clock; 0: 1
    unsigned trace_divisor = 0; // the trace endpoint gets this fraction of USB's rate: 1 / divisor; 0: the whole rate
    bool skip = true;           // do not evaluate parts of the SoC in which nothing changes
    uint32_t fault_seed = 0;    // seed for faults on the cable
    unsigned fault_rate = 0;    // of 1000 transactions, this many have a fault
    std::string flash;          // file with the contents of the flash memory, read and written; empty: none
    std::string usb_log;        // file that gets a line for each bulk packet; empty: none
    unsigned latency_us = 0;    // delay in the bridge of the UART link, in each direction
    UartFaults faults;          // faults on the UART link
};

class Board {
  public:
    // Powers the board up.
    explicit Board(const BoardOptions &options);
    ~Board();
    Board(const Board &) = delete;
    Board &operator=(const Board &) = delete;

#if SIM_SERIAL
    Uart &uart();
    // True if the line and the bridge hold no data, and none are about to come.
    bool line_idle() const;
    // Runs until tick `limit` or until the line is idle.
    void run_line(uint64_t limit);
    unsigned baud() const;
#else
    UsbHost &usb();
    // Pulls the cable out, also in the middle of a packet, and puts it back in after `away_us` microseconds.
    void replug(unsigned away_us);
    // False if the log cannot be written.
    bool usb_log_good() const;
    // Number of ticks in a millisecond.
    uint64_t ticks_per_ms() const;
    // Tick in which the hart last left reset. USB's frames begin with this tick, so that a run does not depend on what
    // happened before it.
    uint64_t started() const {
        return started_;
    }
#endif
    uint64_t now() const {
        return now_;
    }
    uint64_t clock_hz() const;
    // True if the device cannot do anything before the host sends a transfer: the hart is in reset or has halted, no
    // command is being processed, and no data wait to be sent.
    bool quiet() const;
    bool in_reset() const;
    // True if the hart is in debug mode, but not in reset.
    bool halted() const;
    // True if the program has ended and the hart has halted.
    bool ended() const;
    bool two_harts() const;
    // The used units that a lean model leaves out: a bit for each unit, as in gnomon_left_out.
    unsigned left_out_used() const;

    // Reads the contents of the flash memory from the file of the options, if it exists. False: the board has no flash,
    // or the file cannot be read.
    bool load_flash();
    // Writes them back. False: the file cannot be written.
    bool save_flash() const;

    // Runs until tick `limit`, or until the `done` of a transfer has set `stop`.
    void run(uint64_t limit, const bool &stop);

    // From the hart's next reset on, shows every cycle to the oracle, and to that of hart 1 if there is one. Writes the
    // oracle's result when the program ends.
    void observe(Oracle *oracle, Oracle *oracle1, std::string output);
    // From the hart's next reset on, shows every cycle to these counts; their owner writes the result.
    void observe(Counts *counts);
    // The time of the reference model of the profile counts this event; only boards with one hart.
    void observe(const CountedEvent *clock);
    // From the hart's next reset on, shows every cycle to these tags; their owner writes the result. If counts are
    // observed, too, the counts get the effect of tags on each instruction.
    void observe(Tags *tags);
    // From the hart's next reset on, shows every cycle to `instructions`, which writes its result itself.
    void observe(Instructions *instructions);
    // From now on, writes each cycle of both harts to this log, also while they are in reset.
    void observe(RetiredLog *retired);
    // Writes the oracle's result if the program did not end by itself.
    bool finish_oracle();

  private:
    struct Model;
    struct Bytes {
        uint8_t *data;
        size_t size;
    };

    Bytes flash_bytes() const;

    template <bool Observed> void cycles(uint64_t limit);
    void show();
    void show_oracle();
    OracleSample sample_of_hart1() const;
    void show_hart1(const OracleSample &sample);
    CountsSample counts_sample() const;
    void show_counts();
    void show_retired();
    bool observed() const {
        return oracle_ || counts_ || tags_ || instructions_ || retired_;
    }

    std::unique_ptr<Model> model_;
    std::string flash_;
    uint64_t now_ = 0;
#if !SIM_SERIAL
    uint64_t started_ = 0;
#endif
    Oracle *oracle_ = nullptr, *oracle1_ = nullptr;
    std::string oracle_output_;
    Counts *counts_ = nullptr;
    const CountedEvent *clock_ = nullptr;
    Tags *tags_ = nullptr;
    bool in_reset_ = false;
    uint64_t cycle_ = 0; // cycle of the hart since it left reset; kept up to date for the log
    Instructions *instructions_ = nullptr;
    RetiredLog *retired_ = nullptr;
    bool oracle_dirty_ = false;
    bool exited_ = false; // with two harts: one of them has ended the program
};

} // namespace gnomon

#endif
