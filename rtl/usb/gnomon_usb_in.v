// SPDX-License-Identifier: Apache-2.0
// Bulk IN: the streams fill two packet slots for each endpoint (clk_i). The protocol engine reads the slots and the
// descriptors (p_clk_i) from one memory. Addresses of the slots: 000 replies (endpoint 1), 080 trace (endpoint 2), 100
// console (endpoint 3, only in CONFIG 2).
`default_nettype none

module gnomon_usb_in #(
  parameter integer CONFIG = 0,
  parameter integer DFU = 0,
  parameter [63:0] SERIAL = "00000001"
) (
  input  wire       clk_i, rst_i,
  // Replies and console, see gnomon_usb_fill.
  input  wire       rep_valid_i,
  input  wire [7:0] rep_data_i,
  output wire       rep_ready_o,
  input  wire       rep_flush_i, acm_valid_i,
  input  wire [7:0] acm_data_i,
  output wire       acm_ready_o,
  input  wire       acm_flush_i,
  // Trace: only full packets.
  input  wire       trace_valid_i,
  input  wire [7:0] trace_data_i,
  output wire       trace_ready_o,

  input  wire       p_clk_i, p_rst_i,
  output wire [2:0] p_avail_o,       // by endpoint: 1, 2, 3
  output wire [2:0] p_slot_o,
  output wire       p_trace_both_o,  // both slots of endpoint 2 are offered
  output wire [2:0] p_short_o,       // the offered slot holds fewer than 64 bytes (endpoint 2: never)
  output wire [5:0] p_rep_length_o,  // with p_short_o: bytes in the slot
  output wire [5:0] p_acm_length_o,
  input  wire [2:0] p_release_i,     // only while p_avail_o
  // Reads, see gnomon_usb_store.
  input  wire       p_is_slot_i,
  input  wire [8:0] p_slot_addr_i,
  input  wire [3:0] p_item_i,
  input  wire [8:0] p_offset_i,
  output wire [8:0] p_length_o,
  output wire [7:0] p_data_o
);
  wire rep_free;
  wire [6:0] rep_addr;
  wire rep_short;
  wire acm_take;
  wire [6:0] acm_addr;
  wire trace_free;
  wire trace_slot;
  wire trace_empty;
  wire unused = &{1'b0, trace_empty, rep_short};
  reg [5:0] trace_count;

  // The memory has one write port. Replies have priority because they are rare.
  wire rep_take = rep_valid_i && rep_free;
  wire trace_take = trace_valid_i && trace_ready_o;
  wire trace_commit = trace_take && &trace_count;

  assign rep_ready_o = rep_free;
  assign trace_ready_o = trace_free && !rep_take && !acm_take;

  always @(posedge clk_i) begin
    if (rst_i) trace_count <= 6'd0;
    else if (trace_take) trace_count <= trace_count + 6'd1;
  end

  gnomon_usb_fill u_rep (
    .clk_i(clk_i), .rst_i(rst_i), .valid_i(rep_valid_i), .free_o(rep_free), .take_i(rep_take), .addr_o(rep_addr),
    .flush_i(rep_flush_i), .short_o(rep_short), .p_clk_i(p_clk_i), .p_rst_i(p_rst_i), .p_avail_o(p_avail_o[0]),
    .p_slot_o(p_slot_o[0]), .p_short_o(p_short_o[0]), .p_length_o(p_rep_length_o), .p_release_i(p_release_i[0])
  );
  gnomon_usb_handover u_trace (
    .p_clk_i(clk_i), .p_rst_i(rst_i), .p_free_o(trace_free), .p_slot_o(trace_slot), .p_empty_o(trace_empty),
    .p_commit_i(trace_commit), .c_clk_i(p_clk_i), .c_rst_i(p_rst_i), .c_avail_o(p_avail_o[1]), .c_slot_o(p_slot_o[1]),
    .c_both_o(p_trace_both_o), .c_release_i(p_release_i[1])
  );
  assign p_short_o[1] = 1'b0;

  generate
    if (CONFIG == 2) begin : g_acm
      wire acm_free;
      wire acm_short;
      wire unused_short = &{1'b0, acm_short};
      assign acm_ready_o = acm_free && !rep_take;
      assign acm_take = acm_valid_i && acm_ready_o;
      gnomon_usb_fill u_acm (
        .clk_i(clk_i), .rst_i(rst_i), .valid_i(acm_valid_i), .free_o(acm_free), .take_i(acm_take), .addr_o(acm_addr),
        .flush_i(acm_flush_i), .short_o(acm_short), .p_clk_i(p_clk_i), .p_rst_i(p_rst_i), .p_avail_o(p_avail_o[2]),
        .p_slot_o(p_slot_o[2]), .p_short_o(p_short_o[2]), .p_length_o(p_acm_length_o), .p_release_i(p_release_i[2])
      );
    end else begin : g_no_acm
      assign acm_ready_o = 1'b0;
      assign acm_take = 1'b0;
      assign acm_addr = 7'd0;
      assign p_avail_o[2] = 1'b0;
      assign p_slot_o[2] = 1'b0;
      assign p_short_o[2] = 1'b0;
      assign p_acm_length_o = 6'd0;
      wire unused_acm = &{1'b0, acm_valid_i, acm_flush_i, p_release_i[2]};
    end
  endgenerate

  gnomon_usb_store #(.CONFIG(CONFIG), .DFU(DFU), .SERIAL(SERIAL)) u_store (
      .clk_i(clk_i),
      .write_i(rep_take || acm_take || trace_take),
      .write_addr_i(rep_take ? {2'b00, rep_addr} : acm_take ? {2'b10, acm_addr} : {2'b01, trace_slot, trace_count}),
      .write_data_i(rep_take ? rep_data_i : acm_take ? acm_data_i : trace_data_i),
      .p_clk_i(p_clk_i),
      .p_is_slot_i(p_is_slot_i),
      .p_slot_addr_i(p_slot_addr_i),
      .p_item_i(p_item_i),
      .p_offset_i(p_offset_i),
      .p_length_o(p_length_o),
      .p_data_o(p_data_o)
  );
endmodule

`default_nettype wire
