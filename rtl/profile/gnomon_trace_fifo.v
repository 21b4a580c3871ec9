// SPDX-License-Identifier: Apache-2.0
// The capture FIFO, in block RAM. Entries become readable when they are committed. In front of the next entry there
// may be one *provisional* slot: a LOST entry is written there, and rewritten with every event dropped, and it is
// committed with the entry behind it. That is how one write port takes an event in every cycle, LOST entries included.
//
// write_i stores data_i: into the provisional slot (behind_i 0, which reserves it) or behind it (behind_i 1).
// commit_i makes all that was written readable; after it, hold_i says that a new provisional slot is reserved already.
// The writer keeps the room: it never lets more than 2^LOG2 - 1 slots be in use. reset_i empties the FIFO.
`default_nettype none

module gnomon_trace_fifo #(
    parameter LOG2  = 8,
    parameter WIDTH = 96
) (
    input wire clk_i,
    input wire reset_i,

    input  wire             write_i,
    input  wire             behind_i,
    input  wire             commit_i,
    input  wire             hold_i,
    input  wire [WIDTH-1:0] data_i,
    output wire             provisional_o, // the provisional slot is reserved
    output wire             empty_o,       // nothing committed is left

    output wire             valid_o,
    output wire [WIDTH-1:0] data_o,
    input  wire             pop_i  // only while valid_o
`ifdef FORMAL
    ,
    output wire [LOG2-1:0] f_used_o,
    output wire [     1:0] f_phase_o
`endif
);
  // A read never meets a write to the same address: what is read is committed, what is written is not.
  (* no_rw_check *)
  reg [WIDTH-1:0] memory[0:(1<<LOG2)-1];
  reg [WIDTH-1:0] data;
  reg [LOG2-1:0] head; // the provisional slot, or the next entry
  reg [LOG2-1:0] tail; // the entry to be read
  reg provisional, valid;

  wire [LOG2-1:0] address = head + {{(LOG2 - 1) {1'b0}}, behind_i && provisional};
  wire [LOG2-1:0] tail_next = tail + {{(LOG2 - 1) {1'b0}}, pop_i};
  wire [LOG2-1:0] head_next = address + {{(LOG2 - 1) {1'b0}}, 1'b1};

  assign provisional_o = provisional;
  assign empty_o = head == tail;
  assign valid_o = valid;
  assign data_o = data;

  always @(posedge clk_i) if (write_i) memory[address] <= data_i;
  always @(posedge clk_i) data <= memory[tail_next];

  always @(posedge clk_i) begin
    if (reset_i) begin
      head <= {LOG2{1'b0}};
      tail <= {LOG2{1'b0}};
      provisional <= 1'b0;
      valid <= 1'b0;
    end else begin
      tail <= tail_next;
      valid <= head != tail_next;
      if (commit_i) begin
        head <= head_next;
        provisional <= hold_i;
      end else if (write_i && !behind_i) provisional <= 1'b1;
    end
  end

`ifdef FORMAL
  // The writer's side of the contract: assumed when the FIFO is proved alone, asserted when it is proved with its writer.
  // An entry may be parked behind the provisional slot: then that slot is committed next, and the parked entry after it.
  localparam [1:0] F_FREE = 2'd0, F_PARKED = 2'd1, F_LAST = 2'd2;
  reg f_reset = 1'b1;
  reg [1:0] f_phase = F_FREE;
  wire [LOG2-1:0] f_used = head - tail; // committed
  wire f_none = &f_used; // slots left: none but the one that keeps full and empty apart
  wire f_one = &f_used[LOG2-1:1]; // at most one
  wire f_room = behind_i && provisional ? !f_one : !f_none;
  wire f_write_free = write_i ? f_room && (commit_i || !behind_i || provisional) : !commit_i;
  wire f_contract = f_phase == F_FREE ? f_write_free && (!hold_i || (commit_i && !behind_i && !f_one)) :
      f_phase == F_PARKED ? write_i && !behind_i && commit_i && !hold_i : !write_i && commit_i && !behind_i && !hold_i;
  assign f_used_o = f_used;
  assign f_phase_o = f_phase;

  always @(posedge clk_i) begin
    f_reset <= 1'b0;
    if (reset_i || f_phase == F_LAST) f_phase <= F_FREE;
    else if (f_phase == F_PARKED) f_phase <= F_LAST;
    else if (write_i && behind_i && !commit_i) f_phase <= F_PARKED;
    if (f_reset) assume (reset_i);
    else begin
      assume (!pop_i || valid);
`ifdef FORMAL_ALONE
      if (!reset_i) assume (f_contract);
`else
      if (!reset_i) assert (f_contract);
`endif
      // No overflow, and what is readable is committed: no underflow.
      assert (f_phase != 2'd3);
      if (f_phase == F_PARKED) assert (provisional && !f_one);
      if (f_phase == F_LAST) assert (!provisional && !f_none);
      if (provisional) assert (!f_none);
      if (valid) assert (f_used != 0);
    end
  end

`ifdef FORMAL_ALONE
  // Order and content: entries leave in the order of their places, and any one place keeps what was last written to it;
  // what is committed is not written to before it is read. So nothing is lost, doubled or changed.
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
      if (f_known && valid && tail == f_place) assert (data == f_word);
    end
  end
`endif
`endif
endmodule

`default_nettype wire
