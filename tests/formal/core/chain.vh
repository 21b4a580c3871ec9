// SPDX-License-Identifier: Apache-2.0
// The chains of addresses, order numbers and register values: each instruction begins where the previous one said, and
// reads the last value written. A word of the chain is unknown only after debug mode has written CSRs.
    reg         known;                   // next is the address of the next instruction
    reg  [31:0] next;
    reg  [63:0] order;
    reg         handler;
    (* keep *) wire [4:0] place;         // checks.py joins it with the register file's place
    reg         written;
    reg  [31:0] value;
    // The bundle has no data for a word that could not be fetched.
    wire        no_insn = obs_trap & (obs_trap_cause == 6'd1 | obs_trap_cause == 6'd3 & g_fetch_trap);
    wire        here1 = obs_rs1_addr == place & ~no_insn;
    wire        here2 = obs_rs2_addr == place & ~no_insn;
    always @(posedge clk_i) begin
        if (rst) begin
            known <= 1'b1;
            next <= {in_boot_pc[31:1], 1'b0};
            order <= 64'd0;
            handler <= 1'b0;
            written <= 1'b0;
        end else begin
            // An interrupt changes the next address; mepc has the interrupted one (csr.vh).
            if (obs_valid | obs_trap_enter) begin
                next <= obs_pc_wdata;
                known <= 1'b1;
                handler <= obs_trap_enter;
            end
            if (obs_valid)
                order <= order + 64'd1;
            if (obs_debug)
                written <= 1'b0;         // injected instructions also write registers
            else if (obs_valid & obs_rd_addr == place) begin
                written <= 1'b1;
                value <= obs_rd_wdata;
            end
        end
        if (~rst & obs_valid) begin
            assert (~known | obs_pc_rdata == next);
            assert (obs_order == order);
            assert (obs_intr == handler);
            assert (~obs_debug);
            assert (~written | ~here1 | obs_rs1_rdata == value);
            assert (~written | ~here2 | obs_rs2_rdata == value);
            assert (~obs_halt & (obs_mode == 2'd3 | `USER != 0) & obs_ixl == 2'd1);
        end
        if (~rst & obs_trap_enter & sane)
            assert (obs_pc_wdata[0] == 1'b0);
    end
