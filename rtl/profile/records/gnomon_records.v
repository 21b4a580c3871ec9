// SPDX-License-Identifier: Apache-2.0
// The record of each function and trap: calls, self cycles, cycles of outermost activations, shortest and longest call.
// Sums saturate at all ones. The record that was read last stays at the port; add_i adds to it, so add_id_i must be its
// number.
`default_nettype none

module gnomon_records #(
  parameter RECORDS_LOG2 = 10,
  parameter EPOCHS       = 0,
  parameter EPOCH_BITS   = 31
) (
  input  wire        clk_i,
  input  wire        hart_rst_i,  // clears, in 2^RECORDS_LOG2 cycles, and as long as it lasts
  output wire        cleared_o,
  input  wire [EPOCH_BITS-1:0] epoch_i,

  input  wire        read_i,
  input  wire        ended_i,  // reads the epoch before
  input  wire [RECORDS_LOG2-1:0] read_id_i,

  input  wire        add_i,
  input  wire [RECORDS_LOG2-1:0] add_id_i,
  input  wire [47:0] add_cycles_i, add_self_i,
  input  wire        add_outermost_i,
  input  wire        add_call_i,     // 0: adds only cycles
  input  wire [21:0] add_repeats_i,  // with add_call_i: add_i stands for that many calls more
  input  wire        add_length_i,   // add_cycles_i is the length of a call
  input  wire        add_lost_here_i, add_lost_i,

  // The record that was read last.
  output wire [39:0] calls_o,
  output wire [47:0] self_o, total_o,
  output wire [35:0] min_o,     // all ones: no call
  output wire [35:0] max_o,
  output wire        lost_here_o, lost_o,
  output wire        untimed_o  // some calls have no known length
);
  localparam WIDTH = 40 + 48 + 48 + 36 + 36 + 3;
  wire [WIDTH-1:0] word;
  wire [35:0] above_min; // min is kept inverted, because a cleared record is all zeros
  assign {calls_o, self_o, total_o, above_min, max_o, lost_here_o, lost_o, untimed_o} = word;
  assign min_o = ~above_min;

  wire [40:0] calls = {1'b0, calls_o} + {19'd0, add_repeats_i} + 41'd1;
  wire [48:0] self = {1'b0, self_o} + {1'b0, add_self_i};
  wire [48:0] total = {1'b0, total_o} + {1'b0, add_cycles_i};
  wire [35:0] cycles = add_cycles_i[35:0] | {36{|add_cycles_i[47:36]}};
  wire [WIDTH-1:0] sum = {
    add_call_i ? calls[39:0] | {40{calls[40]}} : calls_o,
    self[47:0] | {48{self[48]}},
    add_outermost_i ? total[47:0] | {48{total[48]}} : total_o,
    add_length_i && ~cycles > above_min ? ~cycles : above_min,
    add_length_i && cycles > max_o ? cycles : max_o,
    lost_here_o || add_lost_here_i,
    lost_o || add_lost_i,
    untimed_o || (add_call_i && (!add_length_i || |add_repeats_i))
  };

  reg clearing;
  reg [RECORDS_LOG2-1:0] sweep;
  assign cleared_o = !clearing;
  gnomon_epoch_ram #(
    .WIDTH(WIDTH), .LOG2(RECORDS_LOG2), .EPOCHS(EPOCHS), .EPOCH_BITS(EPOCH_BITS)
  ) u_records (
    .clk_i(clk_i), .epoch_i(epoch_i), .read_i(read_i), .ended_i(ended_i), .read_at_i(read_id_i), .word_o(word),
    .clear_i(clearing), .write_i(add_i), .write_at_i(clearing ? sweep : add_id_i), .word_i(sum)
  );
  always @(posedge clk_i) begin
    sweep <= sweep + {{(RECORDS_LOG2 - 1) {1'b0}}, 1'b1};
    if (&sweep) clearing <= 1'b0;
    if (hart_rst_i) begin
      clearing <= 1'b1;
      sweep <= {RECORDS_LOG2{1'b0}};
    end
  end
endmodule

`default_nettype wire
