// SPDX-License-Identifier: Apache-2.0
// The core for the checks of the riscv-formal project, with the names and macros of its rvfi_macros.vh. Configuration:
// isa rv32ic (M needs riscv-formal's alternative arithmetic in place of the real units), nret 1, one cycle of reset,
// and the CSRs below. The core's own reset lasts as long as the clearing of its memories: depths count from cycle RESET
// on. Buses answer at any time without errors; interrupts come at any time; there is no debugger.
`ifndef GNOMON_FORMAL_PARAMETERS
`define GNOMON_FORMAL_PARAMETERS
`endif

`include "gnomon_obs.vh"

module rvfi_wrapper (
    input wire clock, reset,
    `RVFI_OUTPUTS
);
    localparam RESET = 34;
    reg  [5:0]  past = 6'd0;
    wire        rst = reset | past != RESET;
    always @(posedge clock)
        past <= rst ? past + 6'd1 : past;
    (* keep *) `rvformal_rand_reg i_ready, i_answers, d_ready, d_answers, flush_done;
    (* keep *) `rvformal_rand_reg [31:0] i_rdata, d_rdata, boot_pc;
    (* keep *) `rvformal_rand_reg [3:0] irq;
    wire        i_valid, d_valid, d_write, hpm_valid, hpm_write;
    wire [11:0] hpm_addr;
    wire [31:0] hpm_wdata;
    reg  [1:0]  i_open, d_open;
    reg  [2:0]  i_waits, d_waits;        // for liveness: limits the waits
    wire        i_takes = i_ready | i_waits[1];
    wire        d_takes = d_ready | d_waits[1];
`ifdef GNOMON_FORMAL_FAIR
    wire        i_rsp = i_open != 2'd0 & (i_answers | i_waits[1]);
    wire        d_rsp = d_open != 2'd0 & (d_answers | d_waits[1]);
    wire        i_go = i_takes, d_go = d_takes, flushed = 1'b1;
`else
    wire        i_rsp = i_open != 2'd0 & i_answers;
    wire        d_rsp = d_open != 2'd0 & d_answers;
    wire        i_go = i_ready, d_go = d_ready, flushed = flush_done;
`endif
    always @(posedge clock) begin
        i_open <= rst ? 2'd0 : i_open + {1'b0, i_valid & i_go} - {1'b0, i_rsp};
        d_open <= rst ? 2'd0 : d_open + {1'b0, d_valid & d_go} - {1'b0, d_rsp};
        i_waits <= rst | i_rsp | i_valid & i_go ? 3'd0 : i_waits + {2'd0, ~&i_waits};
        d_waits <= rst | d_rsp | d_valid & d_go ? 3'd0 : d_waits + {2'd0, ~&d_waits};
    end

    // Counters for the checks of the CSRs: a read is answered two cycles later.
    reg  [63:0] mcycle, minstret;
    reg  [31:0] answer, answers;
    wire        of_instret = hpm_addr[1];
    wire [63:0] counter = of_instret ? minstret : mcycle;
    always @(posedge clock) begin
        mcycle <= rst ? 64'd0 : mcycle + 64'd1;
        minstret <= rst ? 64'd0 : minstret + {63'd0, rvfi_valid & ~rvfi_trap};
        answer <= hpm_addr[7] ? counter[63:32] : counter[31:0];
        answers <= answer;
        if (hpm_valid & hpm_write)
            case (hpm_addr)
                12'hb00: mcycle[31:0] <= hpm_wdata;
                12'hb80: mcycle[63:32] <= hpm_wdata;
                12'hb02: minstret[31:0] <= hpm_wdata;
                12'hb82: minstret[63:32] <= hpm_wdata;
                default: ;
            endcase
    end

    wire [`GNOMON_OBS_BITS-1:0] obs;
    assign rvfi_valid = obs[`GNOMON_OBS_VALID] & ~rst;
    wire [4:0]  rs1 = obs[`GNOMON_OBS_RS1_ADDR], rs2 = obs[`GNOMON_OBS_RS2_ADDR];
    wire [5:0]  trap_cause = obs[`GNOMON_OBS_TRAP_CAUSE];
    assign rvfi_order = obs[`GNOMON_OBS_ORDER];
    assign rvfi_insn = obs[`GNOMON_OBS_INSN];
    assign rvfi_trap = obs[`GNOMON_OBS_TRAP];
    assign rvfi_halt = obs[`GNOMON_OBS_HALT];
    assign rvfi_intr = obs[`GNOMON_OBS_INTR];
    assign rvfi_mode = obs[`GNOMON_OBS_MODE];
    assign rvfi_ixl = obs[`GNOMON_OBS_IXL];
    assign rvfi_rs1_rdata = obs[`GNOMON_OBS_RS1_RDATA];
    assign rvfi_rs2_rdata = obs[`GNOMON_OBS_RS2_RDATA];
    assign rvfi_rd_addr = obs[`GNOMON_OBS_RD_ADDR];
    assign rvfi_rd_wdata = obs[`GNOMON_OBS_RD_WDATA];
    assign rvfi_pc_rdata = obs[`GNOMON_OBS_PC_RDATA];
    assign rvfi_pc_wdata = obs[`GNOMON_OBS_PC_WDATA];
    assign rvfi_mem_addr = obs[`GNOMON_OBS_MEM_ADDR];
    assign rvfi_mem_rmask = obs[`GNOMON_OBS_MEM_RMASK];
    assign rvfi_mem_wmask = obs[`GNOMON_OBS_MEM_WMASK];
    assign rvfi_mem_rdata = obs[`GNOMON_OBS_MEM_RDATA];
    assign rvfi_mem_wdata = obs[`GNOMON_OBS_MEM_WDATA];
    gnomon_core #(`GNOMON_FORMAL_PARAMETERS) core (
        .clk_i(clock), .rst_i(rst), .boot_pc_i(boot_pc),
        .i_req_valid_o(i_valid), .i_req_ready_i(i_go), .i_rsp_valid_i(i_rsp), .i_rsp_rdata_i(i_rdata), .i_rsp_error_i(1'b0),
        .i_flush_done_i(flushed), .i_wait_miss_i(1'b0),
        .d_req_valid_o(d_valid), .d_req_ready_i(d_go), .d_req_write_o(d_write), .d_snoop_valid_i(1'b0), .d_snoop_addr_i(30'd0), .d_grant_i(1'b1),
        .d_rsp_valid_i(d_rsp), .d_rsp_rdata_i(d_rdata), .d_rsp_error_i(1'b0), .d_wait_miss_i(1'b0),
        .i_wait_refresh_i(1'b0), .i_wait_page_i(1'b0), .d_wait_refresh_i(1'b0), .d_wait_page_i(1'b0),
        .irq_software_i(irq[0]), .irq_timer_i(irq[1]), .irq_external_i(irq[2]), .irq_profile_i(irq[3]), .irq_overflow_i(1'b0), .stack_limit_n_i(~22'd0),
        .hpm_valid_o(hpm_valid), .hpm_write_o(hpm_write), .hpm_addr_o(hpm_addr), .hpm_wdata_o(hpm_wdata), .hpm_rdata_i(answers),
        .dbg_halt_i(1'b0), .dbg_resume_i(1'b0), .dbg_insn_valid_i(1'b0), .dbg_insn_i(32'd0), .dbg_data_we_i(1'b0), .dbg_data_i(32'd0),
        .obs_o(obs)
    );
    // An instruction that could not be fetched reads no registers.
    wire        fetched = ~(rvfi_trap & trap_cause == 6'd1);
    assign rvfi_rs1_addr = rs1 & {5{fetched}};
    assign rvfi_rs2_addr = rs2 & {5{fetched}};

    localparam COUNT = 19;
    // The core's bundle without retirements during reset.
    wire [`GNOMON_OBS_BITS-1:0] seen = {obs[`GNOMON_OBS_BITS-1:`GNOMON_OBS_VALID+1], rvfi_valid, obs[`GNOMON_OBS_VALID-1:0]};
    wire [32*COUNT-1:0] rmask, wmask, rdata, wdata;
    gnomon_core_rvfi #(.COUNT(COUNT), .NUMBERS({
        12'hb82, 12'hb02, 12'hb80, 12'hb00, 12'h344, 12'h310, 12'hf15, 12'hf14, 12'hf13, 12'hf12, 12'hf11, 12'h301, 12'h343,
        12'h342, 12'h341, 12'h340, 12'h305, 12'h304, 12'h300})) csrs (
        .obs_i(seen), .csr_rmask_o(rmask), .csr_wmask_o(wmask), .csr_rdata_o(rdata), .csr_wdata_o(wdata));
`define GNOMON_CSR(name, low, bits) \
    assign rvfi_csr_``name``_rmask = rmask[32 * low +: bits]; \
    assign rvfi_csr_``name``_wmask = wmask[32 * low +: bits]; \
    assign rvfi_csr_``name``_rdata = rdata[32 * low +: bits]; \
    assign rvfi_csr_``name``_wdata = wdata[32 * low +: bits];
    `GNOMON_CSR(mstatus, 0, 32)
    `GNOMON_CSR(mie, 1, 32)
    `GNOMON_CSR(mtvec, 2, 32)
    `GNOMON_CSR(mscratch, 3, 32)
    `GNOMON_CSR(mepc, 4, 32)
    `GNOMON_CSR(mcause, 5, 32)
    `GNOMON_CSR(mtval, 6, 32)
    `GNOMON_CSR(misa, 7, 32)
    `GNOMON_CSR(mvendorid, 8, 32)
    `GNOMON_CSR(marchid, 9, 32)
    `GNOMON_CSR(mimpid, 10, 32)
    `GNOMON_CSR(mhartid, 11, 32)
    `GNOMON_CSR(mconfigptr, 12, 32)
    `GNOMON_CSR(mstatush, 13, 32)
    `GNOMON_CSR(mip, 14, 32)
    `GNOMON_CSR(mcycle, 15, 64)
    `GNOMON_CSR(minstret, 17, 64)
endmodule
