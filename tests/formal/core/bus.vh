// SPDX-License-Identifier: Apache-2.0
// Requests stay until accepted. The data bus gets exactly the accesses of the retired loads and stores, one by one and
// in order, and no denied access. An amo makes a load and then a store, under the lock; an sc makes a store, under the
// lock, to a word that is still reserved.
    reg         offered;
    reg  [68:0] offer;
    wire [68:0] now = {d_req_write, d_req_strb, d_req_wdata & {32{d_req_write}}, d_req_addr};
    // Requests of instructions that have not left the core yet, the oldest in 0: {touched: another master has written
    // the word since; reserved: the word was reserved when the request was first offered; held: the lock was held, for
    // an amo since the last load was sent, for an sc since this request was offered; failed, data, request}.
    localparam WIDTH = 106;
    reg  [WIDTH-1:0] q [0:3];
    reg  [2:0]  count;
    reg  [2:0]  answered;                // number of answered requests, the first ones in q
    wire        to_window = &obs_mem_addr[31:20];
    wire        is_amo = `ATOMIC != 0 & s_kind == AMO;
    wire        access = retired & (obs_mem_rmask != 4'd0 | obs_mem_wmask != 4'd0 & ~to_window);
    wire        failed = trapped & (obs_trap_cause == 6'd5 | obs_trap_cause == 6'd7) & ~to_window & ~g_data;
    wire        two = is_amo & (access | failed & ~q[0][101]);
    wire [1:0]  pop = two ? 2'd2 : {1'b0, access | failed};
    wire [1:0]  lane = obs_mem_addr[1:0];
    wire [WIDTH-1:0] last = two ? q[1] : q[0];
    wire        h_failed = last[101];
    wire [31:0] h_data = q[0][100:69];
    wire        h_write = last[68];
    wire [3:0]  h_strb = last[67:64];
    wire [31:0] h_wdata = last[63:32];
    wire [31:0] h_addr = last[31:0];
    wire [3:0]  strb = (obs_mem_rmask | obs_mem_wmask) << lane;
    wire [31:0] lanes = {{8{strb[3]}}, {8{strb[2]}}, {8{strb[1]}}, {8{strb[0]}}};
    wire [31:0] r_lanes = {{8{obs_mem_rmask[3]}}, {8{obs_mem_rmask[2]}}, {8{obs_mem_rmask[1]}}, {8{obs_mem_rmask[0]}}};
    wire [2:0]  left = count - {1'd0, pop};
    wire [2:0]  answered_left = answered - {1'd0, pop};

    // The program's reservation: from the last lr to an sc; and whether another master wrote the word after the lr's
    // load was sent.
    reg         reserved, touched;
    reg  [31:2] place;
    wire        lr = retired & s_kind == LR;
    wire        reserved_now = (lr | reserved) & ~(retired & s_kind == SC);
    wire [31:2] place_now = lr ? obs_mem_addr[31:2] : place;
    wire        touched_now = lr ? q[0][105] : touched;
    wire        reserved_here = reserved_now & ~touched_now & place_now == d_req_addr[31:2];
    reg         was_reserved, held_amo, held_sc;
    wire        held_since_offer = (offered ? held_sc : 1'b1) & d_lock;
    reg  [WIDTH-1:0] e;
    integer     n;
    always @(posedge clk_i) begin
        offered <= ~rst & d_req_valid & ~d_ready;
        offer <= now;
        if (~rst & offered)
            assert (d_req_valid & now == offer);
        if (~rst & d_req_valid) begin
            assert (~&d_req_addr[31:20]);
            assert (d_req_addr[1:0] == 2'b00);
            assert (d_req_strb == 4'b1111 | d_req_strb == 4'b0011 | d_req_strb == 4'b1100 | d_req_strb == 4'b0001
                    | d_req_strb == 4'b0010 | d_req_strb == 4'b0100 | d_req_strb == 4'b1000);
        end
        assert (d_open <= 3'd1 & i_open <= 3'd3);

        reserved <= ~rst & reserved_now;
        place <= place_now;
        touched <= touched_now | d_snoop & in_snoop_addr == place_now;
        if (~offered)
            was_reserved <= reserved_here;
        held_amo <= d_sent & ~d_req_write & d_req_lock | held_amo & d_lock;
        held_sc <= d_req_valid ? held_since_offer : held_sc & d_lock;
        // Injected instructions do not appear in the bundle, so only the program's accesses are followed.
        if (rst | halted) begin
            count <= 3'd0;
            answered <= 3'd0;
        end else begin
            assert (left <= 3'd3);
            count <= left + {2'd0, d_sent};
            answered <= answered_left + {2'd0, d_rsp};
            for (n = 0; n < 4; n = n + 1) begin
                e = pop[1] ? q[n < 2 ? n + 2 : 3] : pop[0] ? q[n < 3 ? n + 1 : 3] : q[n];
                if (d_snoop & in_snoop_addr == e[31:2])
                    e[105] = 1'b1;
                if (d_rsp & answered_left == n)
                    e[103:69] = {held_amo & d_lock, held_sc & d_lock, d_error, d_rdata};
                if (d_sent & left == n)
                    e = {1'b0, offered ? was_reserved : reserved_here, 35'd0, now};
                q[n] <= e;
            end
        end
        if (~rst & ~halted & sane & pop != 2'd0) begin
            assert (count >= {1'b0, pop} & answered >= {1'b0, pop});
            assert (h_failed == failed);
        end
        if (~rst & sane & access & count != 3'd0) begin
            assert (h_addr == {obs_mem_addr[31:2], 2'b00});
            assert (h_write == (obs_mem_wmask != 4'd0));
            assert (h_strb == strb);
            assert (obs_mem_wmask == 4'd0 | ((h_wdata ^ (obs_mem_wdata << {lane, 3'd0})) & lanes) == 32'd0);
            assert (obs_mem_rmask == 4'd0 | ((obs_mem_rdata ^ (h_data >> {lane, 3'd0})) & r_lanes) == 32'd0);
        end
        if (~rst & sane & two) begin
            assert (~q[0][68] & q[0][67:64] == 4'b1111 & q[0][31:0] == h_addr & ~q[0][101]);
            assert (h_write & h_strb == 4'b1111 & q[1][103]);
        end
        if (~rst & sane & retired & s_kind == SC & access) begin
            assert (q[0][102]);
            assert (q[0][104]);
        end
        // A trap, an interrupt or the entry of debug mode: no later access has reached the bus.
        if (~rst & ~halted & sane & obs_trap_enter)
            assert (left == 3'd0 & ~d_sent);
        if (~rst & halted & ~dbg_busy)
            assert (count == 3'd0 | dbg_insn_valid);
    end
