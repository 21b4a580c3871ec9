// SPDX-License-Identifier: Apache-2.0
// The counters: the cycle counter of record (gnomon_cycle), and 64-bit counters whose low bits are in
// flip-flops and whose upper bits are in block RAM, swept for carries: mcycle, minstret, HPM selectable ones, and three
// of record for the trace (events produced, events lost, instructions since BEGIN).
//
// CSR reads take exactly 2 cycles: pulse in cycle t, block RAM addressed in t + 1, value in t + 2. The value is that of
// the counter at the start of cycle t + 2: carries that the sweep has not stored yet are added on the way out. CSR pulses are
// at least 3 cycles apart (a write may follow a read after 2). hart_rst_i clears the block RAM: it lasts 32 cycles or more.
`default_nettype none

module gnomon_pmu #(
    parameter HPM  = 0, // selectable counters, 0 to 6
    parameter UP5K = 0  // its DSP blocks count
) (
    input wire clk_i,
    input wire rst_i,
    input wire hart_rst_i,

    output wire [63:0] cycle_o,

    input  wire        hpm_valid_i,
    input  wire        hpm_write_i,
    input  wire [11:0] hpm_addr_i,
    input  wire [31:0] hpm_wdata_i,
    output wire [31:0] hpm_rdata_o,

    input wire        retired_i,  // an instruction retired without a trap
    input wire [63:0] events_i,   // what mhpmevent selects, by number; see docs/profile.md
    input wire        run_i,      // the trace's run: counts instructions of record
    input wire [ 1:0] produced_i,
    input wire [ 1:0] lost_i,

    // Counters of record, for registers and END: word read the cycle after; exact when quiet_o.
    input  wire        aux_read_i,
    input  wire [ 1:0] aux_counter_i, // 0 produced, 1 lost, 2 instructions
    input  wire        aux_high_i,
    output wire [31:0] aux_data_o,
    output wire        quiet_o
);
  localparam LOW = HPM != 0 ? 7 : 6; // more than 3 cycles for each slot, twice
  // Slots of block RAM. Slot 1 (time) counts as the counter of record does and is never written, so it is equal to it.
  localparam [3:0] MCYCLE = 4'd0, MINSTRET = 4'd2, ZERO = 4'd3, RECORD = 4'd4, FIRST_HPM = 4'd8;

  gnomon_cycle #(
      .HARD(UP5K)
  ) u_cycle (
      .clk_i  (clk_i),
      .reset_i(hart_rst_i),
      .cycle_o(cycle_o)
  );

  // CSR access, first cycle: what is it?
  wire is_counter = (hpm_addr_i[11:8] == 4'hB || hpm_addr_i[11:8] == 4'hC) && hpm_addr_i[6:5] == 2'b00;
  wire is_event = hpm_addr_i[11:5] == 7'b0011_001;
  wire [4:0] which = hpm_addr_i[4:0];
  wire [4:0] which_hpm = which - 5'd3;
  wire is_hpm = HPM != 0 && which_hpm < HPM[4:0];
  wire is_low = !(|which[4:2]) && which[1:0] != ZERO[1:0];
  wire [3:0] slot = is_counter && is_hpm ? {FIRST_HPM[3], which_hpm[2:0]} : is_counter && is_low ? {2'b00, which[1:0]} : ZERO;
  wire write = hpm_valid_i && hpm_write_i;
  wire write_counter = write && (slot[3] || slot == MCYCLE || slot == MINSTRET);
  wire write_high = hpm_addr_i[7];

  // Second and third cycle of a read.
  reg r_read, r_high;
  reg [3:0] r_slot;
  reg [8:0] r_config; // mcountinhibit, mhpmevent
  wire [8:0] config_read;
  always @(posedge clk_i) begin
    r_read <= hpm_valid_i && !hpm_write_i;
    if (hpm_valid_i) begin
      r_slot <= slot;
      r_high <= hpm_addr_i[7] && is_counter;
      r_config <= is_event ? config_read : 9'd0;
    end
  end

  // The sweep looks at one slot a cycle; the cycle after, it adds the carry and writes back. While a CSR access has the block
  // RAM it stands still, and a slot that it could not write it takes again: so accesses at any distance leave it one slot in 3
  // cycles, and it comes round in time.
  localparam SCAN_BITS = HPM != 0 ? 4 : 3;
  reg [3:0] scan;
  reg s_valid, s_high;
  reg [3:0] s_slot;
  wire [15:0] carry, carry_high, carry_through;
  wire sweep_free = !hpm_valid_i && !r_read;
  reg [4:0] clear;
  wire [4:0] aux_address = {RECORD[3:2], aux_counter_i, aux_high_i};
  wire s_write = s_valid && !write && !(aux_read_i && aux_address == {s_slot, s_high});
  always @(posedge clk_i) begin
    if (hart_rst_i) scan <= 4'd0;
    else if (s_valid && !s_write) scan <= s_slot;
    else if (sweep_free) scan <= (scan + 4'd1) & ~(4'd15 << SCAN_BITS);
    clear <= rst_i ? 5'd0 : clear + 5'd1;
    s_valid <= sweep_free && (carry[scan] || carry_high[scan]) && !(s_valid && s_slot == scan) && !hart_rst_i;
    s_high <= carry_high[scan];
    s_slot <= scan;
  end

  // Block RAM: {slot, high} -> word. Lower words have ones below bit LOW, so that one carry input serves both halves.
  (* no_rw_check, ram_style = "block" *)
  reg [31:0] memory[0:31];
  reg [31:0] word, aux_word;
  wire [31:0] sum = word + {31'd0, s_valid || (r_high ? carry_through[r_slot] : carry[r_slot])};
  wire [4:0] read_address = r_read ? {r_slot, r_high} : {scan, carry_high[scan]};
  wire [4:0] write_address = hart_rst_i ? clear : write ? {slot, write_high} : {s_slot, s_high};
  wire [31:0] write_value = hart_rst_i ? 32'd0 : write ? hpm_wdata_i : sum;
  wire write_low_word = !write_address[0] && write_address[4:1] != ZERO;
  wire [31:0] write_data = {write_value[31:LOW], write_value[LOW-1:0] | {LOW{write_low_word}}};
  always @(posedge clk_i) if (hart_rst_i || write_counter || s_write) memory[write_address] <= write_data;
  always @(posedge clk_i) word <= memory[read_address];
  always @(posedge clk_i) aux_word <= memory[aux_address];

  // The counters' low bits.
  wire [16*8-1:0] low; // 8 apart: an index that is no power of 2 apart costs a multiplication
  wire [15:0] count, count_two;
  wire written_ones = &write_value[31:LOW];
  genvar i;
  generate
    for (i = 0; i < 16; i = i + 1) begin : g_slot
      assign low[i*8+7:i*8+LOW] = {(8 - LOW) {1'b0}};
      if (i < 3 || (i >= 4 && i < 7) || (i >= 8 && i < 8 + HPM)) begin : g_counter
        wire mine = (i == 0 || i == 2 || i >= 8) && write_counter && slot == i;
        wire swept = s_write && s_slot == i;
        gnomon_pmu_low #(
            .BITS(LOW)
        ) u_low (
            .clk_i(clk_i),
            .reset_i(hart_rst_i),
            .count_i(count[i]),
            .count_two_i(count_two[i]),
            .load_low_i(mine && !write_high),
            .load_high_i(mine && write_high),
            .load_data_i(hpm_wdata_i[LOW-1:0]),
            .ones_we_i((mine && !write_high) || (swept && !s_high)),
            .ones_i(written_ones),
            .carry_taken_i(swept && !s_high),
            .carry_high_taken_i(swept && s_high),
            .low_o(low[i*8+:LOW]),
            .carry_o(carry[i]),
            .carry_high_o(carry_high[i]),
            .carry_through_o(carry_through[i])
        );
      end else begin : g_none
        assign low[i*8+:LOW] = {LOW{1'b0}};
        assign {carry[i], carry_high[i], carry_through[i]} = 3'd0;
        wire unused = &{1'b0, count[i], count_two[i]};
      end
    end
  endgenerate

  // mcountinhibit and mhpmevent. Bits 0 and 2 are mcycle's and minstret's.
  localparam INHIBITS = 3 + HPM;
  reg [INHIBITS-1:0] inhibit;
  always @(posedge clk_i) begin
    if (hart_rst_i) inhibit <= {INHIBITS{1'b0}};
    else if (write && is_event && which == 5'd0) inhibit <= {hpm_wdata_i[INHIBITS-1:2], 1'b0, hpm_wdata_i[0]};
  end

  wire [HPM:0] hpm_count; // one more than there are, so that none is no special case
  wire [(HPM+1)*6-1:0] hpm_select;
  assign hpm_count[HPM] = 1'b0;
  wire unused_count = &{1'b0, hpm_count[HPM]};
  assign hpm_select[HPM*6+:6] = 6'd0;
  generate
    for (i = 0; i < HPM; i = i + 1) begin : g_hpm
      reg [5:0] select;
      always @(posedge clk_i) begin
        if (hart_rst_i) select <= 6'd0;
        else if (write && is_event && which == 5'd3 + i) select <= hpm_wdata_i[5:0];
      end
      assign hpm_count[i] = events_i[select] && !inhibit[3+i];
      assign hpm_select[i*6+:6] = select;
    end
    if (HPM == 0) begin : g_no_hpm
      wire unused = &{1'b0, events_i, hpm_count, hpm_select, FIRST_HPM};
      assign config_read = {{(9 - INHIBITS) {1'b0}}, inhibit & {INHIBITS{which == 5'd0}}};
    end else begin : g_small
      wire [8:0] inhibits = {{(9 - INHIBITS) {1'b0}}, inhibit};
      assign config_read = which == 5'd0 ? inhibits : is_hpm ? {3'd0, hpm_select[which_hpm*6+:6]} : 9'd0;
    end
  endgenerate

  // A write to minstret takes the place of the writer's own count: its retirement comes with the pulse or after it.
  reg skip_retired;
  wire write_minstret = write_counter && slot == MINSTRET;
  always @(posedge clk_i) begin
    if (hart_rst_i || retired_i) skip_retired <= 1'b0;
    else if (write_minstret) skip_retired <= 1'b1;
  end

  assign count[7:0] = {1'b0, run_i && retired_i, |lost_i, |produced_i, 1'b0,
                       retired_i && !inhibit[2] && !skip_retired && !write_minstret, 1'b1, !inhibit[0]};
  assign count_two = {10'd0, lost_i[1], produced_i[1], 4'd0};
  generate
    for (i = 8; i < 16; i = i + 1) begin : g_count
      if (i < 8 + HPM) assign count[i] = hpm_count[i-8];
      else assign count[i] = 1'b0;
    end
  endgenerate

  // Out: a word of a counter, or (over the slot that is always 0) a small register.
  assign hpm_rdata_o = {sum[31:LOW], r_high ? sum[LOW-1:0] : low[{r_slot, 3'b000}+:LOW]} | {23'd0, r_config};

  // A register read between wrap and sweep shows the most that is certain.
  reg a_high;
  reg [1:0] a_counter;
  always @(posedge clk_i) {a_high, a_counter} <= {aux_high_i, aux_counter_i};
  wire [3:0] a_slot = {RECORD[3:2], a_counter};
  wire [LOW-1:0] a_low = low[{a_slot, 3'b000}+:LOW] | {LOW{carry[a_slot]}};
  assign aux_data_o = {aux_word[31:LOW], a_high ? aux_word[LOW-1:0] : a_low};
  assign quiet_o = !(|carry[6:4] || |carry_high[6:4]);

endmodule

`default_nettype wire
