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
endmodule

`default_nettype wire
