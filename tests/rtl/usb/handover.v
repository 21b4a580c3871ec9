// SPDX-License-Identifier: Apache-2.0
// Proof harness: two clocks in any relation; each side commits and releases at any time. No slot ever has two owners,
// and the consumer gets the packets in order, each once.
`default_nettype none

module handover (
    input wire p_clk_i, c_clk_i, p_wish_i, c_wish_i
);
  wire p_free;
  wire p_slot;
  wire c_avail;
  wire c_slot;
  wire p_commit = p_wish_i && p_free;
  wire c_release = c_wish_i && c_avail;

  gnomon_usb_handover u_handover (
    .p_clk_i(p_clk_i), .p_rst_i(1'b0), .p_free_o(p_free), .p_slot_o(p_slot), .p_commit_i(p_commit), .c_clk_i(c_clk_i),
    .c_rst_i(1'b0), .c_avail_o(c_avail), .c_slot_o(c_slot), .c_release_i(c_release)
  );

  // Contents of the slots: the number of the packet.
  reg [3:0] slot0 = 4'd0;
  reg [3:0] slot1 = 4'd0;
  reg [3:0] made = 4'd0;
  reg [3:0] taken = 4'd0;

  always @(posedge p_clk_i) begin
    if (p_commit) begin
      if (p_slot) slot1 <= made;
      else slot0 <= made;
      made <= made + 4'd1;
    end
  end
  always @(posedge c_clk_i) begin
    if (c_release) taken <= taken + 4'd1;
  end

  always @(*) begin
    assert (!(p_free && c_avail && p_slot == c_slot));
    assert (!c_avail || (c_slot ? slot1 : slot0) == taken);
    assert (made - taken <= 4'd2);
  end
endmodule

`default_nettype wire
