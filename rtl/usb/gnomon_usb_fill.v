// SPDX-License-Identifier: Apache-2.0
// Collects a byte stream in the two packet slots of a bulk IN endpoint. A full packet is sent. While flush_i is high
// and no byte is offered, waiting bytes are sent as a short packet; after a full packet this is a zero-length packet,
// which ends the host's transfer. The module gives write addresses; the caller has the memory.
`default_nettype none

module gnomon_usb_fill (
  input  wire       clk_i, rst_i, valid_i,
  output wire       free_o,   // a slot has room
  input  wire       take_i,   // only with valid_i and free_o: writes the byte
  output wire [6:0] addr_o,   // slot and offset of the byte
  input  wire       flush_i,
  output wire       short_o,  // pulse: a short packet is handed over

  input  wire       p_clk_i, p_rst_i,
  output wire       p_avail_o, p_slot_o,
  output wire       p_short_o,   // the offered slot holds fewer than 64 bytes
  output wire [5:0] p_length_o,  // with p_short_o: bytes in the slot
  input  wire       p_release_i  // only while p_avail_o
);
  wire slot;
  wire empty;
  wire both;
  wire unused = &{1'b0, both};
  reg [5:0] count;
  reg last_full;
  // A short packet waits until a previous short packet has gone, because there is one length register.
  reg [1:0] is_short;  // by slot
  reg [5:0] length;
  wire full = take_i && &count;
  wire wait_short = is_short[!slot] && !empty;
  wire commit = full || short_o;

  assign short_o = free_o && !wait_short && !valid_i && flush_i && (count != 6'd0 || last_full);
  assign addr_o = {slot, count};
  assign p_short_o = is_short[p_slot_o];
  assign p_length_o = length;

  always @(posedge clk_i) begin
    if (rst_i) begin
      count <= 6'd0;
      last_full <= 1'b0;
    end else begin
      if (short_o) count <= 6'd0;
      else if (take_i) count <= count + 6'd1;
      if (commit) last_full <= full;
    end
    if (commit) is_short[slot] <= short_o;
    if (short_o) length <= count;
  end

  gnomon_usb_handover u_handover (
    .p_clk_i(clk_i), .p_rst_i(rst_i), .p_free_o(free_o), .p_slot_o(slot), .p_empty_o(empty), .p_commit_i(commit),
    .c_clk_i(p_clk_i), .c_rst_i(p_rst_i), .c_avail_o(p_avail_o), .c_slot_o(p_slot_o), .c_both_o(both),
    .c_release_i(p_release_i)
  );
endmodule

`default_nettype wire
