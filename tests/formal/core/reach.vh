// SPDX-License-Identifier: Apache-2.0
// The checks are not vacuous: each assertion here claims that an event never happens, and must be refuted within the
// depth of the other checks.
    genvar k;
    generate
        for (k = 1; k <= 16; k = k + 1) begin : kinds
            if (k != ECALL & k != EBREAK) begin : retires
                always @(posedge clk_i) begin
                    assert (~(retired & s_kind == k & ~s_short));
                end
            end
        end
    endgenerate
    always @(posedge clk_i) begin
        assert (~(retired & s_short & s_kind == ALU));
        assert (~(retired & s_short & s_kind == SHIFT));
        assert (~(retired & s_short & s_kind == BRANCH & obs_pc_wdata != obs_pc_rdata + 32'd2));
        assert (~(retired & s_short & s_kind == JAL));
        assert (~(retired & s_short & s_kind == JALR));
        assert (~(retired & s_short & s_kind == LOAD));
        assert (~(retired & s_short & s_kind == STORE));
        assert (~(retired & s_short & s_kind == UPPER));
        assert (~(trapped & s_short & s_kind == EBREAK));
        assert (~(trapped & obs_trap_cause == 6'd1));
        assert (~(trapped & obs_trap_cause == 6'd2 & s_kind == CSR));
        assert (~(trapped & obs_trap_cause == 6'd2 & s_kind == BAD));
        assert (~(trapped & obs_trap_cause == 6'd3));
        assert (~(trapped & obs_trap_cause == 6'd4));
        assert (~(trapped & obs_trap_cause == 6'd5));
        assert (~(trapped & obs_trap_cause == 6'd6));
        assert (~(trapped & obs_trap_cause == 6'd7));
        assert (~(trapped & obs_trap_cause == 6'd11));
        assert (~(retired & obs_order == 64'd2 & s_kind == STORE));
        assert (~(retired & obs_order == 64'd1 & obs_intr));
`ifdef WITH_IRQ
        assert (~interrupted);
        assert (~(interrupted & obs_trap_cause == 6'd48));
`endif
`ifdef WITH_DEBUG
        assert (~(retired & obs_order == 64'd0 & cycle > 6'd12 & ~obs_debug));
        assert (~obs_debug);
        assert (~(dbg_error & halted));
`endif
        // The bundle of a handler's first instruction, which reads mepc; a vector table.
        assert (~(retired & obs_intr & s_kind == CSR & number == 12'h341 & obs_rd_addr != 5'd0));
`ifdef WITH_IRQ
        assert (~(interrupted & obs_csr_state[64] & obs_pc_wdata[6:2] == 5'd11));
`endif
        if (`ATOMIC != 0) begin
            assert (~(retired & s_kind == AMO));
            assert (~(retired & s_kind == SC & obs_mem_wmask == 4'd0));
            assert (~(retired & s_kind == SC & obs_mem_wmask != 4'd0));
            assert (~(trapped & s_kind == AMO & obs_trap_cause == 6'd7));
        end
        if (`USER != 0) begin
            assert (~(retired & user & s_kind == STORE & sane));
            assert (~(retired & s_kind == MRET & status[12:11] == 2'd0 & sane));
            assert (~(trapped & user & s_kind == MRET & sane));
            assert (~(trapped & user & s_kind == WFI & sane));
            assert (~(retired & user & is_csr & sane));
            assert (~(trapped & user & obs_trap_cause == 6'd8 & sane));
        end
        if (`PMP != 0) begin
            assert (~(trapped & obs_trap_cause == 6'd1 & g_first & sane));
            assert (~(trapped & obs_trap_cause == 6'd1 & ~g_first & g_second & obs_csr_wdata != obs_pc_rdata & sane));
            assert (~(trapped & obs_trap_cause == 6'd7 & ~user & g_data & status[17] & sane));
            assert (~(trapped & obs_trap_cause == 6'd5 & user & g_data & sane));
            assert (~(retired & user & s_kind == LOAD & ~g_data & sane));
            assert (~(retired & is_csr & writes & number == 12'h3b0 & sane));
        end
        if (`TRIGGERS != 0) begin
            assert (~(trapped & obs_trap_cause == 6'd3 & g_fetch_trap & sane));
            assert (~(trapped & obs_trap_cause == 6'd3 & g_data_trap & s_kind == STORE & sane));
            assert (~(retired & is_csr & writes & number == 12'h7a1 & sane));
        end
    end
