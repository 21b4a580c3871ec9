// SPDX-License-Identifier: Apache-2.0
// The capture FIFO, in block RAM. Entries become readable when they are committed. In front of the next entry there may
// be one *provisional* slot: a LOST entry, which every dropped event rewrites, and which is committed with the entry
// after it. So one write port takes an event in every cycle, LOST entries included.
//
// write_i stores data_i in the next slot, or with behind_i in the slot after it. commit_i makes the written slots
// readable, with behind_i both. The writer ensures that at most 2^LOG2 - 1 slots are in use. reset_i empties the FIFO.
`default_nettype none

module gnomon_trace_fifo #(
  parameter LOG2  = 8,
  parameter WIDTH = 96
) (
  input  wire             clk_i,
  input  wire             clk_read_i,    // clk_i, for the read side; may stop while the FIFO is empty
  input  wire             reset_i,
  input  wire             reset_read_i,  // reset_i, for clk_read_i

  input  wire             write_i, behind_i, commit_i,
  input  wire [WIDTH-1:0] data_i,
  output wire             empty_o,  // no committed entry is left
  output wire             few_o,    // fewer than 8 committed entries are left; for simulation

  output wire             valid_o,
  output wire [WIDTH-1:0] data_o,
  input  wire             pop_i  // only while valid_o
`ifdef FORMAL
  ,
  output wire [LOG2-1:0]  f_used_o
`endif
);
  reg [LOG2-1:0] head; // the provisional slot, or the next entry
  reg [LOG2-1:0] tail; // the entry to be read
  reg valid;

  wire [LOG2-1:0] address = head + {{(LOG2 - 1) {1'b0}}, behind_i};
  wire [LOG2-1:0] tail_next = tail + {{(LOG2 - 1) {1'b0}}, pop_i};
  wire [LOG2-1:0] head_next = address + {{(LOG2 - 1) {1'b0}}, 1'b1};

  assign empty_o = head == tail;
  wire [LOG2-1:0] used = head - tail;
  assign few_o = !(|used[LOG2-1:3]);
  wire unused_low = &{1'b0, used[2:0]};
  assign valid_o = valid;

  // A read never meets a write to the same address: committed slots are read, uncommitted slots are written.
  (* no_rw_check *)
  reg [WIDTH-1:0] memory[0:(1<<LOG2)-1];
  reg [WIDTH-1:0] data;
  always @(posedge clk_i) if (write_i) memory[address] <= data_i;
  always @(posedge clk_read_i) data <= memory[tail_next];
  assign data_o = data;

  always @(posedge clk_i) begin
    if (reset_i) head <= {LOG2{1'b0}};
    else if (commit_i) head <= head_next;
  end
  always @(posedge clk_read_i) begin
    if (reset_read_i) begin
      tail <= {LOG2{1'b0}};
      valid <= 1'b0;
    end else begin
      tail <= tail_next;
      valid <= head != tail_next;
    end
  end

`ifdef FORMAL
  // The writer's side of the contract: assumed in the proof of the FIFO alone, asserted in the proof with its writer.
  reg f_reset = 1'b1;
  wire [LOG2-1:0] f_used = head - tail; // committed
  wire f_none = &f_used; // no slot is left, except the one that distinguishes full from empty
  wire f_one = &f_used[LOG2-1:1]; // at most one slot is left
  wire f_room = behind_i ? !f_one && commit_i : !f_none;
  wire f_contract = write_i ? f_room : !commit_i;
  assign f_used_o = f_used;

  always @* assume (reset_read_i == reset_i);
  always @(posedge clk_i) begin
    f_reset <= 1'b0;
    if (f_reset) assume (reset_i);
    else begin
      assume (!pop_i || valid);
`ifdef FORMAL_ALONE
      if (!reset_i) assume (f_contract);
`else
      if (!reset_i) assert (f_contract);
`endif
      // A readable entry is committed: no underflow.
      if (valid) assert (f_used != 0);
    end
  end

`ifdef FORMAL_ALONE
  // Order and content: entries leave in the order of their places, any one place keeps the word last written to it, and
  // a committed slot is not written before it is read. So no entry is lost, doubled or changed.
  (* anyconst *) reg [LOG2-1:0] f_place;
  reg f_known = 1'b0;
  reg [WIDTH-1:0] f_word;
  wire [LOG2-1:0] f_depth = address - tail;
  always @(posedge clk_i) begin
    if (write_i && address == f_place) begin
      f_known <= 1'b1;
      f_word <= data_i;
    end
    if (f_known) assert (memory[f_place] == f_word);
    if (!f_reset && !reset_i) begin
      if (write_i) assert (f_depth >= f_used);
      if (f_known && valid && tail == f_place) assert (data_o == f_word);
    end
  end
`endif
`endif
endmodule

`default_nettype wire
