// SPDX-License-Identifier: Apache-2.0
// The lengths of the calls of each function: for every power of two a bucket with calls, cycles and squares of cycles.
// Bucket 0 has the calls of 0 and 1 cycle, bucket 31 all calls of 2^31 cycles or more. Functions with the lowest
// numbers have buckets, as many as the memory holds. Sums saturate at all ones; a call of 2^36 cycles or more saturates
// the sum of squares.
//
// A bit for each bucket tells whether the bucket is in use, so that only these bits need clearing and an epoch. add_i
// comes at most every 3 cycles. The result of show_i is at the ports one cycle later; show_i must not come with busy_o.
`default_nettype none

module gnomon_buckets #(
  parameter NUMBER_BITS = 10,
  parameter FUNCTIONS_LOG2 = 6, // log2 of the functions with buckets, the lowest numbers
  parameter EPOCHS = 0,
  parameter EPOCH_BITS = 31
) (
  input  wire        clk_i,
  input  wire        hart_rst_i,  // clears, in 2^FUNCTIONS_LOG2 cycles, and as long as it lasts
  output wire        cleared_o,
  input  wire [EPOCH_BITS-1:0] epoch_i,

  input  wire        add_i,
  input  wire [NUMBER_BITS-1:0] number_i,
  input  wire [47:0] cycles_i,

  input  wire        show_i,
  input  wire        ended_i,             // show_i reads the epoch before
  input  wire [NUMBER_BITS-1:0] which_i,  // function; stays until the result has been taken
  input  wire [4:0]  bucket_i,            // stays until the result has been taken
  output wire        busy_o,
  output wire [39:0] calls_o,
  output wire [47:0] total_o,
  output wire [79:0] squares_o
);
  localparam F = FUNCTIONS_LOG2, AT = FUNCTIONS_LOG2 + 5;
  localparam WIDTH = 40 + 48 + 80;
  localparam W = EPOCHS != 0 ? AT + 1 : AT;
  (* no_rw_check *) reg [WIDTH-1:0] words[0:(1<<W)-1];
  reg [WIDTH-1:0] word;
  wire [31:0] used;

  function [4:0] bucket_of(input [47:0] cycles);
    integer i;
    begin
      bucket_of = 5'd0;
      for (i = 1; i < 32; i = i + 1) if (cycles[i]) bucket_of = i[4:0];
      if (|cycles[47:32]) bucket_of = 5'd31;
    end
  endfunction

  // The first cycle reads and multiplies the halves, the second one computes the sums, the third one writes them.
  wire add = add_i && ~|(number_i >> F);
  wire [AT-1:0] add_at = {number_i[F-1:0], bucket_of(cycles_i)};
  wire huge_i = |cycles_i[47:36];
  wire [17:0] high = cycles_i[35:18], low = cycles_i[17:0];
  reg second, write, huge;
  reg [AT-1:0] at;
  reg [47:0] cycles;
  reg [71:0] ends;
  reg [35:0] middle;
  reg [WIDTH-1:0] sum_q;
  reg [31:0] used_q;

  wire [39:0] calls_old;
  wire [47:0] total_old;
  wire [79:0] squares_old;
  assign {calls_old, total_old, squares_old} = word & {WIDTH{used[at[4:0]]}};
  wire [40:0] calls = {1'b0, calls_old} + 41'd1;
  wire [48:0] total = {1'b0, total_old} + {1'b0, cycles};
  wire [71:0] square = ends + {17'd0, middle, 19'd0};
  wire [80:0] squares = {1'b0, squares_old} + {9'd0, square};

  reg clearing;
  reg [F-1:0] sweep;
  assign cleared_o = !clearing;
  wire [AT:0] read_at = {epoch_i[0] ^ (ended_i && !add), add ? add_at : {which_i[F-1:0], bucket_i}};
  wire [AT:0] write_at = {epoch_i[0], at};
  wire unused = &{1'b0, read_at[AT], write_at[AT]};
  gnomon_epoch_ram #(
    .WIDTH(32), .LOG2(F), .EPOCHS(EPOCHS), .EPOCH_BITS(EPOCH_BITS)
  ) u_uses (
    .clk_i(clk_i), .epoch_i(epoch_i), .read_i(add || show_i), .ended_i(ended_i && !add), .read_at_i(read_at[AT-1:5]),
    .word_o(used), .clear_i(clearing), .write_i(write), .write_at_i(clearing ? sweep : at[AT-1:5]), .word_i(used_q)
  );
  always @(posedge clk_i) begin
    if (add || show_i) word <= words[read_at[W-1:0]];
    if (add) begin
      at <= add_at;
      cycles <= cycles_i;
      huge <= huge_i;
      ends <= {{18'd0, high} * {18'd0, high}, {18'd0, low} * {18'd0, low}};
      middle <= {18'd0, high} * {18'd0, low};
    end
    if (second) begin
      sum_q <= {calls[39:0] | {40{calls[40]}}, total[47:0] | {48{total[48]}}, squares[79:0] |
          {80{squares[80] || huge}}};
      used_q <= used | 32'd1 << at[4:0];
    end
    if (write) words[write_at[W-1:0]] <= sum_q;
  end
  always @(posedge clk_i) begin
    second <= add;
    write <= second;
    sweep <= sweep + {{(F - 1) {1'b0}}, 1'b1};
    if (&sweep) clearing <= 1'b0;
    if (hart_rst_i) begin
      second <= 1'b0;
      write <= 1'b0;
      clearing <= 1'b1;
      sweep <= {F{1'b0}};
    end
  end
  assign busy_o = write;
  assign {calls_o, total_o, squares_o} = word & {WIDTH{used[bucket_i] && ~|(which_i >> F)}};
endmodule

`default_nettype wire
