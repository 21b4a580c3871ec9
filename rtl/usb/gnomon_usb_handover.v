// SPDX-License-Identifier: Apache-2.0
// Ownership of the two slots of a double buffer, between a producer and a consumer in two clock domains.
//
// The producer owns slot p_slot_o while p_free_o is high, fills it and hands it over with p_commit_i. The consumer owns
// slot c_slot_o while c_avail_o is high and returns it with c_release_i. So the producer writes a slot's contents and
// length only while the consumer cannot see them, and they need no synchroniser. Both counters count modulo 4 in Gray
// code, so one bit crosses at a time. Proven in tests/rtl/usb/handover.v.
`default_nettype none

module gnomon_usb_handover (
  input  wire p_clk_i, p_rst_i,
  output wire p_free_o, p_slot_o,
  output wire p_empty_o,   // the consumer has returned all slots
  input  wire p_commit_i,  // only while p_free_o

  input  wire c_clk_i, c_rst_i,
  output wire c_avail_o, c_slot_o,
  output wire c_both_o,    // the other slot has been handed over, too
  input  wire c_release_i  // only while c_avail_o
);
  reg [1:0] p_count;
  reg [1:0] c_count;
  wire [1:0] p_count_c;  // p_count, synchronised to the consumer
  wire [1:0] c_count_p;  // c_count, synchronised to the producer

  initial begin
    p_count = 2'b00;
    c_count = 2'b00;
  end

  gnomon_sync2 #(.WIDTH(2)) u_to_c (.clk_i(c_clk_i), .rst_i(c_rst_i), .d_i(p_count), .q_o(p_count_c));
  gnomon_sync2 #(.WIDTH(2)) u_to_p (.clk_i(p_clk_i), .rst_i(p_rst_i), .d_i(c_count), .q_o(c_count_p));

  // Two ahead of the consumer = both slots handed over = both Gray bits differ.
  assign p_free_o = p_count != ~c_count_p;
  assign p_slot_o = ^p_count;
  assign p_empty_o = p_count == c_count_p;
  assign c_avail_o = c_count != p_count_c;
  assign c_slot_o = ^c_count;
  assign c_both_o = c_count == ~p_count_c;

  always @(posedge p_clk_i) begin
    if (p_rst_i) p_count <= 2'b00;
    else if (p_commit_i) p_count <= {p_count[0], ~p_count[1]};
  end

  always @(posedge c_clk_i) begin
    if (c_rst_i) c_count <= 2'b00;
    else if (c_release_i) c_count <= {c_count[0], ~c_count[1]};
  end
endmodule

`default_nettype wire
