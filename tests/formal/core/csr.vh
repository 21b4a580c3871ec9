// SPDX-License-Identifier: Apache-2.0
// Machine-mode CSRs by a model that follows the bundle: what is read, which are legal, what traps and mret do to them and
// where they go. The words that a long reset would clear are unknown until written. No debug mode.
    wire [11:0] number = obs_insn[31:20];
    wire [2:0]  op = obs_insn[14:12];
    wire        writes = op[1:0] == 2'b01 | obs_insn[19:15] != 5'd0;
    wire [31:0] source = op[2] ? {27'd0, obs_insn[19:15]} : obs_rs1_rdata;

    reg         mie, mpie;
    reg  [3:0]  enable;                  // 16, 11, 7, 3
    reg  [31:0] mcause, mtvec, mscratch, mepc, mtval;
    reg         mtvec_known, mscratch_known, mepc_known, mtval_known;
    reg  [31:0] next;                    // address of the next instruction
    reg  [3:0]  asked;                   // this interrupt has been high at some time

    wire        counter = number >= 12'hb00 & number <= 12'hb1f & number != 12'hb01
                        | number >= 12'hb80 & number <= 12'hb9f & number != 12'hb81
                        | number >= 12'hc00 & number <= 12'hc1f | number >= 12'hc80 & number <= 12'hc9f
                        | number == 12'h320 | number >= 12'h323 & number <= 12'h33f;
    reg         exists, known;
    reg  [31:0] value;
    always @* begin
        exists = 1'b1;
        known = 1'b1;
        value = 32'd0;
        case (number)
            12'h300: value = 32'h1800 | {24'd0, mpie, 3'd0, mie, 3'd0};
            12'h301: value = 32'h4000_1104;
            12'h304: value = {15'd0, enable[3], 4'd0, enable[2], 3'd0, enable[1], 3'd0, enable[0], 3'd0};
            12'h305: begin value = mtvec; known = mtvec_known; end
            12'h340: begin value = mscratch; known = mscratch_known; end
            12'h341: begin value = mepc; known = mepc_known; end
            12'h342: value = mcause;
            12'h343: begin value = mtval; known = mtval_known; end
            12'h344: known = 1'b0;
            12'h310, 12'hf11, 12'hf12, 12'hf13, 12'hf14, 12'hf15: value = 32'd0;
            default: begin exists = counter; known = 1'b0; end
        endcase
    end
    wire        is_csr = s_kind == CSR;
    wire        ok = exists & ~(writes & number[11:10] == 2'b11);
    // Read-modify-write of what is known, or seen in rd.
    wire        seen = known | op[1:0] == 2'b01 | obs_rd_addr != 5'd0;
    wire [31:0] old = obs_rd_addr != 5'd0 ? obs_rd_wdata : value;
    wire [31:0] written = op[1:0] == 2'b01 ? source : op[1:0] == 2'b10 ? old | source : old & ~source;

    wire [4:0]  code = obs_trap_cause[4:0];
    wire [1:0]  line = code == 5'd3 ? 2'd0 : code == 5'd7 ? 2'd1 : code == 5'd11 ? 2'd2 : 2'd3;
    wire [31:0] vector = {mtvec[31:2], 2'b00} + (mtvec[0] & obs_trap_cause[5] ? {25'd0, code, 2'b00} : 32'd0);
    wire        spanned = obs_pc_rdata[1];
    always @(posedge clk_i) begin
        asked <= rst ? 4'd0 : asked | in_irq & {4{`IRQ}};
        if (rst) begin
            {mie, mpie, enable, mcause} <= 38'd0;
            {mtvec_known, mscratch_known, mepc_known, mtval_known} <= 4'd0;
            next <= {in_boot_pc[31:1], 1'b0};
        end else begin
            if (retired & is_csr & writes)
                case (number)
                    12'h300: if (seen) {mpie, mie} <= {written[7], written[3]};
                    12'h304: enable <= {written[16], written[11], written[7], written[3]};
                    12'h305: begin
                        mtvec_known <= seen;
                        mtvec <= {written[31:7], written[0] ? 5'd0 : written[6:2], 1'b0, written[0]};
                    end
                    12'h340: begin mscratch_known <= seen; mscratch <= written; end
                    12'h341: begin mepc_known <= seen; mepc <= {written[31:1], 1'b0}; end
                    12'h342: mcause <= {written[31], 26'd0, written[4:0]};
                    12'h343: begin mtval_known <= seen; mtval <= written; end
                    default: ;
                endcase
            if (retired & s_kind == MRET)
                {mpie, mie} <= {1'b1, mpie};
            if (obs_trap_enter) begin
                {mpie, mie} <= {mie, 1'b0};
                mcause <= {obs_trap_cause[5], 26'd0, code};
                mepc <= obs_valid ? obs_pc_rdata : next;
                mepc_known <= 1'b1;
                mtval_known <= ~(obs_valid & code == 5'd1);
                mtval <= ~obs_valid ? 32'd0 : code == 5'd2 ? obs_insn : code >= 5'd4 & code <= 5'd7 ? s_addr : 32'd0;
            end
            if (obs_valid | obs_trap_enter)
                next <= obs_pc_wdata;
        end
        if (~rst & retired & is_csr) begin
            assert (ok);
            assert (~known | obs_rd_addr == 5'd0 | obs_rd_wdata == value);
        end
        if (~rst & trapped & is_csr & code != 5'd1)
            assert (~ok);
        if (~rst & retired & s_kind == MRET & mepc_known)
            assert (obs_pc_wdata == mepc);
        if (~rst & obs_trap_enter & mtvec_known)
            assert (obs_pc_wdata == vector);
        if (~rst & interrupted) begin
            assert (mie);
            assert (code == 5'd3 | code == 5'd7 | code == 5'd11 | code == 5'd16);
            assert (enable[line] & asked[line]);
        end
    end

    // Counters: everything older has retired when a counter is read; the next to retire behind a write pulse is the writer.
    reg         wrote;
    reg  [11:0] wrote_number;
    always @(posedge clk_i) begin
        wrote <= ~rst & (hpm_valid & hpm_write | wrote & ~obs_valid);
        if (hpm_valid & hpm_write)
            wrote_number <= hpm_addr;
        if (~rst & wrote & obs_valid)
            assert (retired & is_csr & writes & number == wrote_number);
        if (~rst & hpm_valid & ~hpm_write)
            assert (~obs_valid);
    end
