// SPDX-License-Identifier: Apache-2.0
// The counters: the cycle counter of record (gnomon_cycle), and 64-bit counters in block RAM: mcycle, minstret, HPM
// selectable ones, and three of record for the trace (events produced, events lost, instructions since BEGIN). What is
// counted waits in a few flip-flops a counter until the sweep adds it: a word of the block RAM a cycle, low before
// high.
//
// CSR reads take exactly 2 cycles: pulse in cycle t, value in t + 2. It is that of the counter at the start of cycle t
// + 2: what the sweep has not stored yet is added on the way out. For that the lower word is read in t, for its carry,
// and the word asked for in t + 1. CSR pulses are at least 3 cycles apart (a write may follow a read after 2), reads of
// upper words 4. hart_rst_i clears the block RAM: it lasts 32 cycles or more.
`default_nettype none

module gnomon_pmu #(
  parameter HPM  = 0, // selectable counters, 0 to 6
  parameter SIMULATED = 0, // 1: what is not looked at is not worked out, which would cost logic
  parameter UP5K = 0  // its DSP blocks count
) (
  input  wire        clk_i,
  input  wire        clk_host_i,  // clk_i; of quiet_o, which must be right from its second edge on
  input  wire        rst_i, hart_rst_i,

  output wire [63:0] cycle_o,

  input  wire        hpm_valid_i, hpm_write_i,
  input  wire [11:0] hpm_addr_i,
  input  wire [31:0] hpm_wdata_i,
  output wire [31:0] hpm_rdata_o,

  input  wire        retired_i,      // an instruction retired without a trap
  input  wire [63:0] events_i,       // what mhpmevent selects, by number; see docs/internals/profile.md
  input  wire        run_i,          // the trace's run
  input  wire        run_retired_i,  // an instruction of record
  input  wire [1:0]  produced_i, lost_i,

  // Counters of record, for registers and END: word read the cycle after; exact when quiet_o,
  // else what it was at the last sweep.
  input  wire        aux_read_i,
  input  wire [1:0]  aux_counter_i,  // 0 produced, 1 lost, 2 instructions
  input  wire        aux_high_i,
  output wire [31:0] aux_data_o,
  output wire        quiet_o         // of clk_host_i
);
  // A round of the sweep is a word a cycle; where CSR accesses never stop, a word every 3 cycles. Two events a cycle:
  // one bit more.
  localparam SCAN_BITS = HPM != 0 ? 5 : 4;
  localparam WAITING_BITS = HPM != 0 ? 8 : 6;
  // Slots of block RAM. Slot 1 (time) counts as the counter of record does and is never written, so it is equal to it.
  localparam [3:0] MCYCLE = 4'd0, MINSTRET = 4'd2, ZERO = 4'd3, RECORD = 4'd4, FIRST_HPM = 4'd8;

  gnomon_cycle #(
    .HARD(UP5K)
  ) u_cycle (
    .clk_i(clk_i), .reset_i(hart_rst_i), .cycle_o(cycle_o)
  );

  // CSR access, first cycle: what is it?
  // Bxx, Cxx; else 32x and 33x: the core asks for nothing else (docs/internals/core.md)
  wire is_counter = hpm_addr_i[11];
  wire unused_address = &{1'b0, hpm_addr_i[10:8], hpm_addr_i[6:5]};
  wire [4:0] which = hpm_addr_i[4:0];
  wire [4:0] which_hpm = which - 5'd3;
  wire is_hpm = HPM != 0 && which_hpm < HPM[4:0];
  wire is_low = !(|which[4:2]) && which[1:0] != ZERO[1:0];
  reg [3:0] slot;
  always @* begin
    slot = ZERO;
    if (SIMULATED == 0 || hpm_valid_i)
      slot = is_counter && is_hpm ? {FIRST_HPM[3], which_hpm[2:0]} : is_counter && is_low ? {2'b00, which[1:0]} : ZERO;
  end
  wire write = hpm_valid_i && hpm_write_i;
  wire write_counter = write && (slot[3] || slot == MCYCLE || slot == MINSTRET);
  wire write_high = hpm_addr_i[7];

  // The cycles of a read after the first.
  reg r_read, r_last, r_high;
  reg w_high; // the cycle after a write to an upper word
  reg [3:0] r_slot;
  reg [8:0] r_config; // mcountinhibit, mhpmevent
  wire [8:0] config_read;
  always @(posedge clk_i) begin
    r_read <= hpm_valid_i && !hpm_write_i;
    r_last <= r_read;
    w_high <= write_counter && write_high;
    if (hpm_valid_i) begin
      r_slot <= slot;
      r_high <= hpm_addr_i[7] && is_counter;
      r_config <= !is_counter ? config_read : 9'd0;
    end
  end

  // The sweep: a word is read in one cycle, added to and written back in the next. While a CSR access has the block RAM
  // it stands still, and a word that it could not write it takes again.
  reg [SCAN_BITS-1:0] scan;
  reg s_valid, s_carry;
  wire [4:0] s_word = {{(5 - SCAN_BITS) {1'b0}}, scan};
  wire [3:0] s_slot = s_word[4:1];
  wire s_high = scan[0];
  wire sweep_free = !hpm_valid_i && !r_read && !w_high;
  wire [4:0] aux_address = {RECORD[3:2], aux_counter_i, aux_high_i};
  reg in_reset;
  wire s_write = in_reset ||
      (s_valid && !write && !(hpm_valid_i && {slot, 1'b0} == s_word) && !(aux_read_i && aux_address == s_word));
  wire [SCAN_BITS-1:0] scan_next = scan + {{(SCAN_BITS - 1) {1'b0}}, s_write};
  wire high_carry = s_high && s_carry; // is still to be added to the upper word of s_slot
  wire written_over = write_counter && write_high && slot == s_slot;
  always @(posedge clk_i) begin
    in_reset <= hart_rst_i;
    // In reset it goes round and round; out of it, it begins again, so that every run has the same start.
    scan <= rst_i || (in_reset && !hart_rst_i) ? {SCAN_BITS{1'b0}} : scan_next;
    s_valid <= sweep_free && !hart_rst_i && !in_reset;
    if (s_write) s_carry <= sum[32];
    if (written_over) s_carry <= 1'b0;
  end

  // Block RAM: {slot, high} -> word. When software writes an upper word, what waits is added to the lower one at once,
  // so that a carry that belonged to the old value goes with it.
  (* no_rw_check, ram_style = "block" *)
  reg [31:0] memory[0:31];
  reg [31:0] word, aux_word;
  wire [15:0] count; // by slot: + 1
  wire [15:0] count_read; // the same for what CSRs read, whatever is written: no CSR is read and written at once
  localparam SLOT_BITS = HPM != 0 ? 4 : 3; // of those that count
  // by slot: counted since the sweep; 8 apart, for an index that is no power of 2 costs a multiplication
  wire [(8<<SLOT_BITS)-1:0] waiting;
  reg r_carry;
  wire reading = r_read || r_last || w_high;
  wire [3:0] add_slot = reading ? r_slot : s_slot;
  wire add_low = reading ? !r_last || !r_high : !s_high;
  wire add_carry = r_read ? count_read[r_slot] : r_last ? r_high && (r_carry || (high_carry && s_slot == r_slot)) :
      high_carry && !w_high;
  // with the carry in
  wire [33:0] sum_2 = {1'b0, word, 1'b1} + {25'd0, waiting[{add_slot[SLOT_BITS-1:0], 3'b000}+:8] & {8{add_low}},
      add_carry};
  wire [32:0] sum = sum_2[33:1];
  wire unused_first = sum_2[0];
  wire [4:0] read_address = hpm_valid_i ? {slot, 1'b0} : r_read ? {r_slot, r_high} :
      {{(5 - SCAN_BITS) {1'b0}}, scan_next};
  wire [4:0] write_address = write ? {slot, write_high} : w_high ? {r_slot, 1'b0} : s_word;
  wire [31:0] write_data = in_reset ? 32'd0 : write ? hpm_wdata_i : sum[31:0];
  always @(posedge clk_i) if (write_counter || w_high || s_write) memory[write_address] <= write_data;
  always @(posedge clk_i) word <= memory[read_address];
  always @(posedge clk_i) if (aux_read_i) aux_word <= memory[aux_address];
  always @(posedge clk_i) r_carry <= sum[32];

  // What was counted since the sweep.
  wire [15:0] count_two; // by slot: + 2 instead, with count
  genvar i;
  generate
    for (i = 0; i < 1 << SLOT_BITS; i = i + 1) begin : g_slot
      if (i < 3 || (i >= 4 && i < 7) || (i >= 8 && i < 8 + HPM)) begin : g_counter
        reg [WAITING_BITS-1:0] since;
        localparam WRITABLE = i == 0 || i == 2 || i >= 8;
        wire load = WRITABLE && write_counter && !write_high && slot == i;
        wire taken = (s_write && !s_high && s_slot == i) || (WRITABLE && w_high && r_slot == i);
        wire one = count[i] && !count_two[i];
        wire two = count[i] && count_two[i];
        always @(posedge clk_i) begin
          since <= since + {{(WAITING_BITS - 2) {1'b0}}, two, one};
          if (taken) since <= {{(WAITING_BITS - 2) {1'b0}}, two, one};
          if (load || hart_rst_i) since <= {WAITING_BITS{1'b0}};
        end
        assign waiting[i*8+:8] = {{(8 - WAITING_BITS) {1'b0}}, since};
      end else begin : g_none
        assign waiting[i*8+:8] = 8'd0;
        wire unused = &{1'b0, count[i], count_two[i]};
      end
    end
  endgenerate

  // mcountinhibit and mhpmevent. Bits 0 and 2 are mcycle's and minstret's.
  localparam INHIBITS = 3 + HPM;
  reg [INHIBITS-1:0] inhibit;
  always @(posedge clk_i) begin
    if (hart_rst_i) inhibit <= {INHIBITS{1'b0}};
    else if (write && !is_counter && which == 5'd0) inhibit <= {hpm_wdata_i[INHIBITS-1:2], 1'b0, hpm_wdata_i[0]};
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
        else if (write && !is_counter && which == 5'd3 + i) select <= hpm_wdata_i[5:0];
      end
      assign hpm_count[i] = events_i[select] && !inhibit[3+i];
      assign hpm_select[i*6+:6] = select;
    end
    if (HPM == 0) begin : g_no_hpm
      wire unused = &{1'b0, add_slot[3], count_two[15:8], events_i, hpm_count, hpm_select, FIRST_HPM};
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

  wire retirement = retired_i && !inhibit[2] && !skip_retired;
  assign count[7:0] = {1'b0, run_retired_i, |lost_i, |produced_i, 1'b0, retirement && !write_minstret, 1'b1,
      !inhibit[0]};
  assign count_read = {count[15:8], 5'd0, retirement, 1'b1, !inhibit[0]};
  assign count_two = {10'd0, lost_i[1], produced_i[1], 4'd0};
  generate
    for (i = 8; i < 16; i = i + 1) begin : g_count
      if (i < 8 + HPM) assign count[i] = hpm_count[i-8];
      else assign count[i] = 1'b0;
    end
  endgenerate

  // Out: a word of a counter, or (over the slot that is always 0) a small register.
  assign hpm_rdata_o = sum[31:0] | {23'd0, r_config};

  // What was counted in a run is in the block RAM when a whole round of the sweep has passed since.
  // Kept twice: one for each clock, which synthesis makes one again.
  reg [1:0] rounds;
  reg quiet_host;
  wire [1:0] rounds_next = run_i ? 2'd0 : s_write && &scan ? {rounds[0], 1'b1} : rounds;
  always @(posedge clk_i) rounds <= rounds_next;
  always @(posedge clk_host_i) quiet_host <= rounds_next[1];
  assign aux_data_o = aux_word;
  assign quiet_o = quiet_host;

endmodule

`default_nettype wire
