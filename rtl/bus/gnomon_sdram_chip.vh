// SPDX-License-Identifier: Apache-2.0
// Timing of x16 SDR SDRAM chips, in picoseconds, or in cycles if the data sheets say cycles: the slowest values of the
// parts on the boards (AS4C16M16SA-7, IS42S16160G-7, MT48LC16M16A2-75). The controller and the model of the chip
// include this file.

localparam [63:0] CHIP_RCD = 64'd21_000;            // ACTIVE to READ or WRITE
localparam [63:0] CHIP_RP = 64'd21_000;             // PRECHARGE to ACTIVE or REFRESH
localparam [63:0] CHIP_RAS = 64'd45_000;            // ACTIVE to PRECHARGE
localparam [63:0] CHIP_RC = 64'd67_500;             // ACTIVE to ACTIVE of the same bank
localparam [63:0] CHIP_RRD = 64'd15_000;            // ACTIVE to ACTIVE of another bank
localparam [63:0] CHIP_RFC = 64'd70_000;            // REFRESH to any command
localparam [63:0] CHIP_WR = 64'd15_000;             // last word written to PRECHARGE
localparam [63:0] CHIP_WR_CYCLES = 64'd2;           // minimum of CHIP_WR in cycles
localparam [63:0] CHIP_MRD_CYCLES = 64'd2;          // MODE to any command
localparam [63:0] CHIP_REFRESH = 64'd7_812_500;     // maximum from REFRESH to REFRESH: 8192 in 64 ms
localparam [63:0] CHIP_POWER_UP = 64'd200_000_000;  // before the first command
localparam [3:0] CHIP_POWER_UP_REFRESHES = 4'd8;
