// SPDX-License-Identifier: Apache-2.0
// The rules of the bundle (docs/internals/observation.md). Each cycle has exactly one defined stall cause, so the sum
// of all causes is the number of cycles, and needs no other proof.
    reg         ran;                     // an instruction has retired since reset
    always @(posedge clk_i) begin
        if (cycle == 6'd0)
            ran <= 1'b0;
        else if (rst)
            ran <= 1'b0;
        else if (retired)
            ran <= 1'b1;
        if (live) begin
            assert (obs_cause <= 5'd14 | obs_cause == C_REFRESH | obs_cause == C_PAGE);
            assert ((obs_cause == C_RETIRED) == (obs_valid & ~obs_trap));
            assert (obs_cause != C_RESET | ~ran);
        end
        if (live & ~rst) begin
            assert (ran | obs_cause == C_RESET | obs_cause == C_RETIRED | obs_cause == C_DEBUG);
            assert (~obs_trap | obs_valid & obs_trap_enter & ~obs_trap_cause[5]);
            assert (~obs_trap_enter | (obs_valid ? obs_trap : obs_trap_cause[5]));
            assert (~obs_trap_enter | obs_cause == C_TRAP | ~ran);
            assert (~obs_trap_leave | retired & s_kind == MRET);
            assert (~(retired & s_kind == MRET) | obs_trap_leave);
            assert (~obs_debug | ~obs_valid & ~obs_trap_enter & ~obs_trap_leave & obs_cause == C_DEBUG);
            assert (obs_debug == halted);
            assert (~obs_wfi | ~obs_debug);
        end
    end
