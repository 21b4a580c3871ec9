// SPDX-License-Identifier: Apache-2.0
// The bulk IN throughput at bit level, packet by packet, from exact counts of ticks: `make bench-usb-wire`.
// usage: Vusb_bench FRAMES [FILE]
// Fails if a frame has fewer packets than fit into it. FILE gets the figures as JSON.
#include <cinttypes>
#include <map>

#include "bench_board.h"

namespace gnomon {

namespace {

constexpr unsigned frame_bits = 12000;
// Gaps after a packet, as this host and this device keep them; a host may wait up to 7.5 bit times.
constexpr unsigned host_gap = 3;

struct Stream {
    const char *name;
    uint8_t endpoint;
    bool ones;              // every byte is 0xFF
    unsigned frame_packets; // packets that fit into a frame, from any sender
    uint64_t at_least;      // bytes a second
};
const Stream streams[] = {{"counter", 0x82, false, 19, 1215900}, {"all 0xFF", 0x82, true, 17, 1087000}};

struct Figures {
    uint64_t bytes = 0, ticks = 0, frames = 0;
    std::map<unsigned, uint64_t> frames_with; // by number of packets
    double shortest = 0, longest = 0;         // answers, in bit times
    double packet_bits = 0;                   // of the transaction: from one IN to the next, mean

    uint64_t speed(uint64_t rate) const {
        return bytes * rate / ticks;
    }
};

// Minimum of bits for one packet: IN, turn-around, data with stuffing, turn-around, ACK, gap.
unsigned transaction_bits(const Stream &stream, double turn_around) {
    Bytes data(usb_max_packet, stream.ones ? 0xFF : 0x00);
    return static_cast<unsigned>(usb_token_bits + turn_around + usb_data_bits(data.data(), usb_max_packet, 1) +
                                 host_gap + usb_handshake_bits + host_gap);
}

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

Figures measure(const Stream &stream, uint64_t frames) {
    BoardOptions options;
    options.clock_hz = 12000000; // the slowest clock: assembling a packet takes longest
    Board b(options);
    b.configure();
    b.top->trace_i = 1;
    b.top->trace_ones_i = stream.ones;
    for (int i = 0; i < 4; ++i)
        keep_reading(b, stream.endpoint);
    uint64_t frame = b.bus->ticks_per_second() / 1000;
    b.run(2 * frame - b.now % frame);
    Figures f;
    uint64_t start = b.now, first = b.host->stats().bytes;
    for (f.frames = 0; f.frames < frames; ++f.frames) {
        uint64_t before = b.host->stats().packets;
        b.run(frame);
        ++f.frames_with[static_cast<unsigned>(b.host->stats().packets - before)];
    }
    f.bytes = b.host->stats().bytes - first;
    f.ticks = b.now - start;
    CHECK(b.host->stats().errors == 0 && b.host->stats().timeouts == 0);
    auto &line = static_cast<LineBus &>(*b.bus);
    f.shortest = line.shortest_answer() / 4.0;
    f.longest = line.longest_answer() / 4.0;
    f.packet_bits = transaction_bits(stream, f.shortest);
    return f;
}

void print(const Stream &s, const Figures &f, uint64_t rate) {
    std::printf("%s, 64 bytes a packet, %" PRIu64 " frames: %" PRIu64
                " bytes/s, the limit is %u (%u packets a frame)\n",
                s.name, f.frames, f.speed(rate), s.frame_packets * usb_max_packet * 1000, s.frame_packets);
    for (auto [packets, count] : f.frames_with)
        std::printf("  %7" PRIu64 " frames with %u packets\n", count, packets);
    std::printf("  answers begin %.2f to %.2f bit times after the host's packet; a packet takes %.0f of a frame's %u "
                "bit times\n",
                f.shortest, f.longest, f.packet_bits, frame_bits);
}

void write(std::FILE *file, const Stream &s, const Figures &f, uint64_t rate, bool last) {
    std::fprintf(file,
                 "  {\"data\": \"%s\", \"frames\": %" PRIu64 ", \"bytes\": %" PRIu64 ", \"bytes_per_second\": %" PRIu64
                 ", \"limit\": %u, \"answer_bits\": [%.2f, %.2f], \"packet_bits\": %.0f, \"frames_with_packets\": {",
                 s.name, f.frames, f.bytes, f.speed(rate), s.frame_packets * usb_max_packet * 1000, f.shortest,
                 f.longest, f.packet_bits);
    const char *comma = "";
    for (auto [packets, count] : f.frames_with) {
        std::fprintf(file, "%s\"%u\": %" PRIu64, comma, packets, count);
        comma = ", ";
    }
    std::fprintf(file, "}}%s\n", last ? "" : ",");
}

} // namespace

} // namespace gnomon

int main(int argc, char **argv) {
    using namespace gnomon;
    if (argc < 2 || argc > 3) {
        std::printf("usage: %s FRAMES [FILE]\n", argv[0]);
        return 2;
    }
    uint64_t frames = std::strtoull(argv[1], nullptr, 0);
    std::FILE *file = argc == 3 ? std::fopen(argv[2], "w") : nullptr;
    if (argc == 3 && !file) {
        std::perror(argv[2]);
        return 1;
    }
    if (file)
        std::fprintf(file, "[\n");
    const Stream *last = std::end(streams) - 1;
    bool good = true;
    for (const Stream &s : streams) {
        constexpr uint64_t rate = 4 * usb_bit_rate;
        Figures f = measure(s, frames);
        print(s, f, rate);
        if (file)
            write(file, s, f, rate, &s == last);
        // Compares counts of packets, not seconds: each frame is full, or sometimes one packet short.
        if (f.speed(rate) < s.at_least) {
            std::printf("failed: %s: at least %" PRIu64 " bytes/s\n", s.name, s.at_least);
            good = false;
        }
    }
    if (file)
        good = std::fprintf(file, "]\n") > 0 && std::fclose(file) == 0 && good;
    return good ? 0 : 1;
}
