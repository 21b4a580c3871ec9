// SPDX-License-Identifier: Apache-2.0
// The calls dropped while a function was on top, with their callees' calls, and the cycles of these calls. Read
// together with gnomon_records. add_i adds to the word that was read last, and sums saturate at all ones.
`default_nettype none

module gnomon_losses #(
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
  input  wire [31:0] add_calls_i,
  input  wire [47:0] add_cycles_i,

  output wire [31:0] calls_o,
  output wire [47:0] cycles_o
);
  wire [32:0] calls = {1'b0, calls_o} + {1'b0, add_calls_i};
  wire [48:0] cycles = {1'b0, cycles_o} + {1'b0, add_cycles_i};
  reg clearing;
  reg [RECORDS_LOG2-1:0] sweep;
  assign cleared_o = !clearing;
  gnomon_epoch_ram #(
    .WIDTH(80), .LOG2(RECORDS_LOG2), .EPOCHS(EPOCHS), .EPOCH_BITS(EPOCH_BITS)
  ) u_losses (
    .clk_i(clk_i), .epoch_i(epoch_i), .read_i(read_i), .ended_i(ended_i), .read_at_i(read_id_i),
    .word_o({cycles_o, calls_o}), .clear_i(clearing), .write_i(add_i), .write_at_i(clearing ? sweep : add_id_i),
    .word_i({cycles[47:0] | {48{cycles[48]}}, calls[31:0] | {32{calls[32]}}})
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
