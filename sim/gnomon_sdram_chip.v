// SPDX-License-Identifier: Apache-2.0
// Model of an x16 SDR SDRAM with the rules of its data sheet: keeps data, answers after the CAS latency of its mode
// register, and ends the simulation with the rule's name, the bank and the cycle if a command breaks a rule. Times:
// rtl/bus/gnomon_sdram_chip.vh. The model supports only the commands of a controller with bursts of two; other bursts,
// auto precharge, interrupted bursts and a stopped clock end the simulation, too.
`default_nettype none

module gnomon_sdram_chip #(
  parameter integer BYTES = 33_554_432,
  parameter [63:0] POWER_UP = 64'd0          // ps; 0: the time of the data sheet
) (
  input  wire        clk_i,
  input  wire [31:0] clock_hz_i,
  input  wire        cke_i, cs_n_i, ras_n_i, cas_n_i, we_n_i,
  input  wire  [1:0] ba_i,
  input  wire [12:0] a_i,
  input  wire  [1:0] dqm_i,
  input  wire [15:0] dq_i,
  input  wire        dq_oe_i,
  output reg  [15:0] dq_o,
  output reg         dq_oe_o
);

`include "gnomon_sdram_chip.vh"

    localparam integer A = $clog2(BYTES) - 1;  // address bits of a half word
    localparam integer ROW = A - 11;
    localparam [3:0] NOP = 4'b0111, ACTIVE = 4'b0011, READ = 4'b0101, WRITE = 4'b0100, PRECHARGE = 4'b0010, REFRESH = 4'b0001, MODE = 4'b0000;

    reg [15:0] mem[0:(1<<A)-1];
    reg [63:0] cycle, now, period;            // in picoseconds
    wire [63:0] waited = POWER_UP == 64'd0 ? CHIP_POWER_UP : POWER_UP;

    // Open rows, and the times of the last commands of each bank and of all banks.
    reg [3:0] open;
    reg [ROW-1:0] row[0:3];
    reg [63:0] activated[0:3], precharged[0:3], written[0:3], written_cycle[0:3];
    reg [63:0] active_any, refreshed, mode_cycle;
    reg is_active_any, is_refreshed, is_mode, is_precharged;
    reg [3:0] refreshes;
    reg [1:0] cas;

    // The present burst, and the data in the read pipeline.
    reg burst, burst_write;
    reg [A-1:0] burst_at;
    reg [1:0] burst_bank;
    reg [15:0] stage[0:1];
    reg [1:0] staged;
    reg [1:0] dqm_before;

    // Statistics for benches.
    integer actives, reads, writes, refresh_count, b;

    task broken(input [8*24-1:0] rule, input [1:0] bank);
        begin
            $display("sdram: %0s, bank %0d, cycle %0d", rule, bank, cycle);
            $fatal(1, "the memory's rules are broken");
        end
    endtask

    task since(input [8*24-1:0] rule, input [1:0] bank, input [63:0] then, input [63:0] least);
        if (now - then < least) broken(rule, bank);
    endtask

    // Checks the times that apply to every command except NOP.
    task idle;
        begin
            if (is_refreshed) since("tRFC", ba_i, refreshed, CHIP_RFC);
            if (is_mode && cycle - mode_cycle < CHIP_MRD_CYCLES) broken("tMRD", ba_i);
        end
    endtask

    task active;
        begin
            if (!is_mode) broken("mode not set", ba_i);
            if (open[ba_i]) broken("ACTIVE with a row open", ba_i);
            if (is_precharged) since("tRP", ba_i, precharged[ba_i], CHIP_RP);
            if (actives != 0) since("tRC", ba_i, activated[ba_i], CHIP_RC);
            if (is_active_any) since("tRRD", ba_i, active_any, CHIP_RRD);
            open[ba_i] <= 1'b1;
            row[ba_i] <= a_i[ROW-1:0];
            activated[ba_i] <= now;
            active_any <= now;
            is_active_any <= 1'b1;
            actives <= actives + 1;
        end
    endtask

    task access(input write);
        begin
            if (!open[ba_i]) broken("access to a closed row", ba_i);
            since("tRCD", ba_i, activated[ba_i], CHIP_RCD);
            if (burst) broken("burst cut short", ba_i);
            if (a_i[10]) broken("auto precharge", ba_i);
            burst <= 1'b1;
            burst_write <= write;
            burst_bank <= ba_i;
            burst_at <= {row[ba_i], ba_i, a_i[8:0] ^ 9'd1};
            if (write) store({row[ba_i], ba_i, a_i[8:0]}, ba_i);
            else fetch({row[ba_i], ba_i, a_i[8:0]});
            if (write) writes <= writes + 1;
            else reads <= reads + 1;
        end
    endtask

    task store(input [A-1:0] at, input [1:0] bank);
        begin
            if (!dq_oe_i) broken("no data to write", bank);
            if (!dqm_i[0]) mem[at][7:0] <= dq_i[7:0];
            if (!dqm_i[1]) mem[at][15:8] <= dq_i[15:8];
            written[bank] <= now;
            written_cycle[bank] <= cycle;
        end
    endtask

    task fetch(input [A-1:0] at);
        begin
            stage[0] <= mem[at];
            staged[0] <= 1'b1;
        end
    endtask

    task close(input [1:0] bank);
        begin
            if (open[bank]) begin
                since("tRAS", bank, activated[bank], CHIP_RAS);
                since("tWR", bank, written[bank], CHIP_WR);
                if (cycle - written_cycle[bank] < CHIP_WR_CYCLES) broken("tWR", bank);
                if (burst && burst_bank == bank) broken("burst cut short", bank);
                precharged[bank] <= now;
            end
            open[bank] <= 1'b0;
        end
    endtask

    task refresh;
        begin
            if (open != 4'd0) broken("REFRESH with a row open", ba_i);
            for (b = 0; b < 4; b = b + 1) if (is_precharged) since("tRP", b[1:0], precharged[b], CHIP_RP);
            if (!is_precharged) broken("no PRECHARGE at first", ba_i);
            refreshed <= now;
            is_refreshed <= 1'b1;
            refresh_count <= refresh_count + 1;
            if (refreshes != 4'd15) refreshes <= refreshes + 4'd1;
        end
    endtask

    task mode;
        begin
            if (open != 4'd0) broken("MODE with a row open", ba_i);
            if (refreshes < CHIP_POWER_UP_REFRESHES) broken("too few refreshes", ba_i);
            if (a_i[3:0] != 4'b0001 || a_i[12:7] != 6'd0 || ba_i != 2'd0 || (a_i[6:4] != 3'd2 && a_i[6:4] != 3'd3)) broken("mode", ba_i);
            if (clock_hz_i > 100_000_000 && a_i[6:4] == 3'd2) broken("CAS latency", ba_i);
            cas <= a_i[5:4];
            is_mode <= 1'b1;
            mode_cycle <= cycle;
        end
    endtask

    wire [3:0] command = {cs_n_i, ras_n_i, cas_n_i, we_n_i};
    wire is_nop = cs_n_i || command == NOP;
    always @(posedge clk_i) begin
        cycle <= cycle + 64'd1;
        now <= now + period;
        period <= 64'd1_000_000_000_000 / {32'd0, clock_hz_i};
        if ((^command) === 1'bx || (!is_nop && ((^ba_i) === 1'bx || (^a_i) === 1'bx))) broken("unknown pins", 2'd0);
        if (!is_nop) begin
            if (!cke_i) broken("clock paused", ba_i);
            if (now < waited) broken("power-up", ba_i);
            idle;
        end
        if (is_refreshed && is_mode && now - refreshed > CHIP_REFRESH) broken("refresh late", 2'd0);
        if (dq_oe_i && dq_oe_o) broken("two drive DQ", ba_i);

        // Read data leaves CAS cycles after READ, masked by DQM's value two cycles earlier.
        stage[1] <= stage[0];
        staged <= {staged[0], 1'b0};
        dqm_before <= dqm_i;
        dq_oe_o <= cas == 2'd2 ? staged[0] : staged[1];
        dq_o <= cas == 2'd2 ? stage[0] : stage[1];
        if ((cas == 2'd2 ? staged[0] : staged[1]) && dqm_before != 2'b00) broken("DQM in a read", 2'd0);

        burst <= 1'b0;
        if (burst && burst_write) store(burst_at, burst_bank);
        if (burst && !burst_write) fetch(burst_at);
        if (dq_oe_i && !(burst && burst_write) && command != WRITE) broken("data without a write", ba_i);

        case (command)
            ACTIVE: active;
            READ: access(1'b0);
            WRITE: access(1'b1);
            PRECHARGE: begin
                if (a_i[10]) for (b = 0; b < 4; b = b + 1) close(b[1:0]);
                else close(ba_i);
                is_precharged <= 1'b1;
            end
            REFRESH: refresh;
            MODE: mode;
            default: if (!is_nop) broken("no such command", ba_i);
        endcase
    end

    initial begin
        cycle = 64'd0;
        now = 64'd0;
        period = 64'd0;
        open = 4'd0;
        for (b = 0; b < 4; b = b + 1) begin
            row[b] = {ROW{1'b0}};
            activated[b] = 64'd0;
            precharged[b] = 64'd0;
            written[b] = 64'd0;
            written_cycle[b] = 64'd0;
        end
        active_any = 64'd0;
        refreshed = 64'd0;
        mode_cycle = 64'd0;
        {is_active_any, is_refreshed, is_mode, is_precharged} = 4'd0;
        refreshes = 4'd0;
        cas = 2'd2;
        {burst, burst_write} = 2'd0;
        burst_at = {A{1'b0}};
        burst_bank = 2'd0;
        staged = 2'd0;
        stage[0] = 16'd0;
        stage[1] = 16'd0;
        dqm_before = 2'd0;
        dq_o = 16'd0;
        dq_oe_o = 1'b0;
        actives = 0;
        reads = 0;
        writes = 0;
        refresh_count = 0;
    end

endmodule

`default_nettype wire
