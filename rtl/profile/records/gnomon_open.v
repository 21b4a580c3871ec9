// SPDX-License-Identifier: Apache-2.0
// The frames that were open when the last epoch ended, in the order in which gnomon_aggregator named them: the running
// thread first, then the resting threads, each from its innermost frame to its root.
`default_nettype none

module gnomon_open #(
  parameter RECORDS_LOG2 = 10,
  parameter FRAMES_LOG2  = 9,
  parameter THREADS_LOG2 = 3
) (
  input  wire        clk_i, hart_rst_i,

  input  wire        begin_i,  // discards the frames of the epoch before
  input  wire        add_i,
  input  wire [RECORDS_LOG2-1:0] number_i,
  input  wire [THREADS_LOG2:0] context_i,
  input  wire        outermost_i,
  input  wire [47:0] cycles_i, self_i,

  input  wire        show_i,
  input  wire [FRAMES_LOG2-1:0] which_i,  // stays until the result has been taken
  output wire [RECORDS_LOG2-1:0] number_o,
  output wire [THREADS_LOG2:0] context_o,
  output wire        outermost_o,
  output wire [47:0] cycles_o, self_o,
  output reg  [FRAMES_LOG2:0] count_o
);
  localparam WIDTH = RECORDS_LOG2 + THREADS_LOG2 + 1 + 1 + 48 + 48;
  (* no_rw_check *) reg [WIDTH-1:0] frames[0:(1<<FRAMES_LOG2)-1];
  reg [WIDTH-1:0] frame;
  always @(posedge clk_i) begin
    if (add_i) frames[count_o[FRAMES_LOG2-1:0]] <= {number_i, context_i, outermost_i, cycles_i, self_i};
    if (show_i) frame <= frames[which_i];
    if (add_i) count_o <= count_o + {{FRAMES_LOG2{1'b0}}, 1'b1};
    if (begin_i || hart_rst_i) count_o <= {(FRAMES_LOG2 + 1) {1'b0}};
  end
  assign {number_o, context_o, outermost_o, cycles_o, self_o} = frame & {WIDTH{{1'b0, which_i} < count_o}};
endmodule

`default_nettype wire
