/* SPDX-License-Identifier: Apache-2.0 */
/* Checks by USB descriptors that a device is a Gnomon with a supported version. The descriptors are not trusted. */
#include <string.h>

#include "lib/transport/transport.h"

#define CONTROL_TIMEOUT 2000
#define PROTOCOL_MAJOR 0x01

enum { DESCRIPTOR_DEVICE = 1, DESCRIPTOR_CONFIGURATION = 2, DESCRIPTOR_STRING = 3, DESCRIPTOR_INTERFACE = 4 };
enum { DESCRIPTOR_ENDPOINT = 5 };

static enum gnomon_status get_descriptor(struct gnomon_transport *transport, uint8_t type, uint8_t index,
                                         uint16_t language, uint8_t *data, size_t size, size_t *got,
                                         struct gnomon_error *error) {
    struct gnomon_setup setup = {0x80, 6, (uint16_t)(type << 8 | index), language, (uint16_t)size};
    return transport->ops->control(transport, &setup, data, got, CONTROL_TIMEOUT * transport->timeout_scale, error);
}

static enum gnomon_status not_gnomon(const struct gnomon_transport *transport, const char *why,
                                     struct gnomon_error *error) {
    gnomon_fail(error, GNOMON_ERR_PROTOCOL, "%s is not a Gnomon: %s", transport->address, why);
    return gnomon_remedy(error, GNOMON_ERR_PROTOCOL, "gnomon list shows the devices that are");
}

/* Reads a string descriptor as UTF-8; characters that are not printable ASCII become '?'. Missing strings stay empty.
 */
static void read_string(struct gnomon_transport *transport, uint8_t index, char *text, size_t size) {
    uint8_t data[255];
    size_t got = 0;
    text[0] = '\0';
    if (!index || get_descriptor(transport, DESCRIPTOR_STRING, index, 0x0409, data, sizeof data, &got, NULL))
        return;
    if (got < 2 || data[1] != DESCRIPTOR_STRING)
        return;
    size_t end = data[0] < got ? data[0] : got, used = 0;
    for (size_t at = 2; at + 1 < end && used + 1 < size; at += 2)
        text[used++] = data[at + 1] == 0 && data[at] >= 0x20 && data[at] < 0x7F ? (char)data[at] : '?';
    text[used] = '\0';
}

static enum gnomon_status read_device(struct gnomon_transport *transport, uint8_t strings[3],
                                      struct gnomon_error *error) {
    uint8_t data[18];
    size_t got = 0;
    enum gnomon_status status = get_descriptor(transport, DESCRIPTOR_DEVICE, 0, 0, data, sizeof data, &got, error);
    if (status)
        return status;
    if (got != sizeof data || data[0] != sizeof data || data[1] != DESCRIPTOR_DEVICE)
        return not_gnomon(transport, "its device descriptor is damaged", error);
    struct gnomon_usb_identity *identity = &transport->identity;
    identity->vendor = (uint16_t)(data[8] | data[9] << 8);
    identity->product = (uint16_t)(data[10] | data[11] << 8);
    identity->release = (uint16_t)(data[12] | data[13] << 8);
    memcpy(strings, &data[14], 3);
    return GNOMON_OK;
}

/* Checks the descriptors of a configuration: it must have our interface, with bulk endpoints 0x01, 0x81 and 0x82 of 64
 * bytes. */
static const char *check_configuration(const uint8_t *data, size_t size) {
    bool ours = false, seen = false;
    unsigned endpoints = 0;
    for (size_t at = 0; at < size; at += data[at]) {
        if (size - at < 2 || data[at] < 2 || data[at] > size - at)
            return "its configuration descriptor is damaged";
        const uint8_t *item = &data[at];
        if (item[1] == DESCRIPTOR_INTERFACE && item[0] >= 9) {
            ours = item[5] == GNOMON_USB_CLASS && item[6] == GNOMON_USB_SUBCLASS && item[7] == GNOMON_USB_PROTOCOL;
            seen |= ours;
        } else if (item[1] == DESCRIPTOR_ENDPOINT && item[0] >= 7 && ours) {
            bool good = (item[3] & 3) == 2 && item[4] == GNOMON_USB_PACKET && item[5] == 0;
            endpoints |= !good                          ? 0
                         : item[2] == GNOMON_EP_COMMAND ? 1u
                         : item[2] == GNOMON_EP_REPLY   ? 2u
                         : item[2] == GNOMON_EP_TRACE   ? 4u
                                                        : 0;
        }
    }
    if (!seen)
        return "it has no interface of Gnomon's class";
    return endpoints == 7 ? NULL : "its interface lacks one of the bulk endpoints 0x01, 0x81, 0x82";
}

static enum gnomon_status read_configuration(struct gnomon_transport *transport, uint8_t *value,
                                             struct gnomon_error *error) {
    uint8_t data[512];
    size_t got = 0;
    enum gnomon_status status =
        get_descriptor(transport, DESCRIPTOR_CONFIGURATION, 0, 0, data, sizeof data, &got, error);
    if (status)
        return status;
    if (got < 9 || data[0] < 9 || data[1] != DESCRIPTOR_CONFIGURATION)
        return not_gnomon(transport, "its configuration descriptor is damaged", error);
    size_t total = (size_t)(data[2] | data[3] << 8);
    const char *wrong = total > got ? "its configuration descriptor is cut short" : check_configuration(data, total);
    *value = data[5];
    return wrong ? not_gnomon(transport, wrong, error) : GNOMON_OK;
}

enum gnomon_status gnomon_usb_identify(struct gnomon_transport *transport, bool configure, struct gnomon_error *error) {
    uint8_t strings[3] = {0}, configuration = 0;
    enum gnomon_status status = read_device(transport, strings, error);
    if (!status)
        status = read_configuration(transport, &configuration, error);
    if (status)
        return status;
    struct gnomon_usb_identity *identity = &transport->identity;
    if (identity->release >> 8 != PROTOCOL_MAJOR) {
        gnomon_fail(error, GNOMON_ERR_UNSUPPORTED, "%s speaks protocol %x.%02x, this gnomon speaks 1.x",
                    transport->address, (unsigned)identity->release >> 8, (unsigned)identity->release & 0xFF);
        return gnomon_remedy(error, GNOMON_ERR_UNSUPPORTED, "use the gnomon command and the bitstream of one release");
    }
    if (configure) {
        struct gnomon_setup setup = {0x00, 9, configuration, 0, 0};
        size_t got = 0;
        status =
            transport->ops->control(transport, &setup, NULL, &got, CONTROL_TIMEOUT * transport->timeout_scale, error);
    }
    read_string(transport, strings[0], identity->manufacturer, sizeof identity->manufacturer);
    read_string(transport, strings[1], identity->name, sizeof identity->name);
    read_string(transport, strings[2], identity->serial, sizeof identity->serial);
    return status;
}
