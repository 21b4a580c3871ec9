// SPDX-License-Identifier: Apache-2.0
// One transaction at a time on a full-speed bus with one device. Time is counted in ticks: cycles of the clock that
// the implementation drives the device with.
#ifndef GNOMON_SIM_USB_BUS_H
#define GNOMON_SIM_USB_BUS_H

#include <array>
#include <cstdint>

namespace gnomon {

constexpr uint64_t usb_never = UINT64_MAX;
constexpr unsigned usb_max_packet = 64;
constexpr uint64_t usb_bit_rate = 12000000;

// Numbered like bits 3:2 of the token's PID.
enum class UsbToken : uint8_t { out = 0, sof = 1, in = 2, setup = 3 };

enum class UsbOutcome : uint8_t {
    ack,     // delivered, or data received (and acknowledged, unless a fault prevents it)
    nak,     //
    stall,   //
    timeout, // no answer
    error,   // the answer breaks a rule; UsbResult::error tells which
};

// Faults that the host or the line makes on purpose, for tests; combine them by or. At packet level the legal ones,
// noise and late have no effect. There, a fault of a packet has the effect that the device sees: no packet, or bad
// data.
enum UsbFault : unsigned {
    usb_fault_crc = 1,         // the host's data packet has a wrong CRC16
    usb_fault_no_ack = 2,      // the host does not acknowledge data from the device
    usb_fault_corrupt_ack = 4, // the host acknowledges data by a packet with wrong PID check bits
    usb_fault_stuff = 8,       // the host's data packet has seven ones in a row
    usb_fault_truncate = 16,   // the host's data packet ends in the middle of a byte
    usb_fault_pid = 32,        // the host's data packet has wrong PID check bits
    usb_fault_token_crc = 64,  // the token has a wrong CRC5
    usb_fault_noise = 128,     // noise on the line before the token
    usb_fault_hubs = 256,      // legal: hubs have removed the first two sync bits, and have added a bit before the end
    usb_fault_jitter = 512,    // legal: D+ and D- each change up to 18 ns late, not together
    usb_fault_extra_bits = 1024,      // the host's data packet has three bits too many at its end
    usb_fault_lost_token = 1u << 11,  // the token does not arrive
    usb_fault_lost_data = 1u << 12,   // the host's data packet does not arrive
    usb_fault_lost_answer = 1u << 13, // the device's answer does not arrive
    usb_fault_flip_token = 1u << 14,  // one bit time anywhere in the token is inverted
    usb_fault_flip_data = 1u << 15,   // one bit time in the host's data packet is inverted
    usb_fault_flip_ack = 1u << 16,    // one bit time in the host's acknowledgement is inverted
    usb_fault_flip_answer = 1u << 17, // one bit time in the device's answer is inverted
    usb_fault_late = 1u << 18,        // legal: the host waits before its data or acknowledgement
    usb_fault_ack_twice = 1u << 19,   // the host sends its acknowledgement twice
    usb_fault_cut = 1u << 20,         // the host's data packet breaks off, with or without an end of packet
    usb_fault_long = 1u << 21,        // the host's data packet has more than 64 bytes, and a correct CRC
    usb_fault_stale = 1u << 22, // before the data come other data with the wrong toggle: a repeated earlier packet
};

struct UsbTransaction {
    UsbToken token = UsbToken::sof;
    uint8_t address = 0;
    uint8_t endpoint = 0;          // endpoint number, without the direction
    uint8_t toggle = 0;            // toggle of the data sent (OUT, SETUP)
    uint16_t frame = 0;            // frame number (SOF)
    const uint8_t *data = nullptr; // start() copies the data
    unsigned length = 0;
    unsigned faults = 0;
};

struct UsbResult {
    UsbOutcome outcome = UsbOutcome::timeout;
    uint8_t toggle = 0; // toggle of the data received
    unsigned length = 0;
    std::array<uint8_t, usb_max_packet> data{};
    const char *error = ""; // set with UsbOutcome::error
};

// How the host holds the line while it sends no packets.
enum class UsbHold : uint8_t {
    reset,  // SE0
    idle,   // only the device's pull-up drives: suspend, or the cable is out and the device has its own power
    resume, // K, followed by a low-speed end of packet
};

class UsbBus {
  public:
    virtual ~UsbBus() = default;

    // Begins a transaction; allowed only while not busy. From next_event() on, tick() must be called in every tick.
    virtual void start(const UsbTransaction &transaction, uint64_t now) = 0;
    // Holds the line for `ticks` ticks. A packet on the wire breaks off.
    virtual void hold(UsbHold what, uint64_t now, uint64_t ticks) = 0;
    void reset(uint64_t now, uint64_t ticks) {
        hold(UsbHold::reset, now, ticks);
    }
    // Call this before the clock edge of tick `now`: samples what the device drives, then drives the device's inputs.
    virtual void tick(uint64_t now) = 0;
    // True if the device needs start-of-frame packets even when there is nothing to transfer.
    virtual bool needs_sof() const = 0;

    bool busy() const {
        return busy_;
    }
    uint64_t next_event() const {
        return next_event_;
    }
    const UsbResult &result() const {
        return result_;
    }
    // Sets the seed for all results of random().
    void set_seed(uint32_t seed) {
        seed_ = seed;
    }
    uint64_t ticks_per_second() const {
        return ticks_per_second_;
    }
    // Number of ticks that `count` bit times take, rounded up; 0 while the bus is quick.
    uint64_t bits(uint64_t count) const {
        return quick_ ? 0 : (count * ticks_per_second_ + usb_bit_rate - 1) / usb_bit_rate;
    }
    // On a quick bus, bits take no time: a transaction takes only the ticks that its signals need. Only a bus without a
    // wire can be quick. A transaction that has begun keeps its times.
    void set_quick(bool quick) {
        quick_ = quick;
    }
    bool quick() const {
        return quick_;
    }

  protected:
    explicit UsbBus(uint64_t ticks_per_second) : ticks_per_second_(ticks_per_second) {
    }

    void keep(const UsbTransaction &transaction);
    // Gives random places and lengths for faults.
    unsigned random() {
        seed_ = seed_ * 1664525u + 1013904223u;
        return seed_ >> 8;
    }
    bool has(unsigned faults) const {
        return (transaction_.faults & faults) != 0;
    }

    UsbTransaction transaction_;
    std::array<uint8_t, usb_max_packet> data_{}; // the bytes that transaction_.data points to
    uint64_t ticks_per_second_;
    uint64_t next_event_ = usb_never;
    bool busy_ = false;
    UsbResult result_;

  private:
    uint32_t seed_ = 1;
    bool quick_ = false;
};

// Lengths on the wire in bit times, sync and end of packet included (USB 2.0, chapter 8).
constexpr unsigned usb_token_bits = 35;
constexpr unsigned usb_handshake_bits = 19;
constexpr unsigned usb_patience_bits = 18;  // bit times that a host waits for an answer
constexpr unsigned usb_turnaround_bits = 4; // from the end of a packet to the sync of the next packet
// Length of a data packet, with its bit stuffing.
unsigned usb_data_bits(const uint8_t *data, unsigned length, unsigned toggle);
// The longest time that a transaction with `length` bytes can take: every possible bit stuffed, slowest answers.
unsigned usb_worst_bits(unsigned length);

uint16_t usb_crc16(const uint8_t *data, unsigned length); // in the form that is sent: complemented, low byte first
uint8_t usb_crc5(uint16_t bits11);                        // in the form that is sent: complemented

} // namespace gnomon

#endif
