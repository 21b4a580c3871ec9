// SPDX-License-Identifier: Apache-2.0
// Messages of USB/IP, version 1.1.1, that the server reads and writes, in host byte order.
#ifndef GNOMON_SIM_USBIP_MESSAGES_H
#define GNOMON_SIM_USBIP_MESSAGES_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace gnomon {

using Bytes = std::vector<uint8_t>;

constexpr uint16_t usbip_version = 0x0111;
constexpr uint16_t usbip_req_devlist = 0x8005, usbip_rep_devlist = 0x0005;
constexpr uint16_t usbip_req_import = 0x8003, usbip_rep_import = 0x0003;
constexpr uint32_t usbip_cmd_submit = 1, usbip_cmd_unlink = 2, usbip_ret_submit = 3, usbip_ret_unlink = 4;
constexpr uint32_t usbip_status_good = 0, usbip_status_busy = 2, usbip_status_no_device = 4;
constexpr size_t usbip_op_size = 8, usbip_busid_size = 32, usbip_header_size = 48;
constexpr uint32_t usbip_flag_zero_packet = 0x40;

// Error numbers of Linux: the protocol uses them on all systems.
constexpr int32_t usbip_enoent = -2, usbip_epipe = -32, usbip_eproto = -71, usbip_eoverflow = -75,
                  usbip_econnreset = -104;

struct UsbipOp {
    uint16_t version = 0, code = 0;
    uint32_t status = 0;
};

struct UsbipCommand {
    uint32_t command = 0, seqnum = 0, devid = 0, direction = 0, ep = 0;
    uint32_t flags = 0, length = 0, packets = 0; // CMD_SUBMIT
    std::array<uint8_t, 8> setup{};
    uint32_t unlink_seqnum = 0; // CMD_UNLINK
};

struct UsbipDevice {
    std::string path, busid;
    uint32_t busnum = 1, devnum = 2;
    Bytes device_descriptor; // 18 bytes
    Bytes config_descriptor;
};

UsbipOp usbip_read_op(const uint8_t *bytes);           // `bytes` has usbip_op_size bytes
UsbipCommand usbip_read_command(const uint8_t *bytes); // `bytes` has usbip_header_size bytes
void usbip_write_op(Bytes &out, uint16_t code, uint32_t status);
void usbip_write_device(Bytes &out, const UsbipDevice &device);
void usbip_write_interfaces(Bytes &out, const UsbipDevice &device);
bool usbip_has_endpoint(const UsbipDevice &device, uint8_t endpoint); // `endpoint`: number and direction
void usbip_write_ret_submit(Bytes &out, uint32_t seqnum, int32_t status, uint32_t actual, const Bytes *data);
void usbip_write_ret_unlink(Bytes &out, uint32_t seqnum, int32_t status);

} // namespace gnomon

#endif
