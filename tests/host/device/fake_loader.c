/* SPDX-License-Identifier: Apache-2.0 */
/* A fake board during an update: first a Gnomon that can restart into its loader, then the loader, then the Gnomon
 * again. Each device is one connection to this USB/IP server; when the device leaves the bus, its connection ends.
 * The image that the loader receives is written to a file, which the test compares. usage: fake_loader OUTPUT
 * [FAULT] [LOADER-VID:PID] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fake_usbip.h"
#include "lib/transport/usbip_wire.h"

#define BLOCK 256
#define MOST_BYTES (4u << 20)

enum role { GNOMON, LOADER };
enum state { APP_IDLE, IDLE = 2, SYNC, BUSY, DOWNLOAD_IDLE, MANIFEST_SYNC, MANIFEST, WAIT_RESET, ERROR = 10 };
enum request { DETACH, DOWNLOAD, GET_STATUS = 3, CLEAR_STATUS, ABORT = 6 };

static const char *output, *fault = "";
static unsigned vendor = 0x1209, product = 0x5AF0;
static enum role role;
static unsigned appearances;
static uint8_t state, trouble, file[MOST_BYTES];
static size_t written;
static unsigned blocks, busy_polls;
static uint16_t expected_block;
static bool leaving;

static bool is(const char *name) {
    return !strcmp(fault, name);
}

/* ---- Descriptors ---- */

/* A vendor interface with three endpoints, and the DFU run-time interface. */
static const uint8_t gnomon_config[57] = {
    9,  2, 57, 0, 2, 1,    0, 0x80, 50, 9, 4, 0, 0, 3, 0xFF, 0x47, 1, 0, 7, 5, 1,    2,    64,  0, 0, 7, 5,    0x81, 2,
    64, 0, 0,  7, 5, 0x82, 2, 64,   0,  0, 9, 4, 1, 0, 0,    0xFE, 1, 1, 0, 9, 0x21, 0x0D, 232, 3, 0, 1, 0x10, 1};
/* Two alternate settings to write to; the functional descriptor follows the second. */
static const uint8_t loader_config[36] = {9, 2, 36, 0, 1, 1,    0, 0x80, 50, 9, 4,    0,    0,   0, 0xFE, 1, 2, 0,
                                          9, 4, 0,  1, 0, 0xFE, 1, 2,    0,  9, 0x21, 0x0D, 232, 3, 0,    1, 1, 1};

static uint32_t get_config(uint8_t *data) {
    if (role == GNOMON) {
        bool bare = is("no-runtime") || is("vendor-request");
        uint32_t size = bare ? 39 : sizeof gnomon_config;
        memcpy(data, gnomon_config, size);
        data[2] = (uint8_t)size;
        data[4] = bare ? 1 : 2;
        if (is("reset-to-detach"))
            data[50] &= (uint8_t)~8u;
        return size;
    }
    memcpy(data, loader_config, sizeof loader_config);
    uint8_t *functional = data + 27;
    if (is("no-functional"))
        functional[1] = 0x24;
    if (is("no-transfer-size"))
        functional[5] = functional[6] = 0;
    if (is("cannot-download"))
        functional[2] = 0;
    if (is("functional-loop"))
        functional[0] = 0;
    return sizeof loader_config;
}

static uint32_t get_descriptor(unsigned type, unsigned index, uint8_t *data) {
    static const char *const strings[] = {"", "Gnomon", "Gnomon fake", "F4KE"};
    if (type == 1) {
        uint8_t device[18] = {18, 1, 0x10, 2, 0, 0, 0, 64, 0x09, 0x12, 1, 0, 0, 1, 1, 2, 3, 1};
        if (role == LOADER) {
            device[8] = (uint8_t)vendor;
            device[9] = (uint8_t)(vendor >> 8);
            device[10] = (uint8_t)product;
            device[11] = (uint8_t)(product >> 8);
        }
        memcpy(data, device, sizeof device);
        return sizeof device;
    }
    if (type == 2)
        return get_config(data);
    static const uint8_t languages[4] = {4, 3, 9, 4};
    if (type != 3 || index >= 4)
        return 0;
    if (index)
        return fake_put_string(data, strings[index]);
    memcpy(data, languages, sizeof languages);
    return sizeof languages;
}

/* ---- DFU ---- */

static void fail(uint8_t why) {
    trouble = why;
    state = ERROR;
}

static void save(void) {
    FILE *to = fopen(output, "wb");
    if (!to || fwrite(file, 1, written, to) != written || fclose(to))
        exit(1);
}

/* Returns false for STALL. */
static bool take_block(uint16_t number, const uint8_t *data, size_t size) {
    if (state == IDLE) {
        written = blocks = expected_block = 0;
    } else if (state != DOWNLOAD_IDLE) {
        fail(15);
        return false;
    }
    if (is("err-target") || (is("stall-block") && blocks == 2)) {
        fail(is("err-target") ? 1 : 3);
        return false;
    }
    if (!size) {
        save();
        state = MANIFEST_SYNC;
        busy_polls = 2;
        return true;
    }
    if (number != expected_block++ || written + size > sizeof file) {
        fail(8);
        return false;
    }
    memcpy(file + written, data, size);
    written += size;
    state = SYNC;
    busy_polls = ++blocks % 4 == 1 ? 2 : 0;
    return true;
}

static uint32_t get_status(uint8_t *data) {
    unsigned wait = 1;
    if (state == SYNC || state == BUSY) {
        state = busy_polls || is("busy-forever") ? BUSY : DOWNLOAD_IDLE;
        busy_polls -= busy_polls > 0;
        wait = is("endless-pause") ? 0xFFFFFF : 3;
        if (is("err-prog") && blocks == 3)
            fail(6);
        if (is("leaves-early") && blocks == 3)
            state = IDLE;
    } else if (state == MANIFEST_SYNC || state == MANIFEST) {
        state = busy_polls ? MANIFEST : is("tolerant") ? IDLE : WAIT_RESET;
        busy_polls -= busy_polls > 0;
        if (is("err-verify"))
            fail(7);
        if (is("gone-in-manifest"))
            leaving = true;
    }
    const uint8_t answer[6] = {trouble, (uint8_t)wait, (uint8_t)(wait >> 8), (uint8_t)(wait >> 16), state, 0};
    memcpy(data, answer, sizeof answer);
    if (is("state-unknown"))
        data[4] = 0x42;
    if (is("trouble-unknown") && blocks)
        data[0] = data[4] = ERROR, data[0] = 0x99;
    if (is("status-random"))
        for (int i = 0; i < 6; i++)
            data[i] = (uint8_t)rand();
    return is("status-short") ? 3 : sizeof answer;
}

/* Handles a class request of the loader; returns false for STALL. */
static bool on_loader(const uint8_t *setup, uint8_t *data, uint32_t size, uint32_t *length) {
    switch (setup[1]) {
    case DOWNLOAD:
        if (is("unplug") && blocks == 2)
            fake_end(0);
        return take_block((uint16_t)(setup[2] | setup[3] << 8), data, size);
    case GET_STATUS:
        *length = get_status(data);
        return true;
    case CLEAR_STATUS:
        if (!is("stuck-in-error"))
            state = IDLE, trouble = 0;
        return true;
    case ABORT:
        state = IDLE;
        return true;
    case DETACH:
        leaving = true;
        return true;
    default:
        return false;
    }
}

static void on_control(uint32_t seqnum, const uint8_t *setup, uint8_t *data, uint32_t size, bool in) {
    uint32_t length = 0;
    bool good = true;
    if ((setup[0] & 0x60) == 0) {
        if (setup[1] == 6)
            length = get_descriptor(setup[3], setup[2], data);
    } else if (role == GNOMON) {
        bool vendor_request = is("vendor-request") && setup[0] == 0x40 && setup[1] == 2;
        good = vendor_request || (setup[0] == 0x21 && setup[1] == DETACH && setup[4] == 1 && !is("detach-stall") &&
                                  !is("no-runtime") && !is("vendor-request"));
        leaving = good && !is("reset-to-detach");
    } else {
        good = on_loader(setup, data, size, &length);
    }
    if (in)
        length = length < size ? length : size;
    fake_answer(seqnum, good ? USBIP_OK : USBIP_EPIPE, data, in && good ? length : 0, good ? (in ? length : size) : 0);
}

/* ---- USB/IP ---- */

static void serve_device(void) {
    static uint8_t data[1 << 16];
    uint8_t header[USBIP_HEADER_BYTES];
    while (!leaving) {
        fake_receive(header, sizeof header);
        uint32_t size = get_be32(header + USBIP_LENGTH);
        bool in = get_be32(header + USBIP_DIRECTION) == USBIP_DIR_IN;
        if (get_be32(header + USBIP_COMMAND) != USBIP_CMD_SUBMIT || get_be32(header + USBIP_EP) || size > sizeof data)
            fake_end(1);
        if (!in)
            fake_receive(data, size);
        on_control(get_be32(header + USBIP_SEQNUM), header + USBIP_SETUP, data, size, in);
    }
}

static void serve_operation(void) {
    uint8_t request[USBIP_OP_BYTES + USBIP_BUSID_BYTES], reply[USBIP_OP_BYTES + USBIP_DEVICE_BYTES] = {0};
    fake_receive(request, sizeof request);
    put_be16(reply, USBIP_VERSION);
    put_be16(reply + 2, USBIP_OP_REP_IMPORT);
    fake_put_device(reply + USBIP_OP_BYTES, 0x1209, 1);
    fake_send(reply, sizeof reply);
}

/* Selects the next device on the bus: Gnomon and loader alternate; some faults begin with the loader. */
static void appear(void) {
    role = (appearances++ + is("in-loader") + is("half-done")) % 2 ? LOADER : GNOMON;
    if ((is("never-loader") && appearances == 2) || (is("never-back") && appearances == 3) || appearances > 3)
        exit(0);
    leaving = false;
    state = role == GNOMON ? APP_IDLE : is("half-done") ? DOWNLOAD_IDLE : is("stuck-in-error") ? ERROR : IDLE;
    trouble = is("stuck-in-error") ? 14 : 0;
    blocks = busy_polls = 0;
}

int main(int argc, char **argv) {
    if (argc < 2 || (argc > 3 && sscanf(argv[3], "%4x:%4x", &vendor, &product) != 2))
        return 2;
    output = argv[1];
    fault = argc > 2 ? argv[2] : "";
    int listener = fake_listen();
    if (setjmp(fake_next_connection))
        fake_hang_up();
    for (;;) {
        appear();
        fake_accept(listener);
        serve_operation();
        serve_device();
        fake_hang_up();
    }
}
