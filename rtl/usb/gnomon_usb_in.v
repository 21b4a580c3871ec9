// SPDX-License-Identifier: Apache-2.0
// Everything the device sends, in one block RAM of 512 bytes: the descriptors (lower half, never written) and two
// packet slots for each bulk IN endpoint. The streams fill the slots (clk_i), the protocol engine reads (p_clk_i).
//
//   000-0FF descriptors   100-17F replies (endpoint 1), 2 slots   180-1FF trace (endpoint 2), 2 slots
`default_nettype none

module gnomon_usb_in #(
    parameter integer CONFIG = 0,
    parameter [63:0] SERIAL = "00000001"
) (
    input  wire       clk_i,
    input  wire       rst_i,
    // Replies: a packet goes when full. While rep_flush_i is high and no byte is offered, what there is goes as a short
    // packet; right after a full packet that is a zero-length one, so that the host's transfer ends.
    input  wire       rep_valid_i,
    input  wire [7:0] rep_data_i,
    output wire       rep_ready_o,
    input  wire       rep_flush_i,
    // Trace: full packets only.
    input  wire       trace_valid_i,
    input  wire [7:0] trace_data_i,
    output wire       trace_ready_o,

    input  wire       p_clk_i,
    input  wire       p_rst_i,
    output wire [1:0] p_avail_o,        // bit 0 endpoint 1, bit 1 endpoint 2
    output wire [1:0] p_slot_o,
    output wire       p_trace_both_o,   // both slots of the trace are on offer
    output wire       p_rep_short_o,    // the slot on offer holds less than 64 bytes,
    output wire [5:0] p_rep_length_o,   // so many
    input  wire [1:0] p_release_i,      // only while p_avail_o
    input  wire [8:0] p_addr_i,
    output wire [7:0] p_data_o          // one cycle after p_addr_i
);
  wire rep_free;
  wire rep_slot;
  wire trace_free;
  wire trace_slot;
  wire trace_empty;
  wire rep_both;
  wire unused = &{1'b0, trace_empty, rep_both};
  wire rep_empty;
  reg [5:0] rep_count;
  reg rep_last_full;
  reg [5:0] trace_count;

  // The memory has one write port: the replies, which are rare, go first.
  wire rep_take = rep_valid_i && rep_free;
  wire trace_take = trace_valid_i && trace_ready_o;
  wire rep_full = rep_take && &rep_count;
  // A short packet waits until that before it, if short as well, has gone: there is one length.
  reg [1:0] rep_is_short;  // by slot
  wire rep_wait = rep_is_short[!rep_slot] && !rep_empty;
  wire rep_short = rep_free && !rep_wait && !rep_valid_i && rep_flush_i && (rep_count != 6'd0 || rep_last_full);
  wire rep_commit = rep_full || rep_short;
  wire trace_commit = trace_take && &trace_count;

  assign rep_ready_o = rep_free;
  assign trace_ready_o = trace_free && !rep_take;

  reg [5:0] rep_length;

  always @(posedge clk_i) begin
    if (rst_i) begin
      rep_count <= 6'd0;
      rep_last_full <= 1'b0;
      trace_count <= 6'd0;
    end else begin
      if (rep_short) rep_count <= 6'd0;
      else if (rep_take) rep_count <= rep_count + 6'd1;
      if (rep_commit) rep_last_full <= rep_full;
      if (trace_take) trace_count <= trace_count + 6'd1;
    end
    if (rep_commit) rep_is_short[rep_slot] <= rep_short;
    if (rep_short) rep_length <= rep_count;
  end

  gnomon_usb_handover u_rep (
      .p_clk_i(clk_i),
      .p_rst_i(rst_i),
      .p_free_o(rep_free),
      .p_slot_o(rep_slot),
      .p_empty_o(rep_empty),
      .p_commit_i(rep_commit),
      .c_clk_i(p_clk_i),
      .c_rst_i(p_rst_i),
      .c_avail_o(p_avail_o[0]),
      .c_slot_o(p_slot_o[0]),
      .c_both_o(rep_both),
      .c_release_i(p_release_i[0])
  );
  gnomon_usb_handover u_trace (
      .p_clk_i(clk_i),
      .p_rst_i(rst_i),
      .p_free_o(trace_free),
      .p_slot_o(trace_slot),
      .p_empty_o(trace_empty),
      .p_commit_i(trace_commit),
      .c_clk_i(p_clk_i),
      .c_rst_i(p_rst_i),
      .c_avail_o(p_avail_o[1]),
      .c_slot_o(p_slot_o[1]),
      .c_both_o(p_trace_both_o),
      .c_release_i(p_release_i[1])
  );
  assign p_rep_short_o = rep_is_short[p_slot_o[0]];
  assign p_rep_length_o = rep_length;

  // Descriptors: device at 0, BOS at 32, configuration at 64, strings 0 to 3 at 128, 160, 192 and 224; constants 01 00 at
  // 48 and 00 00 at 112. The protocol engine knows that, and the lengths; to an address it adds by OR.
  localparam [7:0] SERIAL_CHARS = 8;
  localparam [7:0] PRODUCT_CHARS = CONFIG == 0 ? 12 : CONFIG == 1 ? 10 : 11;
  localparam [12*8-1:0] PRODUCT = CONFIG == 0 ? "Gnomon small" : CONFIG == 1 ? {"Gnomon mid", 16'd0}
      : {"Gnomon full", 8'd0};
  localparam [6*8-1:0] MAKER = "Gnomon";
  localparam [18*8-1:0] DEVICE = {
    8'd18, 8'h01, 16'h1002,           // bcdUSB 0x0210
    8'h00, 8'h00, 8'h00, 8'd64,       // class per interface; endpoint 0: 64 bytes
    16'h0912, 16'h0100, 16'h0001,     // 1209:0001, bcdDevice 0x0100
    8'd1, 8'd2, 8'd3, 8'd1            // strings, configurations
  };
  localparam [12*8-1:0] BOS = {
    8'd5, 8'h0F, 16'h0C00, 8'd1,      // one capability:
    8'd7, 8'h10, 8'h02, 32'h0000_0000 // USB 2.0 extension, no link power management
  };
  localparam [39*8-1:0] CONFIGURATION = {
    8'd9, 8'h02, 16'h2700, 8'd1, 8'd1, 8'd0, 8'h80, 8'd50,             // bus powered, 100 mA
    8'd9, 8'h04, 8'd0, 8'd0, 8'd3, 8'hFF, 8'h47, 8'h01, 8'd0,
    8'd7, 8'h05, 8'h01, 8'h02, 16'h4000, 8'd0,
    8'd7, 8'h05, 8'h81, 8'h02, 16'h4000, 8'd0,
    8'd7, 8'h05, 8'h82, 8'h02, 16'h4000, 8'd0
  };

  (* no_rw_check *) reg [7:0] mem[0:511];
  integer i;
  initial begin
    for (i = 0; i < 512; i = i + 1) mem[i] = 8'h00;
    for (i = 0; i < 18; i = i + 1) mem[i] = DEVICE[(17-i)*8+:8];
    for (i = 0; i < 12; i = i + 1) mem[32+i] = BOS[(11-i)*8+:8];
    mem[48] = 8'h01;
    for (i = 0; i < 39; i = i + 1) mem[64+i] = CONFIGURATION[(38-i)*8+:8];
    {mem[128], mem[129], mem[130], mem[131]} = 32'h0403_0904;
    mem[160] = 8'd14;
    mem[161] = 8'h03;
    for (i = 0; i < 6; i = i + 1) mem[162+2*i] = MAKER[(5-i)*8+:8];
    mem[192] = 8'd2 + 8'd2 * PRODUCT_CHARS;
    mem[193] = 8'h03;
    for (i = 0; i < 12; i = i + 1) mem[194+2*i] = PRODUCT[(11-i)*8+:8];
    mem[224] = 8'd2 + 8'd2 * SERIAL_CHARS;
    mem[225] = 8'h03;
    for (i = 0; i < 8; i = i + 1) mem[226+2*i] = SERIAL[(7-i)*8+:8];
  end

  wire write = rep_take || trace_take;
  wire [7:0] write_addr = rep_take ? {1'b0, rep_slot, rep_count} : {1'b1, trace_slot, trace_count};
  reg [7:0] data;

  always @(posedge clk_i) begin
    if (write) mem[{1'b1, write_addr}] <= rep_take ? rep_data_i : trace_data_i;
  end
  always @(posedge p_clk_i) begin
    data <= mem[p_addr_i];
  end
  assign p_data_o = data;
endmodule

`default_nettype wire
