// SPDX-License-Identifier: Apache-2.0
// Top of the simulated board: the SoC of a board, the signals of the observation bundle that the reference model reads,
// and signals that show whether the board waits for its host.
//
// Most cycles of a run change nothing after the trace FIFO, so that part has two clocks of its own, and the simulator
// skips their idle edges: those of clk_host_i while `host_busy_o` is low, and (at packet level) those of clk48_i while
// `usb_busy_o` is low and the host is silent. A clock stops only when its signal has been low for `settle_cycles`
// (simulated_board.cpp), which is longer than any chain of registers takes to settle.
`default_nettype none
`include "gnomon_obs.vh"

module gnomon_sim_top #(
  parameter integer CONFIG = 2,
  parameter integer FUNCTIONAL = 1,
  parameter integer LEAN = 0,         // 1: leaves out the units of gnomon_left_out
  parameter integer LINE = 0,         // 1: the board has a UART link; must agree with BOARD_VH
  parameter integer SERIAL_DIVIDER = 4,
  parameter integer RAM_BYTES = 0,
  parameter integer DCACHE_BYTES = -1,
  parameter integer SDRAM = 0,        // 1: adds an SDRAM chip; must agree with BOARD_VH
  parameter integer FLASH = 0,        // 1: adds a flash chip; must agree with BOARD_VH
  parameter integer ICACHE_BYTES = -1,
  parameter integer MEM_DELAY = 0,
  parameter integer TAG_CACHE = 0,    // 1: the chip has twice RAM_BYTES; must agree with BOARD_VH
  parameter integer HARTS = 1,        // 2: USB always has the cable's rate while a program runs; must agree with BOARD_VH
  parameter [31:0] RTL_HASH = 32'd0
) (
  input  wire        clk_i, clk_host_i,
  input  wire        clk_encoder_i,    // rises with clk_host_i, and alone while encoder_ahead_o is high
  input  wire        clk48_i,
  // rises when one of the next four inputs has changed, so that other evaluations need not compare them
  input  wire        set_i,
  input  wire        rst_i,
  input  wire        tap_i,            // 1: the trace leaves through the tap, without USB
  input  wire        tap_full_i,       // 1: the tap takes no bytes at present
  input  wire        usb_dp_i, usb_dn_i,
  output wire        usb_dp_o, usb_dn_o, usb_oe_o, usb_pullup_o,
  input  wire [29:0] txn_i,
  output wire [15:0] txn_o,
  output wire [31:0] clock_hz_o,
  output wire        hart_rst_o, stopped_o,
  output wire        waits_o,          // the SoC holds the hart in reset and waits for the host
  output wire        later_o,          // an open frame leaves later by itself
  output wire        left_o,           // the host port has work, or the USB device's buffers hold data for the host
  output wire        host_busy_o,      // registers of clk_host_i show work
  // other registers show work; a separate output, so that each one is evaluated only with its clock
  output wire        host_wake_o,
  output wire        usb_busy_o,
  output wire [31:0] serial_divider_o, // with LINE = 1
  output wire        serial_busy_o,    // a byte is on the line, or an answer is in progress
  output wire        ended_o,          // the program has sent EXIT, and the hart has halted
  // with tap_i: the trace encoder has work that does not affect the hart, so its clock may rise alone
  output wire        encoder_ahead_o,
  output wire        tap_valid_o,      // with tap_i: the tap takes this byte at the next rise of the encoder's clock
  output wire  [7:0] tap_data_o,
  output wire        real_o,           // 1: the SoC has a real board's parameters
  output wire  [3:0] left_out_used_o,  // the used units that a lean model leaves out

  output wire        obs_valid_o, obs_trap_o, obs_trap_enter_o, obs_trap_leave_o,
  output wire  [5:0] obs_trap_cause_o,
  output wire  [4:0] obs_cause_o,
  output wire [31:0] obs_insn_o, obs_pc_rdata_o, obs_pc_wdata_o,
  output wire  [4:0] obs_rd_addr_o,
  output wire [31:0] obs_rd_wdata_o, obs_mem_addr_o,
  output wire  [3:0] obs_mem_wmask_o,
  output wire [31:0] obs_mem_wdata_o,
  output wire  [1:0] obs_mstatus_o,  // MPIE and MIE before the instruction
  output wire  [1:0] obs_mode_o,
  output wire  [3:0] obs_mem_rmask_o,
  output wire        obs_irq_pending_o, obs_mispredict_o,
  output wire  [4:0] obs_irq_requests_o,
  output wire  [3:0] obs_cache_o,
  output wire        two_harts_o,
  // the same of hart 1
  output wire        obs1_valid_o, obs1_trap_o, obs1_trap_enter_o, obs1_trap_leave_o,
  output wire  [5:0] obs1_trap_cause_o,
  output wire  [4:0] obs1_cause_o,
  output wire [31:0] obs1_insn_o, obs1_pc_rdata_o, obs1_pc_wdata_o,
  output wire  [4:0] obs1_rd_addr_o,
  output wire [31:0] obs1_rd_wdata_o, obs1_mem_addr_o,
  output wire  [3:0] obs1_mem_wmask_o,
  output wire [31:0] obs1_mem_wdata_o,
  output wire        mon_valid_o,
  output wire  [1:0] mon_master_o,
  output wire        mon_write_o,
  output wire [31:0] mon_addr_o,
  // with two harts: what each retires, and the access of the bus (sim/retired_log.h); else 0
  output wire [255:0] retired0_o, retired1_o,
  output wire [95:0] access_o
);

`include "gnomon_config.vh"

    wire host_idle;
    reg rst;
    reg [31:0] txn;
    reg tap;

    always @(posedge set_i) begin
        rst <= rst_i;
        txn <= {tap_i, tap_full_i, txn_i};
        tap <= tap_i;
    end

    wire sdram_cke, sdram_cs_n, sdram_ras_n, sdram_cas_n, sdram_we_n, sdram_dq_oe;
    wire [1:0] sdram_ba, sdram_dqm;
    wire [12:0] sdram_a;
    wire [15:0] sdram_to_chip, sdram_from_chip;
    generate
        if (SDRAM != 0) begin : g_sdram
            gnomon_sdram_chip #(
              .BYTES((RAM_BYTES != 0 ? RAM_BYTES : CFG_RAM_BYTES) << TAG_CACHE)
            ) u_chip (
              .clk_i(!clk_i), .clock_hz_i(clock_hz_o), .cke_i(sdram_cke), .cs_n_i(sdram_cs_n), .ras_n_i(sdram_ras_n),
              .cas_n_i(sdram_cas_n), .we_n_i(sdram_we_n), .ba_i(sdram_ba), .a_i(sdram_a), .dqm_i(sdram_dqm),
              .dq_i(sdram_to_chip), .dq_oe_i(sdram_dq_oe), .dq_o(sdram_from_chip), .dq_oe_o()
            );
        end else begin : g_no_sdram
            assign sdram_from_chip = 16'd0;
            wire unused_sdram = &{1'b0, sdram_cke, sdram_cs_n, sdram_ras_n, sdram_cas_n, sdram_we_n, sdram_dq_oe, sdram_ba,
                sdram_dqm, sdram_a, sdram_to_chip};
        end
    endgenerate

    wire flash_sck, flash_cs_n;
    wire [3:0] flash_io, flash_io_oe, flash_answer;
    generate
        if (FLASH != 0) begin : g_flash
            gnomon_flash_chip u_chip (
              .clk_i(clk_i), .sck_i(flash_sck), .cs_n_i(flash_cs_n), .io_i(flash_io), .io_oe_i(flash_io_oe),
              .io_o(flash_answer), .io_oe_o()
            );
        end else begin : g_no_flash
            assign flash_answer = 4'd0;
            wire unused_flash = &{1'b0, flash_sck, flash_cs_n, flash_io, flash_io_oe};
        end
    endgenerate

    wire [`GNOMON_OBS_BITS-1:0] obs;
    assign obs_valid_o = obs[`GNOMON_OBS_VALID];
    assign obs_trap_o = obs[`GNOMON_OBS_TRAP];
    assign obs_mode_o = obs[`GNOMON_OBS_MODE];
    assign obs_insn_o = obs[`GNOMON_OBS_INSN];
    assign obs_pc_rdata_o = obs[`GNOMON_OBS_PC_RDATA];
    assign obs_pc_wdata_o = obs[`GNOMON_OBS_PC_WDATA];
    assign obs_rd_addr_o = obs[`GNOMON_OBS_RD_ADDR];
    assign obs_rd_wdata_o = obs[`GNOMON_OBS_RD_WDATA];
    assign obs_mem_addr_o = obs[`GNOMON_OBS_MEM_ADDR];
    assign obs_mem_rmask_o = obs[`GNOMON_OBS_MEM_RMASK];
    assign obs_mem_wmask_o = obs[`GNOMON_OBS_MEM_WMASK];
    assign obs_mem_wdata_o = obs[`GNOMON_OBS_MEM_WDATA];
    assign obs_cause_o = obs[`GNOMON_OBS_CAUSE];
    assign obs_trap_enter_o = obs[`GNOMON_OBS_TRAP_ENTER];
    assign obs_trap_cause_o = obs[`GNOMON_OBS_TRAP_CAUSE];
    assign obs_trap_leave_o = obs[`GNOMON_OBS_TRAP_LEAVE];
    assign obs_irq_pending_o = obs[`GNOMON_OBS_IRQ_PENDING];
    assign obs_mispredict_o = obs[`GNOMON_OBS_MISPREDICT];
    assign obs_irq_requests_o = obs[`GNOMON_OBS_IRQ_REQUESTS];
    wire [223:0] csr_state = obs[`GNOMON_OBS_CSR_STATE];
    assign obs_mstatus_o = {csr_state[7], csr_state[3]};
    wire unused_obs = &{1'b0, obs, csr_state};
    gnomon_soc #(
        .FUNCTIONAL  (FUNCTIONAL),
        .SIMULATED   (1),
        .LEAN        (LEAN),
        .RTL_HASH    (RTL_HASH),
`ifdef BOARD_VH  // parameters of a real board, from rtl/soc/boards
`include `BOARD_VH
`else
        .CONFIG      (CONFIG),
        .LINE        (LINE),
        .SERIAL_DIVIDER(SERIAL_DIVIDER),
        .RAM_BYTES   (RAM_BYTES),
        .DCACHE_BYTES(DCACHE_BYTES),
        .ICACHE_BYTES(ICACHE_BYTES),
        .SDRAM       (SDRAM),
        .MEM_DELAY   (MEM_DELAY),
        .TAG_CACHE   (TAG_CACHE),
        .HARTS       (HARTS)
`endif
    ) u_soc (
      .clk_i(clk_i), .rst_i(rst), .clk_host_i(clk_host_i), .clk_encoder_i(clk_encoder_i), .clk48_i(clk48_i),
      .usb_dp_i(usb_dp_i), .usb_dn_i(usb_dn_i), .usb_dp_o(usb_dp_o), .usb_dn_o(usb_dn_o), .usb_oe_o(usb_oe_o),
      .usb_pullup_o(usb_pullup_o), .boot_o(), .suspended_o(), .txn_i(txn), .txn_o(txn_o), .sdram_cke_o(sdram_cke),
      .sdram_cs_n_o(sdram_cs_n), .sdram_ras_n_o(sdram_ras_n), .sdram_cas_n_o(sdram_cas_n), .sdram_we_n_o(sdram_we_n),
      .sdram_ba_o(sdram_ba), .sdram_a_o(sdram_a), .sdram_dqm_o(sdram_dqm), .sdram_dq_o(sdram_to_chip),
      .sdram_dq_oe_o(sdram_dq_oe), .sdram_dq_i(sdram_from_chip), .flash_sck_o(flash_sck), .flash_cs_n_o(flash_cs_n),
      .flash_io_o(flash_io), .flash_io_oe_o(flash_io_oe), .flash_io_i(flash_answer), .hart_rst_o(hart_rst_o), .stopped_o(stopped_o),
      .host_idle_o(host_idle), .obs_o(obs), .obs_cache_o(obs_cache_o)
    );

    assign clock_hz_o = u_soc.HZ;
    assign ended_o = u_soc.u_sysctl.exited && stopped_o;
    assign left_out_used_o = u_soc.left_out_used;
`ifdef BOARD_VH
    assign real_o = 1'b1;
`else
    assign real_o = HARTS != 1;
`endif
    assign mon_valid_o = u_soc.mon_valid;
    assign mon_master_o = u_soc.mon_master;
    assign mon_write_o = u_soc.mon_write;
    assign mon_addr_o = u_soc.mon_addr;

    // The same of hart 1: an open frame leaves later; work of clk_host_i; an entry or a flush that starts such work.
    wire later1, busy1, wake1;
    wire [`GNOMON_OBS_BITS-1:0] obs1;
    wire unused_obs1 = &{1'b0, obs1};
    assign two_harts_o = HARTS != 1;
    assign obs1_valid_o = obs1[`GNOMON_OBS_VALID];
    assign obs1_trap_o = obs1[`GNOMON_OBS_TRAP];
    assign obs1_trap_enter_o = obs1[`GNOMON_OBS_TRAP_ENTER];
    assign obs1_trap_leave_o = obs1[`GNOMON_OBS_TRAP_LEAVE];
    assign obs1_trap_cause_o = obs1[`GNOMON_OBS_TRAP_CAUSE];
    assign obs1_cause_o = obs1[`GNOMON_OBS_CAUSE];
    assign obs1_insn_o = obs1[`GNOMON_OBS_INSN];
    assign obs1_pc_rdata_o = obs1[`GNOMON_OBS_PC_RDATA];
    assign obs1_pc_wdata_o = obs1[`GNOMON_OBS_PC_WDATA];
    assign obs1_rd_addr_o = obs1[`GNOMON_OBS_RD_ADDR];
    assign obs1_rd_wdata_o = obs1[`GNOMON_OBS_RD_WDATA];
    assign obs1_mem_addr_o = obs1[`GNOMON_OBS_MEM_ADDR];
    assign obs1_mem_wmask_o = obs1[`GNOMON_OBS_MEM_WMASK];
    assign obs1_mem_wdata_o = obs1[`GNOMON_OBS_MEM_WDATA];
    generate
        if (HARTS != 1) begin : g_hart1
`define PROFILE1 u_soc.g_two_harts.u_second_hart.u_profile
`define ENCODER1 `PROFILE1.u_trace_encoder
`define MERGE u_soc.g_two_harts.u_trace_merge
            wire idle1 = `ENCODER1.idling && !`ENCODER1.entry_valid_i && !`ENCODER1.flush;
            assign later1 = `PROFILE1.encoder_open && |`PROFILE1.u_regs.flush_cycles;
            assign busy1 = !(idle1 || (`ENCODER1.emit && !`ENCODER1.can)) || (!`MERGE.sending && |`MERGE.whole);
            assign obs1 = u_soc.g_two_harts.u_second_hart.obs_o;
            assign wake1 = `PROFILE1.hart_rst || `ENCODER1.flush_i || `ENCODER1.age_flush_i || (!`PROFILE1.u_fifo.empty_o && !`PROFILE1.u_fifo.valid);
`define RETIRED(obs) {3'd0, obs[`GNOMON_OBS_VALID], obs[`GNOMON_OBS_TRAP], obs[`GNOMON_OBS_TRAP_ENTER], obs[`GNOMON_OBS_TRAP_LEAVE], \
    obs[`GNOMON_OBS_DEBUG], obs[`GNOMON_OBS_CAUSE], obs[`GNOMON_OBS_TRAP_CAUSE], obs[`GNOMON_OBS_RD_ADDR], obs[`GNOMON_OBS_MEM_RMASK], \
    obs[`GNOMON_OBS_MEM_WMASK], obs[`GNOMON_OBS_INSN], obs[`GNOMON_OBS_PC_RDATA], obs[`GNOMON_OBS_PC_WDATA], obs[`GNOMON_OBS_RD_WDATA], \
    obs[`GNOMON_OBS_MEM_ADDR], obs[`GNOMON_OBS_MEM_RDATA], obs[`GNOMON_OBS_MEM_WDATA]}
            assign retired0_o = `RETIRED(obs);
            assign retired1_o = `RETIRED(obs1);
            assign access_o = {23'd0, u_soc.mon_valid, u_soc.mon_hart, u_soc.mon_master, u_soc.mon_write, u_soc.mon_strb, u_soc.mon_addr,
                u_soc.mon_wdata};
        end else begin : g_no_hart1
            assign obs1 = {`GNOMON_OBS_BITS{1'b0}};
            assign {later1, busy1, wake1, retired0_o, retired1_o, access_o} = 611'd0;
        end
    endgenerate

    // The trace encoder is idle if it has no work, or if its byte is not taken.
`define ENCODER u_soc.u_profile.u_trace_encoder
    wire encoder_idle = `ENCODER.idling && !`ENCODER.entry_valid_i && !`ENCODER.flush;
    wire encoder_works = !(encoder_idle || (`ENCODER.emit && !`ENCODER.can));
    wire encoder_busy = !u_soc.u_profile.records_idle || (u_soc.trace_valid && u_soc.trace_ready) || encoder_works;
    wire port_busy = u_soc.u_hostport.state != u_soc.u_hostport.IDLE || u_soc.cmd_valid || u_soc.event_valid || u_soc.tx_valid ||
        (u_soc.acm_valid && u_soc.acm_ready) || (CONFIG == 2 && u_soc.acm_typed_valid);
    // The FIFO holds an entry that it does not show yet. An access changes registers of clk_host_i, too.
    wire entry_waits = !u_soc.u_profile.u_fifo.empty_o && !u_soc.u_profile.u_fifo.valid;
    assign host_wake_o = rst || hart_rst_o || u_soc.u_profile.hart_rst || |u_soc.reg_sel || `ENCODER.flush_i || `ENCODER.age_flush_i || entry_waits ||
        u_soc.any_end || wake1 || u_soc.u_sysctl.halts || (LEAN != 0 && u_soc.hpm_valid);
    // The encoder's clock may rise alone only if the other clocks neither miss an event nor see it too often: no entry
    // leaves the FIFO (the capture counts entries), no word of END is requested, and no flush or reset is active.
    // Function records take as long as on a board.
    wire encoder_alone = !u_soc.u_profile.entry_pop && !(`ENCODER.entry_valid_i && `ENCODER.is_end) && !`ENCODER.flush_i && !`ENCODER.age_flush_i &&
        !`ENCODER.hart_rst_i && !rst && !u_soc.u_profile.records;
    assign encoder_ahead_o = HARTS == 1 && tap && (encoder_works || entry_waits) && encoder_alone;
    assign tap_valid_o = tap && u_soc.trace_valid && u_soc.trace_ready;
    assign tap_data_o = u_soc.trace_data;
    // Signals between the USB device's two clocks are still in the synchronisers.
`define USB_IN u_soc.u_usb.u_in
`define USB_OUT u_soc.u_usb.u_out
    wire to_host = `USB_IN.u_rep.u_handover.u_to_p.d_i != `USB_IN.u_rep.u_handover.u_to_p.s1 || `USB_IN.u_rep.u_handover.u_to_p.s1 != `USB_IN.u_rep.u_handover.u_to_p.s2 ||
        `USB_IN.u_trace.u_to_p.d_i != `USB_IN.u_trace.u_to_p.s1 || `USB_IN.u_trace.u_to_p.s1 != `USB_IN.u_trace.u_to_p.s2 ||
        `USB_OUT.u_handover.u_to_c.d_i != `USB_OUT.u_handover.u_to_c.s1 || `USB_OUT.u_handover.u_to_c.s1 != `USB_OUT.u_handover.u_to_c.s2;
    wire to_usb = `USB_IN.u_rep.u_handover.u_to_c.d_i != `USB_IN.u_rep.u_handover.u_to_c.s1 || `USB_IN.u_rep.u_handover.u_to_c.s1 != `USB_IN.u_rep.u_handover.u_to_c.s2 ||
        `USB_IN.u_trace.u_to_c.d_i != `USB_IN.u_trace.u_to_c.s1 || `USB_IN.u_trace.u_to_c.s1 != `USB_IN.u_trace.u_to_c.s2 ||
        `USB_OUT.u_handover.u_to_p.d_i != `USB_OUT.u_handover.u_to_p.s1 || `USB_OUT.u_handover.u_to_p.s1 != `USB_OUT.u_handover.u_to_p.s2;
    // The same conditions for the console's buffers.
    wire acm_busy, acm_to_usb, acm_left;
    generate
        if (CONFIG == 2) begin : g_acm
`define ACM_IN `USB_IN.g_acm.u_acm
`define ACM_OUT u_soc.u_usb.g_acm.u_out
            assign acm_busy = `ACM_IN.u_handover.u_to_p.d_i != `ACM_IN.u_handover.u_to_p.s1 ||
                `ACM_IN.u_handover.u_to_p.s1 != `ACM_IN.u_handover.u_to_p.s2 || `ACM_OUT.u_handover.u_to_c.d_i != `ACM_OUT.u_handover.u_to_c.s1 ||
                `ACM_OUT.u_handover.u_to_c.s1 != `ACM_OUT.u_handover.u_to_c.s2 || `ACM_OUT.c_avail || `ACM_OUT.valid || `ACM_IN.short_o ||
                u_soc.u_usb.g_acm.u_open.d_i != u_soc.u_usb.g_acm.u_open.s1 || u_soc.u_usb.g_acm.u_open.s1 != u_soc.u_usb.g_acm.u_open.s2;
            assign acm_to_usb = `ACM_IN.u_handover.u_to_c.d_i != `ACM_IN.u_handover.u_to_c.s1 ||
                `ACM_IN.u_handover.u_to_c.s1 != `ACM_IN.u_handover.u_to_c.s2 || `ACM_OUT.u_handover.u_to_p.d_i != `ACM_OUT.u_handover.u_to_p.s1 ||
                `ACM_OUT.u_handover.u_to_p.s1 != `ACM_OUT.u_handover.u_to_p.s2 ||
                u_soc.u_usb.g_acm.overrun_level != u_soc.u_usb.g_acm.overrun_last;
            assign acm_left = u_soc.acm_open && u_soc.u_usb.in_avail[2];
        end else begin : g_no_acm
            assign {acm_busy, acm_to_usb, acm_left} = 3'd0;
        end
    endgenerate
    assign later_o = (u_soc.u_profile.encoder_open && |u_soc.u_profile.u_regs.flush_cycles) || later1;
    // A released hart that waits for its memory (an SDRAM after power-up) needs time, not the host.
    assign waits_o = u_soc.u_sysctl.hart_reset;
    assign left_o = !host_idle || u_soc.u_usb.in_avail[1:0] != 2'b00 || acm_left;
    assign host_busy_o = busy1 || encoder_busy || port_busy || to_host || `USB_OUT.c_avail || `USB_OUT.valid || `USB_IN.rep_short || acm_busy;
    assign usb_busy_o = rst || to_usb || acm_to_usb;
    assign serial_divider_o = u_soc.SERIAL_DIVIDER;
    generate
        if (LINE != 0) begin : g_serial
`define SERIAL_LINE u_soc.u_usb.g_serial.u_serial
            assign serial_busy_o = rst || !`SERIAL_LINE.idle || `SERIAL_LINE.u_rx.busy || `SERIAL_LINE.u_tx.bits != 4'd0 ||
                `SERIAL_LINE.u_rx.valid_o || `SERIAL_LINE.frame_good || `SERIAL_LINE.rx_end_o || `SERIAL_LINE.token_o;
        end else begin : g_usb
            assign serial_busy_o = 1'b0;
        end
    endgenerate

endmodule

`default_nettype wire
