// SPDX-License-Identifier: Apache-2.0
// Properties of gnomon_sdram, in its body: no command comes earlier than the chip's times allow, from any state that a
// reset can lead to; a refresh is never later than the limit; an access goes to the open row of the oldest request;
// each request is taken once, in order. Commands are checked when they are decided, one cycle before the pins. The
// model of the chip checks the same by simulation; here there is no bound. The bench checks that each request gets its
// turn.

    reg f_ran = 1'b0;
    always @(posedge clk_i) begin
        f_ran <= 1'b1;
        if (!f_ran) assume (rst_i);
    end

    // ---- Cycles since the last command of each kind; 31: long ago ----
    function [4:0] f_more(input [4:0] count);
        f_more = count + {4'd0, count != 5'd31};
    endfunction
    reg [3:0] f_open;
    reg [4*ROW-1:0] f_rows;
    reg [4:0] f_active[0:3], f_closed[0:3], f_written[0:3];
    reg [4:0] f_active_any, f_refreshed, f_mode, f_access, f_read;
    reg [REFRESH_BITS:0] f_unrefreshed;                  // cycles since the last refresh
    reg [6:0] f_parked;                                  // cycles since parked_o
    genvar f;
    generate
        for (f = 0; f < 4; f = f + 1) begin : f_bank
            wire is = bank == f[1:0];
            wire closes = (do_close && is) || do_close_all;
            always @(posedge clk_i) begin
                f_active[f] <= do_active && is ? 5'd1 : f_more(f_active[f]);
                f_closed[f] <= closes ? 5'd1 : f_more(f_closed[f]);
                f_written[f] <= do_write && is ? 5'd1 : f_more(f_written[f]);
                if (closes) f_open[f] <= 1'b0;
                if (do_active && is) f_open[f] <= 1'b1;
                if (do_active && is) f_rows[f*ROW+:ROW] <= row;
                if (rst_i) begin
                    {f_active[f], f_closed[f], f_written[f]} <= {3{5'd31}};
                    f_open[f] <= 1'b0;
                end
            end

            always @(posedge clk_i) if (f_ran && !rst_i) begin
                // The chip's rules.
                if (access && is) assert (f_open[f] && f_rows[f*ROW+:ROW] == row && f_active[f] >= T_RCD[4:0]);
                if (closes && f_open[f]) assert (f_active[f] >= T_RAS[4:0] && f_written[f] >= T_WR[4:0] + 5'd1);
                if (do_active && is) assert (!f_open[f] && f_closed[f] >= T_RP[4:0] && f_active[f] >= T_RC[4:0]);
                if (do_refresh || do_mode) assert (!f_open[f] && f_closed[f] >= T_RP[4:0]);
                // Invariants that imply the rules.
                assert (open[f] == f_open[f]);
                if (f_open[f]) begin
                    assert (rows[f*ROW+:ROW] == f_rows[f*ROW+:ROW]);
                    assert ({1'b0, f_active[f]} + hold >= T_RCD[4:0]);
                    assert ({1'b0, f_active[f]} + hold_precharge >= T_RAS[4:0]);
                    assert ({1'b0, f_written[f]} + hold_precharge >= T_WR[4:0] + 5'd1);
                end else begin
                    assert (f_active[f] == 5'd31 || {1'b0, f_active[f]} >= {1'b0, f_closed[f]} + T_RAS[4:0]);
                end
                assert ({1'b0, f_closed[f]} + hold >= T_RP[4:0]);
                assert (f_active[f] >= f_active_any);
            end
        end
    endgenerate

    always @(posedge clk_i) begin
        f_active_any <= do_active ? 5'd1 : f_more(f_active_any);
        f_refreshed <= do_refresh ? 5'd1 : f_more(f_refreshed);
        f_mode <= do_mode ? 5'd1 : f_more(f_mode);
        f_access <= access ? 5'd1 : f_more(f_access);
        f_read <= do_read ? 5'd1 : f_more(f_read);
        f_unrefreshed <= do_refresh || !begun ? {{REFRESH_BITS{1'b0}}, 1'b1} : f_unrefreshed + {{REFRESH_BITS{1'b0}}, !(&f_unrefreshed)};
        f_parked <= parked && park_i ? f_parked + {6'd0, !(&f_parked)} : 7'd0;
        if (rst_i) begin
            {f_active_any, f_refreshed, f_mode, f_access, f_read} <= {5{5'd31}};
            f_parked <= 7'd0;
        end
    end

    // Upper bounds of the cycles to a due refresh, from the commands still needed before it.
    wire [4:0] f_until_access = hold > hold_write ? {1'b0, hold} : {1'b0, hold_write};
    wire [4:0] f_until_closable = hold > hold_precharge ? {1'b0, hold} : {1'b0, hold_precharge};
    wire [4:0] f_written_then = f_until_access + T_WR[4:0] + 5'd1;
    wire [4:0] f_left = opening ? (f_written_then > f_until_closable ? f_written_then : f_until_closable) + T_RP[4:0] :
        open != 4'd0 ? f_until_closable + T_RP[4:0] : {1'b0, hold};

    // The environment keeps the rules of parking: no requests, and not longer than allowed.
    wire any = do_read || do_write || do_active || do_close || do_close_all || do_refresh || do_mode;
    always @(posedge clk_i) if (f_ran && !rst_i) begin
        if (park_i) assume (!req_valid_i && f_parked < PARKED_MOST[6:0]);

        assert (!any || (power_up == {POWER_BITS{1'b0}}));
        assert (do_read + do_write + do_active + do_close + do_close_all + do_refresh + do_mode <= 1);
        if (any) assert (f_refreshed >= T_RFC[4:0] && f_mode >= T_MRD[4:0] && f_access >= BURST[4:0]);
        if (do_write) assert (f_read >= T_TURN[4:0]);
        if (do_active) assert (f_active_any >= T_RRD[4:0]);
        if (begun) assert (f_unrefreshed <= T_REFRESH[REFRESH_BITS:0]);

        assert ({1'b0, f_refreshed} + hold >= T_RFC[4:0]);
        assert ({1'b0, f_mode} + hold >= T_MRD[4:0]);
        assert ({1'b0, f_access} + hold >= BURST[4:0]);
        assert ({1'b0, f_read} + hold_write >= T_TURN[4:0]);
        assert (opening || f_active_any == 5'd31 || {1'b0, f_active_any} + hold >= T_RRD[4:0]);
        assert (!opening || (head && hit && begun));
        assert (init == INIT || power_up == {POWER_BITS{1'b0}});
        assert (init <= INIT && (begun || open == 4'd0) && (begun || !parked));
        assert (!parked || !park_i || (open == 4'd0 && !head));
        // A refresh in time: the counter, and the remaining commands once a refresh is due.
        assert (hold < T_RFC[4:0] && hold_precharge <= (T_RAS > T_WR ? T_RAS[4:0] : T_WR[4:0]) && hold_write < T_TURN[4:0]);
        assert (until_due <= UNTIL_DUE);
        if (begun && !parked) assert (f_unrefreshed + (due ? f_left : until_due + T_LATE[4:0] - 5'd4) <= T_REFRESH[REFRESH_BITS:0]);
        if (parked) assert (f_unrefreshed <= {{(REFRESH_BITS - 6) {1'b0}}, f_parked} + 2'd2 && !due);
    end

    // ---- Requests: any one, number f_which of all, is taken once and unchanged ----
    (* anyconst *) reg [7:0] f_which;
    reg [7:0] f_in, f_out;
    reg [A-2+1+32+4+2-1:0] f_one;
    reg f_seen;
    wire [A-2+1+32+4+2-1:0] f_asked = {req_addr_i, req_write_i, req_wdata_i, req_strb_i, req_owner_i};
    wire [A-2+1+32+4+2-1:0] f_behind;
    wire [A-2+1+32+4+2-1:0] f_head = {head_addr, head_write, head_wdata, head_strb, head_owner};
    always @(posedge clk_i) begin
        if (req_valid_i && req_ready_o) f_in <= f_in + 8'd1;
        if (take) f_out <= f_out + 8'd1;
        if (req_valid_i && req_ready_o && f_in == f_which) f_one <= f_asked;
        if (rst_i) {f_in, f_out} <= 16'd0;
        if (f_ran && !rst_i) begin
            assert (f_in - f_out == {7'd0, head} + {7'd0, !req_ready_o});
            assert (req_ready_o || head);
            assert (!take || head);
            if (head && f_out == f_which) assert (f_head == f_one);
            if (!req_ready_o && f_out + 8'd1 == f_which) assert (f_behind == f_one);
        end
    end
