// SPDX-License-Identifier: Apache-2.0
// Each instruction that leaves the core did what the manual says.
    wire        window = &s_addr[31:20];
    wire        is_load = s_kind == LOAD | s_kind == LR;
    wire        is_store = s_kind == STORE | s_kind == SC | s_kind == AMO;
    wire        is_memory = is_load | is_store;
    wire        fails = s_kind == SC & obs_mem_wmask == 4'd0;     // an sc that made no store
    wire [3:0]  rmask = is_load | s_kind == AMO ? s_mask : 4'd0;
    wire [3:0]  wmask = is_store & ~fails ? s_mask : 4'd0;
    // By PMP and triggers. For a misaligned access it is open whether a trigger sees it.
    wire        stopped = g_first | g_second & obs_pc_rdata[1] & ~s_short | g_fetch_trap | g_fetch_debug;
    wire        data_stopped = g_data | g_data_trap | g_data_debug;
    // U mode has no mret, and with TW no wfi.
    wire        forbidden = user & (s_kind == MRET | s_kind == WFI & status[21]);
    wire        no_insn = obs_trap_cause == 6'd1 | obs_trap_cause == 6'd3 & g_fetch_trap;     // there is no instruction

    always @(posedge clk_i) begin
        if (retired & sane) begin
            assert (s_legal & ~forbidden & s_kind != ECALL & s_kind != EBREAK & ~s_misaligned);
            assert (~stopped & ~(is_memory & data_stopped));
            assert (obs_rs1_addr == s_rs1 & obs_rs2_addr == s_rs2);
            assert (obs_rd_addr == s_rd);
            assert (s_rd == 5'd0 ? obs_rd_wdata == 32'd0
                    : s_kind == CSR | obs_rd_wdata == (s_kind == SC ? {31'd0, fails} : s_rd_value));
            assert (s_kind == MRET | obs_pc_wdata == s_next_pc);
            assert (obs_mem_rmask == rmask & obs_mem_wmask == wmask);
            assert (~is_memory | obs_mem_addr == s_addr);
            assert (wmask == 4'd0 | ((obs_mem_wdata ^ s_wdata) & bits) == 32'd0);
            assert (~(is_load | s_kind == AMO | s_kind == SC & ~fails) | ~window);
            assert (obs_trap_leave == (s_kind == MRET));
        end
        if (trapped & sane) begin
            assert (obs_rd_addr == 5'd0 & obs_rd_wdata == 32'd0 & obs_mem_rmask == 4'd0 & obs_mem_wmask == 4'd0);
            assert (obs_pc_wdata[1:0] == 2'b00 & ~g_fetch_debug);
            assert (~g_fetch_trap | obs_trap_cause == 6'd3);
            // If buses do not fail, a fetch fault comes from PMP: PMP denies the reported word, and permits the word
            // before it.
            if (obs_trap_cause == 6'd1 & ~`ERRORS)
                assert (obs_csr_wdata == obs_pc_rdata ? g_first : ~g_first & g_second & obs_pc_rdata[1]
                        & obs_csr_wdata == {obs_pc_rdata[31:2] + 30'd1, 2'b00});
        end
        if (trapped & sane & ~no_insn) begin
            assert (~stopped);
            assert (~s_legal | forbidden ? obs_trap_cause == 6'd2
                    : s_kind == CSR ? obs_trap_cause == 6'd2
                    : s_kind == ECALL ? obs_trap_cause == (user ? 6'd8 : 6'd11)
                    : s_kind == EBREAK ? obs_trap_cause == 6'd3
                    : is_memory & (s_misaligned ? obs_trap_cause == (is_load ? 6'd4 : 6'd6) | `TRIGGERS != 0 & obs_trap_cause == 6'd3
                                   : g_data_trap ? obs_trap_cause == 6'd3
                                   : obs_trap_cause == (is_load ? 6'd5 : 6'd7)
                                     & (g_data | `ERRORS | window) & ~(window & s_kind == STORE)));
            assert (~(is_memory & ~s_misaligned) | ~g_data_debug);
            assert (~(s_legal & is_memory) | obs_rs1_addr == s_rs1 & obs_rs2_addr == s_rs2);
        end
        // x0 reads as 0.
        if (live & obs_valid) begin
            assert (obs_rs1_addr != 5'd0 | obs_rs1_rdata == 32'd0);
            assert (obs_rs2_addr != 5'd0 | obs_rs2_rdata == 32'd0);
        end
    end
