// SPDX-License-Identifier: Apache-2.0
// A full-speed host controller with one device: frames, transfers, retries, data toggles, error counts. What it does
// depends only on simulated time and on the order of submissions.
#ifndef GNOMON_SIM_USB_HOST_H
#define GNOMON_SIM_USB_HOST_H

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

#include "usb_bus.h"

namespace gnomon {

enum class UsbStatus {
    completed, // all of it, or (IN) up to a short packet
    stall,     // the endpoint is halted, or the request is not supported
    error,     // three attempts in a row failed
    overflow,  // the device sent more than was asked for
    cancelled, // cancel(), or the device was reset
};

enum UsbTransferFlag : unsigned {
    usb_zero_packet = 1, // OUT: end with an empty packet if the length is a multiple of the packet size
};

struct UsbTransfer {
    using Done = std::function<void(UsbTransfer &)>;

    uint8_t endpoint = 0;           // 0x00 control, 0x01, 0x81, 0x82: with direction
    std::array<uint8_t, 8> setup{}; // control only
    std::vector<uint8_t> buffer;    // OUT: the data. IN: filled
    uint32_t length = 0;            // bytes to send, or at most to receive. Control: taken from setup
    unsigned flags = 0;
    Done done; // called once; may submit and cancel

    uint64_t id = 0; // set by submit()
    UsbStatus status = UsbStatus::completed;
    uint32_t actual = 0; // bytes moved, also when it failed
};

struct UsbHostOptions {
    unsigned reset_us = 10000;    // how long the bus is held in reset
    unsigned recovery_us = 10000; // after the reset, and after SET_ADDRESS (a fifth of it)
    unsigned nak_bits = 288;      // bit times until an endpoint that answered NAK is asked again
    uint8_t address = 1;          // given to the device
    // A tick in which a transfer ends leaves the bus alone, and next_event_cycle() is this tick again: whoever reacts
    // to the end before calling tick(now) once more has reacted in no time.
    bool pause_at_end = false;
    // Asked before each transaction for what to do wrong (usb_fault_*), for tests.
    std::function<unsigned(const UsbTransaction &)> faults;
    // Told of each bulk packet that was delivered: endpoint with direction, bytes. By then its acknowledgement is over,
    // too.
    std::function<void(uint8_t, unsigned)> delivered;
};

struct UsbHostStats {
    uint64_t frames = 0;
    uint64_t transactions = 0;
    uint64_t naks = 0;
    uint64_t timeouts = 0;
    uint64_t errors = 0;
    uint64_t duplicates = 0;        // data packets with the old toggle: acknowledged and dropped
    uint64_t packets = 0;           // bulk packets delivered
    uint64_t bytes = 0;             // in them
    unsigned frame_packets_max = 0; // most of them in one frame
    const char *last_error = "";
};

class UsbHost {
  public:
    explicit UsbHost(UsbBus &bus, UsbHostOptions options = {});
    UsbHost(const UsbHost &) = delete;
    UsbHost &operator=(const UsbHost &) = delete;

    // In the hot loop: `if (now >= host.next_event_cycle()) host.tick(now);` before the clock edge of tick `now`.
    uint64_t next_event_cycle() const {
        return next_event_;
    }
    void tick(uint64_t now);

    // Resets the bus and gives the device its address. Transfers may be submitted at once; they wait. Those that were
    // pending before are cancelled.
    void attach();
    // The same from this moment on, in the middle of what is on the wire: the cable is out for so long (the device
    // keeps its power), then in again. With 0 it stays in: a reset.
    void replug(uint64_t now, unsigned away_us);
    // Sends nothing for so long, not even frames, then wakes the device. Begins after what is on the wire.
    void suspend(unsigned idle_us, unsigned resume_us);
    bool attached() const {
        return state_ == State::attached;
    }
    bool failed() const {
        return state_ == State::failed;
    }

    uint64_t submit(UsbTransfer transfer);
    // Its `done` is called with UsbStatus::cancelled, before cancel() returns, or, if a packet of it is just on the
    // wire, when that is over (the packet counts). False if there is no such transfer.
    bool cancel(uint64_t id);

    // Frames and rounds of asking begin anew: from here on the host does at the same times what it does, whatever it
    // did before. It is silent until what may be on the wire is over.
    void begin_anew(uint64_t now);

    // Transfers not yet done, of one endpoint or at all.
    size_t pending(uint8_t endpoint) const;
    bool idle() const;

    // From the next transaction on the bus takes no time for bits (UsbBus::set_quick): for all endpoints, or for one.
    void set_quick(bool quick) {
        quick_ = quick;
    }
    void set_quick_endpoint(uint8_t endpoint);
    // Serves an endpoint only every so many times of what its packets take: 1 is full speed.
    void set_rate_divisor(uint8_t endpoint, unsigned divisor);

    const UsbHostStats &stats() const {
        return stats_;
    }
    const UsbBus &bus() const {
        return bus_;
    }

  private:
    enum class State { detached, resetting, recovering, addressing, settling, attached, failed };
    enum class Stage { setup, data, status };

    struct Pipe {
        uint8_t endpoint = 0;
        std::deque<UsbTransfer> queue;
        uint64_t ready = 0; // not served before
        unsigned divisor = 1;
        unsigned errors = 0;
        uint8_t toggle = 0;
        Stage stage = Stage::setup; // control
        bool cancel_active = false;
        bool quick = false;
    };

    Pipe &pipe(uint8_t endpoint);
    void wake();
    void schedule(uint64_t now);
    bool begin_frame(uint64_t now);
    Pipe *choose(uint64_t now, uint64_t frame_end);
    void begin(Pipe &pipe, uint64_t now);
    void finish(uint64_t now);
    void delivered(Pipe &pipe, const UsbResult &result);
    void control_delivered(Pipe &pipe, const UsbResult &result);
    bool take_data(UsbTransfer &transfer, const UsbResult &result);
    void failure(Pipe &pipe);
    void complete(Pipe &pipe, UsbStatus status);
    void after_control(const UsbTransfer &transfer);
    void advance_attach(uint64_t now);
    bool start_hold(uint64_t now);
    uint64_t ticks_of(unsigned us) const;
    void submit_address();
    void cancel_all();

    UsbBus &bus_;
    UsbHostOptions options_;
    UsbHostStats stats_;
    State state_ = State::detached;
    uint64_t next_event_ = usb_never;
    uint64_t state_until_ = 0;
    struct Hold {
        UsbHold what;
        unsigned us;
    };
    std::deque<Hold> holds_; // asked for by suspend()
    uint64_t begin_ = 0;     // of frame 0; nothing is sent before
    uint64_t frame_ = usb_never;
    unsigned frame_packets_ = 0;
    uint64_t next_id_ = 1;
    uint8_t address_ = 0;
    std::deque<Pipe> pipes_; // a deque: references stay valid
    size_t last_pipe_ = 0;
    Pipe *active_ = nullptr; // whose transaction is on the wire
    UsbToken active_token_ = UsbToken::out;
    unsigned active_length_ = 0;
    uint64_t active_start_ = 0;
    bool ended_ = false; // a transfer, in this tick
    bool quick_ = false;
};

} // namespace gnomon

#endif
