// SPDX-License-Identifier: Apache-2.0
// The records of functions and traps for parts with little logic: gnomon_aggregator_compact, its memory, and the
// registers that read both. A read takes the memory at once and delays the aggregator. A read of a record's first word
// requests the record: the aggregator takes no entry until the record's last word has been read, or for about 1000 to
// 2000 cycles. Words read before the aggregator has finished its current entry are invalid: then READY is 0.
`default_nettype none

module gnomon_function_records_compact #(
  parameter RECORDS_LOG2 = 9,
  parameter FRAMES_LOG2  = 8,
  parameter UP5K         = 0
) (
  input  wire        clk_i,
  input  wire        clk_host_i,  // clk_i, for the units after the trace FIFO
  input  wire        rst_i, hart_rst_i,

  // An entry; for the meanings see gnomon_aggregator_compact.
  input  wire        valid_i,
  input  wire [3:0]  type_i,
  input  wire [15:0] number_i,
  input  wire [31:0] data_i,
  input  wire [47:0] time_i,
  input  wire [31:0] lost_cycles_i,
  input  wire        lost_calls_i,
  output wire        taken_o,
  input  wire        tick_i,  // pulse, every 1024 cycles

  output wire        idle_o, ended_o,

  input  wire        reg_sel_i, reg_write_i,
  input  wire [11:0] reg_addr_i,
  input  wire [31:0] reg_wdata_i,
  output wire [31:0] reg_rdata_o  // one cycle after reg_sel_i, else 0
);
`include "gnomon_registers.vh"
  localparam PAGE_BITS = RECORDS_LOG2 - 5;
  localparam [11:0] COUNTS = `GNOMON_PROFILE_RECORD_PAGE;
  localparam [3:0] FIRST = 4'd0, STATE = 4'd15, MAX_HI = 4'd10;

  // ---- Reads ---- The words of a record lie one place lower in the memory than in the window, so that the lower half
  // of each value has an even address. The counts have their registers' addresses.
  wire read = reg_sel_i && !reg_write_i;
  wire [3:0] place = reg_addr_i[5:2];
  wire window = read && reg_addr_i[11];
  wire page_read = read && reg_addr_i == `GNOMON_PROFILE_RECORD_PAGE;
  // The counts lie after RECORD_PAGE, eight words with it and with a word that only the program uses.
  wire count = read && reg_addr_i[11:5] == COUNTS[11:5] && |reg_addr_i[4:2] && !(&reg_addr_i[4:2]);
  wire there = place != FIRST && (place <= MAX_HI || place == STATE);
  wire steal = window || count;
  reg [PAGE_BITS-1:0] page;
  wire [3:0] window_page = {{(4 - PAGE_BITS) {1'b0}}, page};
  wire [3:0] record_place = place - 4'd1;
  wire [13:0] read_address = reg_addr_i[11] ? {1'b0, window_page, reg_addr_i[10:6], record_place} :
      {9'b110000000, reg_addr_i[6:2]};

  wire waiting;
  reg hold, torn, old; // old: a tick has passed since the request
  reg show_word, show_upper, show_page, ready;
  wire ask = window && place == FIRST;
  always @(posedge clk_i) begin
    if (reg_sel_i && reg_write_i && reg_addr_i == `GNOMON_PROFILE_RECORD_PAGE) page <= reg_wdata_i[PAGE_BITS-1:0];
    if (tick_i) old <= 1'b1;
    if (tick_i && old) hold <= 1'b0;
    if (window && place == STATE) hold <= 1'b0;
    if (window && !(waiting && hold)) torn <= 1'b1;
    if (ask) {hold, torn, old} <= 3'b100;
    if (hart_rst_i) begin
      hold <= 1'b0;
      page <= {PAGE_BITS{1'b0}};
    end
    show_word <= (window && there) || count;
    show_upper <= (window && there && place[0]) || count; // upper halves have 16 bits
    show_page <= page_read;
    ready <= window && place == STATE && hold && waiting && !torn;
  end

  // ---- The memory ----
  wire [13:0] aggregator_address;
  wire aggregator_write;
  wire [7:0] mask;
  wire [31:0] written, word;
  assign reg_rdata_o = (word & {{16{show_upper}}, {16{show_word}}}) | {ready, {(31 - PAGE_BITS) {1'b0}}, page &
      {PAGE_BITS{show_page}}};
  gnomon_records_ram #(
    .HARD(UP5K)
  ) u_ram (
    .clk_i(clk_i), .address_i(steal ? read_address : aggregator_address), .write_i(aggregator_write), .mask_i(mask),
    .data_i(written), .data_o(word)
  );

  gnomon_aggregator_compact #(
    .RECORDS_LOG2(RECORDS_LOG2), .FRAMES_LOG2(FRAMES_LOG2), .UP5K(UP5K)
  ) u_aggregator (
    .clk_i(clk_host_i), .rst_i(rst_i), .hart_rst_i(hart_rst_i), .valid_i(valid_i), .type_i(type_i), .number_i(number_i),
    .data_i(data_i), .time_i(time_i), .lost_cycles_i(lost_cycles_i), .lost_calls_i(lost_calls_i), .taken_o(taken_o),
    .hold_i(hold), .waiting_o(waiting), .ended_o(ended_o), .steal_i(steal), .address_o(aggregator_address),
    .write_o(aggregator_write), .mask_o(mask), .data_o(written), .data_read_i(word)
  );
  assign idle_o = waiting && !valid_i;
  wire unused = &{1'b0, reg_wdata_i[31:PAGE_BITS]};
endmodule

`default_nettype wire
