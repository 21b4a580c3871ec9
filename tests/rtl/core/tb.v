// SPDX-License-Identifier: Apache-2.0
// Test bench of the core: 64 KiB of memory at 0x1000_0000, interrupt lines that the program sets itself, counters on
// the hpm port, a script of debug operations (debugger.v). A program ends with a store to the window's EXIT channel; 0
// is success. Plusargs: +hex=FILE (memory image), +stream=FILE (one line per retirement), +causes=FILE (one line per
// cycle), +stall (random bus stalls), +debug=FILE (debug script), +halt (halted from reset on), +again=N (a second
// reset in cycle N, of 33 cycles as docs/internals/core.md requires, with the initial memory).
// Registers: 0xF000_0000 interrupt lines {profile, external, timer, software}; 0xF000_0004 the same lines after the
// number of cycles in bits 31:8; 0xF000_0008 cycles since reset (a store is an error); 0xF000_000C another master: with
// bit 0 it adds 0x10000 to the word at this address from time to time, and reads as the number of additions. An
// unmapped address answers with an error.
`default_nettype none
`include "gnomon_obs.vh"
`timescale 1ns / 1ns

module tb;
    reg         clk = 1'b0;
    reg         rst = 1'b1;
    always #5 clk = ~clk;

    wire        i_req_valid, i_req_ready, i_accept, i_rsp_valid, i_flush;
    wire [31:0] i_req_addr;
    reg  [31:0] i_rdata;
    reg         i_error;
    wire        d_req_valid, d_req_ready, d_accept, d_rsp_valid, d_req_write;
    wire [31:0] d_req_addr, d_req_wdata;
    wire [3:0]  d_req_strb;
    reg  [31:0] d_rdata;
    reg         d_error;
    reg  [3:0]  irq;
    wire        hpm_valid, hpm_write;
    wire [11:0] hpm_addr;
    wire [31:0] hpm_wdata;
    reg  [31:0] hpm_rdata;
    wire        dbg_halt, dbg_resume, dbg_halted, dbg_insn_valid, dbg_busy, dbg_error, dbg_data_we;
    wire [2:0]  dbg_cause;
    wire [31:0] dbg_insn, dbg_data_w, dbg_data_r;
    wire [`GNOMON_OBS_BITS-1:0] obs;
    wire        valid = obs[`GNOMON_OBS_VALID], trap = obs[`GNOMON_OBS_TRAP], halt = obs[`GNOMON_OBS_HALT],
                intr = obs[`GNOMON_OBS_INTR], trap_enter = obs[`GNOMON_OBS_TRAP_ENTER],
                trap_leave = obs[`GNOMON_OBS_TRAP_LEAVE], irq_pending = obs[`GNOMON_OBS_IRQ_PENDING],
                in_debug = obs[`GNOMON_OBS_DEBUG], in_wfi = obs[`GNOMON_OBS_WFI];
    wire [63:0] order = obs[`GNOMON_OBS_ORDER];
    wire [1:0]  mode = obs[`GNOMON_OBS_MODE], ixl = obs[`GNOMON_OBS_IXL];
    wire [31:0] insn = obs[`GNOMON_OBS_INSN], pc_rdata = obs[`GNOMON_OBS_PC_RDATA],
                pc_wdata = obs[`GNOMON_OBS_PC_WDATA], rs1_rdata = obs[`GNOMON_OBS_RS1_RDATA],
                rs2_rdata = obs[`GNOMON_OBS_RS2_RDATA], rd_wdata = obs[`GNOMON_OBS_RD_WDATA],
                mem_addr = obs[`GNOMON_OBS_MEM_ADDR], mem_rdata = obs[`GNOMON_OBS_MEM_RDATA],
                mem_wdata = obs[`GNOMON_OBS_MEM_WDATA];
    wire [4:0]  rs1_addr = obs[`GNOMON_OBS_RS1_ADDR], rs2_addr = obs[`GNOMON_OBS_RS2_ADDR],
                rd_addr = obs[`GNOMON_OBS_RD_ADDR], cause = obs[`GNOMON_OBS_CAUSE];
    wire [3:0]  mem_rmask = obs[`GNOMON_OBS_MEM_RMASK], mem_wmask = obs[`GNOMON_OBS_MEM_WMASK];
    wire [5:0]  trap_cause = obs[`GNOMON_OBS_TRAP_CAUSE];

    reg         stall;
    reg  [63:0] cycle;

`ifndef MUL_FAST
`define MUL_FAST 1
`endif
`ifndef PREDICT
`define PREDICT 0
`endif
`ifndef LATE
`define LATE 0
`endif
`ifndef COMPACT
`define COMPACT 0
`endif
`ifndef ATOMIC
`define ATOMIC 0
`endif
`ifndef BITS
`define BITS 0
`endif
`ifndef USER
`define USER 0
`endif
`ifndef PMP
`define PMP 0
`endif
`ifndef PMP_GRAIN
`define PMP_GRAIN 2
`endif
`ifndef TRIGGERS
`define TRIGGERS 0
`endif
`ifndef LUTRAM
`define LUTRAM 0
`endif
    gnomon_core #(.LUTRAM(`LUTRAM), .MUL_FAST(`MUL_FAST), .COMPACT(`COMPACT), .PREDICT(`PREDICT), .LATE(`LATE), .ATOMIC(`ATOMIC), .BITS(`BITS),
                  .USER(`USER), .PMP(`PMP), .PMP_GRAIN(`PMP_GRAIN), .TRIGGERS(`TRIGGERS)) core (
        .clk_i(clk), .rst_i(rst), .boot_pc_i(32'h1000_0000),
        .i_req_valid_o(i_req_valid), .i_req_ready_i(i_req_ready), .i_req_addr_o(i_req_addr), .i_rsp_valid_i(i_rsp_valid),
        .i_rsp_rdata_i(i_rdata), .i_rsp_error_i(i_error), .i_flush_o(i_flush), .i_flush_done_i(~stall | cycle[2:0] == 3'd5),
        .i_wait_refresh_i(stall & cycle[5] & cycle[3]), .i_wait_page_i(stall & cycle[5]), .d_wait_refresh_i(stall & cycle[6] & cycle[2]), .d_wait_page_i(stall & cycle[6]),
        .i_wait_miss_i(stall & cycle[3]), .d_wait_miss_i(stall & cycle[2]),
        .d_req_valid_o(d_req_valid), .d_req_ready_i(d_req_ready), .d_req_addr_o(d_req_addr), .d_req_write_o(d_req_write),
        .d_req_wdata_o(d_req_wdata), .d_req_strb_o(d_req_strb), .d_req_lock_o(), .d_lock_o(d_lock),
        .d_snoop_valid_i(other_go), .d_snoop_addr_i(other[31:2]), .d_grant_i(1'b1), .d_rsp_valid_i(d_rsp_valid), .d_rsp_rdata_i(d_rdata),
        .d_rsp_error_i(d_error),
        .irq_software_i(irq[0]), .irq_timer_i(irq[1]), .irq_external_i(irq[2]), .irq_profile_i(irq[3]), .irq_overflow_i(1'b0), .stack_limit_n_i(~22'd0),
        .hpm_valid_o(hpm_valid), .hpm_write_o(hpm_write), .hpm_addr_o(hpm_addr), .hpm_wdata_o(hpm_wdata),
        .hpm_rdata_i(hpm_rdata),
        .dbg_halt_i(dbg_halt), .dbg_resume_i(dbg_resume), .dbg_halted_o(dbg_halted), .dbg_cause_o(dbg_cause),
        .dbg_insn_valid_i(dbg_insn_valid), .dbg_insn_i(dbg_insn), .dbg_busy_o(dbg_busy), .dbg_error_o(dbg_error),
        .dbg_data_we_i(dbg_data_we), .dbg_data_i(dbg_data_w), .dbg_data_o(dbg_data_r),
        .obs_o(obs)
);

    debugger debugger (
        .clk_i(clk), .rst_i(rst), .cycle_i(cycle[31:0]), .halt_o(dbg_halt), .resume_o(dbg_resume), .halted_i(dbg_halted),
        .cause_i(dbg_cause), .insn_valid_o(dbg_insn_valid), .insn_o(dbg_insn), .busy_i(dbg_busy), .error_i(dbg_error),
        .data_we_o(dbg_data_we), .data_o(dbg_data_w), .data_i(dbg_data_r));

    // ---- Memory and registers ----
    reg  [31:0] mem [0:16383];
    memory #(.SEED(32'h1357_9bdf)) i_port (
        .clk_i(clk), .rst_i(rst), .stall_i(stall), .req_valid_i(i_req_valid), .req_ready_o(i_req_ready),
        .accept_o(i_accept), .rsp_valid_o(i_rsp_valid));
    memory #(.SEED(32'h2468_ace1)) d_port (
        .clk_i(clk), .rst_i(rst), .stall_i(stall), .req_valid_i(d_req_valid), .req_ready_o(d_req_ready),
        .accept_o(d_accept), .rsp_valid_o(d_rsp_valid));

    wire        d_is_ram = d_req_addr[31:16] == 16'h1000;
    wire        d_is_reg = d_req_addr[31:4] == 28'hf000_000;
    wire        d_lock;
    reg  [31:0] other, other_count, other_random;
    wire        other_go = other[0] & other_random[3:0] == 4'd0 & ~d_accept & ~d_lock;
    reg  [23:0] delay;
    reg  [3:0]  later;
    integer     lane;
    always @(posedge clk) begin
        if (i_accept) begin
            // An unmapped word looks like a jump, except the words before memory: an ebreak, and a word after which the
            // program continues.
            i_rdata <= i_req_addr[31:16] == 16'h1000 ? mem[i_req_addr[15:2]] : i_req_addr == 32'h0fff_fffc ? 32'hffff_ffff
                     : i_req_addr == 32'h0fff_fff8 ? 32'h0010_0073 : 32'hdead_beef;
            i_error <= i_req_addr[31:16] != 16'h1000;
        end
        if (delay != 24'd0) begin
            delay <= delay - 24'd1;
            if (delay == 24'd1)
                irq <= later;
        end
        if (d_accept) begin
            d_error <= ~d_is_ram & ~d_is_reg | d_req_write & d_is_reg & d_req_addr[3:2] == 2'd2;
            d_rdata <= d_is_ram ? mem[d_req_addr[15:2]] : d_is_reg ? (d_req_addr[3] ? (d_req_addr[2] ? other_count : cycle[31:0]) : {28'd0, irq}) : 32'hbad0_bad0;
            if (d_req_write & d_is_ram)
                for (lane = 0; lane < 4; lane = lane + 1)
                    if (d_req_strb[lane])
                        mem[d_req_addr[15:2]][8 * lane +: 8] <= d_req_wdata[8 * lane +: 8];
            if (d_req_write & d_is_reg & ~d_req_addr[3])
                if (d_req_addr[2])
                    {delay, later} <= {d_req_wdata[31:8], d_req_wdata[3:0]};
                else
                    irq <= d_req_wdata[3:0];
            if (d_req_write & d_is_reg & d_req_addr[3:2] == 2'd3)
                other <= d_req_wdata;
        end
        other_random <= {other_random[30:0], other_random[31] ^ other_random[21] ^ other_random[1] ^ other_random[0]};
        if (other_go) begin
            mem[other[15:2]][31:16] <= mem[other[15:2]][31:16] + 16'd1;
            other_count <= other_count + 32'd1;
        end
        if (rst) begin
            irq <= 4'd0;
            delay <= 24'd0;
            later <= 4'd0;
            other <= 32'd0;
            other_count <= 32'd0;
            other_random <= 32'h1234_5679;
        end
    end

    // ---- Counters: mcycle and minstret; other numbers are plain storage ----
    reg  [63:0] mcycle, minstret;
    reg         instret_skip;            // the next instruction to retire wrote minstret
    reg  [31:0] event3;
    reg  [31:0] hpm_read;
    always @(posedge clk) begin
        mcycle <= mcycle + 64'd1;
        minstret <= minstret + {63'd0, valid & ~trap & ~instret_skip};
        if (valid)
            instret_skip <= 1'b0;
        if (hpm_valid & hpm_write)
            case (hpm_addr)
                12'hb00: mcycle[31:0] <= hpm_wdata;
                12'hb80: mcycle[63:32] <= hpm_wdata;
                12'hb02: begin minstret[31:0] <= hpm_wdata; instret_skip <= 1'b1; end
                12'hb82: begin minstret[63:32] <= hpm_wdata; instret_skip <= 1'b1; end
                12'h323: event3 <= hpm_wdata;
                default: ;
            endcase
        hpm_read <= 32'hffff_ffff;
        if (hpm_valid & ~hpm_write)
            case (hpm_addr)
                12'hb00, 12'hc00, 12'hc01: hpm_read <= mcycle[31:0];
                12'hb80, 12'hc80, 12'hc81: hpm_read <= mcycle[63:32];
                12'hb02, 12'hc02: hpm_read <= minstret[31:0];
                12'hb82, 12'hc82: hpm_read <= minstret[63:32];
                12'h323: hpm_read <= event3;
                default: hpm_read <= 32'd0;
            endcase
        hpm_rdata <= hpm_read;
        if (rst) begin
            mcycle <= 64'd0;
            minstret <= 64'd0;
            instret_skip <= 1'b0;
            event3 <= 32'd0;
        end
    end

    // ---- Run ----
    reg [1023:0] name, image;
    integer      stream, causes;
    reg  [63:0]  again;
    initial begin
        if (!$value$plusargs("hex=%s", image)) begin
            $display("tb: +hex=FILE is missing");
            $finish;
        end
        $readmemh(image, mem);
        if (!$value$plusargs("again=%d", again))
            again = 64'd0;
        stream = 0;
        causes = 0;
        if ($value$plusargs("stream=%s", name))
            stream = $fopen(name, "w");
        if ($value$plusargs("causes=%s", name))
            causes = $fopen(name, "w");
        stall = $test$plusargs("stall") != 0;
    end

    always @(posedge clk) begin
        cycle <= rst ? 64'd0 : cycle + 64'd1;
        if (rst)
            reset_left <= reset_left - 6'd1;
        if (reset_left == 6'd1)
            rst <= 1'b0;
        if (again != 64'd0 & cycle == again) begin
            again <= 64'd0;
            rst <= 1'b1;
            reset_left <= 6'd33;
            $readmemh(image, mem);
        end
    end
    reg [5:0]  reset_left = 6'd4;
    reg [31:0] begun = 32'd0;
    reg        timing_bad = 1'b0;
    reg        dbg_resumed = 1'b0;       // the debugger has let the hart run at least once

    always @(posedge clk) begin
        if (stream != 0 & valid) begin
            $fwrite(stream, "%0d %0d %h %h", cycle, order, pc_rdata, insn);
            $fwrite(stream, " %b%b%b%0d %0d:%h %0d:%h %0d:%h -> %h", trap, intr, halt, mode, rs1_addr, rs1_rdata, rs2_addr,
                    rs2_rdata, rd_addr, rd_wdata, pc_wdata);
            if ((mem_rmask | mem_wmask) != 4'd0)
                $fwrite(stream, " %b%b %h %h %h", mem_rmask, mem_wmask, mem_addr, mem_rdata, mem_wdata);
            $fwrite(stream, "\n");
        end
        if (stream != 0 & trap_enter)
            $fwrite(stream, "%0d trap %h\n", cycle, trap_cause);
        if (stream != 0 & trap_leave)
            $fwrite(stream, "%0d leave\n", cycle);
        if (causes != 0 & ~rst)
            $fwrite(causes, "%0d %0d %b%b%b%b\n", cycle, cause, valid, in_debug, in_wfi, irq_pending);
        if (valid & mem_wmask == 4'hf & mem_addr == 32'hffff_fffc) begin
            if (timing_bad)
                $display("tb: FAIL in the table of costs");
            else if (mem_wdata != 32'd0)
                $display("tb: FAIL %0d (0x%h) in cycle %0d", mem_wdata, mem_wdata, cycle);
            else
                $display("tb: pass, %0d instructions, %0d cycles", order, cycle);
            $finish;
        end
        if (valid & mem_wmask == 4'hf & mem_addr == 32'hffff_ffbc)
            begun <= cycle[31:0];
        // The privilege mode in the observation bundle.
        if (valid & mem_wmask == 4'hf & mem_addr == 32'hffff_ffb8 & mode != mem_wdata[1:0]) begin
            $display("tb: FAIL, mode %0d at %h", mode, pc_rdata);
            $finish;
        end
        // Channel 64 + n: n cycles between the marks.
        if (valid & mem_wmask == 4'hf & mem_addr[31:16] == 16'hffff & mem_addr < 32'hffff_fefd & ~stall)
            if (cycle[31:0] - begun - 32'd1 != (32'hffff_fefc - mem_addr) / 4) begin
                $display("tb: FAIL, %0d cycles, not %0d, at %h", cycle[31:0] - begun - 32'd1, (32'hffff_fefc - mem_addr) / 4,
                         pc_rdata);
                timing_bad <= 1'b1;
            end
        if (dbg_halted & i_req_valid | dbg_halt & ~dbg_resumed & i_req_valid) begin
            $display("tb: FAIL, fetches while halted");
            $finish;
        end
        dbg_resumed <= ~rst & (dbg_resumed | dbg_resume);
        if (cycle == 64'd1_000_000) begin
            $display("tb: FAIL, no end; pc %h", pc_rdata);
            $finish;
        end
    end
endmodule
`default_nettype wire
