// SPDX-License-Identifier: Apache-2.0
// The bench's board: the Verilated device, its clocks, and a host at the level that the device was built for.
#ifndef GNOMON_TESTS_USB_BENCH_BOARD_H
#define GNOMON_TESTS_USB_BENCH_BOARD_H

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "Vusb_bench.h"
#include "usb_host.h"
#if USB_LINE
#include "line_bus.h"
#else
#include "functional_bus.h"
#endif

namespace gnomon {

#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            std::printf("%s:%d: %s: failed: %s\n", __FILE__, __LINE__, __func__, #condition);                          \
            std::exit(1);                                                                                              \
        }                                                                                                              \
    } while (0)

using Bytes = std::vector<uint8_t>;
using Setup = std::array<uint8_t, 8>;

struct BoardOptions {
    uint64_t clock_hz = 12000000; // of clk_i
    int host_ppm = 0;             // deviation of the host's clock (line level), in ppm
    UsbHostOptions host;
};

struct Outcome {
    UsbStatus status = UsbStatus::error;
    Bytes data; // data from the device
    uint32_t actual = 0;
};

class Board {
  public:
    explicit Board(BoardOptions options = {});
    ~Board();

    void step();  // one tick of the bus
    void clock(); // without the host controller
    void run(uint64_t ticks);
    void run_us(uint64_t us);
    template <class Condition> void run_until(Condition condition, uint64_t limit_us = 500000) {
        uint64_t limit = now + limit_us * (bus->ticks_per_second() / 1000000);
        while (!condition()) {
            CHECK(now < limit);
            step();
        }
    }
    void attach();
    void configure();
    Outcome control(Setup setup, Bytes out = {});
    Outcome transfer(uint8_t endpoint, Bytes out, uint32_t length, unsigned flags = 0);
    Outcome bulk_in(uint8_t endpoint, uint32_t length) {
        return transfer(endpoint, {}, length);
    }
    Outcome bulk_out(Bytes data, unsigned flags = 0) {
        uint32_t length = static_cast<uint32_t>(data.size());
        return transfer(0x01, std::move(data), length, flags);
    }
    // One transaction without the host controller, which must have no transfers.
    UsbResult transact(const UsbTransaction &transaction);

    BoardOptions options;
    VerilatedContext context;
    std::unique_ptr<Vusb_bench> top;
    std::unique_ptr<UsbBus> bus;
    std::unique_ptr<UsbHost> host;
    uint64_t now = 0;

  private:
    Outcome submit_and_wait(UsbTransfer transfer);

    uint64_t clock_phase_ = 0;
};

inline Setup setup(uint8_t type, uint8_t request, uint16_t value, uint16_t index, uint16_t length) {
    return {type,
            request,
            static_cast<uint8_t>(value),
            static_cast<uint8_t>(value >> 8),
            static_cast<uint8_t>(index),
            static_cast<uint8_t>(index >> 8),
            static_cast<uint8_t>(length),
            static_cast<uint8_t>(length >> 8)};
}

// Control transfers that must return these data, must stall, must succeed without data.
void expect_data(Board &b, Setup s, const Bytes &expected);
void expect_stall(Board &b, Setup s, const Bytes &out = {});
void expect_ok(Board &b, Setup s, const Bytes &out = {});
void descriptors(Board &b); // checks all descriptors, byte by byte

void control_cases();
void common_cases();
void speed();

} // namespace gnomon

#endif
