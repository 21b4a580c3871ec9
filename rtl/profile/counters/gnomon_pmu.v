// SPDX-License-Identifier: Apache-2.0
// The counters: the cycle counter of record (gnomon_cycle), and 64-bit counters in block RAM: mcycle, minstret, HPM
// selectable counters, and three counters of record for the trace (events produced, events lost, instructions since
// BEGIN). Each counter has a few flip-flops for new events. The sweep adds them to the block RAM, one word a cycle, low
// word before high word.
//
// CSR reads take exactly 2 cycles: the pulse comes in cycle t, the value in t + 2. The value is that of the counter at
// the start of cycle t + 2: the read adds the events that the sweep has not stored yet. The read of the lower word in t
// gives the carry; the read in t + 1 gets the requested word. CSR pulses are at least 3 cycles apart (a write may
// follow a read after 2), reads of upper words at least 4. hart_rst_i clears the block RAM and lasts 32 cycles or more.
`default_nettype none

module gnomon_pmu #(
  parameter HPM  = 0, // selectable counters, 0 to 6
  parameter SIMULATED = 0, // 1: computes only values in use; this saves simulation time and would cost logic
  parameter UP5K = 0  // 1: uses the DSP blocks of the UP5K
) (
  input  wire        clk_i,
  input  wire        clk_host_i,  // clk_i, for quiet_o; quiet_o must be right from the second edge on
  input  wire        rst_i, hart_rst_i,

  output wire [63:0] cycle_o,

  input  wire        hpm_valid_i, hpm_write_i,
  input  wire [11:0] hpm_addr_i,
  input  wire [31:0] hpm_wdata_i,
  output wire [31:0] hpm_rdata_o,

  input  wire        retired_i,      // an instruction retired without a trap
  input  wire [63:0] events_i,       // events by the number in mhpmevent; see docs/internals/profile.md
  input  wire        run_i,          // the trace's run goes on
  input  wire        run_retired_i,  // an instruction retires in the trace's run
  input  wire [1:0]  produced_i, lost_i,

  // Counters of record, as the last sweep stored them; exact with quiet_o.
  // For registers: the word, or 0, comes one cycle after the read. It is 0 if a CSR access needs the memory, and in the
  // cycle after another read, so that the sweep gets every other cycle.
  input  wire        reg_read_i,
  input  wire        reg_lost_i,     // 0: events produced, 1: lost; lower words
  output wire [31:0] reg_data_o,
  // For END: the word is there in the cycle of aux_valid_o, when the sweep comes to it.
  input  wire [1:0]  aux_counter_i,  // 0 produced, 1 lost, 2 instructions
  input  wire        aux_high_i,
  output wire        aux_valid_o,
  output wire [31:0] aux_data_o,
  output wire        quiet_o         // of clk_host_i
);
  // A round of the sweep takes one cycle a word, or 3 cycles a word while CSR accesses never pause. A counter can count
  // two events a cycle, which takes one more bit.
  localparam SCAN_BITS = HPM != 0 ? 5 : 4;
  localparam WAITING_BITS = HPM != 0 ? 8 : 6;
  // Slots of block RAM. Slot 1 (time) counts like the counter of record and is never written, so both are equal.
  localparam [3:0] MCYCLE = 4'd0, MINSTRET = 4'd2, ZERO = 4'd3, RECORD = 4'd4, FIRST_HPM = 4'd8;

  gnomon_cycle #(
    .HARD(UP5K)
  ) u_cycle (
    .clk_i(clk_i), .reset_i(hart_rst_i), .cycle_o(cycle_o)
  );

  // CSR access, first cycle: decodes the number.
  // counters Bxx and Cxx; else 32x and 33x. The core requests no other numbers (docs/internals/core.md).
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

  // The second and third cycle of a CSR read.
  reg r_read, r_last, r_high;
  reg w_high; // the cycle after a write to an upper word
  reg [3:0] r_slot;
  reg [8:0] r_config; // read data of mcountinhibit or mhpmevent
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

  // The sweep reads a word in one cycle; in the next cycle it adds to the word and writes it back. It stands still
  // while a CSR access uses the block RAM, and then repeats the word that it could not write. It skips the lower word
  // of a counter whose upper word software writes, because that write brings the word up to date. So it stores two
  // words in the 5 cycles of an access, whatever the hart accesses. It also waits for a register's read. A CSR access
  // waits for neither.
  reg [SCAN_BITS-1:0] scan;
  reg s_valid, s_carry;
  wire [4:0] s_word = {{(5 - SCAN_BITS) {1'b0}}, scan};
  wire [3:0] s_slot = s_word[4:1];
  wire s_high = scan[0];
  reg reg_taken; // a register was read in the cycle before
  wire reg_takes = reg_read_i && !reg_taken && !hpm_valid_i && !r_read;
  always @(posedge clk_i) reg_taken <= reg_takes;
  wire sweep_free = !hpm_valid_i && !r_read && !reg_takes;
  wire passes = w_high && r_slot == s_slot && !s_high;
  wire [4:0] reg_address = {RECORD[3:1], reg_lost_i, 1'b0};
  wire [4:0] aux_address = {RECORD[3:2], aux_counter_i, aux_high_i};
  reg in_reset;
  wire s_write = in_reset || (s_valid && !write && !(hpm_valid_i && {slot, 1'b0} == s_word));
  wire [SCAN_BITS-1:0] scan_next = scan + {{(SCAN_BITS - 1) {1'b0}}, s_write || passes};
  wire high_carry = s_high && s_carry; // a carry waits for the upper word of s_slot
  wire written_over = write_counter && write_high && slot == s_slot;
  always @(posedge clk_i) begin
    in_reset <= hart_rst_i;
    // In reset the sweep runs round and round. It starts again after the reset, so that every run starts in the same
    // state.
    scan <= rst_i || (in_reset && !hart_rst_i) ? {SCAN_BITS{1'b0}} : scan_next;
    s_valid <= sweep_free && !hart_rst_i && !in_reset;
    if (s_write) s_carry <= sum[32];
    if (written_over || passes) s_carry <= 1'b0;
  end

  // Block RAM: {slot, high} -> word. When software writes an upper word, the sweep adds the waiting events to the lower
  // word at once, so that the write discards a carry that belongs to the old value.
  (* no_rw_check, ram_style = "block" *)
  reg [31:0] memory[0:31];
  reg [31:0] word;
  wire [15:0] count; // by slot: adds 1
  wire [15:0] count_read; // `count` for CSR reads, regardless of writes: no cycle reads and writes CSRs
  localparam SLOT_BITS = HPM != 0 ? 4 : 3; // log2 of the slots that count
  // by slot: events since the sweep; slots are 8 bits apart because another stride would take a multiplier
  wire [(8<<SLOT_BITS)-1:0] waiting;
  reg r_carry;
  wire reading = r_read || r_last || w_high;
  wire [3:0] add_slot = reading ? r_slot : s_slot;
  wire add_low = reading ? !r_last || !r_high : !s_high;
  wire add_carry = r_read ? count_read[r_slot] : r_last ? r_high && (r_carry || (high_carry && s_slot == r_slot)) :
      high_carry && !w_high;
  // the last bit carries add_carry in
  wire [33:0] sum_2 = {1'b0, word, 1'b1} + {25'd0, waiting[{add_slot[SLOT_BITS-1:0], 3'b000}+:8] & {8{add_low}},
      add_carry};
  wire [32:0] sum = sum_2[33:1];
  wire unused_first = sum_2[0];
  wire [4:0] read_address = hpm_valid_i ? {slot, 1'b0} : r_read ? {r_slot, r_high} : reg_takes ? reg_address :
      {{(5 - SCAN_BITS) {1'b0}}, scan_next};
  // The sweep has just read the register's word, and writes it in this cycle: `word` already holds it.
  wire keep = reg_takes && s_valid && reg_address == s_word;
  wire [4:0] write_address = write ? {slot, write_high} : w_high ? {r_slot, 1'b0} : s_word;
  wire [31:0] write_data = in_reset ? 32'd0 : write ? hpm_wdata_i : sum[31:0];
  always @(posedge clk_i) if (write_counter || w_high || s_write) memory[write_address] <= write_data;
  always @(posedge clk_i) if (!keep) word <= memory[read_address];
  always @(posedge clk_i) r_carry <= sum[32];

  // Events since the sweep.
  wire [15:0] count_two; // by slot: adds 2 in place of 1; comes with count
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

  // mcountinhibit and mhpmevent. Bits 0 and 2 belong to mcycle and minstret.
  localparam INHIBITS = 3 + HPM;
  reg [INHIBITS-1:0] inhibit;
  always @(posedge clk_i) begin
    if (hart_rst_i) inhibit <= {INHIBITS{1'b0}};
    else if (write && !is_counter && which == 5'd0) inhibit <= {hpm_wdata_i[INHIBITS-1:2], 1'b0, hpm_wdata_i[0]};
  end

  wire [HPM:0] hpm_count; // one bit more than counters, so that HPM = 0 needs no special case
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

  // A write to minstret replaces the count of the writing instruction, which retires with the pulse or after it.
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

  // Read data: a word of a counter, or a small register (ORed with slot ZERO).
  assign hpm_rdata_o = sum[31:0] | {23'd0, r_config};

  // After one whole round of the sweep, the block RAM has all events of the run. The two clocks have a register each,
  // which synthesis merges.
  reg [1:0] rounds;
  reg quiet_host;
  wire [1:0] rounds_next = run_i ? 2'd0 : s_write && &scan ? {rounds[0], 1'b1} : rounds;
  always @(posedge clk_i) rounds <= rounds_next;
  always @(posedge clk_host_i) quiet_host <= rounds_next[1];
  assign reg_data_o = word & {32{reg_taken}};
  assign aux_valid_o = s_valid && aux_address == s_word;
  assign aux_data_o = word;
  assign quiet_o = quiet_host;

endmodule

`default_nettype wire
