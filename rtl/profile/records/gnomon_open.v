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

  // Reads: for each place in the register window.
  input  wire        show_i,
  input  wire [FRAMES_LOG2-1:0] which_i,
  input  wire [3:0]  place_i,
  output reg  [31:0] shown_o,  // one cycle after place_i
  output reg  [FRAMES_LOG2:0] count_o
);
  localparam WIDTH = RECORDS_LOG2 + THREADS_LOG2 + 1 + 1 + 48 + 48;
  (* no_rw_check *) reg [WIDTH-1:0] frames[0:(1<<FRAMES_LOG2)-1];
  reg [WIDTH-1:0] frame;
  reg [3:0] place;
  always @(posedge clk_i) begin
    if (add_i) frames[count_o[FRAMES_LOG2-1:0]] <= {number_i, context_i, outermost_i, cycles_i, self_i};
    frame <= frames[which_i];
    place <= place_i & {4{show_i && {1'b0, which_i} < count_o}};
    if (add_i) count_o <= count_o + {{FRAMES_LOG2{1'b0}}, 1'b1};
    if (begin_i || hart_rst_i) count_o <= {(FRAMES_LOG2 + 1) {1'b0}};
  end

  localparam [3:0] SELF_LO = 4'd3, SELF_HI = 4'd4, TOTAL_LO = 4'd5, TOTAL_HI = 4'd6, OPEN = 4'd11;
  wire [RECORDS_LOG2-1:0] number;
  wire [THREADS_LOG2:0] where;
  wire outermost;
  wire [47:0] cycles, self;
  assign {number, where, outermost, cycles, self} = frame;
  always @*
    case (place)
      SELF_LO: shown_o = self[31:0];
      SELF_HI: shown_o = {16'd0, self[47:32]};
      TOTAL_LO: shown_o = cycles[31:0];
      TOTAL_HI: shown_o = {16'd0, cycles[47:32]};
      OPEN:
      shown_o = {outermost, 7'd0, where[THREADS_LOG2], {(7 - THREADS_LOG2) {1'b0}}, where[THREADS_LOG2-1:0],
                 {(16 - RECORDS_LOG2) {1'b0}}, number};
      default: shown_o = 32'd0;
    endcase
endmodule

`default_nettype wire
