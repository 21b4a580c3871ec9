// SPDX-License-Identifier: Apache-2.0
// Put into a copy of gnomon_core by coverage.py: the class of the instruction in each stage, as numbered in events.py.
    wire [4:0] c_d = ~d_valid | d_mark ? 5'd0 : d_fault ? 5'd19 : d_bad | d_illegal ? 5'd18 : d_ebreak ? 5'd17 : d_ecall ? 5'd16
                   : d_fence_i ? 5'd15 : d_wfi ? 5'd14 : d_mret ? 5'd13
                   : d_csr ? (d_insn[31:28] == 4'hb | d_insn[31:28] == 4'hc | d_insn[31:25] == 7'h19 ? 5'd11
                              : d_insn[31:24] == 8'h30 ? 5'd12
                              : d_insn[13:12] == 2'b01 | d_insn[19:15] != 5'd0 ? 5'd10 : 5'd9)
                   : d_jalr ? 5'd8 : d_jal ? 5'd7 : d_branch ? 5'd6 : d_is_store ? 5'd5 : d_is_load ? 5'd4
                   : d_div ? 5'd3 : d_mul ? 5'd2 : 5'd1;
    reg  [4:0] c_x, c_m, c_w, c_last;
    wire [4:0] c_ahead = c_w != 5'd0 ? c_w : c_last;     // what comes before M's instruction in the program's order
    wire [4:0] c_behind = c_x != 5'd0 ? c_x : c_d;       // and after it
    wire       f_other = w_redirect | x_redirect;
    always @(posedge clk_i) begin
        if (x_go)
            c_x <= d_hazard | x_redirect ? 5'd0 : c_d;
        if (m_kill)
            c_x <= 5'd0;
        if (~m_stall)
            c_m <= x_valid & ~x_busy & ~x_refetch & ~m_kill ? c_x : 5'd0;
        c_w <= m_valid & ~m_stall ? c_m : 5'd0;
        if (c_w != 5'd0 & ~debug)
            c_last <= c_w;
        if (rst_i) begin
            c_x <= 5'd0;
            c_m <= 5'd0;
            c_w <= 5'd0;
            c_last <= 5'd0;
        end
    end
