// SPDX-License-Identifier: Apache-2.0
// Write buffer of gnomon_dcache: a FIFO of 2^LOG2 stores to main memory.
`default_nettype none

module gnomon_dcache_buffer #(
  parameter integer LOG2 = 2,
  parameter integer ADDR_LOG2 = 16,
  parameter integer LINE_LOW = 5,           // address bits of the cache line's index
  parameter integer LINE_BITS = 8
) (
`ifdef FORMAL
  output wire [(1<<LOG2)-1:0] f_used_o,
  output wire [LOG2-1:0] f_head_o, f_tail_o,
  output wire [(1<<LOG2)*(ADDR_LOG2-2+36)-1:0] f_entries_o,
  output wire [(1<<LOG2)*LINE_BITS-1:0] f_lines_o,
`endif
  input  wire            clk_i, rst_i,

  input  wire            push_i,  // only while not full
  input  wire [ADDR_LOG2-1:2] addr_i,
  input  wire [31:0]     wdata_i,
  input  wire [3:0]      strb_i,

  // The buffer has a store to a line of index line_i.
  input  wire [LINE_BITS-1:0] line_i,
  output wire            conflict_o,

  output wire            empty_o, full_o,

  // The oldest store.
  input  wire            pop_i,  // only while not empty
  output wire [ADDR_LOG2-1:2] addr_o,
  output wire [31:0]     wdata_o,
  output wire [3:0]      strb_o
);

  localparam integer N = 1 << LOG2;
  localparam integer WIDTH = ADDR_LOG2 - 2 + 36;

  reg [WIDTH-1:0] entries[0:N-1];
  reg [LINE_BITS-1:0] lines[0:N-1];
  reg [N-1:0] used;
  reg [LOG2-1:0] head, tail;

  assign empty_o = !used[head];
  assign full_o = used[tail];
  assign {addr_o, wdata_o, strb_o} = entries[head];

  wire [N-1:0] same;
  genvar k;
  generate
    for (k = 0; k < N; k = k + 1) begin : g_same
      assign same[k] = used[k] && lines[k] == line_i;
    end
  endgenerate
  assign conflict_o = same != {N{1'b0}};

`ifdef FORMAL
  assign {f_used_o, f_head_o, f_tail_o} = {used, head, tail};
  generate
    for (k = 0; k < N; k = k + 1) begin : g_formal
      assign f_entries_o[k*WIDTH+:WIDTH] = entries[k];
      assign f_lines_o[k*LINE_BITS+:LINE_BITS] = lines[k];
    end
  endgenerate
`endif

  always @(posedge clk_i) begin
    if (push_i) begin
      entries[tail] <= {addr_i, wdata_i, strb_i};
      lines[tail] <= addr_i[LINE_LOW+:LINE_BITS];
      used[tail] <= 1'b1;
      tail <= tail + 1'b1;
    end
    if (pop_i) begin
      used[head] <= 1'b0;
      head <= head + 1'b1;
    end
    if (rst_i) begin
      used <= {N{1'b0}};
      head <= {LOG2{1'b0}};
      tail <= {LOG2{1'b0}};
    end
  end

endmodule

`default_nettype wire
