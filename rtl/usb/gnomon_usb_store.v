// SPDX-License-Identifier: Apache-2.0
// All bytes that the device sends, in one block RAM: the descriptors (lower half, never written) and the packet slots
// of the bulk IN endpoints (upper half), written in clk_i and read in p_clk_i. gnomon_usb_layout.vh has the addresses
// of the descriptors.
`default_nettype none

module gnomon_usb_store #(
  parameter integer CONFIG = 0,
  parameter integer DFU = 0,
  parameter [63:0] SERIAL = "00000001"
) (
  input  wire       clk_i, write_i,
  input  wire [8:0] write_addr_i,  // within the slots
  input  wire [7:0] write_data_i,

  // Read: a byte of a descriptor or of a slot.
  input  wire       p_clk_i, p_is_slot_i,
  input  wire [8:0] p_slot_addr_i,
  input  wire [3:0] p_item_i,
  input  wire [8:0] p_offset_i,
  output reg  [8:0] p_length_o,  // of the item, one cycle after it
  output reg  [7:0] p_data_o     // three cycles after the other inputs
);
`include "gnomon_usb_layout.vh"

  localparam [15:0] SET_BYTES = LENGTH_MICROSOFT[15:0];
  localparam [15:0] FUNCTION_BYTES = FUNCTION[15:0];
  localparam [15:0] CONFIGURATION_BYTES = LENGTH_CONFIGURATION[15:0];
  localparam [7:0] INTERFACE_COUNT = INTERFACES[7:0];
  // Windows looks for interface associations if the device class says so.
  localparam [23:0] CLASS = ACM != 0 ? 24'hEF0201 : 24'h000000;
  localparam [LENGTH_DEVICE*8-1:0] DEVICE = {
    8'd18, 8'h01, 16'h1002,           // bcdUSB 0x0210
    CLASS, 8'd64,                     // endpoint 0: 64 bytes
    16'h0912, 16'h0100, 16'h0001,     // 1209:0001, bcdDevice 0x0100
    8'd1, 8'd2, 8'd3, 8'd1            // strings, configurations
  };
  localparam [LENGTH_BOS*8-1:0] BOS = {
    8'd5, 8'h0F, 16'h2100, 8'd1,      // one capability: platform
    8'd28, 8'h10, 8'h05, 8'h00, 128'hDF60DDD8_8945C74C_9CD2659D_9E648A9F,  // Microsoft OS 2.0
    32'h0000_0306,                    // from Windows 8.1 on
    SET_BYTES[7:0], SET_BYTES[15:8], 4'd0, REQUEST_MICROSOFT, 8'd0
  };
  localparam [9*8-1:0] HEAD = {
    // bus powered, 100 mA
    8'd9, 8'h02, CONFIGURATION_BYTES[7:0], CONFIGURATION_BYTES[15:8], INTERFACE_COUNT, 8'd1, 8'd0, 8'h80, 8'd50
  };
  localparam [LENGTH_VENDOR*8-1:0] VENDOR = {
    8'd9, 8'h04, 8'd0, 8'd0, 8'd3, 8'hFF, 8'h47, 8'h01, 8'd0,
    8'd7, 8'h05, 8'h01, 8'h02, 16'h4000, 8'd0,
    8'd7, 8'h05, 8'h81, 8'h02, 16'h4000, 8'd0,
    8'd7, 8'h05, 8'h82, 8'h02, 16'h4000, 8'd0
  };
  localparam [LENGTH_ACM*8-1:0] CONSOLE = {
    8'd8, 8'h0B, 6'd0, ACM_CONTROL, 8'd2, 8'h02, 8'h02, 8'h00, 8'd0,       // association
    8'd9, 8'h04, 6'd0, ACM_CONTROL, 8'd0, 8'd1, 8'h02, 8'h02, 8'h00, 8'd0,
    8'd5, 8'h24, 8'h00, 16'h1001,                                          // CDC 1.10
    8'd5, 8'h24, 8'h01, 8'h00, 6'd0, ACM_DATA,                             // no call management
    8'd4, 8'h24, 8'h02, 8'h02,                                             // line coding, control lines, serial state
    8'd5, 8'h24, 8'h06, 6'd0, ACM_CONTROL, 6'd0, ACM_DATA,
    8'd7, 8'h05, 8'h84, 8'h03, 16'h1000, 8'd16,                            // asked every 16 ms
    8'd9, 8'h04, 6'd0, ACM_DATA, 8'd0, 8'd2, 8'h0A, 8'h00, 8'h00, 8'd0,
    8'd7, 8'h05, 8'h03, 8'h02, 16'h4000, 8'd0,
    8'd7, 8'h05, 8'h83, 8'h02, 16'h4000, 8'd0
  };
  localparam [LENGTH_DFU*8-1:0] LOADER = {
    8'd9, 8'h04, 6'd0, DFU_NUMBER, 8'd0, 8'd0, 8'hFE, 8'h01, 8'h01, 8'd0,  // run-time
    8'd9, 8'h21, 8'h09, 16'hFF00, 16'h4000, 16'h1001                       // can download, detaches by itself; DFU 1.1
  };
  // SERIAL_STATE: carrier, ready, overrun.
  localparam [LENGTH_NOTIFY*8-1:0] OVERRUN = {8'hA1, 8'h20, 16'h0000, 6'd0, ACM_CONTROL, 8'h00, 16'h0200, 8'h43, 8'h00};

  localparam [20*8-1:0] COMPATIBLE_ID = {16'h1400, 16'h0300, "WINUSB", 16'h0000, 64'h0};
  localparam [10*8-1:0] SET_HEAD = {16'h0A00, 16'h0000, 32'h0000_0306, SET_BYTES[7:0], SET_BYTES[15:8]};
  localparam [15:0] SUBSET_BYTES = SET_BYTES - 16'd10;
  localparam [8*8-1:0] CONFIGURATION_HEAD = {16'h0800, 16'h0100, 16'h0000, SUBSET_BYTES[7:0], SUBSET_BYTES[15:8]};
  localparam [15:0] LENGTHS = {FUNCTION_BYTES[7:0], FUNCTION_BYTES[15:8]};
  localparam [8*8-1:0] VENDOR_HEAD = {16'h0800, 16'h0200, 16'h0000, LENGTHS};
  localparam [8*8-1:0] LOADER_HEAD = {16'h0800, 16'h0200, 6'd0, DFU_NUMBER, 8'h00, LENGTHS};
  localparam [7:0] PROPERTY_BYTES = PROPERTY[7:0];
  // The words of a property after its length, lower bytes only: registry property, list of strings, length and name,
  // length and value.
  localparam [25*8-1:0] GUIDS_HEAD = {8'h04, 8'h07, 8'h2A, "DeviceInterfaceGUIDs", 8'h00, 8'h50};
  localparam [HALVES*8-1:0] GUIDS_VENDOR = {GUIDS_HEAD, "{6F1D27C4-93B8-4E1A-B5A0-7D0C52E84F39}", 16'h0000};
  localparam [HALVES*8-1:0] GUIDS_LOADER = {GUIDS_HEAD, "{C2A85E10-4B7F-4D36-8F91-03E6A9D71B5C}", 16'h0000};

  localparam [MAKER_CHARS*8-1:0] MAKER = "Gnomon";
  localparam [12*8-1:0] PRODUCT = CONFIG == 0 ? "Gnomon small" : CONFIG == 1 ? {"Gnomon mid", 16'd0} :
      {"Gnomon full", 8'd0};
  localparam integer LENGTH_MAKER = 2 + 2 * MAKER_CHARS, LENGTH_PRODUCT = 2 + 2 * PRODUCT_CHARS, LENGTH_SERIAL = 2 +
      2 * SERIAL_CHARS;

  (* no_rw_check *) reg [7:0] mem[0:2*STORE-1];
  integer i;
  initial begin
    for (i = 0; i < 2 * STORE; i = i + 1) mem[i] = 8'h00;
    for (i = 0; i < LENGTH_DEVICE; i = i + 1) mem[AT_DEVICE+i] = DEVICE[(LENGTH_DEVICE-1-i)*8+:8];
    for (i = 0; i < 9; i = i + 1) mem[AT_CONFIGURATION+i] = HEAD[(8-i)*8+:8];
    for (i = 0; i < LENGTH_VENDOR; i = i + 1) mem[AT_CONFIGURATION+9+i] = VENDOR[(LENGTH_VENDOR-1-i)*8+:8];
    {mem[AT_LANGUAGE], mem[AT_LANGUAGE+1], mem[AT_LANGUAGE+2], mem[AT_LANGUAGE+3]} = 32'h0403_0904;
    mem[AT_MAKER] = LENGTH_MAKER[7:0];
    mem[AT_MAKER+1] = 8'h03;
    for (i = 0; i < MAKER_CHARS; i = i + 1) mem[AT_MAKER+2+2*i] = MAKER[(MAKER_CHARS-1-i)*8+:8];
    mem[AT_PRODUCT] = LENGTH_PRODUCT[7:0];
    mem[AT_PRODUCT+1] = 8'h03;
    for (i = 0; i < PRODUCT_CHARS; i = i + 1) mem[AT_PRODUCT+2+2*i] = PRODUCT[(11-i)*8+:8];
    mem[AT_SERIAL] = LENGTH_SERIAL[7:0];
    mem[AT_SERIAL+1] = 8'h03;
    for (i = 0; i < SERIAL_CHARS; i = i + 1) mem[AT_SERIAL+2+2*i] = SERIAL[(SERIAL_CHARS-1-i)*8+:8];
    for (i = 0; i < LENGTH_BOS; i = i + 1) mem[AT_BOS+i] = BOS[(LENGTH_BOS-1-i)*8+:8];
    for (i = 0; i < 10; i = i + 1) mem[MICROSOFT_PLAIN+i] = SET_HEAD[(9-i)*8+:8];
    for (i = 0; i < 20; i = i + 1) mem[MICROSOFT_PLAIN+PLAIN-22+i] = COMPATIBLE_ID[(19-i)*8+:8];
    mem[MICROSOFT_PLAIN+PLAIN-2] = PROPERTY_BYTES;
    for (i = 0; i < HALVES; i = i + 1) mem[i] = GUIDS_VENDOR[(HALVES-1-i)*8+:8];
  end
  generate
    if (COMPOSITE != 0) begin : g_composite
      integer k;
      initial
        for (k = 0; k < 8; k = k + 1) begin
          mem[MICROSOFT_PLAIN+10+k] = CONFIGURATION_HEAD[(7-k)*8+:8];
          mem[MICROSOFT_PLAIN+PLAIN-30+k] = VENDOR_HEAD[(7-k)*8+:8];
        end
    end
    if (ACM != 0) begin : g_acm
      integer k;
      initial begin
        for (k = 0; k < LENGTH_ACM; k = k + 1) mem[AT_CONFIGURATION+9+LENGTH_VENDOR+k] = CONSOLE[(LENGTH_ACM-1-k)*8+:8];
        for (k = 0; k < LENGTH_NOTIFY; k = k + 1) mem[AT_NOTIFY+k] = OVERRUN[(LENGTH_NOTIFY-1-k)*8+:8];
      end
    end
    if (DFU_INTERFACE != 0) begin : g_dfu
      integer k;
      initial begin
        for (k = 0; k < LENGTH_DFU; k = k + 1)
          mem[AT_CONFIGURATION+LENGTH_CONFIGURATION-LENGTH_DFU+k] = LOADER[(LENGTH_DFU-1-k)*8+:8];
        for (k = 0; k < 8; k = k + 1) mem[MICROSOFT_PLAIN+18+k] = LOADER_HEAD[(7-k)*8+:8];
        for (k = 0; k < 20; k = k + 1) mem[MICROSOFT_PLAIN+26+k] = COMPATIBLE_ID[(19-k)*8+:8];
        mem[MICROSOFT_PLAIN+46] = PROPERTY_BYTES;
        for (k = 0; k < HALVES; k = k + 1) mem[MICROSOFT_PLAIN+48+2*k] = GUIDS_LOADER[(HALVES-1-k)*8+:8];
      end
    end
  endgenerate

  // ---- Address and length, one cycle after the item ----
  reg [31:0] base;
  reg [31:0] length;
  always @(*) begin
    base = AT_ZERO;
    length = 2;
    case (p_item_i)
      ITEM_ZERO: length = 1;
      ITEM_ONE: {base, length} = {AT_ONE, 32'd1};
      ITEM_ONE_2: base = AT_ONE;
      ITEM_DEVICE: {base, length} = {AT_DEVICE, LENGTH_DEVICE};
      ITEM_CONFIGURATION: {base, length} = {AT_CONFIGURATION, LENGTH_CONFIGURATION};
      ITEM_BOS: {base, length} = {AT_BOS, LENGTH_BOS};
      ITEM_MICROSOFT: {base, length} = {MICROSOFT, LENGTH_MICROSOFT};
      ITEM_LANGUAGE: {base, length} = {AT_LANGUAGE, 32'd4};
      ITEM_MAKER: {base, length} = {AT_MAKER, LENGTH_MAKER};
      ITEM_PRODUCT: {base, length} = {AT_PRODUCT, LENGTH_PRODUCT};
      ITEM_SERIAL: {base, length} = {AT_SERIAL, LENGTH_SERIAL};
      ITEM_DFU_STATUS: length = 6;
      ITEM_CODING: length = LENGTH_CODING;
      ITEM_NOTIFY: {base, length} = {AT_NOTIFY, LENGTH_NOTIFY};
      default: ;
    endcase
  end
  reg [STORE_LOG2-1:0] first;
  reg is_microsoft;
  always @(posedge p_clk_i) begin
    p_length_o <= length[8:0];
    first <= base[STORE_LOG2-1:0];
    is_microsoft <= p_item_i == ITEM_MICROSOFT;
  end

  // ---- The byte: one cycle each for its place in the item, for its address, and for the read ----
  wire [LENGTH_LOG2-1:0] offset = p_offset_i[LENGTH_LOG2-1:0];
  wire is_half = is_microsoft && offset >= PLAIN[LENGTH_LOG2-1:0];
  reg halved;
  reg [LENGTH_LOG2-1:0] index;
  wire [STORE_LOG2-1:0] sum = first + {{(STORE_LOG2 - LENGTH_LOG2) {1'b0}}, index};
  wire [STORE_LOG2-1:0] item_addr = {sum[STORE_LOG2-1] ^ (is_microsoft && !halved), sum[STORE_LOG2-2:0]};
  wire [9:0] write_addr = {1'b0, write_addr_i[8] && ACM != 0, write_addr_i[7:0]};
  wire [9:0] slot_addr = {1'b0, p_slot_addr_i[8] && ACM != 0, p_slot_addr_i[7:0]};
  reg [STORE_LOG2:0] read_addr;
  wire unused = &{1'b0, base, length, p_offset_i, write_addr, slot_addr};

  always @(posedge clk_i) begin
    if (write_i) mem[{1'b1, write_addr[STORE_LOG2-1:0]}] <= write_data_i;
  end
  always @(posedge p_clk_i) begin
    halved <= is_half;
    // The upper byte of a word is read from a byte that is 0.
    index <= !is_half ? offset : offset[0] ? {LENGTH_LOG2{1'b0}} : {1'b0, offset[LENGTH_LOG2-1:1]};
    read_addr <= {p_is_slot_i, p_is_slot_i ? slot_addr[STORE_LOG2-1:0] : item_addr};
    p_data_o <= mem[read_addr];
  end
endmodule

`default_nettype wire
