// SPDX-License-Identifier: Apache-2.0
// A direct path for the trace, without a cable: takes bytes from the trace encoder as it makes them, and keeps them in
// packets until the host reads them.
#ifndef GNOMON_SIM_TRACE_TAP_H
#define GNOMON_SIM_TRACE_TAP_H

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>

#include "usb/usb_bus.h"

namespace gnomon {

class TraceTap {
  public:
    void put(uint8_t byte) {
        packet_[filled_++] = byte;
        if (filled_ == packet_.size()) {
            packets_.push_back(packet_);
            filled_ = 0;
        }
    }
    // True if the host does not read the packets. The encoder must then wait, as it waits for USB, and the device
    // counts the entries that it loses.
    bool full() const {
        return packets_.size() >= most_packets;
    }
    bool empty() const {
        return packets_.empty();
    }
    // Takes the next packet, in the form in which USB delivers it; returns false if there is none.
    bool take(UsbResult &result) {
        if (packets_.empty())
            return false;
        result.length = usb_max_packet;
        std::copy(packets_.front().begin(), packets_.front().end(), result.data.begin());
        packets_.pop_front();
        return true;
    }

  private:
    static constexpr size_t most_packets = 1 << 20; // 64 MiB of packets

    using Packet = std::array<uint8_t, usb_max_packet>;
    std::deque<Packet> packets_;
    Packet packet_{};
    unsigned filled_ = 0;
};

} // namespace gnomon

#endif
