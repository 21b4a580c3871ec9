// SPDX-License-Identifier: Apache-2.0
// The lengths of the calls of each function: for every power of two a bucket with calls, cycles and squares of cycles.
// Bucket 0 has the calls of 0 and 1 cycle, bucket 31 all calls of 2^31 cycles or more. Functions with the lowest
// numbers have buckets, as many as the memory holds. Sums saturate at all ones; a call of 2^36 cycles or more saturates
// the sum of squares.
//
// A bucket is a row of four words: calls, cycles, the lower 32 bits of the squares, the upper 48. Its function has a
// bit that tells whether the bucket is in use, so that only these bits need clearing and an epoch.
`default_nettype none

module gnomon_buckets #(
  parameter NUMBER_BITS = 10,
  parameter FUNCTIONS_LOG2 = 6, // log2 of the functions with buckets, the lowest numbers
  parameter EPOCHS = 0, // 1: everything twice, for the running epoch and for the one before
  parameter EPOCH_BITS = 31
) (
  input  wire        clk_i,
  input  wire        hart_rst_i,
  input  wire        clear_i,     // clears everything, when the hart's reset begins; does not wait for its end
  output wire        cleared_o,
  input  wire [EPOCH_BITS-1:0] epoch_i,  // in which add_i adds and from which show_i reads

  // Not with busy_o. From the next cycle on, number_i and cycles_i must stay while busy_o is 1, and one cycle longer.
  input  wire        add_i,
  input  wire [NUMBER_BITS-1:0] number_i,
  input  wire [47:0] cycles_i,
  output wire        busy_o,

  // Reads, not with busy_o: for each place in the register window, first place 0.
  input  wire        show_i,
  input  wire [NUMBER_BITS-1:0] which_i,  // function
  input  wire [4:0]  bucket_i,
  input  wire [3:0]  place_i,
  output wire [31:0] shown_o  // one cycle after place_i
);
  localparam F = FUNCTIONS_LOG2, B = EPOCHS != 0 ? F + 1 : F;
  localparam TAG = EPOCHS != 0 ? EPOCH_BITS : 0;
  localparam [1:0] CALLS = 2'd0, TOTAL = 2'd1, LOW = 2'd2, HIGH = 2'd3;
  localparam [3:0] CALLS_PLACE = 4'd1, TOTAL_PLACE = 4'd5, SQUARES_PLACE = 4'd12, SQUARES_HI_PLACE = 4'd14;

  function [4:0] bucket_of(input [47:0] cycles);
    integer i;
    begin
      bucket_of = 5'd0;
      for (i = 1; i < 32; i = i + 1) if (cycles[i]) bucket_of = i[4:0];
      if (|cycles[47:32]) bucket_of = 5'd31;
    end
  endfunction

  // ---- The steps: 0 reads the bits in use, 1 to 4 the words ----
  reg [2:0] step;
  wire start = add_i && ~|(number_i >> F);
  assign busy_o = step != 3'd0;
  reg clearing;
  reg [B-1:0] sweep;
  assign cleared_o = !clearing;
  always @(posedge clk_i) begin
    if (start || busy_o) step <= step == 3'd4 ? 3'd0 : step + 3'd1;
    sweep <= sweep + {{(B - 1) {1'b0}}, 1'b1};
    if (&sweep) clearing <= 1'b0;
    if (hart_rst_i) step <= 3'd0;
    if (clear_i) begin
      clearing <= 1'b1;
      sweep <= {B{1'b0}};
    end
  end

  // ---- The square ---- Step 0 multiplies the halves, step 1 adds.
  wire [17:0] high = cycles_i[35:18], low = cycles_i[17:0];
  reg [71:0] ends, square;
  reg [35:0] middle;
  reg huge;
  reg [4:0] bucket;
  always @(posedge clk_i) begin
    if (start) begin
      ends <= {{18'd0, high} * {18'd0, high}, {18'd0, low} * {18'd0, low}};
      middle <= {18'd0, high} * {18'd0, low};
      huge <= |cycles_i[47:36];
      bucket <= bucket_of(cycles_i);
    end
    if (step == 3'd1) square <= ends + {17'd0, middle, 19'd0};
  end

  // ---- The bits in use ----
  wire [F:0] own_row = {epoch_i[0], number_i[F-1:0]}, show_row = {epoch_i[0], which_i[F-1:0]};
  wire [B-1:0] row = show_i ? show_row[B-1:0] : own_row[B-1:0];
  wire [4:0] chosen = show_i ? bucket_i : bucket;
  (* no_rw_check *) reg [TAG+31:0] uses[0:(1<<B)-1];
  reg [TAG+31:0] uses_word, uses_more;
  reg use_more, in_use, show_first;
  wire uses_now;
  generate
    if (EPOCHS != 0) begin : g_epoch
      assign uses_now = uses_word[32+:EPOCH_BITS] == epoch_i;
    end else begin : g_no_epoch
      assign uses_now = 1'b1;
    end
  endgenerate
  wire [31:0] used = uses_word[31:0] & {32{uses_now}};
  wire in_use_now = step == 3'd1 || show_first ? used[chosen] && (!show_first || ~|(which_i >> F)) : in_use;
  wire [EPOCH_BITS+31:0] marked = {epoch_i, used | 32'd1 << bucket};
  always @(posedge clk_i) begin
    uses_word <= uses[row];
    show_first <= show_i && place_i == 4'd0;
    in_use <= in_use_now;
    use_more <= step == 3'd1;
    uses_more <= marked[TAG+31:0];
    if (clearing || use_more) uses[clearing ? sweep : row] <= clearing ? {(TAG + 32) {1'b0}} : uses_more;
  end

  // ---- The words ----
  (* no_rw_check *) reg [47:0] words[0:(1<<(B+7))-1];
  reg [47:0] word_read;
  reg blank;
  wire [47:0] word = word_read & {48{!blank}}; // see gnomon_records
  wire squares = place_i >= SQUARES_PLACE;
  wire [1:0] shown_word = squares ? (place_i == SQUARES_PLACE ? LOW : HIGH) : place_i >= TOTAL_PLACE ? TOTAL : CALLS;
  wire [2:0] own_word = step - 3'd1;
  wire [1:0] read = show_i ? shown_word : own_word[1:0];
  reg here, write, full; // full: the squares' lower word gets all ones, too
  reg [1:0] at;
  reg upper, something; // of a read
  reg carried;
  reg [B+4:0] place, write_place;
  reg [1:0] write_at;
  reg [47:0] result, addend;
  always @*
    case (at)
      CALLS: addend = 48'd0;
      TOTAL: addend = cycles_i;
      LOW: addend = {16'd0, square[31:0]};
      default: addend = {8'd0, square[71:32]};
    endcase
  wire [47:0] sum;
  wire carry;
  gnomon_record_sum u_sum (
    .word_i(word), .below_48_i(at == CALLS || at == LOW), .below_40_i(at == LOW), .addend_i(addend),
    .carry_i(at == CALLS || (at == HIGH && carried)), .sum_o(sum), .carry_o(carry)
  );
  wire is_full = carry && at != LOW || huge && at == HIGH;
  always @(posedge clk_i) begin
    word_read <= words[{row, chosen, read}];
    blank <= !in_use_now;
    here <= busy_o;
    at <= read;
    place <= {row, chosen};
    carried <= carry;
    write <= here || full;
    full <= here && at == HIGH && is_full;
    write_place <= place;
    write_at <= full ? LOW : at;
    result <= sum | {48{is_full || full}};
    if (write) words[{write_place, write_at}] <= result;
    upper <= squares ? place_i == SQUARES_HI_PLACE : !place_i[0];
    something <= show_i && (squares || place_i == CALLS_PLACE || place_i == CALLS_PLACE + 4'd1 ||
        place_i == TOTAL_PLACE || place_i == TOTAL_PLACE + 4'd1);
    if (hart_rst_i) {here, write, full} <= 3'b000;
  end
  wire [15:0] top = {word[47:40] & {8{at != CALLS}}, word[39:32]};
  wire unused = &{1'b0, own_row[F], show_row[F], marked, own_word[2]};
  assign shown_o = !something ? 32'd0 : upper ? {16'd0, top} : word[31:0];
endmodule

`default_nettype wire
