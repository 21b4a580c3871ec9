// SPDX-License-Identifier: Apache-2.0
// The gnomon command with a built-in board: `-d sim:NAME` opens the linked PinBoard in place of a simulator on a
// socket. Time runs only while the command waits for a transfer, so every run is the same.
//
// --sim-option log=FILE, seed=N, mutant=N, ppm=N: PinBoardOptions.
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "pin_board.h"

extern "C" {
#include "lib/transport/transport.h"
}

namespace {

using gnomon::PinBoard;
using gnomon::UsbStatus;
using gnomon::UsbTransfer;

constexpr uint64_t ms = gnomon::pin_board_hz / 1000;
constexpr uint64_t patience = 20 * ms;      // for a transfer; far longer than any reaction of the device
constexpr uint64_t most_ticks = 200 * ms;   // of a session; the tests have no endless program
constexpr unsigned wall_clock_scale = 1000; // scale of the library's time-outs, which use wall clock time

struct PinTransport {
    gnomon_transport base;
    std::unique_ptr<PinBoard> board;
    std::vector<uint64_t> queued; // transfers of streams
    bool streaming = false;
    bool done = false; // some transfer has ended
    UsbStatus stream_status = UsbStatus::completed;
};

PinTransport *of(gnomon_transport *transport) {
    return reinterpret_cast<PinTransport *>(transport);
}

enum gnomon_status failed(const PinTransport *pins, UsbStatus status, gnomon_error *error) {
    switch (status) {
    case UsbStatus::completed:
        return GNOMON_OK;
    case UsbStatus::stall:
        return gnomon_fail(error, GNOMON_ERR_STALL, "%s refused a request", pins->base.address);
    case UsbStatus::cancelled:
        return gnomon_fail(error, GNOMON_ERR_TIMEOUT, "%s did not answer", pins->base.address);
    default:
        return gnomon_fail(error, GNOMON_ERR_PROTOCOL, "%s breaks the rules of USB in tick %llu: %s",
                           pins->base.address, static_cast<unsigned long long>(pins->board->now()),
                           pins->board->usb().stats().last_error);
    }
}

enum gnomon_status check_time(const PinTransport *pins, gnomon_error *error) {
    if (pins->board->now() < most_ticks)
        return GNOMON_OK;
    return gnomon_fail(error, GNOMON_ERR_TIMEOUT, "%s: the session takes longer than %llu ms", pins->base.address,
                       static_cast<unsigned long long>(most_ticks / ms));
}

// Submits one transfer and runs until it has ended.
enum gnomon_status wait_for(PinTransport *pins, UsbTransfer &transfer, gnomon_error *error) {
    struct {
        bool ended = false;
        UsbTransfer transfer;
    } result;
    transfer.done = [&result](UsbTransfer &done) {
        result.ended = true;
        result.transfer = std::move(done);
    };
    uint64_t id = pins->board->usb().submit(std::move(transfer));
    pins->board->run(pins->board->now() + patience, result.ended);
    if (!result.ended) {
        pins->board->usb().cancel(id);
        pins->board->run(pins->board->now() + ms, result.ended); // the transfer may be on the wire
    }
    if (!result.ended)
        return gnomon_fail(error, GNOMON_ERR_TIMEOUT, "%s holds up a transfer", pins->base.address);
    transfer = std::move(result.transfer);
    enum gnomon_status status = failed(pins, transfer.status, error);
    return status ? status : check_time(pins, error);
}

enum gnomon_status control(gnomon_transport *transport, const gnomon_setup *setup, uint8_t *data, size_t *got, unsigned,
                           gnomon_error *error) {
    UsbTransfer transfer;
    const uint16_t words[3] = {setup->value, setup->index, setup->length};
    transfer.setup[0] = setup->request_type;
    transfer.setup[1] = setup->request;
    for (unsigned i = 0; i < 3; ++i) {
        transfer.setup[2 + 2 * i] = static_cast<uint8_t>(words[i]);
        transfer.setup[3 + 2 * i] = static_cast<uint8_t>(words[i] >> 8);
    }
    bool in = setup->request_type & 0x80;
    if (!in && setup->length)
        transfer.buffer.assign(data, data + setup->length);
    enum gnomon_status status = wait_for(of(transport), transfer, error);
    *got = transfer.actual;
    if (!status && in && transfer.actual)
        memcpy(data, transfer.buffer.data(), transfer.actual);
    return status;
}

enum gnomon_status bulk(gnomon_transport *transport, uint8_t endpoint, uint8_t *data, size_t size, size_t *done,
                        unsigned, gnomon_error *error) {
    UsbTransfer transfer;
    transfer.endpoint = endpoint;
    transfer.length = static_cast<uint32_t>(size);
    bool in = endpoint & 0x80;
    if (!in)
        transfer.buffer.assign(data, data + size);
    enum gnomon_status status = wait_for(of(transport), transfer, error);
    *done = transfer.actual;
    if (in && transfer.actual)
        memcpy(data, transfer.buffer.data(), transfer.actual);
    return status;
}

// One transfer of a stream; when it ends, the next one replaces it.
void queue(PinTransport *pins, const gnomon_stream &stream) {
    UsbTransfer transfer;
    transfer.endpoint = stream.endpoint;
    transfer.length = static_cast<uint32_t>(stream.size);
    transfer.done = [pins, stream](UsbTransfer &ended) {
        pins->done = true;
        if (ended.actual)
            stream.data(stream.context, ended.buffer.data(), ended.actual);
        if (ended.status != UsbStatus::completed && ended.status != UsbStatus::cancelled)
            pins->stream_status = ended.status;
        else if (pins->streaming && ended.status == UsbStatus::completed)
            queue(pins, stream);
    };
    pins->queued.push_back(pins->board->usb().submit(std::move(transfer)));
}

enum gnomon_status start(gnomon_transport *transport, const gnomon_stream *streams, size_t count, gnomon_error *) {
    PinTransport *pins = of(transport);
    pins->streaming = true;
    for (size_t i = 0; i < count; ++i)
        for (unsigned n = 0; n < streams[i].transfers; ++n)
            queue(pins, streams[i]);
    return GNOMON_OK;
}

enum gnomon_status process(gnomon_transport *transport, unsigned timeout, gnomon_error *error) {
    PinTransport *pins = of(transport);
    pins->done = false;
    pins->board->run(pins->board->now() + timeout * ms, pins->done);
    enum gnomon_status status = failed(pins, pins->stream_status, error);
    return status ? status : check_time(pins, error);
}

enum gnomon_status stop(gnomon_transport *transport, gnomon_error *error) {
    PinTransport *pins = of(transport);
    pins->streaming = false;
    for (uint64_t id : pins->queued)
        pins->board->usb().cancel(id);
    pins->queued.clear();
    for (uint64_t end = pins->board->now() + ms; !pins->board->usb().idle() && pins->board->now() < end;) {
        pins->done = false;
        pins->board->run(end, pins->done);
    }
    if (!pins->board->usb().idle())
        return gnomon_fail(error, GNOMON_ERR_TIMEOUT, "%s holds up its streams", transport->address);
    return GNOMON_OK;
}

void close_board(gnomon_transport *transport) {
    delete of(transport);
}

const gnomon_transport_ops ops = {control, bulk, start, process, stop, close_board};

bool read_option(const char *text, gnomon::PinBoardOptions &options) {
    const char *value = strchr(text, '=');
    if (!value)
        return false;
    std::string name(text, value++);
    if (name == "log")
        options.log = value;
    else if (name == "seed")
        options.seed = static_cast<unsigned>(strtoul(value, nullptr, 10));
    else if (name == "mutant")
        options.mutant = static_cast<unsigned>(strtoul(value, nullptr, 10));
    else if (name == "ppm")
        options.host_ppm = atoi(value);
    else
        return false;
    return true;
}

} // namespace

extern "C" enum gnomon_status gnomon_sim_open(const char *address, const gnomon_transport_options *options,
                                              gnomon_transport **transport, gnomon_error *error) {
    gnomon::PinBoardOptions chosen;
    for (size_t i = 0; options && i < options->sim_option_count; ++i)
        if (!read_option(options->sim_options[i], chosen))
            return gnomon_fail(error, GNOMON_ERR_ARGUMENT, "\"%s\" is none of log=FILE, seed=N, mutant=N, ppm=N",
                               options->sim_options[i]);
    auto pins = std::make_unique<PinTransport>();
    pins->board = std::make_unique<PinBoard>(chosen);
    if (!pins->board->good())
        return gnomon_fail_errno(error, GNOMON_ERR_SYSTEM, "cannot write %s", chosen.log.c_str());
    gnomon_transport_init(&pins->base, &ops, address, wall_clock_scale);
    const bool never = false;
    pins->board->usb().attach();
    while (!pins->board->usb().attached() && !pins->board->usb().failed() && pins->board->now() < patience)
        pins->board->run(pins->board->now() + 1, never);
    if (!pins->board->usb().attached())
        return gnomon_fail(error, GNOMON_ERR_NOT_FOUND, "%s does not take an address: %s", address,
                           pins->board->usb().stats().last_error);
    enum gnomon_status status = gnomon_usb_identify(&pins->base, true, error);
    if (!status)
        *transport = &pins.release()->base;
    return status;
}

extern "C" enum gnomon_status gnomon_sim_list(gnomon_found_callback *, void *, gnomon_error *) {
    return GNOMON_OK;
}
