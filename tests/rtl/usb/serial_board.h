// SPDX-License-Identifier: Apache-2.0
// The USB device with a UART link on the bench, as the library's host sees it: bytes out, bytes in, a clock. Time is
// simulated and runs only while the host waits.
#ifndef GNOMON_TEST_SERIAL_BOARD_H
#define GNOMON_TEST_SERIAL_BOARD_H

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include <verilated.h>

#include "Vusb_bench.h"
#include "uart.h"
extern "C" {
#include "lib/transport/transport_serial.h"
}

namespace gnomon {

constexpr uint64_t clock_hz = 12000000;

inline void check(bool good, const std::string &what) {
    if (good)
        return;
    std::printf("FAIL: %s\n", what.c_str());
    std::exit(1);
}

class SerialBoard {
  public:
    // `rate`: the host's bit rate divided by the board's.
    explicit SerialBoard(double rate = 1, unsigned latency_us = 0, UartFaults faults = {});
    ~SerialBoard();
    SerialBoard(const SerialBoard &) = delete;
    SerialBoard &operator=(const SerialBoard &) = delete;

    void run(uint64_t cycles);
    void send(const std::vector<uint8_t> &bytes);
    // Returns the bytes that the board sends until its line has been quiet for `quiet` cycles.
    std::vector<uint8_t> answer(uint64_t quiet = 4000);
    void open();

    Vusb_bench top;
    Uart uart;
    uint64_t now = 0;
    bool forced_low = false; // the line to the board
    gnomon_transport *transport = nullptr;
    gnomon_error error{};
};

} // namespace gnomon

#endif
