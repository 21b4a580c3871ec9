// SPDX-License-Identifier: Apache-2.0
// The state after reset, while the other checks begin in any state: M mode, interrupts off, no protection, no trigger.
    always @(posedge clk_i)
        if (cycle == 6'd2) begin
            assert (start_csrs[31:0] == (`USER != 0 ? start_csrs[31:0] & 32'h1800 : 32'h1800));
            assert (start_csrs[63:32] == 32'd0 & start_csrs[191:160] == 32'd0);
            assert (~start_user & ~start_step & ~start_ebreakm & ~start_ebreaku);
            assert (`USER == 0 | start_counteren == 32'd0);
            assert (`PMP == 0 | start_configs == {8*ENTRIES{1'b0}});
            assert (`TRIGGERS == 0 | start_controls == {COUNT{32'h2400_0000}});
        end
