// SPDX-License-Identifier: Apache-2.0
#include "usb_bus.h"

#include <algorithm>

namespace gnomon {

namespace {

// Counts bits after stuffing, for bytes sent low bit first; starts with a run of `ones`.
struct StuffCounter {
    unsigned ones;
    unsigned bits = 0;

    void byte(unsigned value) {
        for (unsigned i = 0; i < 8; ++i, value >>= 1) {
            ++bits;
            ones = (value & 1) ? ones + 1 : 0;
            if (ones == 6) {
                ++bits;
                ones = 0;
            }
        }
    }
};

struct Crc16Table {
    std::array<uint16_t, 256> entry{};

    Crc16Table() {
        for (unsigned i = 0; i < 256; ++i) {
            unsigned crc = i;
            for (unsigned bit = 0; bit < 8; ++bit)
                crc = (crc & 1) ? (crc >> 1) ^ 0xA001u : crc >> 1;
            entry[i] = static_cast<uint16_t>(crc);
        }
    }
};

} // namespace

void UsbBus::keep(const UsbTransaction &transaction) {
    transaction_ = transaction;
    transaction_.length = std::min(transaction.length, usb_max_packet);
    std::copy_n(transaction.data, transaction_.length, data_.begin());
    transaction_.data = data_.data();
    if (!has(usb_fault_stale))
        return;
    // The host ignores the answer: only the packet that it sends next matters.
    transaction_.toggle ^= 1;
    transaction_.faults |= usb_fault_lost_answer;
    for (unsigned i = 0; i < transaction_.length; ++i)
        data_[i] = static_cast<uint8_t>(~data_[i]);
}

uint16_t usb_crc16(const uint8_t *data, unsigned length) {
    static const Crc16Table table;
    unsigned crc = 0xFFFF;
    for (unsigned i = 0; i < length; ++i)
        crc = (crc >> 8) ^ table.entry[(crc ^ data[i]) & 0xFF];
    return static_cast<uint16_t>(~crc);
}

uint8_t usb_crc5(uint16_t bits11) {
    unsigned crc = 0x1F;
    for (unsigned i = 0; i < 11; ++i) {
        unsigned feedback = (crc ^ (bits11 >> i)) & 1;
        crc >>= 1;
        if (feedback)
            crc ^= 0x14;
    }
    return static_cast<uint8_t>(~crc & 0x1F);
}

unsigned usb_data_bits(const uint8_t *data, unsigned length, unsigned toggle) {
    StuffCounter counter{1}; // the last bit of the sync pattern is a one
    counter.byte(toggle ? 0x4B : 0xC3);
    for (unsigned i = 0; i < length; ++i)
        counter.byte(data[i]);
    uint16_t crc = usb_crc16(data, length);
    counter.byte(crc & 0xFF);
    counter.byte(crc >> 8);
    return 8 + counter.bits + 3;
}

unsigned usb_worst_bits(unsigned length) {
    unsigned payload = 8 * (length + 3);
    return usb_token_bits + usb_turnaround_bits + 11 + payload + payload / 6 + usb_patience_bits + usb_handshake_bits +
           usb_turnaround_bits;
}

} // namespace gnomon
