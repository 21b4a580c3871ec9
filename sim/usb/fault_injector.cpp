// SPDX-License-Identifier: Apache-2.0
#include "fault_injector.h"

namespace gnomon {

namespace {

constexpr unsigned row_limit = 2; // a host gives up after the third fault in a row

// Sets of possible faults; a transaction gets one fault of its set.
constexpr unsigned of_token = usb_fault_noise | usb_fault_token_crc | usb_fault_lost_token | usb_fault_flip_token;
constexpr unsigned of_answer = usb_fault_lost_answer | usb_fault_flip_answer;
constexpr unsigned of_in =
    of_token | of_answer | usb_fault_no_ack | usb_fault_corrupt_ack | usb_fault_flip_ack | usb_fault_ack_twice;
constexpr unsigned of_out = of_token | of_answer | usb_fault_crc | usb_fault_truncate | usb_fault_pid |
                            usb_fault_stuff | usb_fault_extra_bits | usb_fault_lost_data | usb_fault_flip_data |
                            usb_fault_cut | usb_fault_long;

unsigned bits_of(unsigned set, std::array<unsigned, usb_fault_kinds> &kinds) {
    unsigned count = 0;
    for (unsigned kind = 0; kind < usb_fault_kinds; ++kind)
        if (set >> kind & 1)
            kinds[count++] = kind;
    return count;
}

// The possible faults. `again`: the last transaction failed, and the device may have accepted it.
unsigned possible(const UsbTransaction &t, bool again) {
    if (t.token == UsbToken::in)
        return of_in;
    unsigned set = of_out;
    // An empty packet has no data to cut off, and none to break bit stuffing in.
    if (t.length == 0)
        set &= ~(unsigned{usb_fault_truncate} | usb_fault_stuff);
    if (!again && (t.endpoint != 0 || t.token == UsbToken::setup))
        set |= usb_fault_stale;
    return set;
}

} // namespace

const char *usb_fault_name(unsigned kind) {
    static const char *const names[usb_fault_kinds] = {
        "CRC16",        "no ACK",      "ACK's PID",    "stuffing",       "truncated",   "PID",
        "CRC5",         "noise",       "hubs (legal)", "jitter (legal)", "extra bits",  "lost token",
        "lost data",    "lost answer", "bit of token", "bit of data",    "bit of ACK",  "bit of answer",
        "late (legal)", "ACK twice",   "cut",          "too long",       "stale repeat"};
    return names[kind];
}

unsigned UsbFaultInjector::operator()(const UsbTransaction &t) {
    unsigned &row = in_a_row_[t.endpoint << 1 | (t.token == UsbToken::in)];
    std::array<unsigned, usb_fault_kinds> kinds{};
    bool wrong = random_() % 1000 < per_mille_;
    unsigned legal = per_mille_ != 0 && random_() % 2 ? random_() & usb_legal_faults : 0;
    wrong = wrong && row < row_limit;
    unsigned faults = legal;
    if (wrong) {
        unsigned count = bits_of(possible(t, row != 0), kinds);
        faults |= 1u << kinds[random_() % count];
        ++injected_;
    }
    row = wrong ? row + 1 : 0;
    for (unsigned kind = 0; kind < usb_fault_kinds; ++kind)
        counts_[kind] += faults >> kind & 1;
    return faults;
}

} // namespace gnomon
