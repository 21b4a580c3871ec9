/* SPDX-License-Identifier: Apache-2.0 */
/* The USB/IP protocol (version 1.1.1); all integers are big endian. */
#ifndef GNOMON_LIB_USBIP_WIRE_H
#define GNOMON_LIB_USBIP_WIRE_H

#include <stdint.h>

#define USBIP_VERSION 0x0111
#define USBIP_OP_REQ_DEVLIST 0x8005
#define USBIP_OP_REP_DEVLIST 0x0005
#define USBIP_OP_REQ_IMPORT 0x8003
#define USBIP_OP_REP_IMPORT 0x0003
#define USBIP_OP_BYTES 8 /* version, code, status */
#define USBIP_BUSID_BYTES 32
#define USBIP_DEVICE_BYTES 312 /* path 256, bus id 32, busnum, devnum, speed, ids, classes, counts */
#define USBIP_INTERFACE_BYTES 4

#define USBIP_CMD_SUBMIT 1u
#define USBIP_CMD_UNLINK 2u
#define USBIP_RET_SUBMIT 3u
#define USBIP_RET_UNLINK 4u
#define USBIP_HEADER_BYTES 48
#define USBIP_DIR_OUT 0u
#define USBIP_DIR_IN 1u

/* Offsets into the header of 48 bytes. */
enum usbip_offset {
    USBIP_COMMAND = 0,
    USBIP_SEQNUM = 4,
    USBIP_DEVID = 8,
    USBIP_DIRECTION = 12,
    USBIP_EP = 16,
    USBIP_FLAGS = 20,         /* CMD_SUBMIT */
    USBIP_LENGTH = 24,        /* CMD_SUBMIT */
    USBIP_SETUP = 40,         /* CMD_SUBMIT */
    USBIP_UNLINK_SEQNUM = 20, /* CMD_UNLINK */
    USBIP_STATUS = 20,        /* RET_SUBMIT, RET_UNLINK */
    USBIP_ACTUAL = 24,        /* RET_SUBMIT */
};

/* Offsets into a device of 312 bytes. */
enum usbip_device_offset {
    USBIP_DEVICE_BUSID = 256,
    USBIP_DEVICE_BUSNUM = 288,
    USBIP_DEVICE_DEVNUM = 292,
    USBIP_DEVICE_VENDOR = 300,
    USBIP_DEVICE_PRODUCT = 302,
    USBIP_DEVICE_INTERFACES = 311,
};

/* Status of a transfer: a negated Linux errno, on every operating system. */
enum usbip_status {
    USBIP_OK = 0,
    USBIP_ENOENT = -2,
    USBIP_EPIPE = -32,
    USBIP_ENODEV = -19,
    USBIP_ECONNRESET = -104,
    USBIP_ESHUTDOWN = -108,
};

static inline void put_be16(uint8_t *at, uint16_t value) {
    at[0] = (uint8_t)(value >> 8);
    at[1] = (uint8_t)value;
}

static inline void put_be32(uint8_t *at, uint32_t value) {
    put_be16(at, (uint16_t)(value >> 16));
    put_be16(at + 2, (uint16_t)value);
}

static inline uint16_t get_be16(const uint8_t *at) {
    return (uint16_t)(at[0] << 8 | at[1]);
}

static inline uint32_t get_be32(const uint8_t *at) {
    return (uint32_t)get_be16(at) << 16 | get_be16(at + 2);
}

#endif
