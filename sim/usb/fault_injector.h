// SPDX-License-Identifier: Apache-2.0
// Chooses at random, from a seed, the faults of a transaction. A full-speed bus must tolerate all of them without
// losing or duplicating a byte: a transfer never has as many failures in a row as would make the host give up.
#ifndef GNOMON_SIM_USB_FAULT_INJECTOR_H
#define GNOMON_SIM_USB_FAULT_INJECTOR_H

#include <array>
#include <cstdint>
#include <random>

#include "usb_bus.h"

namespace gnomon {

constexpr unsigned usb_fault_kinds = 23; // number of bits in UsbFault

// Name of a fault in a table.
const char *usb_fault_name(unsigned kind);
// Faults that do not cost a packet.
constexpr unsigned usb_legal_faults = usb_fault_hubs | usb_fault_jitter | usb_fault_late;

class UsbFaultInjector {
  public:
    // On average, of 1000 transactions `per_mille` go wrong. Half of the others are late, have jitter, or come through
    // hubs.
    UsbFaultInjector(uint32_t seed, unsigned per_mille) : random_(seed), per_mille_(per_mille) {
    }

    // For UsbHostOptions::faults.
    unsigned operator()(const UsbTransaction &transaction);

    void set_rate(unsigned per_mille) {
        per_mille_ = per_mille;
    }
    // Number of faults that are not legal.
    uint64_t injected() const {
        return injected_;
    }
    // Number of faults of each kind; the index is the bit number.
    const std::array<uint64_t, usb_fault_kinds> &counts() const {
        return counts_;
    }

  private:
    std::mt19937 random_;
    unsigned per_mille_;
    uint64_t injected_ = 0;
    std::array<uint64_t, usb_fault_kinds> counts_{};
    std::array<unsigned, 32> in_a_row_{}; // index: endpoint and direction
};

} // namespace gnomon

#endif
