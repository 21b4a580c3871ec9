/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/flash/bitstream.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define MOST_BYTES (16u << 20) /* no supported part has more flash */
#define SUFFIX_BYTES 16        /* of a DFU file, DFU 1.1 appendix B */
#define MOST_COMMENT 4096      /* bytes before the preamble */

static const char *const names[] = {
    [GNOMON_FPGA_UNKNOWN] = "unknown part", [GNOMON_FPGA_UP5K] = "iCE40 UP5K",  [GNOMON_FPGA_ICE40_8K] = "iCE40 8K",
    [GNOMON_FPGA_ECP5_25] = "ECP5 12F/25F", [GNOMON_FPGA_ECP5_85] = "ECP5 85F",
};

const char *gnomon_fpga_name(enum gnomon_fpga fpga) {
    return names[fpga];
}

/* Removes a DFU suffix; a file without one does not change. */
static enum gnomon_status take_suffix(const char *path, struct gnomon_bitstream *bitstream,
                                      struct gnomon_error *error) {
    bitstream->vendor = bitstream->product = 0xFFFF;
    if (bitstream->size < SUFFIX_BYTES)
        return GNOMON_OK;
    const uint8_t *suffix = bitstream->data + bitstream->size - SUFFIX_BYTES;
    if (memcmp(suffix + 8, "UFD", 3) != 0)
        return GNOMON_OK;
    uint32_t said = 0, length = suffix[11];
    for (int i = 0; i < 4; i++)
        said |= (uint32_t)suffix[12 + i] << 8 * i;
    uint32_t is = (uint32_t)crc32(0, bitstream->data, (uInt)(bitstream->size - 4)) ^ 0xFFFFFFFFu;
    if (said != is || length < SUFFIX_BYTES || length > bitstream->size) {
        gnomon_fail(error, GNOMON_ERR_FORMAT, "%s is damaged: its DFU suffix says another checksum", path);
        return gnomon_remedy(error, GNOMON_ERR_FORMAT, "build or fetch it again");
    }
    bitstream->product = (uint16_t)(suffix[2] | suffix[3] << 8);
    bitstream->vendor = (uint16_t)(suffix[4] | suffix[5] << 8);
    bitstream->size -= length;
    return GNOMON_OK;
}

/* The size of an iCE40. After the preamble come commands: operation and length in one byte. Operations 6 and 7 give the
 * size of a bank. */
static enum gnomon_fpga ice40_part(const uint8_t *at, size_t size) {
    unsigned width = 0, height = 0;
    while (size && !(width && height)) {
        unsigned operation = at[0] >> 4, length = at[0] & 0xF;
        if (size < 1 + length || length > 4)
            break;
        if (operation == 6 && length == 2)
            width = (unsigned)(at[1] << 8 | at[2]) + 1;
        if (operation == 7 && length == 2)
            height = (unsigned)(at[1] << 8 | at[2]);
        at += 1 + length;
        size -= 1 + length;
    }
    if (width == 692 && height == 336)
        return GNOMON_FPGA_UP5K;
    return width == 872 && height == 272 ? GNOMON_FPGA_ICE40_8K : GNOMON_FPGA_UNKNOWN;
}

/* The part of an ECP5. The command E2 (verify the part) is followed by three bytes and the part's JTAG code. */
static enum gnomon_fpga ecp5_part(const uint8_t *at, size_t size) {
    for (size_t i = 0; i + 8 <= size && i < 64; i++) {
        if (at[i] != 0xE2 || at[i + 1] || at[i + 2] || at[i + 3])
            continue;
        uint32_t code = (uint32_t)at[i + 4] << 24 | (uint32_t)at[i + 5] << 16 | (uint32_t)at[i + 6] << 8 | at[i + 7];
        /* Ignores the upper four bits, which distinguish U, UM and UM5G, and 12F from 25F. */
        if ((code & 0x0FFFFFFF) == 0x01111043)
            return GNOMON_FPGA_ECP5_25;
        return (code & 0x0FFFFFFF) == 0x01113043 ? GNOMON_FPGA_ECP5_85 : GNOMON_FPGA_UNKNOWN;
    }
    return GNOMON_FPGA_UNKNOWN;
}

static bool find_preamble(struct gnomon_bitstream *bitstream) {
    static const uint8_t ice40[] = {0x7E, 0xAA, 0x99, 0x7E}, ecp5[] = {0xFF, 0xFF, 0xBD, 0xB3};
    for (size_t i = 0; i + 4 <= bitstream->size && i < MOST_COMMENT; i++) {
        const uint8_t *at = bitstream->data + i;
        bool is_ice40 = !memcmp(at, ice40, sizeof ice40);
        if (!is_ice40 && memcmp(at, ecp5, sizeof ecp5) != 0)
            continue;
        bitstream->fpga =
            is_ice40 ? ice40_part(at + 4, bitstream->size - i - 4) : ecp5_part(at + 4, bitstream->size - i - 4);
        snprintf(bitstream->part, sizeof bitstream->part, "%s",
                 bitstream->fpga ? names[bitstream->fpga]
                 : is_ice40      ? "iCE40, another part"
                                 : "ECP5, another part");
        return true;
    }
    return false;
}

static enum gnomon_status read_file(const char *path, struct gnomon_bitstream *bitstream, struct gnomon_error *error) {
    FILE *file = fopen(path, "rb");
    if (!file)
        return gnomon_fail_errno(error, GNOMON_ERR_SYSTEM, "cannot open %s", path);
    bitstream->data = malloc(MOST_BYTES + 1);
    if (!bitstream->data) {
        fclose(file);
        return gnomon_fail_memory(error);
    }
    bitstream->size = fread(bitstream->data, 1, MOST_BYTES + 1, file);
    bool failed = ferror(file);
    fclose(file);
    if (failed)
        return gnomon_fail(error, GNOMON_ERR_SYSTEM, "cannot read %s", path);
    return GNOMON_OK;
}

enum gnomon_status gnomon_bitstream_read(const char *path, struct gnomon_bitstream *bitstream,
                                         struct gnomon_error *error) {
    memset(bitstream, 0, sizeof *bitstream);
    enum gnomon_status status = read_file(path, bitstream, error);
    if (!status)
        status = take_suffix(path, bitstream, error);
    if (!status && (bitstream->size > MOST_BYTES || !find_preamble(bitstream))) {
        gnomon_fail(error, GNOMON_ERR_FORMAT, "%s is not a bitstream of an iCE40 or ECP5", path);
        status = gnomon_remedy(error, GNOMON_ERR_FORMAT, "make bitstream BOARD=... builds one");
    }
    if (status)
        gnomon_bitstream_free(bitstream);
    return status;
}

void gnomon_bitstream_free(struct gnomon_bitstream *bitstream) {
    free(bitstream->data);
    bitstream->data = NULL;
}
