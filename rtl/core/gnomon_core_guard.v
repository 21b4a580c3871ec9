// SPDX-License-Identifier: Apache-2.0
// Optional units that may stop an instruction, with their CSRs: U mode, physical memory protection, triggers. They
// check an instruction as it enters D, from registers: D takes no instruction while one of these CSRs is accessed or
// the mode changes. A load or store that may be stopped waits one cycle in X for the result, so no request depends on
// the comparators. Other loads and stores do not wait.
`default_nettype none

module gnomon_core_guard #(
  parameter USER = 0,
  parameter PMP = 0,
  parameter PMP_GRAIN = 2,
  parameter TRIGGERS = 0
) (
  input  wire        clk_i, rst_i,

  input  wire        csr_write_i,
  input  wire [11:0] csr_addr_i,
  input  wire [31:0] csr_wdata_i,
  output wire        csr_exists_o,
  output wire [31:0] csr_rdata_o,
  output wire        csr_denied_o,  // the current mode must not access the CSR
  output wire [31:0] status_o,      // bits of mstatus

  input  wire        mie_i,      // mstatus.MIE
  input  wire        debug_i, w_trap_i, w_mret_i,
  input  wire        w_debug_i,  // W enters debug mode
  input  wire        resume_i,   // the hart has left debug mode
  output wire        user_o,     // the hart is in U mode; 0 in debug mode
  output wire        wfi_traps_o, ebreaku_o,

  input  wire        d_load_i,         // D takes F's instruction
  input  wire [31:1] f_pc_i,
  output wire        d_denied_o,       // PMP denies the word in which the instruction begins
  output wire        d_next_denied_o,  // PMP denies the next word
  output wire        d_hit_trap_o,     // a trigger raises a breakpoint exception
  output wire        d_hit_debug_o,    // a trigger enters debug mode

  input  wire        x_access_i,  // X has a load or store, which stays while x_unchecked_o is high
  input  wire        x_store_i,
  input  wire [1:0]  x_size_i,    // log2 of the bytes
  input  wire [31:0] x_addr_i,
  input  wire        x_leaves_i,  // X's instruction moves to M or is killed
  output wire        x_unchecked_o, x_denied_o, x_hit_trap_o, x_hit_debug_o
);
  wire        mode_exists, pmp_exists, trigger_exists, data_user;
  wire [31:0] mode_rdata, pmp_rdata, trigger_rdata;
  wire        pmp_checks, pmp_denied, trigger_checks, trigger_trap, trigger_debug;
  assign csr_exists_o = mode_exists || pmp_exists || trigger_exists;
  assign csr_rdata_o = mode_rdata | pmp_rdata | trigger_rdata;

  generate
    if (USER != 0) begin : with_user
      gnomon_core_mode u_mode (
        .clk_i(clk_i), .rst_i(rst_i), .csr_write_i(csr_write_i), .csr_addr_i(csr_addr_i), .csr_wdata_i(csr_wdata_i),
        .csr_exists_o(mode_exists), .csr_rdata_o(mode_rdata), .csr_denied_o(csr_denied_o), .status_o(status_o),
            .w_trap_i(w_trap_i),
        .w_mret_i(w_mret_i), .w_debug_i(w_debug_i), .resume_i(resume_i), .debug_i(debug_i), .user_o(user_o),
        .data_user_o(data_user), .wfi_traps_o(wfi_traps_o), .ebreaku_o(ebreaku_o));
    end else begin : no_user
      assign {user_o, data_user, wfi_traps_o, ebreaku_o, mode_exists, mode_rdata, csr_denied_o, status_o} = 70'd0;
      wire unused = &{1'b0, w_trap_i, w_mret_i, w_debug_i, resume_i};
    end

    if (PMP != 0) begin : with_pmp
      wire        f_denied, f_next_denied, denied;
      reg         first, second;
      assign {d_denied_o, d_next_denied_o} = {first, second};
      gnomon_core_pmp #(.ENTRIES(PMP), .GRAIN(PMP_GRAIN)) u_pmp (
        .clk_i(clk_i), .rst_i(rst_i), .csr_write_i(csr_write_i), .csr_addr_i(csr_addr_i), .csr_wdata_i(csr_wdata_i),
        .csr_exists_o(pmp_exists), .csr_rdata_o(pmp_rdata), .f_addr_i(f_pc_i[31:2]), .f_user_i(user_o),
        .f_denied_o(f_denied), .f_next_denied_o(f_next_denied), .x_addr_i(x_addr_i[31:2]), .x_user_i(data_user),
        .x_store_i(x_store_i), .x_checks_o(pmp_checks), .x_denied_o(denied));
      always @(posedge clk_i)
        if (d_load_i)
          {first, second} <= {f_denied && !debug_i, f_next_denied && !debug_i};
      // Every mode may send messages.
      assign pmp_denied = denied && !(x_store_i && &x_addr_i[31:20]);
    end else begin : no_pmp
      assign {d_denied_o, d_next_denied_o, pmp_exists, pmp_rdata, pmp_checks, pmp_denied} = 37'd0;
      wire unused = data_user;
    end

    if (TRIGGERS != 0) begin : with_triggers
      wire        f_trap, f_debug;
      reg         trap, enter;
      assign {d_hit_trap_o, d_hit_debug_o} = {trap, enter};
      gnomon_core_trigger #(.COUNT(TRIGGERS), .USER(USER)) u_trigger (
        .clk_i(clk_i), .rst_i(rst_i), .csr_write_i(csr_write_i), .csr_addr_i(csr_addr_i), .csr_wdata_i(csr_wdata_i),
        .csr_exists_o(trigger_exists), .csr_rdata_o(trigger_rdata), .debug_i(debug_i), .user_i(user_o), .mie_i(mie_i),
        .f_pc_i(f_pc_i), .f_trap_o(f_trap), .f_debug_o(f_debug), .x_addr_i(x_addr_i), .x_size_i(x_size_i),
        .x_store_i(x_store_i), .x_checks_o(trigger_checks), .x_trap_o(trigger_trap), .x_debug_o(trigger_debug));
      always @(posedge clk_i)
        if (d_load_i)
          {trap, enter} <= {f_trap, f_debug};
    end else begin : no_triggers
      assign {d_hit_trap_o, d_hit_debug_o, trigger_exists, trigger_rdata} = 35'd0;
      assign {trigger_checks, trigger_trap, trigger_debug} = 3'd0;
      wire unused = &{1'b0, mie_i, x_size_i, f_pc_i[1], x_addr_i[1:0]};
    end

    if (PMP != 0 || TRIGGERS != 0) begin : checks
      reg         done, denied, trap, enter;
      wire        needs = x_access_i && (pmp_checks || trigger_checks);
      assign {x_denied_o, x_hit_trap_o, x_hit_debug_o} = {3{x_access_i && done}} & {denied, trap, enter};
      assign x_unchecked_o = needs && !done;
      always @(posedge clk_i) begin
        done <= needs && !x_leaves_i && !rst_i;
        {denied, trap, enter} <= {pmp_denied, trigger_trap, trigger_debug};
      end
    end else begin : no_checks
      assign {x_unchecked_o, x_denied_o, x_hit_trap_o, x_hit_debug_o} = 4'd0;
      wire unused = &{1'b0, clk_i, rst_i, csr_write_i, csr_addr_i, csr_wdata_i, debug_i, d_load_i, f_pc_i, x_access_i,
              x_store_i, x_addr_i, x_leaves_i, pmp_checks, pmp_denied, trigger_checks, trigger_trap, trigger_debug};
    end
  endgenerate
endmodule
`default_nettype wire
