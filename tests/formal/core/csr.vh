// SPDX-License-Identifier: Apache-2.0
// A model of the machine's state that follows the bundle: the mode and the CSRs, their legality, reads and writes, the
// effects and targets of traps and mret. The bundle's CSR channel must agree. No debug mode.
    reg  [31:0] mstatus, mie, mtvec, mscratch, mepc, mcause, mtval, mcounteren;
    reg         mode_user;
    reg  [31:0] next;                    // address of the next instruction
    reg  [3:0]  asked;                   // this interrupt has been high at some time
    reg         overflowed;  // the counters' overflow interrupt has been high at some time, or software has set it

    wire        counter = number >= 12'hb00 & number <= 12'hb1f & number != 12'hb01
                        | number >= 12'hb80 & number <= 12'hb9f & number != 12'hb81
                        | number >= 12'hc00 & number <= 12'hc1f | number >= 12'hc80 & number <= 12'hc9f
                        | number == 12'h320 | number >= 12'h323 & number <= 12'h33f
                        | `OVERFLOW != 0 & number >= 12'h723 & number <= 12'h73f;
    reg         exists, known;
    reg  [31:0] value;
    always @* begin
        exists = 1'b1;
        known = 1'b1;
        value = 32'd0;
        case (number)
            12'h300: value = mstatus;
            12'h301: value = 32'h4000_1104 | (`ATOMIC != 0 ? 32'd1 : 32'd0) | (`USER != 0 ? 32'h0010_0000 : 32'd0);
            12'h304: value = mie;
            12'h305: value = mtvec;
            12'h306: begin value = mcounteren; exists = `USER != 0; end
            12'h340: value = mscratch;
            12'h341: value = mepc;
            12'h342: value = mcause;
            12'h343: value = mtval;
            12'h344: known = 1'b0;
            12'h310, 12'hf11, 12'hf12, 12'hf13, 12'hf14, 12'hf15: value = 32'd0;
            default: begin
                exists = counter | g_exists;
                known = g_exists;
                value = g_rdata;
            end
        endcase
    end
    // CSR numbers encode the required mode. Counters also need mcounteren.
    wire        enough = ~mode_user | number[9:8] == 2'b00 & mcounteren[number[4:0]];
    wire        ok = exists & enough & ~(writes & number[11:10] == 2'b11);
    wire [31:0] old = known ? value : obs_csr_rdata;
    wire [31:0] written = op[1:0] == 2'b01 ? source : op[1:0] == 2'b10 ? old | source : old & ~source;

    // Traps.
    wire [4:0]  code = obs_trap_cause[4:0];
    wire [1:0]  line = code == 5'd3 ? 2'd0 : code == 5'd7 ? 2'd1 : code == 5'd11 ? 2'd2 : 2'd3;
    wire [31:0] vector = {mtvec[31:2], 2'b00} + (mtvec[0] & obs_trap_cause[5] ? {25'd0, code, 2'b00} : 32'd0);
    // The word that could not be fetched may be the second one of an instruction; the bundle does not say which.
    wire [31:0] second_word = {obs_pc_rdata[31:2] + 30'd1, 2'b00};
    wire        behind = code == 5'd1 & obs_pc_rdata[1] & obs_csr_wdata == second_word;
    wire [31:0] tval = ~obs_valid ? 32'd0 : behind ? second_word : code == 5'd1 | code == 5'd3 & g_fetch_trap ? obs_pc_rdata
                     : code == 5'd2 ? obs_insn : code >= 5'd4 & code <= 5'd7 | code == 5'd3 & s_kind != EBREAK ? s_addr : 32'd0;

    // State after the instruction, or after an interrupt.
    reg  [31:0] n_mstatus, n_mie, n_mtvec, n_mscratch, n_mepc, n_mcause, n_mtval;
    always @* begin
        {n_mstatus, n_mie, n_mtvec, n_mscratch, n_mepc, n_mcause, n_mtval} = {mstatus, mie, mtvec, mscratch, mepc, mcause, mtval};
        if (retired & is_csr & writes)
            case (number)
                12'h300: begin
                    {n_mstatus[7], n_mstatus[3]} = {written[7], written[3]};
                    if (`USER != 0)
                        {n_mstatus[21], n_mstatus[17], n_mstatus[12:11]} = {written[21], written[17], {2{written[12:11] == 2'd3}}};
                end
                12'h304: n_mie = written & (`OVERFLOW != 0 ? 32'h0001_2888 : 32'h0001_0888);
                12'h305: n_mtvec = {written[31:7], written[0] ? 5'd0 : written[6:2], 1'b0, written[0]};
                12'h340: n_mscratch = written;
                12'h341: n_mepc = written & ~32'd1;
                12'h342: n_mcause = written & 32'h8000_001f;
                12'h343: n_mtval = written;
                default: ;
            endcase
        if (retired & s_kind == MRET) begin
            {n_mstatus[7], n_mstatus[3]} = {1'b1, mstatus[7]};
            if (`USER != 0) begin
                n_mstatus[12:11] = 2'd0;
                if (mstatus[12:11] != 2'd3)
                    n_mstatus[17] = 1'b0;
            end
        end
        if (obs_trap_enter) begin
            {n_mstatus[7], n_mstatus[3]} = {mstatus[3], 1'b0};
            n_mstatus[12:11] = {2{~mode_user}};
            n_mcause = {obs_trap_cause[5], 26'd0, code};
            n_mepc = obs_valid ? obs_pc_rdata : next;
            n_mtval = tval;
        end
    end
    // The CSR channel as RVFI defines it.
    localparam NAMES = 9;
    localparam [12*NAMES-1:0] NAMED = {12'hb00, 12'h301, 12'h343, 12'h342, 12'h341, 12'h340, 12'h305, 12'h304, 12'h300};
    wire [32*NAMES-1:0] rmask, wmask, rdata, wdata;
    gnomon_core_rvfi #(.USER(`USER), .COUNT(NAMES), .NUMBERS(NAMED)) rvfi (
        .obs_i(obs),                         .csr_rmask_o(rmask), .csr_wmask_o(wmask), .csr_rdata_o(rdata), .csr_wdata_o(wdata));
    wire [223:0] state = {mtval, mcause, mepc, mscratch, mtvec, mie, mstatus};
    wire [223:0] n_state = {n_mtval, n_mcause, n_mepc, n_mscratch, n_mtvec, n_mie, n_mstatus};
    genvar r;
    generate
        for (r = 0; r < NAMES; r = r + 1) begin : name
            wire [31:0] reads = rmask[32 * r +: 32], writes_to = wmask[32 * r +: 32];
            wire [31:0] read = rdata[32 * r +: 32], data = wdata[32 * r +: 32];
            wire        mine = is_csr & number == NAMED[12 * r +: 12];
            always @(posedge clk_i)
                if (~rst & sane & obs_valid) begin
                    assert (reads == {32{r < 7 | retired & mine}} & (writes_to == 32'd0 | &writes_to));
                    if (r < 7) begin
                        assert (read == state[32 * (r % 7) +: 32]);
                        assert (n_state[32 * (r % 7) +: 32] == (&writes_to ? data : read) | retired & mine);
                    end
                    if (retired & mine)
                        assert (read == obs_csr_rdata & &writes_to == writes & (~writes | data == written));
                end
        end
    endgenerate

    always @(posedge clk_i) begin
        asked <= cycle == 6'd0 ? 4'd0 : asked | in_irq & {4{`IRQ}};
        overflowed <= in_overflow & `IRQ | (rst ? `OVERFLOW != 0 & start_overflow
                    : overflowed | retired & is_csr & writes & number == 12'h344 & written[13]);
        if (rst) begin
            {mtval, mcause, mepc, mscratch, mtvec, mie, mstatus} <= start_csrs;
            mcounteren <= start_counteren;
            mode_user <= start_user;
            next <= {in_boot_pc[31:1], 1'b0};
        end else begin
            {mtval, mcause, mepc, mscratch, mtvec, mie, mstatus} <= n_state;
            if (retired & is_csr & writes & number == 12'h306)
                mcounteren <= written;
            if (obs_trap_enter)
                mode_user <= 1'b0;
            else if (retired & s_kind == MRET)
                mode_user <= mstatus[12:11] == 2'd0;
            if (obs_valid | obs_trap_enter)
                next <= obs_pc_wdata;
        end
        if (~rst & sane) begin
            if (obs_valid)
                assert (obs_mode == {2{~mode_user}});
            if (retired & is_csr) begin
                assert (ok);
                assert (~known | obs_csr_rdata == value);
                assert (obs_rd_addr == 5'd0 | obs_rd_wdata == obs_csr_rdata);
                assert (obs_csr_write == writes & (~writes | obs_csr_wdata == written));
            end else
                assert (~obs_csr_write);
            if (trapped & is_csr & code == 5'd2)
                assert (~ok);
            if (trapped)
                assert (obs_csr_wdata == tval);
            if (retired & s_kind == MRET)
                assert (~mode_user & obs_pc_wdata == mepc);
            if (obs_trap_enter)
                assert (obs_pc_wdata == vector);
            if (interrupted) begin
                assert (mstatus[3] | mode_user);
                assert (code == 5'd3 | code == 5'd7 | code == 5'd11 | code == 5'd16 | code == 5'd13 & `OVERFLOW != 0);
                assert (mie[code] & (code == 5'd13 ? overflowed : asked[line]));
            end
        end
    end

    // Counters: all older instructions have retired when a counter is read; the first instruction to retire after a
    // write pulse is the writer.
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
