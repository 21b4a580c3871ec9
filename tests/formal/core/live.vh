// SPDX-License-Identifier: Apache-2.0
// With bounded waits (WAIT), an instruction retires or a trap is taken within LIMIT cycles, except in wfi and debug
// mode.
    reg  [5:0]  idle;
    always @(posedge clk_i) begin
        idle <= rst | obs_valid | obs_trap_enter | obs_wfi | obs_debug | i_flush & ~flush_done ? 6'd0 : idle + 6'd1;
        if (~rst)
            assert (idle < `LIMIT);
    end
