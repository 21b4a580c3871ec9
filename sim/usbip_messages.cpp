// SPDX-License-Identifier: Apache-2.0
#include "usbip_messages.h"

#include <algorithm>

namespace gnomon {

namespace {

constexpr uint32_t speed_full = 2;

uint16_t get16(const uint8_t *p) {
    return static_cast<uint16_t>(p[0] << 8 | p[1]);
}
uint32_t get32(const uint8_t *p) {
    return static_cast<uint32_t>(get16(p)) << 16 | get16(p + 2);
}
void put16(Bytes &out, uint16_t value) {
    out.push_back(static_cast<uint8_t>(value >> 8));
    out.push_back(static_cast<uint8_t>(value));
}
void put32(Bytes &out, uint32_t value) {
    put16(out, static_cast<uint16_t>(value >> 16));
    put16(out, static_cast<uint16_t>(value));
}
void put_text(Bytes &out, const std::string &text, size_t size) {
    size_t length = std::min(text.size(), size - 1);
    out.insert(out.end(), text.begin(), text.begin() + static_cast<std::ptrdiff_t>(length));
    out.insert(out.end(), size - length, 0);
}
// Reads a field of a descriptor; these fields are little endian.
uint16_t le16(const Bytes &from, size_t at) {
    return static_cast<uint16_t>(from[at] | from[at + 1] << 8);
}

} // namespace

UsbipOp usbip_read_op(const uint8_t *bytes) {
    return {get16(bytes), get16(bytes + 2), get32(bytes + 4)};
}

UsbipCommand usbip_read_command(const uint8_t *bytes) {
    UsbipCommand c;
    c.command = get32(bytes);
    c.seqnum = get32(bytes + 4);
    c.devid = get32(bytes + 8);
    c.direction = get32(bytes + 12);
    c.ep = get32(bytes + 16);
    if (c.command == usbip_cmd_unlink) {
        c.unlink_seqnum = get32(bytes + 20);
        return c;
    }
    c.flags = get32(bytes + 20);
    c.length = get32(bytes + 24);
    c.packets = get32(bytes + 32);
    std::copy_n(bytes + 40, c.setup.size(), c.setup.begin());
    return c;
}

void usbip_write_op(Bytes &out, uint16_t code, uint32_t status) {
    put16(out, usbip_version);
    put16(out, code);
    put32(out, status);
}

void usbip_write_device(Bytes &out, const UsbipDevice &device) {
    const Bytes &d = device.device_descriptor;
    put_text(out, device.path, 256);
    put_text(out, device.busid, usbip_busid_size);
    put32(out, device.busnum);
    put32(out, device.devnum);
    put32(out, speed_full);
    put16(out, le16(d, 8));
    put16(out, le16(d, 10));
    put16(out, le16(d, 12));
    const Bytes &c = device.config_descriptor;
    for (uint8_t field : {d[4], d[5], d[6], c[5], d[17], c[4]})
        out.push_back(field);
}

void usbip_write_interfaces(Bytes &out, const UsbipDevice &device) {
    const Bytes &c = device.config_descriptor;
    for (size_t at = 0; at + 9 <= c.size() && c[at] >= 2; at += c[at]) {
        if (c[at + 1] != 4 || c[at + 3] != 0) // only interfaces, no alternate settings
            continue;
        for (uint8_t field : {c[at + 5], c[at + 6], c[at + 7], uint8_t{0}})
            out.push_back(field);
    }
}

bool usbip_has_endpoint(const UsbipDevice &device, uint8_t endpoint) {
    const Bytes &c = device.config_descriptor;
    for (size_t at = 0; at + 7 <= c.size() && c[at] >= 2; at += c[at])
        if (c[at + 1] == 5 && c[at + 2] == endpoint)
            return true;
    return false;
}

namespace {

void write_ret_head(Bytes &out, uint32_t command, uint32_t seqnum, int32_t status) {
    put32(out, command);
    put32(out, seqnum);
    out.insert(out.end(), 12, 0); // devid, direction, endpoint: 0 in replies
    put32(out, static_cast<uint32_t>(status));
}

} // namespace

void usbip_write_ret_submit(Bytes &out, uint32_t seqnum, int32_t status, uint32_t actual, const Bytes *data) {
    write_ret_head(out, usbip_ret_submit, seqnum, status);
    put32(out, actual);
    out.insert(out.end(), 20, 0); // start frame, packets, errors, padding
    if (data)
        out.insert(out.end(), data->begin(), data->begin() + static_cast<std::ptrdiff_t>(actual));
}

void usbip_write_ret_unlink(Bytes &out, uint32_t seqnum, int32_t status) {
    write_ret_head(out, usbip_ret_unlink, seqnum, status);
    out.insert(out.end(), 24, 0);
}

} // namespace gnomon
