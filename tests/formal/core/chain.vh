// SPDX-License-Identifier: Apache-2.0
// The chain of addresses, of order numbers, of register values; each instruction begins where the one before said, and
// reads what the last one to write left. A word of the chain is unknown only after debug mode with CSRs written there.
    reg         known;                   // next is the address of what comes next
    reg  [31:0] next;
    reg  [63:0] order;
    reg         handler;
    (* keep *) wire [4:0] place;         // joined with the register file's, by checks.py
    reg         written;
    reg  [31:0] value;
    // Of a word that could not be had the bundle says nothing.
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
            // An interrupt changes what comes next, and what would have come is not lost: mepc (csr.vh).
            if (obs_valid | obs_trap_enter) begin
                next <= obs_pc_wdata;
                known <= 1'b1;
                handler <= obs_trap_enter;
            end
            if (obs_valid)
                order <= order + 64'd1;
            if (obs_debug)
                written <= 1'b0;         // injected instructions write registers, too
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
