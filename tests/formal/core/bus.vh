// SPDX-License-Identifier: Apache-2.0
// Requests stay until accepted; what reaches the data bus is what the loads and stores that retire say, one by one and in
// order, and nothing else.
    reg         offered;
    reg  [68:0] offer;
    wire [68:0] now = {d_req_write, d_req_strb, d_req_wdata & {32{d_req_write}}, d_req_addr};
    // Requests of instructions that have not left the core yet: {failed, data, request}, the oldest in 0.
    reg  [101:0] q [0:3];
    reg  [2:0]  count;
    reg  [2:0]  answered;                // the first so many
    wire        to_window = &obs_mem_addr[31:16];
    wire        access = retired & (obs_mem_rmask != 4'd0 | obs_mem_wmask != 4'd0 & ~to_window);
    wire        failed = trapped & (obs_trap_cause == 6'd5 & ~to_window | obs_trap_cause == 6'd7);
    wire        pop = access | failed;
    wire [1:0]  lane = obs_mem_addr[1:0];
    wire        h_failed = q[0][101];
    wire [31:0] h_data = q[0][100:69];
    wire        h_write = q[0][68];
    wire [3:0]  h_strb = q[0][67:64];
    wire [31:0] h_wdata = q[0][63:32];
    wire [31:0] h_addr = q[0][31:0];
    wire [3:0]  strb = (obs_mem_rmask | obs_mem_wmask) << lane;
    wire [31:0] lanes = {{8{strb[3]}}, {8{strb[2]}}, {8{strb[1]}}, {8{strb[0]}}};
    wire [31:0] r_lanes = {{8{obs_mem_rmask[3]}}, {8{obs_mem_rmask[2]}}, {8{obs_mem_rmask[1]}}, {8{obs_mem_rmask[0]}}};
    wire [2:0]  left = count - {2'd0, pop};
    wire [2:0]  answered_left = answered - {2'd0, pop};
    integer     n;
    always @(posedge clk_i) begin
        offered <= ~rst & d_req_valid & ~d_ready;
        offer <= now;
        if (~rst & offered)
            assert (d_req_valid & now == offer);
        if (~rst & d_req_valid) begin
            assert (~&d_req_addr[31:16]);
            assert (d_req_addr[1:0] == 2'b00);
            assert (d_req_strb == 4'b1111 | d_req_strb == 4'b0011 | d_req_strb == 4'b1100 | d_req_strb == 4'b0001
                    | d_req_strb == 4'b0010 | d_req_strb == 4'b0100 | d_req_strb == 4'b1000);
        end
        assert (d_open <= 3'd1 & i_open <= 3'd3);
        // Injected instructions leave no trace in the bundle, so only what the program did is followed.
        if (rst | halted) begin
            count <= 3'd0;
            answered <= 3'd0;
        end else begin
            assert (left <= 3'd3);
            count <= left + {2'd0, d_sent};
            answered <= answered_left + {2'd0, d_rsp};
            for (n = 0; n < 4; n = n + 1) begin
                if (pop & n < 3)
                    q[n] <= q[n + 1];
                if (d_rsp & answered_left == n) begin
                    q[n] <= pop ? q[n < 3 ? n + 1 : 3] : q[n];
                    q[n][101:69] <= {d_error, d_rdata};
                end
                if (d_sent & left == n)
                    q[n] <= {33'd0, now};
            end
        end
        if (~rst & ~halted & pop) begin
            assert (count != 3'd0 & answered != 3'd0);
            assert (h_failed == failed);
        end
        if (~rst & access & count != 3'd0) begin
            assert (h_addr == {obs_mem_addr[31:2], 2'b00});
            assert (h_write == (obs_mem_wmask != 4'd0));
            assert (h_strb == strb);
            assert (obs_mem_wmask == 4'd0 | ((h_wdata ^ (obs_mem_wdata << {lane, 3'd0})) & lanes) == 32'd0);
            assert (obs_mem_rmask == 4'd0 | ((obs_mem_rdata ^ (h_data >> {lane, 3'd0})) & r_lanes) == 32'd0);
        end
        // A trap or interrupt, and the entry of debug mode: nothing behind has reached the bus.
        if (~rst & ~halted & obs_trap_enter)
            assert (left == 3'd0 & ~d_sent);
        if (~rst & halted & ~dbg_busy)
            assert (count == 3'd0 | dbg_insn_valid);
    end
