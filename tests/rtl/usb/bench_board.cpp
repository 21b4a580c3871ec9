// SPDX-License-Identifier: Apache-2.0
#include "bench_board.h"

namespace gnomon {

Board::Board(BoardOptions o) : options(std::move(o)), top(std::make_unique<Vusb_bench>(&context)) {
#if USB_LINE
    LineSignals signals{&top->usb_dp_i, &top->usb_dn_i, &top->usb_dp_o,
                        &top->usb_dn_o, &top->usb_oe_o, &top->usb_pullup_o};
    bus = std::make_unique<LineBus>(signals, options.host_ppm);
#else
    bus = std::make_unique<FunctionalBus>(FunctionalSignals{&top->txn_i, &top->txn_o}, options.clock_hz);
#endif
    host = std::make_unique<UsbHost>(*bus, options.host);
    top->rst_i = 1;
    top->loop_i = 1;
    for (int i = 0; i < 64; ++i)
        step();
    top->rst_i = 0;
    for (int i = 0; i < 64; ++i)
        step();
}

Board::~Board() {
    top->final();
}

void Board::step() {
    if (now >= host->next_event_cycle())
        host->tick(now);
    clock();
}

void Board::clock() {
    ++now;
#if USB_LINE
    top->clk48_i = 1;
    top->eval();
    top->clk48_i = 0;
    // The edges of the two clocks never coincide, and they drift against each other.
    clock_phase_ += 2 * options.clock_hz + 977;
    while (clock_phase_ >= 48000000) {
        clock_phase_ -= 48000000;
        top->clk_i = !top->clk_i;
        top->eval();
    }
#else
    top->clk_i = 1;
    top->eval();
    top->clk_i = 0;
#endif
    top->eval();
}

void Board::run(uint64_t ticks) {
    for (uint64_t i = 0; i < ticks; ++i)
        step();
}

void Board::run_us(uint64_t us) {
    run(us * (bus->ticks_per_second() / 1000000));
}

void Board::attach() {
    host->attach();
    run_until([this] { return host->attached() || host->failed(); });
    CHECK(host->attached());
}

void Board::configure() {
    attach();
    CHECK(control(setup(0x00, 0x09, 1, 0, 0)).status == UsbStatus::completed);
}

Outcome Board::submit_and_wait(UsbTransfer transfer) {
    Outcome outcome;
    bool over = false;
    transfer.done = [&](UsbTransfer &t) {
        outcome.status = t.status;
        outcome.actual = t.actual;
        t.buffer.resize(t.actual);
        outcome.data = std::move(t.buffer);
        over = true;
    };
    host->submit(std::move(transfer));
    run_until([&] { return over; });
    return outcome;
}

Outcome Board::control(Setup s, Bytes out) {
    UsbTransfer transfer;
    transfer.setup = s;
    transfer.buffer = std::move(out);
    return submit_and_wait(std::move(transfer));
}

Outcome Board::transfer(uint8_t endpoint, Bytes out, uint32_t length, unsigned flags) {
    UsbTransfer transfer;
    transfer.endpoint = endpoint;
    transfer.buffer = std::move(out);
    transfer.length = length;
    transfer.flags = flags;
    return submit_and_wait(std::move(transfer));
}

UsbResult Board::transact(const UsbTransaction &transaction) {
    while (bus->busy()) // a start of frame
        step();
    bus->start(transaction, now);
    while (bus->busy()) {
        if (now >= bus->next_event())
            bus->tick(now);
        if (bus->busy())
            clock();
    }
    return bus->result();
}

} // namespace gnomon
