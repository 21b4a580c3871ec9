// SPDX-License-Identifier: Apache-2.0
// Each instruction that leaves the core did what the manual says.
    wire        window = &s_addr[31:16];
    wire        traps_fetch = obs_trap_cause == 6'd1;    // its word could not be had: there is no instruction
    wire        is_load = s_kind == LOAD | s_kind == LR;
    wire        is_store = s_kind == STORE | s_kind == SC | s_kind == AMO;
    wire        is_memory = is_load | is_store;
    wire        fails = s_kind == SC & obs_mem_wmask == 4'd0;     // of sc: no store was made
    wire [3:0]  rmask = is_load | s_kind == AMO ? s_mask : 4'd0;
    wire [3:0]  wmask = is_store & ~fails ? s_mask : 4'd0;

    always @(posedge clk_i) begin
        if (retired) begin
            assert (s_legal & s_kind != ECALL & s_kind != EBREAK & ~s_misaligned);
            assert (obs_rs1_addr == s_rs1 & obs_rs2_addr == s_rs2);
            assert (obs_rd_addr == s_rd);
            assert (s_rd == 5'd0 ? obs_rd_wdata == 32'd0
                    : s_kind == CSR | obs_rd_wdata == (s_kind == SC ? {31'd0, fails} : s_rd_value));
            assert (s_kind == MRET | obs_pc_wdata == s_next_pc);
            assert (obs_mem_rmask == rmask & obs_mem_wmask == wmask);
            assert (~is_memory | obs_mem_addr == s_addr);
            assert (wmask == 4'd0 | ((obs_mem_wdata ^ s_wdata) & bits) == 32'd0);
            assert (~(is_load | s_kind == AMO | s_kind == SC) | ~window);
            assert (obs_trap_leave == (s_kind == MRET));
        end
        if (trapped & ~traps_fetch) begin
            assert (obs_rd_addr == 5'd0 & obs_rd_wdata == 32'd0 & obs_mem_rmask == 4'd0 & obs_mem_wmask == 4'd0);
            assert (obs_pc_wdata[1:0] == 2'b00);
            assert (~s_legal ? obs_trap_cause == 6'd2
                    : s_kind == CSR ? obs_trap_cause == 6'd2
                    : s_kind == ECALL ? obs_trap_cause == 6'd11
                    : s_kind == EBREAK ? obs_trap_cause == 6'd3
                    : is_load ? obs_trap_cause == (s_misaligned ? 6'd4 : 6'd5)
                    : is_store & obs_trap_cause == (s_misaligned ? 6'd6 : 6'd7) & ~(window & s_kind == STORE & ~s_misaligned));
            assert (~(s_legal & is_memory) | obs_rs1_addr == s_rs1 & obs_rs2_addr == s_rs2);
        end
        // What x0 is read as.
        if (live & obs_valid) begin
            assert (obs_rs1_addr != 5'd0 | obs_rs1_rdata == 32'd0);
            assert (obs_rs2_addr != 5'd0 | obs_rs2_rdata == 32'd0);
        end
    end
