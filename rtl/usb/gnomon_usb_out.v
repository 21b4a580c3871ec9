// SPDX-License-Identifier: Apache-2.0
// Bulk OUT endpoint: two packet slots in block RAM. The protocol engine fills them (p_clk_i), and a stream of bytes
// empties them (clk_i). A ninth bit marks the end of a packet.
`default_nettype none

module gnomon_usb_out (
  // Protocol side. A packet's bytes may be written and abandoned; p_commit_i makes them valid.
  input  wire       p_clk_i, p_rst_i,
  output wire       p_free_o,
  input  wire       p_write_i,   // only while p_free_o
  input  wire       p_commit_i,  // only while p_free_o, not with p_write_i
  input  wire [6:0] p_offset_i,  // 0..63 with p_write_i; the length, 0..64, with p_commit_i
  input  wire [7:0] p_data_i,

  input  wire       clk_i, rst_i,
  output wire       cmd_valid_o,
  output wire [7:0] cmd_data_o,
  input  wire       cmd_ready_i
);
  wire p_slot;
  wire p_empty;
  wire c_both;
  wire unused = &{1'b0, p_empty, c_both};
  wire c_avail;
  wire c_slot;
  wire c_release;

  gnomon_usb_handover u_handover (
    .p_clk_i(p_clk_i), .p_rst_i(p_rst_i), .p_free_o(p_free_o), .p_slot_o(p_slot), .p_empty_o(p_empty),
    .p_commit_i(p_commit_i), .c_clk_i(clk_i), .c_rst_i(rst_i), .c_avail_o(c_avail), .c_slot_o(c_slot),
    .c_both_o(c_both), .c_release_i(c_release)
  );

  // The reader reads only slots that the writer does not own, so a read never meets a write of the same address.
  (* no_rw_check *) reg [8:0] mem[0:255];

  always @(posedge p_clk_i) begin
    if (p_write_i || p_commit_i) mem[{p_slot, p_offset_i}] <= {p_commit_i, p_data_i};
  end

  reg [6:0] offset;
  reg [8:0] data;
  reg valid;
  wire at_end = valid && data[8];
  wire fetch = c_avail && !at_end && (!valid || cmd_ready_i);

  assign c_release = at_end;
  assign cmd_valid_o = valid && !data[8];
  assign cmd_data_o = data[7:0];

  always @(posedge clk_i) begin
    if (fetch) data <= mem[{c_slot, offset}];
  end

  always @(posedge clk_i) begin
    if (rst_i) begin
      offset <= 7'd0;
      valid  <= 1'b0;
    end else begin
      if (at_end) offset <= 7'd0;
      else if (fetch) offset <= offset + 7'd1;
      if (fetch) valid <= 1'b1;
      else if (cmd_ready_i || at_end) valid <= 1'b0;
    end
  end
endmodule

`default_nettype wire
