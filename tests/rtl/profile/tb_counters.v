// SPDX-License-Identifier: Apache-2.0
// The selectable counters and the ranges against plain counters of 64 bits, in every cycle, in Verilator and Icarus:
// random events, filters, waits, CSR accesses, register accesses, resets. Phases make what is rare frequent: long waits
// that several counters end together, counters and halves near their ends, reads and writes while a carry waits for the
// sweep, accesses almost without a pause (the sweep must not lose a count), accesses without any pause (it must say that
// counts are lost). plusarg: seed=N. Prints how often each case came.
`timescale 1ns / 1ps
`default_nettype none

module tb_counters #(
    parameter TAG_DELAY = 0,
    parameter CYCLES = 400000
);
`include "gnomon_registers.vh"
`include "gnomon_events.vh"
  localparam N = 6, RANGES = 3, CYCLES_DEBUG = `GNOMON_EVENT_CYCLES_DEBUG, LAST = `GNOMON_EVENT_LAST;
  localparam PATIENCE = 84; // longest round of the store's visits
  localparam BOUND = 200; // most cycles from a wrap to its interrupt, with any accesses that lose no count

  reg clk = 0;
  always #5 clk = !clk;

  reg rst = 1, hart_rst = 1, in_reset = 0;
  always @(posedge clk) in_reset <= hart_rst;
  wire clear = rst || (hart_rst && !in_reset);
  reg hpm_valid = 0, hpm_write = 0, reg_sel = 0, reg_write = 0;
  reg [11:0] hpm_addr = 0, reg_addr = 0;
  reg [31:0] hpm_wdata = 0, reg_wdata = 0;
  reg [63:0] happening = 0; // events 1 to 32 are the cause's
  reg [4:0] cause = 0;
  reg retired = 0, debug = 0, unattributed = 0, is_tagged = 0;
  reg [1:0] mode = 3;
  reg [3:0] gates = 0, rmask = 0, wmask = 0;
  reg [31:0] pc = 0, mem_addr = 0, mem_wdata = 0;
  wire [31:0] hpm_rdata, reg_rdata;
  wire [2:0] in_range, entered;
  wire traced, overflow;

  gnomon_counters #(
    .COUNTERS(N), .TAG_DELAY(TAG_DELAY)
  ) u_counters (
    .clk_i(clk), .clear_i(clear), .hart_rst_i(hart_rst), .hpm_valid_i(hpm_valid), .hpm_write_i(hpm_write),
    .hpm_addr_i(hpm_addr), .hpm_wdata_i(hpm_wdata), .hpm_rdata_o(hpm_rdata), .reg_sel_i(reg_sel),
    .reg_write_i(reg_write), .reg_addr_i(reg_addr), .reg_wdata_i(reg_wdata), .reg_rdata_o(reg_rdata),
    .events_i(happening), .cause_i(cause), .retired_i(retired), .debug_i(debug), .unattributed_i(unattributed),
    .obs_mode_i(mode), .obs_pc_rdata_i(pc), .obs_mem_addr_i(mem_addr), .obs_mem_rmask_i(rmask),
    .obs_mem_wmask_i(wmask), .thread_i(thread_of), .tagged_i(is_tagged), .gates_i(gates), .inside_o(in_range),
    .enter_o(entered), .traced_o(traced), .overflow_o(overflow)
  );
  wire [8:0] thread_of;
  gnomon_thread u_thread (
    .clk_i(clk), .hart_rst_i(hart_rst), .retired_i(retired), .obs_mem_addr_i(mem_addr), .obs_mem_wmask_i(wmask),
    .obs_mem_wdata_i(mem_wdata), .thread_o(thread_of)
  );
  // ---- The model: plain counters ----
  reg [63:0] count[0:N-1], pending[0:N-1], range_count[0:5*RANGES-1], unpaid[0:RANGES-1];
  reg [31:0] event_lo[0:N-1], base[0:RANGES-1], limit[0:RANGES-1];
  reg of[0:N-1];
  reg [30:28] event_hi[0:N-1];
  reg [N-1:0] inhibit, lost_low, lost_high;
  reg [RANGES-1:0] lost_range, was;
  reg [31:0] thread;
  reg [1:0] trace;
  integer owed = 0, owed_since = 0; // wraps whose interrupt has not come; cycles since the last that came
  integer errors = 0, compared = 0, wraps = 0, long_waits = 0, joint_waits = 0, losses = 0, carries = 0, n, r, w;
  integer spurious = 0, possible = 0, calm = 0; // wraps whose interrupt may come; cycles without either
  reg was_reset = 1;
  reg happens, belongs, filtered, wrote, event_now;
  reg [63:0] old_count;
  reg [3:0] words;
  reg [31:0] value;
  integer joint;
  // Delayed inputs of counters with tags.
  reg [TAG_DELAY:0] line_event[0:N-1], line_retired[0:N-1], line_good[0:N-1];

  // Access of the model: the words as software sees them at the start of a cycle.
  function [31:0] counter_word(input integer index, input [1:0] word);
    case (word)
      0: counter_word = count[index][31:0];
      1: counter_word = count[index][63:32];
      2: counter_word = event_lo[index];
      default: counter_word = {of[index], event_hi[index], 28'd0};
    endcase
  endfunction
  function [31:0] reg_word(input [11:0] address);
    begin
      reg_word = 0;
      if (address == `GNOMON_PMU_CONFIG) reg_word = {8'd0, LAST[7:0], 4'd0, 4'd1, 4'd2, 4'd6};
      if (address == `GNOMON_PMU_INHIBIT) reg_word = {inhibit, 3'd0};
      if (address == `GNOMON_PMU_TRACE) reg_word = trace;
      if (address == `GNOMON_PMU_LOST) reg_word = {13'd0, lost_range, 10'd0, lost_low | lost_high};
      if (address[11:8] == 1 && address[7:4] < N) reg_word = counter_word(address[7:4], address[3:2]);
      if (address[11:8] == 2 && address[7:6] < 3) begin
        if (address[5:2] == 0) reg_word = base[address[7:6]];
        if (address[5:2] == 1) reg_word = limit[address[7:6]];
        if (address[5:2] >= 4 && address[5:2] < 14)
          reg_word = address[2] ? range_count[5*address[7:6]+(address[5:3]-2)][63:32] :
              range_count[5*address[7:6]+(address[5:3]-2)][31:0];
      end
    end
  endfunction

  // Whether a read must be exact: LOST says so.
  function exact(input [11:0] address);
    begin
      exact = 1;
      if (address[11:8] == 1 && address[7:4] < N && !address[3]) exact = !lost_low[address[7:4]] && !lost_high[address[7:4]];
      if (address[11:8] == 1 && address[7:4] < N && address[3:2] == 3) exact = !was_lost[address[7:4]];
      if (address[11:8] == 2 && address[7:6] < 3 && address[5:4] != 0) exact = !lost_range[address[7:6]];
    end
  endfunction
  reg [N-1:0] was_lost; // its OF may be wrong since then

  reg bus_any = 0, bus_read = 0, csr_read_1 = 0, csr_read_2 = 0;
  reg [11:0] bus_at, csr_at;
  wire [4:0] csr_index = csr_at[4:0] - 5'd3;
  wire [1:0] csr_word = csr_at[11] ? {1'b0, csr_at[7]} : {1'b1, csr_at[10]};
  reg [31:0] csr_wanted, bus_wanted, small_word;
  integer streak = 0; // starvation by the rules of the page: cycles since the round began
  integer scan = 0, age = 0;
  reg access, starved;

  task fail(input [255:0] what, input [63:0] got, input [63:0] want);
    begin
      $display("FAIL at %0t: %0s %h, not %h", $time, what, got, want);
      errors = errors + 1;
      if (errors > 20) $finish;
    end
  endtask

  function is_inside(input integer index);
    reg [3:0] mask;
    integer b;
    begin
      mask = rmask | wmask;
      is_inside = index < 2 && pc >= base[index] && pc < limit[index];
      if (index == 2)
        for (b = 0; b < 4; b = b + 1)
          if (mask[b] && {mem_addr[31:2], 2'd0} + b >= base[2] && {mem_addr[31:2], 2'd0} + b < limit[2]) is_inside = 1;
    end
  endfunction

  always @(posedge clk) begin : model
    // Compares the reads that are due in this cycle; the model is at the start of the cycle.
    csr_wanted = csr_at == 12'h320 ? {inhibit, 3'd0} : csr_index < N ? counter_word(csr_index, csr_word) : 32'd0;
    bus_wanted = bus_at == `GNOMON_PMU_TRACE || (bus_at[11:8] == 2 && bus_at[5:4] == 0) ? small_word : reg_word(bus_at);
    small_word = reg_word(reg_addr); // registers that are no counts are read in the cycle of the access
    if (csr_read_2 && (csr_at == 12'h320 || csr_index >= N || exact({4'd1, csr_index[3:0], csr_word, 2'd0}))) begin
      compared = compared + 1;
      if (hpm_rdata !== csr_wanted) fail("CSR", {csr_at, hpm_rdata}, {csr_at, csr_wanted});
    end
    if (bus_read && exact(bus_at)) begin
      compared = compared + 1;
      if (reg_rdata !== bus_wanted) fail("register", {bus_at, reg_rdata}, {bus_at, bus_wanted});
    end
    if (!rst && !bus_any && reg_rdata !== 32'd0) fail("not selected", reg_rdata, 0);
    csr_read_2 = csr_read_1;
    csr_read_1 = hpm_valid && !hpm_write;
    if (hpm_valid) csr_at = hpm_addr;

    // The round, as the page describes it.
    access = (hpm_valid && hpm_write && hpm_addr[4:0] >= 3 && hpm_addr[4:0] < 3 + N) ||
        (csr_read_2 && csr_index < N) || (reg_sel && reg_addr[11:8] == 1 && reg_addr[7:4] < N) ||
        (reg_sel && reg_addr[11:8] == 2 && reg_addr[7:6] < 3 && reg_addr[5:2] >= 4 && reg_addr[5:2] < 14);
    starved = age == PATIENCE;
    if (age < PATIENCE) age = age + 1;
    if (!access) scan = scan + 1;
    if (scan == N + 5 * RANGES || hart_rst) {scan, age} = 0;

    // The counters.
    joint = 0;
    for (n = 0; n < N; n = n + 1) begin
      words = 0;
      value = hpm_wdata;
      if (hpm_valid && hpm_write && hpm_addr[4:0] == n + 3)
        words[hpm_addr[11] ? {1'b0, hpm_addr[7]} : {1'b1, hpm_addr[10]}] = 1;
      if (reg_sel && reg_write && reg_addr[11:8] == 1 && reg_addr[7:4] == n) begin
        words[reg_addr[3:2]] = 1;
        value = reg_wdata;
      end
      filtered = |event_lo[n][13:8] || event_hi[n][30] || event_hi[n][28];
      belongs = retired && (!event_lo[n][8] || TAG_DELAY != 0 || is_tagged);
      if (event_lo[n][9] && !in_range[0]) belongs = 0;
      if (event_lo[n][10] && !in_range[1]) belongs = 0;
      if (event_lo[n][11] && !in_range[2]) belongs = 0;
      if (event_lo[n][12] && thread != event_lo[n][31:24]) belongs = 0;
      if (event_hi[n][30] && mode == 3) belongs = 0;
      if (event_hi[n][28] && mode == 0) belongs = 0;
      happens = event_lo[n][5:0] == `GNOMON_EVENT_TAGGED && TAG_DELAY != 0 ? retired : happening[event_lo[n][5:0]];
      if (inhibit[n] || hart_rst || (debug && event_lo[n][5:0] != CYCLES_DEBUG) || (filtered && unattributed)) happens = 0;
      event_now = retired;
      line_event[n] = {line_event[n], happens};
      line_retired[n] = {line_retired[n], retired};
      line_good[n] = {line_good[n], belongs};
      if (TAG_DELAY != 0 && (event_lo[n][8] || event_lo[n][13] || event_lo[n][5:0] == `GNOMON_EVENT_TAGGED)) begin
        happens = line_event[n][TAG_DELAY] && (event_lo[n][5:0] != `GNOMON_EVENT_TAGGED || is_tagged) && !hart_rst;
        event_now = line_retired[n][TAG_DELAY];
        belongs = line_good[n][TAG_DELAY] && (!event_lo[n][8] || is_tagged) && (!event_lo[n][13] || gates[event_lo[n][15:14]]);
      end
      if (words != 0 || hart_rst) {line_event[n], line_retired[n], line_good[n]} = 0;
      pending[n] = pending[n] + happens;
      old_count = count[n];
      if ((!filtered || belongs) && !words[0] && !hart_rst) begin
        count[n] = count[n] + pending[n];
        if (pending[n] > 200) begin
          long_waits = long_waits + 1;
          joint = joint + 1;
        end
        if (count[n][63:8] != old_count[63:8]) carries = carries + 1;
      end
      wrote = words[3];
      if (count[n] < old_count) begin
        wraps = wraps + 1;
        if (!of[n]) begin
          owed = owed + 1;
          possible = possible + 1;
          calm = 0;
        end
        of[n] = 1;
      end
      if (event_now || !filtered || words != 0 || hart_rst) pending[n] = 0;
      if (words[0]) begin
        count[n][31:0] = value;
        lost_low[n] = 0;
      end
      if (words[1]) begin
        count[n][63:32] = value;
        if (!lost_low[n]) lost_high[n] = 0;
      end
      if (words[2]) begin
        event_lo[n] = value & 32'hFF001F3F;
        if (TAG_DELAY != 0) event_lo[n][15:13] = value[15:13];
        if (value[7:0] > LAST) event_lo[n][7:0] = 0;
      end
      if (words[3]) begin
        event_hi[n] = {value[30], 1'b0, value[28]};
        of[n] = value[31];
        if (!lost_low[n] && !lost_high[n]) was_lost[n] = 0;
      end
      if (starved) {lost_low[n], lost_high[n], was_lost[n]} = 3'b111;
      if (clear) begin
        {count[n], pending[n], event_lo[n], event_hi[n], of[n]} = 0;
        {lost_low[n], lost_high[n], was_lost[n]} = 0;
      end
    end
    if (joint > 1) joint_waits = joint_waits + 1;
    if (starved) losses = losses + 1;
    if (reg_sel && reg_write && reg_addr == `GNOMON_PMU_INHIBIT) inhibit = reg_wdata[8:3];
    if (hpm_valid && hpm_write && hpm_addr == 12'h320) inhibit = hpm_wdata[8:3];
    if (clear) {inhibit, owed, trace} = {6'd0, 32'd0, 2'd0};

    // An interrupt is due for each wrap while OF was 0, and for nothing else. What is lost makes no promise.
    owed_since = overflow || owed == 0 ? 0 : owed_since + 1;
    if (|was_lost || hart_rst) owed = 0;
    else if (overflow && !was_reset) begin
      if (possible == 0) spurious = spurious + 1;
      if (owed > 0) owed = owed - 1;
    end
    // A wrap may come while another counter is lost, and its interrupt after that.
    if (overflow && possible > 0) possible = possible - 1;
    calm = overflow ? 0 : calm + 1;
    if (hart_rst || calm > BOUND) possible = 0;
    was_reset = hart_rst || |was_lost;
    if (owed_since > BOUND) fail("interrupt late", owed_since, BOUND);

    // The ranges.
    for (r = 0; r < RANGES; r = r + 1) begin
      if (in_range[r] !== is_inside(r) && (r < 2 || !moved)) fail("inside", in_range, r);
      unpaid[r] = unpaid[r] + !unattributed;
      if (retired && !hart_rst && in_range[r]) begin
        range_count[5*r] = range_count[5*r] + !was[r];
        range_count[5*r+1] = range_count[5*r+1] + 1;
        range_count[5*r+2] = range_count[5*r+2] + unpaid[r];
        range_count[5*r+3] = range_count[5*r+3] + (rmask != 0);
        range_count[5*r+4] = range_count[5*r+4] + (wmask != 0);
      end
      if (retired) was[r] = in_range[r];
      if (retired || hart_rst) unpaid[r] = 0;
      if (hart_rst) was[r] = 0;
      w = reg_sel && reg_write && reg_addr[11:8] == 2 && reg_addr[7:6] == r ? reg_addr[5:2] : 15;
      if (w == 2 || clear) begin
        for (n = 0; n < 5; n = n + 1) range_count[5*r+n] = 0;
        unpaid[r] = 0;
        lost_range[r] = 0;
      end
      if (starved) lost_range[r] = 1;
      if (w == 0) base[r] = reg_wdata;
      if (w == 1) limit[r] = reg_wdata;
      if (clear) {base[r], limit[r], lost_range[r]} = 0;
    end
    moved = reg_sel && reg_write && reg_addr[11:8] == 2;
    if (reg_sel && reg_write && reg_addr == `GNOMON_PMU_TRACE) trace = clear ? 0 : reg_wdata[1:0];
    if (retired && wmask == 4'hF && mem_addr == 32'hFFFFFFF8) thread = mem_wdata;
    if (hart_rst) thread = 0;
    bus_read = reg_sel && !reg_write;
    bus_any = reg_sel;
    bus_at = reg_addr;
  end
  reg moved = 1;

  // ---- Stimuli ----
  integer cycle = -44, phase = 0, kind, gap = 0, stream = 0, seed, at, k, quiet_csr = 0, follow = 0;
  reg [31:0] dice;
  reg [31:0] state; // xorshift: the same in both simulators
  function [31:0] any(input integer below); // 0: 32 random bits
    begin
      state = state ^ (state << 13);
      state = state ^ (state >> 17);
      state = state ^ (state << 5);
      any = below == 0 ? state : state % below;
    end
  endfunction
  function [31:0] awkward(input integer which);
    case (which % 6)
      0: awkward = 32'hFFFFFFFF;
      1: awkward = 32'hFFFFFF00 | any(256);
      2: awkward = 32'hFFFFFFFF - any(20);
      3: awkward = any(300);
      default: awkward = any(0);
    endcase
  endfunction
  function [31:0] setting(input integer which);
    begin
      setting = any(LAST + 1);
      if (any(2)) setting[5:0] = `GNOMON_EVENT_CYCLES;
      if (any(3)) setting = setting | ((1 << (8 + any(6))) & (TAG_DELAY != 0 ? 32'h3F00 : 32'h1F00));
      setting = setting | (any(4) << 14) | (any(3) << 24);
    end
  endfunction
  task csr(input write, input [11:0] address, input [31:0] data);
    begin
      hpm_valid <= 1;
      hpm_write <= write;
      hpm_addr <= address;
      hpm_wdata <= data;
      quiet_csr = 4;
    end
  endtask
  task bus(input write, input [11:0] address, input [31:0] data);
    begin
      reg_sel <= 1;
      reg_write <= write;
      reg_addr <= address;
      reg_wdata <= data;
    end
  endtask
  task random_bus(input write);
    begin
      case (any(8))
        0: bus(write, 4 * any(4), any(512));
        1, 2: bus(write, 12'h200 + 64 * any(3) + 4 * (write ? any(3) : any(16)), (any(64) << 1) + 32'h1000);
        default: begin
          k = any(4);
          bus(write, 12'h100 + 16 * any(7) + 4 * k, k == 2 ? setting(0) : k == 3 ? any(16) << 28 : awkward(any(6)));
        end
      endcase
    end
  endtask

  initial begin
    for (k = 0; k < N; k = k + 1) {line_event[k], line_retired[k], line_good[k]} = 0;
    for (k = 0; k < RANGES; k = k + 1) {was[k], unpaid[k]} = 0;
    thread = 0;
    if (!$value$plusargs("seed=%d", seed)) seed = 1;
    state = seed * 32'h9E3779B9;
  end
  always @(posedge clk) begin
    cycle = cycle + 1;
    if (cycle == -40) rst <= 0;
    if (cycle == 0) hart_rst <= 0;
    if (cycle > 0 && cycle < CYCLES) begin
      if (cycle % 2000 == 0) phase = any(8);
      {hpm_valid, hpm_write, reg_sel, reg_write} <= 4'd0;
      // The instruction. Phases 0 and 1: waits up to 3,000 cycles.
      retired <= 0;
      {rmask, wmask} <= 8'd0;
      if (gap > 0) gap = gap - 1;
      else begin
        retired <= 1;
        gap = phase < 2 ? (any(4) == 0 ? any(3000) : any(600)) : any(4) == 0 ? any(12) : 0;
      end
      pc <= 32'h1000 + 2 * any(80);
      mem_addr <= any(20) == 0 ? 32'hFFFFFFF8 : 32'h1000 + 4 * any(40);
      mem_wdata <= any(4) == 0 ? 256 : any(3);
      dice = any(8);
      if (dice == 0) rmask <= 4'hF;
      if (dice == 1) wmask <= 4'hF;
      if (dice == 2) rmask <= 4'h3;
      if (dice == 3) begin // the byte at the address + 2
        wmask <= 4'h4;
        mem_addr <= 32'h1002 + 4 * any(40);
      end
      mode <= any(3) ? 3 : 0;
      is_tagged <= any(2);
      gates <= any(16);
      k = any(32);
      cause <= k;
      happening <= {any(0), 32'd0} & ~64'h1_0000_0000 | (64'd2 << k) | (64'd1 << `GNOMON_EVENT_CYCLES) |
          {{31{phase == 1}}, 33'd0};
      debug <= any(100) == 0;
      unattributed <= any(60) == 0;
      // Resets.
      if (hart_rst) hart_rst <= any(40) != 0;
      else if (any(6000) == 0 && !reg_sel && quiet_csr == 0) hart_rst <= 1;
      // Accesses: no register in the cycle after a CSR read begins, nor in the cycle of a CSR write.
      if (quiet_csr > 0) quiet_csr = quiet_csr - 1;
      // An instruction may read a CSR and write it two cycles later.
      if (follow > 0) follow = follow - 1;
      if (hart_rst && !in_reset) follow = 0;
      else if (follow == 1) csr(1, hpm_addr, hpm_addr[11] ? awkward(any(6)) : any(0));
      else if (phase == 5 && cycle % 32 < 24) begin // a wrap, and its OF accessed in one of the cycles around it
        follow = 0;
        k = cycle % 2000 / 32 % N;
        if (cycle % 32 == 0) at = 2 + any(14);
        if (quiet_csr == 0) case (cycle % 32)
          0: bus(1, 12'h108 + 16 * k, `GNOMON_EVENT_CYCLES);
          1: bus(1, 12'h10C + 16 * k, any(2) << 31);
          2: bus(1, 12'h104 + 16 * k, 32'hFFFFFFFF);
          3: bus(1, 12'h100 + 16 * k, 32'hFFFFFFF0 + any(12));
          4 + at: bus(any(2), 12'h10C + 16 * k, any(2) << 31);
          23: bus(0, 12'h10C + 16 * k, 0);
        endcase
        if (any(2000) == 0 && cycle % 32 == 4) hart_rst <= 1;
        else if (hart_rst && any(2)) hart_rst <= 0;
      end else if (phase < 2 && quiet_csr == 0 && cycle % 2000 < 4 * N + 16) begin // every second counter and the ranges wait for any instruction
        follow = 0;
        k = cycle % 2000 / 4;
        if (cycle % 4 == 0 && k < N) bus(1, 12'h108 + 16 * k, (k[0] ? 32'h200 : 32'd0) | `GNOMON_EVENT_CYCLES);
        else if (cycle % 4 == 0) bus(1, 12'h200 + 64 * (k[0]) + (k - N < 2 ? 0 : 4), k - N < 2 ? 32'h1000 : 32'h2000);
      end else if (phase < 2 && any(40) != 0) follow = 0;
      else if (stream > 0) begin // registers of counters, one after the other
        stream = stream - 1;
        bus(kind == 1, kind == 2 ? 12'h210 + 64 * any(3) + 4 * any(10) : 12'h100 + 16 * any(6) + 4 * any(2), awkward(any(6)));
      end else if (quiet_csr == 0 && any(phase == 7 ? 4 : 12) == 0) begin
        k = any(6) ? any(6) + 3 : any(29) + 3;
        if (any(3)) begin
          csr(0, any(12) == 0 ? 12'h320 : any(3) ? 12'hB00 + 128 * any(2) + k : 12'h300 + (any(2) ? 12'h400 : 12'd0) + 12'h20 + k, 0);
          if (!any(3)) follow = 3;
        end else if (any(3)) csr(1, 12'hB00 + 128 * any(2) + k, awkward(any(6)));
        else if (any(2)) csr(1, 12'h323 + any(6), setting(0));
        else if (any(2)) csr(1, 12'h723 + any(6), any(16) << 28);
        else csr(1, 12'h320, any(16) ? 0 : any(512));
      end else if (any(phase == 6 ? 3 : 12) == 0) begin
        if (any(phase == 6 ? 40 : 400) == 0 && quiet_csr == 0) begin
          stream = any(3) == 0 ? 60 + any(60) : any(60);
          kind = any(3);
        end else if (quiet_csr == 0 || quiet_csr < 2) random_bus(any(4) == 0);
      end
    end
    if (cycle == CYCLES) begin
      if (spurious > 0) begin
        $display("FAIL: %0d interrupts without a wrap", spurious);
        errors = errors + 1;
      end
      $display("%0s: TAG_DELAY %0d: %0d reads compared, %0d carries, %0d wraps, %0d long waits, %0d ended together, lost %0d times, %0d errors",
               errors == 0 ? "PASS" : "FAIL", TAG_DELAY, compared, carries, wraps, long_waits, joint_waits, losses, errors);
      if (errors != 0 || compared < CYCLES / 20 || wraps < CYCLES / 10000 || joint_waits < CYCLES / 10000 || losses < 2) $fatal(1, "tb_counters");
      $finish;
    end
  end
endmodule

`default_nettype wire
