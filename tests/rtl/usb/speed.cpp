// SPDX-License-Identifier: Apache-2.0
// The speed of the simulation, in processor time: `make bench-usb`.
#include <ctime>

#include "bench_board.h"

namespace gnomon {

namespace {

void keep_reading(Board &b, uint8_t endpoint) {
    UsbTransfer t;
    t.endpoint = endpoint;
    t.length = 4096;
    t.done = [&b, endpoint](UsbTransfer &x) {
        if (x.status == UsbStatus::completed)
            keep_reading(b, endpoint);
    };
    b.host->submit(std::move(t));
}

void measure(Board &b, const char *what) {
    constexpr uint64_t ticks = 10000000;
    std::clock_t start = std::clock();
    b.run(ticks);
    double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    std::printf("%-32s %6.2f M ticks/s\n", what, static_cast<double>(ticks) / seconds / 1e6);
}

} // namespace

void speed() {
    BoardOptions options;
    options.clock_hz = 60000000;
    Board b(options);
    b.configure();
    measure(b, "no transfer queued");
    keep_reading(b, 0x81);
    keep_reading(b, 0x82);
    measure(b, "two endpoints polled, NAK");
    b.top->trace_i = 1;
    measure(b, "trace at full rate");
    b.host->attach();
    while (b.bus->busy())
        b.step();
}

} // namespace gnomon
