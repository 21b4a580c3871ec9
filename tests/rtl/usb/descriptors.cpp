// SPDX-License-Identifier: Apache-2.0
// The descriptors of each configuration, byte by byte.
#include "bench_board.h"

namespace gnomon {

namespace {

constexpr bool has_acm = USB_CONFIG == 2, has_dfu = USB_DFU == 2, is_composite = has_acm || has_dfu;

void append(Bytes &to, const Bytes &more) {
    to.insert(to.end(), more.begin(), more.end());
}

Bytes word(size_t value) {
    return {static_cast<uint8_t>(value), static_cast<uint8_t>(value >> 8)};
}

Bytes text(const std::string &characters) {
    Bytes bytes;
    for (char c : characters)
        append(bytes, word(static_cast<uint8_t>(c)));
    return bytes;
}

Bytes text_descriptor(const std::string &characters) {
    Bytes bytes{static_cast<uint8_t>(2 + 2 * characters.size()), 0x03};
    append(bytes, text(characters));
    return bytes;
}

Bytes device_descriptor() {
    Bytes bytes{18, 0x01, 0x10, 0x02, 0, 0, 0, 64, 0x09, 0x12, 0x01, 0x00, 0x00, 0x01, 1, 2, 3, 1};
    if (has_acm) // interface associations
        bytes[4] = 0xEF, bytes[5] = 2, bytes[6] = 1;
    return bytes;
}

Bytes configuration_descriptor() {
    Bytes parts{9, 0x04, 0, 0,    3, 0xFF, 0x47, 0x01, 0, 7,    0x05, 0x01, 0x02, 64, 0,
                0, 7,    5, 0x81, 2, 64,   0,    0,    7, 0x05, 0x82, 0x02, 64,   0,  0};
    if (has_acm) {
        append(parts, {8, 0x0B, 1, 2, 2, 2, 0, 0});       // association
        append(parts, {9, 0x04, 1, 0, 1, 2, 2, 0, 0});    // communications
        append(parts, {5, 0x24, 0, 0x10, 0x01});          // CDC 1.10
        append(parts, {5, 0x24, 1, 0, 2});                // call management: none
        append(parts, {4, 0x24, 2, 2});                   // ACM
        append(parts, {5, 0x24, 6, 1, 2});                // union
        append(parts, {7, 0x05, 0x84, 3, 16, 0, 16});     // interrupt
        append(parts, {9, 0x04, 2, 0, 2, 0x0A, 0, 0, 0}); // data
        append(parts, {7, 0x05, 0x03, 2, 64, 0, 0});
        append(parts, {7, 0x05, 0x83, 2, 64, 0, 0});
    }
    if (has_dfu) {
        append(parts, {9, 0x04, has_acm ? uint8_t{3} : uint8_t{1}, 0, 0, 0xFE, 1, 1, 0});
        append(parts, {9, 0x21, 0x09, 0xFF, 0, 64, 0, 0x10, 0x01});
    }
    uint8_t interfaces = 1 + 2 * has_acm + has_dfu;
    Bytes bytes{9, 0x02};
    append(bytes, word(9 + parts.size()));
    append(bytes, {interfaces, 1, 0, 0x80, 50}); // bus powered, 100 mA
    append(bytes, parts);
    return bytes;
}

// Compatible ID and registry property of a function.
Bytes microsoft_features(const std::string &guid) {
    Bytes bytes{20, 0, 3, 0, 'W', 'I', 'N', 'U', 'S', 'B', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    Bytes name = text("DeviceInterfaceGUIDs"), value = text(guid);
    append(name, {0, 0});
    append(value, {0, 0, 0, 0}); // ends the string, ends the list
    append(bytes, word(10 + name.size() + value.size()));
    append(bytes, {4, 0, 7, 0});
    append(bytes, word(name.size()));
    append(bytes, name);
    append(bytes, word(value.size()));
    append(bytes, value);
    return bytes;
}

Bytes microsoft_set() {
    Bytes parts;
    auto function = [&](uint8_t interface, const std::string &guid) {
        Bytes features = microsoft_features(guid);
        if (is_composite) {
            append(parts, {8, 0, 2, 0, interface, 0});
            append(parts, word(8 + features.size()));
        }
        append(parts, features);
    };
    if (has_dfu)
        function(has_acm ? 3 : 1, "{C2A85E10-4B7F-4D36-8F91-03E6A9D71B5C}");
    function(0, "{6F1D27C4-93B8-4E1A-B5A0-7D0C52E84F39}");
    if (is_composite) {
        Bytes head{8, 0, 1, 0, 0, 0};
        append(head, word(8 + parts.size()));
        parts.insert(parts.begin(), head.begin(), head.end());
    }
    Bytes bytes{10, 0, 0, 0, 0, 0, 3, 6}; // Windows 8.1
    append(bytes, word(10 + parts.size()));
    append(bytes, parts);
    return bytes;
}

Bytes bos_descriptor() {
    Bytes bytes{5,    0x0F, 33,   0,    1,    28,   0x10, 0x05, 0,    0xDF, 0x60, 0xDD, 0xD8, 0x89, 0x45,
                0xC7, 0x4C, 0x9C, 0xD2, 0x65, 0x9D, 0x9E, 0x64, 0x8A, 0x9F, 0,    0,    3,    6};
    append(bytes, word(microsoft_set().size()));
    append(bytes, {1, 0}); // the code of the request
    return bytes;
}

// Reads the first `length` bytes, for every length up to more than the descriptor has.
void every_length(Board &b, Setup s, const Bytes &whole) {
    for (size_t length = 0; length <= whole.size() + 2; ++length) {
        s[6] = static_cast<uint8_t>(length);
        s[7] = static_cast<uint8_t>(length >> 8);
        size_t got = std::min(length, whole.size());
        expect_data(b, s, Bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(got)));
    }
}

} // namespace

void expect_data(Board &b, Setup s, const Bytes &expected) {
    Outcome o = b.control(s);
    if (o.status != UsbStatus::completed)
        std::printf("status %d, last error: %s\n", static_cast<int>(o.status), b.host->stats().last_error);
    CHECK(o.status == UsbStatus::completed);
    CHECK(o.data == expected);
}

void expect_stall(Board &b, Setup s, const Bytes &out) {
    CHECK(b.control(s, out).status == UsbStatus::stall);
}

void expect_ok(Board &b, Setup s, const Bytes &out) {
    CHECK(b.control(s, out).status == UsbStatus::completed);
}

void descriptors(Board &b) {
    const char *product[] = {"Gnomon small", "Gnomon mid", "Gnomon full"};
    expect_data(b, setup(0x80, 6, 0x0100, 0, 18), device_descriptor());
    expect_data(b, setup(0x80, 6, 0x0100, 0, 64), device_descriptor());
    expect_data(b, setup(0x80, 6, 0x0100, 0, 0xFFFF), device_descriptor());
    expect_data(b, setup(0x80, 6, 0x0200, 0, 0x0100), configuration_descriptor());
    expect_data(b, setup(0x80, 6, 0x0200, 0, 0xFFFF), configuration_descriptor());
    expect_data(b, setup(0x80, 6, 0x0F00, 0, 64), bos_descriptor());
    expect_data(b, setup(0x80, 6, 0x0300, 0, 255), {4, 0x03, 0x09, 0x04});
    expect_data(b, setup(0x80, 6, 0x0301, 0x0409, 255), text_descriptor("Gnomon"));
    expect_data(b, setup(0x80, 6, 0x0302, 0x0409, 255), text_descriptor(product[USB_CONFIG]));
    expect_data(b, setup(0x80, 6, 0x0303, 0x0409, 255), text_descriptor("TEST0042"));
    every_length(b, setup(0x80, 6, 0x0200, 0, 0), configuration_descriptor());
    expect_data(b, setup(0xC0, 1, 0, 7, 0xFFFF), microsoft_set());
    every_length(b, setup(0xC0, 1, 0, 7, 0), microsoft_set());
}

} // namespace gnomon
