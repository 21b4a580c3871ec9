// SPDX-License-Identifier: Apache-2.0
#include "serial_board.h"

namespace gnomon {

namespace {

constexpr unsigned reset_cycles = 16;
constexpr uint64_t cycles_in_us = clock_hz / 1000000;

SerialBoard &board_of(void *context) {
    return *static_cast<SerialBoard *>(context);
}

const char *io_send(void *context, const uint8_t *data, size_t size) {
    board_of(context).send(std::vector<uint8_t>(data, data + size));
    return nullptr;
}

const char *io_receive(void *context, uint8_t *data, size_t size, uint64_t end, size_t *got, bool *interrupted) {
    SerialBoard &b = board_of(context);
    *interrupted = false;
    *got = 0;
    do {
        while (*got < size && b.uart.receive(data[*got]))
            ++*got;
        b.run(8);
    } while (*got == 0 && b.now < end * cycles_in_us);
    return nullptr;
}

uint64_t io_now(void *context) {
    return board_of(context).now / cycles_in_us;
}

void io_close(void *context) {
    (void)context;
}

} // namespace

SerialBoard::SerialBoard(double rate, unsigned latency_us, UartFaults faults)
    : uart(DIVIDER / rate, latency_us * cycles_in_us, faults) {
    top.clk_i = 0;
    top.rst_i = 1;
    top.loop_i = 1;
    top.usb_dp_i = 1;
    run(reset_cycles);
    top.rst_i = 0;
}

SerialBoard::~SerialBoard() {
    gnomon_transport_close(transport);
    top.final();
}

void SerialBoard::run(uint64_t cycles) {
    for (; cycles != 0; --cycles, ++now) {
        top.usb_dp_i = uart.tick(now, top.usb_dp_o) && !forced_low;
        top.clk_i = 1;
        top.eval();
        top.clk_i = 0;
        top.eval();
    }
}

void SerialBoard::send(const std::vector<uint8_t> &bytes) {
    for (uint8_t byte : bytes)
        uart.send(byte, now);
}

std::vector<uint8_t> SerialBoard::answer(uint64_t quiet) {
    std::vector<uint8_t> all;
    for (uint64_t end = now + quiet; now < end;) {
        run(1);
        if (!uart.idle())
            end = now + quiet;
        for (uint8_t byte; uart.receive(byte);)
            all.push_back(byte);
    }
    return all;
}

void SerialBoard::open() {
    serial_io io = {this, io_send, io_receive, io_now, io_close};
    check(gnomon_serial_over(&io, "serial:bench", &transport, &error) == GNOMON_OK, std::string("open: ") + error.what);
}

} // namespace gnomon
