/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a bitstream file for iCE40 or ECP5, and finds which FPGA it is for, if the file says so. */
#ifndef GNOMON_LIB_BITSTREAM_H
#define GNOMON_LIB_BITSTREAM_H

#include <stddef.h>
#include <stdint.h>

#include "lib/util/error.h"

enum gnomon_fpga {
    GNOMON_FPGA_UNKNOWN,
    GNOMON_FPGA_UP5K,
    GNOMON_FPGA_ICE40_8K,
    GNOMON_FPGA_ECP5_25,
    GNOMON_FPGA_ECP5_85
};

struct gnomon_bitstream {
    uint8_t *data;
    size_t size; /* without a DFU suffix */
    enum gnomon_fpga fpga;
    char part[32];            /* as in its usual name */
    uint16_t vendor, product; /* IDs that the DFU suffix requires; 0xFFFF: any */
};

/* Refuses files that are no bitstream of these families, and files with a damaged DFU suffix. */
enum gnomon_status gnomon_bitstream_read(const char *path, struct gnomon_bitstream *bitstream,
                                         struct gnomon_error *error);
void gnomon_bitstream_free(struct gnomon_bitstream *bitstream);
const char *gnomon_fpga_name(enum gnomon_fpga fpga);

#endif
