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
    completed, // all data were transferred, or (IN) the data up to a short packet
    stall,     // the endpoint is halted, or the request is not supported
    error,     // three attempts in a row failed
    overflow,  // the device sent more than was asked for
    cancelled, // by cancel(), or by a reset of the device
};

enum UsbTransferFlag : unsigned {
    usb_zero_packet = 1, // OUT: end with an empty packet if the length is a multiple of the packet size
};

struct UsbTransfer {
    using Done = std::function<void(UsbTransfer &)>;

    uint8_t endpoint = 0;           // with direction: 0x00 control, 0x01, 0x81, 0x82
    std::array<uint8_t, 8> setup{}; // used for control only
    std::vector<uint8_t> buffer;    // OUT: the data. IN: filled with the data
    uint32_t length = 0;            // bytes to send, or maximum to receive. Control: taken from setup
    unsigned flags = 0;
    Done done; // called once; may call submit() and cancel()

    uint64_t id = 0; // set by submit()
    UsbStatus status = UsbStatus::completed;
    uint32_t actual = 0; // bytes moved, also after a failure
};

struct UsbHostOptions {
    unsigned reset_us = 10000;    // duration of a bus reset
    unsigned recovery_us = 10000; // pause after the reset; a fifth of it after SET_ADDRESS
    unsigned nak_bits = 288;      // bit times until an endpoint that answered NAK is tried again
    uint8_t address = 1;          // address that the device gets
    // In a tick in which a transfer ends, nothing else happens on the bus, and next_event_cycle() is the same tick
    // again. So a reaction to the end, made before the second call of tick(now), takes no time.
    bool pause_at_end = false;
    // For tests: called before each transaction, returns the faults to make (usb_fault_*).
    std::function<unsigned(const UsbTransaction &)> faults;
    // Called for each delivered bulk packet, with the endpoint including its direction, and the number of bytes. At
    // that time the acknowledgement is over, too.
    std::function<void(uint8_t, unsigned)> delivered;
};

struct UsbHostStats {
    uint64_t frames = 0;
    uint64_t transactions = 0;
    uint64_t naks = 0;
    uint64_t timeouts = 0;
    uint64_t errors = 0;
    uint64_t duplicates = 0;        // data packets with the old toggle: acknowledged and discarded
    uint64_t packets = 0;           // delivered bulk packets
    uint64_t bytes = 0;             // bytes in delivered bulk packets
    unsigned frame_packets_max = 0; // largest number of bulk packets in one frame
    const char *last_error = "";
};

class UsbHost {
  public:
    explicit UsbHost(UsbBus &bus, UsbHostOptions options = {});
    UsbHost(const UsbHost &) = delete;
    UsbHost &operator=(const UsbHost &) = delete;

    // Use in the hot loop, before the clock edge of tick `now`: `if (now >= host.next_event_cycle()) host.tick(now);`
    uint64_t next_event_cycle() const {
        return next_event_;
    }
    void tick(uint64_t now);

    // Resets the bus and sets the device's address. New transfers may be submitted at once; they wait. Transfers that
    // were pending before are cancelled.
    void attach();
    // Resets the bus at once, even in the middle of a packet, and sets the address as attach() does. The cable is out
    // for `away_us` (the device keeps its power), then in again; 0: the cable stays in.
    void replug(uint64_t now, unsigned away_us);
    // Sends nothing for `idle_us`, not even frames, then wakes the device for `resume_us`. Starts after the present
    // transaction.
    void suspend(unsigned idle_us, unsigned resume_us);
    bool attached() const {
        return state_ == State::attached;
    }
    bool failed() const {
        return state_ == State::failed;
    }

    uint64_t submit(UsbTransfer transfer);
    // Calls the transfer's `done` with UsbStatus::cancelled before cancel() returns. If a packet of the transfer is on
    // the wire, this happens when the packet is over, and the packet counts. Returns false if there is no such
    // transfer.
    bool cancel(uint64_t id);

    // Restarts the frames and the turns of the pipes. From here on, the times of the host's actions do not depend on
    // what the host did before. The host is silent until a packet that may be on the wire is over.
    void begin_anew(uint64_t now);

    // Number of transfers that are not done, of one endpoint; idle(): none at all.
    size_t pending(uint8_t endpoint) const;
    bool idle() const;

    // From the next transaction on, bits take no time on the bus (UsbBus::set_quick).
    void set_quick(bool quick) {
        quick_ = quick;
    }
    // Packets of an IN endpoint come from this source, at once, and not over the bus.
    using Source = std::function<bool(UsbResult &)>; // false: no packet now
    void set_source(uint8_t endpoint, Source source);
    // Serves an endpoint less often: once every `divisor` times the duration of its packets. 1 is full speed.
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
        uint64_t ready = 0; // first tick in which it may be served
        unsigned divisor = 1;
        unsigned errors = 0;
        uint8_t toggle = 0;
        Stage stage = Stage::setup; // for control transfers
        bool cancel_active = false;
        Source source; // empty: packets come over the bus
    };

    Pipe &pipe(uint8_t endpoint);
    void wake();
    void schedule(uint64_t now);
    bool begin_frame(uint64_t now);
    Pipe *choose(uint64_t now, uint64_t frame_end);
    void begin(Pipe &pipe, uint64_t now);
    void finish(uint64_t now);
    void take_from_sources(uint64_t now);
    void delivered(Pipe &pipe, unsigned length);
    void arrived(Pipe &pipe, const UsbResult &result);
    void sent(Pipe &pipe);
    bool pauses(uint64_t now);
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
    std::deque<Hold> holds_; // requested by suspend()
    uint64_t begin_ = 0;     // tick of frame 0; nothing is sent before it
    uint64_t frame_ = usb_never;
    unsigned frame_packets_ = 0;
    uint64_t next_id_ = 1;
    uint8_t address_ = 0;
    std::deque<Pipe> pipes_; // a deque, because its references stay valid
    size_t last_pipe_ = 0;
    Pipe *active_ = nullptr; // pipe of the transaction that is on the wire
    UsbToken active_token_ = UsbToken::out;
    unsigned active_length_ = 0;
    uint64_t active_start_ = 0;
    bool ended_ = false; // a transfer has ended in this tick
    bool quick_ = false;
};

} // namespace gnomon

#endif
