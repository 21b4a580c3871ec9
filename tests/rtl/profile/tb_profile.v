// SPDX-License-Identifier: Apache-2.0
// Drives gnomon_profile from a file of stimuli and writes the bytes of its trace to another file, in Icarus and
// in Verilator. Each line of the stimuli is "gap op a b c bus bus_addr bus_write bus_data", hexadecimal: after gap idle
// cycles, op for one cycle (see cases.py); bus: bit 0 an access of the bus, bits 2:1 its port, bits 7:4 its byte lanes. With records, the bench also writes their input: records=FILE gets the entries
// aggregated since the hart's last reset, and at the end the counters and every non-empty record; with epochs the same
// at the end of each epoch, after the frames that were open. plusargs: stimulus=FILE, out=FILE, rate=N (a byte at most
// every N cycles), stall=N (no byte before cycle N), random=1.
`timescale 1ns / 1ps
`default_nettype none
`include "gnomon_obs.vh"

module tb_profile #(
    parameter FIFO_LOG2 = 8,
    parameter STACK_LOG2 = 8,
    parameter NUMBER_BITS = 16,
    parameter HPM = 0,
    parameter PMU = 0,
    parameter LOCKS = 0,
    parameter LOCK_DATA = 0,
    parameter TRAFFIC = 0,
    parameter LOCK_WORDS_LOG2 = 0,
    parameter INTERRUPTS = 0,
    parameter RECORDS_LOG2 = 0,
    parameter COMPACT = 0,
    parameter ARCS = 0,
    parameter BUCKETS_LOG2 = 0,
    parameter EPOCHS = 0,
    parameter LOSSES = 0,
    parameter FRAMES_LOG2 = 9,
    parameter THREADS_LOG2 = 3,
    parameter EVENT_CLOCK = 0,
    parameter WATCH_LOG2 = 0,
    parameter WATCH_FRAMES_LOG2 = 9,
    parameter WATCH_QUEUE_LOG2 = 9,
    parameter WATCH_VALUES = 0,
    parameter BORDER = 0
);
  localparam OP_STOP = 0, OP_STORE = 1, OP_EXCEPTION = 2, OP_INTERRUPT = 3, OP_MRET = 4, OP_RETIRE = 5, OP_REG_WRITE = 6,
      OP_REG_READ = 7, OP_HART_RST = 8, OP_HPM_WRITE = 9, OP_HPM_READ = 10, OP_IDLE = 11, OP_REGS = 12, OP_JUMP = 13, OP_LOAD = 14, OP_CSR = 15,
      OP_REQUESTS = 16;
  localparam QUIET = 6000; // cycles without a byte that end the run
  localparam LIMIT = 20_000_000; // cycles after which a trace counts as endless

  reg clk = 0, rst = 1, hart_rst = 1;
  always #5 clk = !clk;

  reg obs_valid = 0, obs_trap = 0, trap_enter = 0, trap_leave = 0, mon_valid = 0, mon_write = 0;
  reg [5:0] trap_cause = 0;
  reg [4:0] requests = 0; // interrupts that are pending and enabled
  reg [4:0] rs2_addr = 0, cause = 1, rs1_addr = 0, rd_addr = 0;
  reg intr = 0;
  reg [31:0] rd_data = 0;
  // of the next OP_RETIRE: its registers, and whether it is the first instruction of a trap handler
  reg [42:0] regs = 0;
  reg csr_write = 0;
  reg [31:0] rs1_data = 0, rdata = 0, rs2_data = 0, insn = 0, pc = 0, pc_next = 0, mem_addr = 0, mon_addr = 0, mon_wdata = 0;
  reg [3:0] mon_strb = 0;
  reg [1:0] mon_master = 0;
  reg debug = 0;
  reg [3:0] wmask = 0, rmask = 0;
  reg hpm_valid = 0, hpm_write = 0, reg_sel = 0, reg_write = 0;
  reg [11:0] hpm_addr = 0, reg_addr = 0;
  reg [31:0] hpm_wdata = 0, reg_wdata = 0;
  reg ready = 0;
  wire [31:0] hpm_rdata, reg_rdata;
  wire irq, trace_valid;
  wire [7:0] trace_data;
  wire [63:0] cycle;

  wire [`GNOMON_OBS_BITS-1:0] obs;
  assign obs[`GNOMON_OBS_VALID] = obs_valid;
  assign obs[`GNOMON_OBS_TRAP] = obs_trap;
  assign obs[`GNOMON_OBS_INTR] = intr;
  assign obs[`GNOMON_OBS_MODE] = 2'd3;
  assign obs[`GNOMON_OBS_IXL] = 2'd1;
  assign obs[`GNOMON_OBS_INSN] = insn;
  assign obs[`GNOMON_OBS_PC_RDATA] = pc;
  assign obs[`GNOMON_OBS_PC_WDATA] = pc_next;
  assign obs[`GNOMON_OBS_RS1_ADDR] = rs1_addr;
  assign obs[`GNOMON_OBS_RS2_ADDR] = rs2_addr;
  assign obs[`GNOMON_OBS_RD_ADDR] = rd_addr;
  assign obs[`GNOMON_OBS_RS2_RDATA] = rs2_data;
  assign obs[`GNOMON_OBS_RD_WDATA] = rd_data;
  assign obs[`GNOMON_OBS_MEM_ADDR] = mem_addr;
  assign obs[`GNOMON_OBS_MEM_WMASK] = wmask;
  assign obs[`GNOMON_OBS_MEM_RMASK] = rmask;
  assign obs[`GNOMON_OBS_MEM_WDATA] = rs2_data;
  assign obs[`GNOMON_OBS_CAUSE] = cause;
  assign obs[`GNOMON_OBS_TRAP_ENTER] = trap_enter;
  assign obs[`GNOMON_OBS_TRAP_CAUSE] = trap_cause;
  assign obs[`GNOMON_OBS_TRAP_LEAVE] = trap_leave;
  assign obs[`GNOMON_OBS_DEBUG] = debug;
  assign obs[`GNOMON_OBS_RS1_RDATA] = rs1_data;
  assign obs[`GNOMON_OBS_MEM_RDATA] = rdata;
  assign obs[`GNOMON_OBS_CSR_WRITE] = csr_write;
  assign obs[`GNOMON_OBS_IRQ_REQUESTS] = requests;
  assign {obs[`GNOMON_OBS_HALT], obs[`GNOMON_OBS_ORDER], obs[`GNOMON_OBS_CSR_RDATA],
      obs[`GNOMON_OBS_CSR_WDATA], obs[`GNOMON_OBS_CSR_STATE], obs[`GNOMON_OBS_IRQ_PENDING],
      obs[`GNOMON_OBS_WFI], obs[`GNOMON_OBS_MISPREDICT]} = 356'd0;
  // Behind the border, an access to a register meets the observations of the cycle before. So the bench's accesses
  // come a cycle later, and their results with them.
  reg [45:0] access_before = 0;
  wire [45:0] access = BORDER != 0 ? access_before : {reg_sel, reg_write, reg_addr, reg_wdata};
  wire sel, write;
  wire [11:0] address;
  wire [31:0] wdata;
  assign {sel, write, address, wdata} = access;
  always @(posedge clk) access_before <= {reg_sel, reg_write, reg_addr, reg_wdata};
  wire program_end;
  gnomon_program_end u_program_end (
    .obs_i(obs), .end_o(program_end)
  );
  gnomon_profile #(
    .FIFO_LOG2(FIFO_LOG2), .STACK_LOG2(STACK_LOG2), .NUMBER_BITS(NUMBER_BITS), .HPM(HPM), .PMU(PMU), .LOCKS(LOCKS), .LOCK_DATA(LOCK_DATA), .TRAFFIC(TRAFFIC), .LOCK_WORDS_LOG2(LOCK_WORDS_LOG2), .INTERRUPTS(INTERRUPTS),
    .RECORDS_LOG2(RECORDS_LOG2), .COMPACT(COMPACT), .ARCS(ARCS), .BUCKETS_LOG2(BUCKETS_LOG2), .EPOCHS(EPOCHS),
    .LOSSES(LOSSES), .FRAMES_LOG2(FRAMES_LOG2), .THREADS_LOG2(THREADS_LOG2), .EVENT_CLOCK(EVENT_CLOCK), .WATCH_LOG2(WATCH_LOG2),
    .WATCH_FRAMES_LOG2(WATCH_FRAMES_LOG2), .WATCH_QUEUE_LOG2(WATCH_QUEUE_LOG2), .WATCH_VALUES(WATCH_VALUES), .BORDER(BORDER)
  ) dut (
    .clk_i(clk), .clk_host_i(clk), .clk_encoder_i(clk), .keeps_up_i(1'b0), .rst_i(rst), .hart_rst_i(hart_rst),
    .hart_rst_host_i(hart_rst), .obs_i(obs[`GNOMON_OBS_PROFILED]), .stop_i(1'b0), .exit_i(program_end), .obs_cache_i(4'd0),
    .tags_code_i(1'b0), .tags_data_i(1'b0), .tags_line_i(20'd0), .tags_word_i(32'd0),
    .mon_valid_i(mon_valid), .mon_master_i(mon_master), .mon_write_i(mon_write), .mon_addr_i(mon_addr),
    .mon_strb_i(mon_strb), .mon_wdata_i(mon_wdata), .hpm_valid_i(hpm_valid), .hpm_write_i(hpm_write), .hpm_addr_i(hpm_addr),
    .hpm_wdata_i(hpm_wdata), .hpm_rdata_o(hpm_rdata), .reg_sel_i({3'd0, sel}), .reg_write_i(write),
    .reg_addr_i(address), .reg_wdata_i(wdata), .reg_rdata_o(reg_rdata), .irq_o(irq), .overflow_o(),
    .cycle_o(cycle), .trace_valid_o(trace_valid), .trace_data_o(trace_data), .trace_ready_i(ready)
  );

  // The reader.
  integer rate = 1, stall = 0, random_reader = 0, bytes = 0, quiet = 0, wait_cycles = 0;
  reg [31:0] lfsr = 32'h1234ABCD;
  integer out, line = 0, errors = 0, reads = 0, total = 0;
  reg [1023:0] name;
  always @(posedge clk) begin
    lfsr <= {lfsr[30:0], lfsr[31] ^ lfsr[21] ^ lfsr[1] ^ lfsr[0]};
    if (!stopped || stall > 0) quiet <= 0;
    else quiet <= quiet + 1;
    if (trace_valid && ready) begin
      $fwrite(out, "%02x\n", trace_data);
      bytes <= bytes + 1;
      quiet <= 0;
    end
    if (stall > 0) stall = stall - 1;
    wait_cycles <= wait_cycles + 1 >= rate ? 0 : wait_cycles + 1;
    ready <= stall == 0 && (random_reader != 0 ? lfsr[3:0] == 4'd0 || lfsr[9:8] == 2'd0 : wait_cycles == 0);
  end

  // Stimuli.
  reg [31:0] stimuli[0:(1<<20)-1];
  reg [31:0] gap = 0, op, a, b, c, bus, bus_addr, bus_write, bus_data;
  reg stopped = 0, have = 0;
  reg [63:0] jump = 0; // cycles that the counter of record skips, or time
  generate
    if (EVENT_CLOCK != 0) begin : g_jump_time
      always @(negedge clk) begin
        if (jump != 0) dut.g_event_clock.u_event_clock.count <= dut.g_event_clock.u_event_clock.count + jump;
        jump = 0;
      end
    end else begin : g_jump
      always @(negedge clk) begin
        if (jump != 0) dut.u_pmu.u_cycle.g_soft.cycle <= dut.u_pmu.u_cycle.g_soft.cycle + jump;
        jump = 0;
      end
    end
  endgenerate
  reg [2:0] hpm_due = 0;
  reg [31:0] hpm_want[0:2];
  localparam REG_DUE = BORDER != 0 ? 2 : 1; // cycles after the access
  reg [2:0] reg_due = 0;
  reg [31:0] reg_want[0:2], reg_mask[0:2];

  task fetch_line;
    begin
      gap = stimuli[line*9];
      op = stimuli[line*9+1];
      a = stimuli[line*9+2];
      b = stimuli[line*9+3];
      c = stimuli[line*9+4];
      bus = stimuli[line*9+5];
      bus_addr = stimuli[line*9+6];
      bus_write = stimuli[line*9+7];
      bus_data = stimuli[line*9+8];
      line = line + 1;
    end
  endtask

  task fetch;
    begin
      fetch_line;
      if (op == OP_REGS) begin // a: rd's value, b: rd, c: rs1 | intr << 8; takes no time
        regs = {c[8], c[4:0], b[4:0], a};
        fetch_line;
      end
    end
  endtask

  task apply;
    begin
      case (op)
        OP_STORE, OP_LOAD: begin // a: address, b: value, c: register | width << 8; of a store that also loads, width << 12
          obs_valid <= 1;
          mem_addr <= a;
          rs2_data <= b;
          rs2_addr <= c[4:0];
          if (op == OP_STORE) {rmask, wmask} <= c[15:8];
          else rmask <= c[11:8];
          rdata <= op == OP_STORE ? ~b : b;
          rd_data <= b;
          cause <= 0;
          intr <= regs[42];
          regs = 0;
        end
        OP_EXCEPTION, OP_INTERRUPT: begin // a: cause
          obs_valid <= op == OP_EXCEPTION;
          obs_trap <= op == OP_EXCEPTION;
          trap_enter <= 1;
          trap_cause <= a[5:0];
          cause <= 7;
          mem_addr <= 32'hFFFFFFFF; // a store that traps is no message
          rs2_addr <= 1;
          wmask <= op == OP_EXCEPTION ? 4'h1 : 4'h0;
        end
        OP_MRET: begin
          obs_valid <= 1;
          trap_leave <= 1;
          cause <= 0;
        end
        OP_RETIRE: begin // a: instruction, b: next pc; pc is c
          obs_valid <= 1;
          insn <= a;
          pc <= c;
          pc_next <= b;
          cause <= 0;
          {intr, rs1_addr, rd_addr, rd_data} <= regs;
          regs = 0;
        end
        OP_CSR: begin // a: instruction, which writes a CSR; b: value of rs1; c: pc
          obs_valid <= 1;
          csr_write <= 1;
          insn <= a;
          rs1_data <= b;
          pc <= c;
          cause <= 0;
        end
        OP_REG_WRITE: begin
          reg_sel <= 1;
          reg_write <= 1;
          reg_addr <= a[11:0];
          reg_wdata <= b;
        end
        OP_REG_READ: begin // b: value wanted, c: bits compared
          reg_sel <= 1;
          reg_addr <= a[11:0];
        end
        OP_HART_RST: hart_rst <= a[0];
        OP_HPM_WRITE: begin
          hpm_valid <= 1;
          hpm_write <= 1;
          hpm_addr <= a[11:0];
          hpm_wdata <= b;
        end
        OP_HPM_READ: begin // b: value wanted
          hpm_valid <= 1;
          hpm_addr <= a[11:0];
        end
        OP_JUMP: jump = {b, a};
        OP_REQUESTS: requests <= a[4:0]; // from this cycle on
        OP_IDLE: debug <= a[0]; // in debug mode
        default: ;
      endcase
      mon_valid <= bus[0];
      mon_master <= bus[2:1];
      mon_strb <= bus[7:4];
      mon_addr <= bus_addr;
      mon_write <= bus_write[0];
      mon_wdata <= bus_data;
    end
  endtask

  always @(posedge clk) begin
    obs_valid <= 0;
    obs_trap <= 0;
    trap_enter <= 0;
    trap_leave <= 0;
    insn <= 32'h23; // a store
    csr_write <= 0;
    {intr, rs1_addr, rd_addr, rd_data} <= 43'd0;
    wmask <= 0;
    rmask <= 0;
    cause <= 1;
    mon_valid <= 0;
    debug <= 0;
    hpm_valid <= 0;
    hpm_write <= 0;
    hpm_wdata <= 32'hDEADBEEF;
    reg_sel <= 0;
    reg_write <= 0;

    // Reads of the previous cycles.
    hpm_due <= {hpm_due[1:0], 1'b0};
    hpm_want[2] <= hpm_want[1];
    hpm_want[1] <= hpm_want[0];
    reg_due <= {reg_due[1:0], 1'b0};
    {reg_want[2], reg_want[1]} <= {reg_want[1], reg_want[0]};
    {reg_mask[2], reg_mask[1]} <= {reg_mask[1], reg_mask[0]};
    if (hpm_due[2]) begin
      reads = reads + 1;
      if (hpm_rdata !== hpm_want[2]) begin
        $display("FAIL at %0d: CSR read %h, not %h", cycle, hpm_rdata, hpm_want[2]);
        errors = errors + 1;
      end
    end
    if (reg_due[REG_DUE]) begin
      reads = reads + 1;
      if ((reg_rdata & reg_mask[REG_DUE]) !== reg_want[REG_DUE]) begin
        $display("FAIL at %0d: register read %h, not %h", cycle, reg_rdata & reg_mask[REG_DUE], reg_want[REG_DUE]);
        errors = errors + 1;
      end
    end

    if (!rst && have && !stopped) begin
      if (gap != 0) gap = gap - 1;
      else begin
        if (op == OP_STOP) stopped <= 1;
        else begin
          apply;
          if (op == OP_HPM_READ) begin
            hpm_due[0] <= 1;
            hpm_want[0] <= b;
          end
          if (op == OP_REG_READ) begin
            reg_due[0] <= 1;
            reg_want[0] <= b;
            reg_mask[0] <= c;
          end
          fetch;
        end
      end
    end
    total = total + 1;
    if (total == LIMIT) begin
      $display("FAIL: the trace does not end");
      $finish;
    end
    if (stopped && quiet > QUIET && stall == 0) begin
      $fclose(out);
      $display("%s: %0d bytes, %0d reads, %0d errors", errors == 0 ? "PASS" : "FAIL", bytes, reads, errors);
      $finish;
    end
  end

  // The memory of the counters: no word that is used was read in the cycle in which it was written.
`define PMU dut.u_pmu
  reg met = 0, counted = 0;
  always @(posedge clk) begin
    met <= (`PMU.write_counter || `PMU.w_high || `PMU.s_write) && !`PMU.keep && `PMU.read_address == `PMU.write_address;
    counted <= dut.count_read;
    if (met && (`PMU.s_valid || `PMU.r_read || `PMU.r_last || `PMU.w_high || counted)) begin
      $display("FAIL at %0d: a word of the counters was read and written in one cycle", cycle);
      errors = errors + 1;
    end
  end

  initial begin
    if (!$value$plusargs("out=%s", name)) name = "out.hex";
    out = $fopen(name, "w");
    if (!$value$plusargs("stimulus=%s", name)) name = "stimulus.txt";
    $readmemh(name, stimuli);
    if (!$value$plusargs("rate=%d", rate)) rate = 1;
    if (!$value$plusargs("stall=%d", stall)) stall = 0;
    if (!$value$plusargs("random=%d", random_reader)) random_reader = 0;
    fetch;
    have = 1;
    repeat (4) @(posedge clk);
    rst = 0;
  end

`define ENTRIES dut.g_records
  generate
    if (RECORDS_LOG2 != 0) begin : g_records
      reg [8*256-1:0] name;
      integer file;
      initial if ($value$plusargs("records=%s", name)) file = $fopen(name, "w");
      always @(posedge clk) begin
        if (`ENTRIES.taken && !hart_rst)
          $fdisplay(file, "entry %h %h %h %h %h %h %h", `ENTRIES.kind, dut.number, dut.entry[16+:32], `ENTRIES.now,
                    `ENTRIES.lost_cycles, `ENTRIES.lost_calls,
                    NUMBER_BITS > 16 ? dut.entry[31:0] : dut.entry[23:0]);
        if (hart_rst) $fdisplay(file, "reset");
        if (stopped && quiet == QUIET && stall == 0) begin
          g_dump.counts(file);
          g_dump.dump(file, 0);
          $fclose(file);
        end
      end
    end
  endgenerate

  // The compact records: cycles for each entry, from one idle to the next.
  generate
    if (COMPACT != 0) begin : g_cycles
      reg [8*256-1:0] name;
      integer file = 0, cycles = 0;
      initial if ($value$plusargs("cycles=%s", name)) file = $fopen(name, "w");
      always @(posedge clk) begin
        cycles <= dut.g_records.g_compact.u_function_records.u_aggregator.begins ? 1 : cycles + 1;
        if (`ENTRIES.taken && !hart_rst && file != 0) $fdisplay(file, "%0d %0d", `ENTRIES.kind, cycles + 1);
      end
    end
  endgenerate

  // Epochs: the open frames, and the contents of the records.
`define FUNCTION_RECORDS dut.g_records.g_parallel.u_function_records
  generate
    if (RECORDS_LOG2 != 0 && EPOCHS != 0) begin : g_epochs
      reg ended = 0;
      always @(posedge clk) begin
        if (`FUNCTION_RECORDS.open)
          $fdisplay(g_records.file, "open %h %h %h %h %h", `FUNCTION_RECORDS.open_number, `FUNCTION_RECORDS.open_context, `FUNCTION_RECORDS.open_outermost,
                    `FUNCTION_RECORDS.open_cycles, `FUNCTION_RECORDS.open_self);
        ended <= `FUNCTION_RECORDS.marked && !hart_rst;
        if (`FUNCTION_RECORDS.marked) $fdisplay(g_records.file, "mark %h", `FUNCTION_RECORDS.snapshot_time);
        if (ended) begin
          g_dump.dump(g_records.file, 1);
          $fdisplay(g_records.file, "ended");
        end
      end
    end
  endgenerate

  // Every non-empty record, pair and bucket, of the running epoch or of the one before.
  generate
    if (RECORDS_LOG2 != 0 && COMPACT != 0) begin : g_dump
`define MEMORY dut.g_records.g_compact.u_function_records.u_ram.g_soft
      function [31:0] at(input integer a);
        at = {`MEMORY.g_nibble[7].nibbles[a], `MEMORY.g_nibble[6].nibbles[a], `MEMORY.g_nibble[5].nibbles[a], `MEMORY.g_nibble[4].nibbles[a],
              `MEMORY.g_nibble[3].nibbles[a], `MEMORY.g_nibble[2].nibbles[a], `MEMORY.g_nibble[1].nibbles[a], `MEMORY.g_nibble[0].nibbles[a]};
      endfunction
      task dump(input integer file, input is_ended);
        integer i;
        reg [31:0] lower, upper, state;
        reg [15:0] self, total; // upper halves
        reg [35:0] shortest, longest;
        for (i = 0; i < 1 << RECORDS_LOG2; i = i + 1) begin
          {lower, upper, state} = {at(i << 4), at(i << 4 | 1), at(i << 4 | 14)};
          shortest = {at(i << 4 | 7), at(i << 4 | 6)};
          longest = {at(i << 4 | 9), at(i << 4 | 8)};
          self = at(i << 4 | 3);
          total = at(i << 4 | 5);
          $fdisplay(file, "record %h %h", i, {upper[7:0], lower, self, at(i << 4 | 2), total, at(i << 4 | 4),
                    ~shortest, longest, state[29], state[30], 1'b0} & {211{1'b1}});
        end
      endtask
      task counts(input integer file);
        begin
          $fdisplay(file, "counts %h %h %h %h %h", {at('h3012), at('h3011)}, at('h3013), at('h3014), at('h3015), dut.recorded);
          $fdisplay(file, "pairless 0");
        end
      endtask
    end else if (RECORDS_LOG2 != 0) begin : g_dump
`define COUNT(k) `FUNCTION_RECORDS.u_aggregator.u_counts.counts[k]
      task counts(input integer file);
        begin
          $fdisplay(file, "counts %h %h %h %h %h %h %h %h", {`COUNT(2), `COUNT(1)}, `COUNT(3), `COUNT(4), `COUNT(5), dut.recorded, `COUNT(12), `COUNT(13),
                    `COUNT(14));
          $fdisplay(file, "pairless %h", `COUNT(7));
        end
      endtask
`define RECORD_WORD(k) `FUNCTION_RECORDS.u_records.words[(bank << RECORDS_LOG2 | i) << 3 | k]
`define PAIR_WORD(k) `FUNCTION_RECORDS.g_arcs.u_arcs.words[(bank << RECORDS_LOG2 | i) << 2 | k]
`define BUCKET_WORD(l) `FUNCTION_RECORDS.g_buckets.u_buckets.words[((bank << BUCKETS_LOG2 | i) << 5 | k) << 2 | l]
      // Each record, pair and bucket of an epoch that is in use, as one word, as the model has it.
      task dump(input integer file, input is_ended);
        reg [30:0] epoch;
        reg [63:0] first;
        reg [62:0] uses;
        integer bank, i, k, half;
        begin
          epoch = `FUNCTION_RECORDS.epoch - is_ended;
          bank = EPOCHS != 0 ? epoch[0] : 0;
          half = 1 << (RECORDS_LOG2 - 1);
          for (i = 0; i < 1 << RECORDS_LOG2; i = i + 1) begin
            first = `RECORD_WORD(0);
            if (first[35:5] == epoch && first[4])
              $fdisplay(file, "record %h %h", i,
                        {`RECORD_WORD(1)[39:0], `RECORD_WORD(2), `RECORD_WORD(3), `RECORD_WORD(4)[35:0], `RECORD_WORD(5)[35:0], first[2:0]});
            if (first[35:5] == epoch && first[3]) $fdisplay(file, "loss %h %h", i, {`RECORD_WORD(7), `RECORD_WORD(6)[31:0]});
          end
          for (i = 0; i < 1 << RECORDS_LOG2; i = i + 1) begin
            first = `PAIR_WORD(0);
            if (EPOCHS != 0 ? first >> (2 * RECORDS_LOG2) == {1'b1, epoch} : first[2*RECORDS_LOG2])
              $fdisplay(file, "pair %h %h %h", i / half, i % half, {first[2*RECORDS_LOG2-1:0], `PAIR_WORD(1)[39:0], `PAIR_WORD(2)[47:0], `PAIR_WORD(3)[47:0]});
          end
          for (i = 0; i < 1 << BUCKETS_LOG2; i = i + 1) begin
            uses = `FUNCTION_RECORDS.g_buckets.u_buckets.uses[bank<<BUCKETS_LOG2|i];
            for (k = 0; k < 32; k = k + 1)
              if ((EPOCHS == 0 || uses[62:32] == epoch) && uses[k])
                $fdisplay(file, "bucket %h %h %h", i, k, {`BUCKET_WORD(0)[39:0], `BUCKET_WORD(1), `BUCKET_WORD(3), `BUCKET_WORD(2)[31:0]});
          end
        end
      endtask
    end
  endgenerate
endmodule

`default_nettype wire
