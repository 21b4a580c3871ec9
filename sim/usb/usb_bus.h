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
    ack,     // delivered, or data received (and acknowledged, unless told not to)
    nak,     //
    stall,   //
    timeout, // no answer
    error,   // an answer that breaks the rules; UsbResult::error says which
};

// What the host or the line does wrong on purpose, for tests. Or them together. At packet level the legal ones, noise
// and late are nothing, and what spoils a packet is what the device makes of it: no packet, or data that are not good.
enum UsbFault : unsigned {
    usb_fault_crc = 1,                // wrong CRC16 in the host's data packet
    usb_fault_no_ack = 2,             // data from the device is not acknowledged
    usb_fault_corrupt_ack = 4,        // or by a packet with wrong PID check bits
    usb_fault_stuff = 8,              // seven ones in a row in the host's data packet
    usb_fault_truncate = 16,          // the host's data packet ends in the middle of a byte
    usb_fault_pid = 32,               // wrong PID check bits in it
    usb_fault_token_crc = 64,         // wrong CRC5 in the token
    usb_fault_noise = 128,            // noise on the line before the token
    usb_fault_hubs = 256,             // legal: hubs have eaten the first two sync bits and added a bit before the end
    usb_fault_jitter = 512,           // legal: D+ and D- each change up to 18 ns late, not together
    usb_fault_extra_bits = 1024,      // three bits too many at the end of the host's data packet
    usb_fault_lost_token = 1u << 11,  // the token does not arrive
    usb_fault_lost_data = 1u << 12,   // the host's data packet does not arrive
    usb_fault_lost_answer = 1u << 13, // the device's answer does not arrive
    usb_fault_flip_token = 1u << 14,  // one bit time anywhere in the token is the wrong way round
    usb_fault_flip_data = 1u << 15,   // in the host's data packet
    usb_fault_flip_ack = 1u << 16,    // in the host's acknowledgement
    usb_fault_flip_answer = 1u << 17, // in the device's answer
    usb_fault_late = 1u << 18,        // legal: the host waits before its data or acknowledgement
    usb_fault_ack_twice = 1u << 19,   // the host's acknowledgement comes twice
    usb_fault_cut = 1u << 20,         // the host's data packet breaks off, with or without an end of packet
    usb_fault_long = 1u << 21,        // it has more than 64 bytes, and a CRC that is right
    usb_fault_stale = 1u << 22,       // other data with the wrong toggle come first: an earlier packet, repeated
};

struct UsbTransaction {
    UsbToken token = UsbToken::sof;
    uint8_t address = 0;
    uint8_t endpoint = 0;          // number, without the direction
    uint8_t toggle = 0;            // of the data sent (OUT, SETUP)
    uint16_t frame = 0;            // SOF
    const uint8_t *data = nullptr; // start() copies it
    unsigned length = 0;
    unsigned faults = 0;
};

struct UsbResult {
    UsbOutcome outcome = UsbOutcome::timeout;
    uint8_t toggle = 0; // of the data received
    unsigned length = 0;
    std::array<uint8_t, usb_max_packet> data{};
    const char *error = ""; // with UsbOutcome::error
};

// What the host does with the line when it sends no packets.
enum class UsbHold : uint8_t {
    reset,  // SE0
    idle,   // nothing: the device's own pull-up. Suspend, or the cable is out and the device has power of its own
    resume, // K, and a low-speed end of packet behind it
};

class UsbBus {
  public:
    virtual ~UsbBus() = default;

    // Begins a transaction; only while not busy. tick() must be called in every tick from next_event() on.
    virtual void start(const UsbTransaction &transaction, uint64_t now) = 0;
    // Holds the line for so many ticks. What was on the wire breaks off.
    virtual void hold(UsbHold what, uint64_t now, uint64_t ticks) = 0;
    void reset(uint64_t now, uint64_t ticks) {
        hold(UsbHold::reset, now, ticks);
    }
    // Before the clock edge of tick `now`: looks at what the device drives, and drives it.
    virtual void tick(uint64_t now) = 0;
    // False when it is seen, without asking, that the device has no packet for this IN endpoint.
    virtual bool may_have(uint8_t endpoint) const {
        (void)endpoint;
        return true;
    }
    // True when the device must see a start of frame even if there is nothing to transfer.
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
    // Of all that random() says.
    void set_seed(uint32_t seed) {
        seed_ = seed;
    }
    uint64_t ticks_per_second() const {
        return ticks_per_second_;
    }
    // Ticks that so many bit times take, rounded up; 0 while the bus is quick.
    uint64_t bits(uint64_t count) const {
        return quick_ ? 0 : (count * ticks_per_second_ + usb_bit_rate - 1) / usb_bit_rate;
    }
    // A quick bus takes no time for bits: a transaction takes the ticks that its signals need. For a bus without a
    // wire only. What has begun keeps its times.
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
    // For the places and lengths of faults.
    unsigned random() {
        seed_ = seed_ * 1664525u + 1013904223u;
        return seed_ >> 8;
    }
    bool has(unsigned faults) const {
        return (transaction_.faults & faults) != 0;
    }

    UsbTransaction transaction_;
    std::array<uint8_t, usb_max_packet> data_{}; // what transaction_.data points to
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
constexpr unsigned usb_patience_bits = 18;  // that a host waits for an answer
constexpr unsigned usb_turnaround_bits = 4; // from one packet's end to the next one's sync
// A data packet with its bit stuffing.
unsigned usb_data_bits(const uint8_t *data, unsigned length, unsigned toggle);
// The longest that a transaction with `length` bytes can take: everything stuffed, slowest answers.
unsigned usb_worst_bits(unsigned length);

uint16_t usb_crc16(const uint8_t *data, unsigned length); // as sent: complemented, low byte first
uint8_t usb_crc5(uint16_t bits11);                        // as sent: complemented

} // namespace gnomon

#endif
