// SPDX-License-Identifier: Apache-2.0
// Not vacuous: for each of these says that it never happens, and must be refuted within the depth of the other checks.
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
    end
