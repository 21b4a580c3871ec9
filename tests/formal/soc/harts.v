// SPDX-License-Identifier: Apache-2.0
// gnomon_hart_arbiter with the load-store units of two cores, any instructions in them, any fetches, and a host that
// writes whenever the bus lets it.
`default_nettype none

module formal_harts (
    input wire       clk_i,
    // Free in each cycle.
    input wire       in_hold, in_host,
    input wire [1:0] in_load, in_store, in_atomic, in_go, in_register, in_fetch,
    input wire [3:0] in_word,
    input wire [1:0] in_host_word
);
    reg         started = 1'b0;
    always @(posedge clk_i)
        started <= 1'b1;
`ifdef CHECK_WAITS
    wire        rst = 1'b0;        // from any state in which the rules of CHECK_STATE hold
`else
    wire        rst = ~started;
`endif

    wire        hold;

    // ---- Harts ----
    wire [1:0]  d_valid, d_ready, d_write, d_lock, d_grant, d_snoop, d_rsp, m_stall, m_error, failed, i_ready, i_rsp;
    wire [63:0] d_addr, d_wdata;
    wire [7:0]  d_strb;
    wire [59:0] d_snoop_addr;
    wire [1:0]  x_go = in_go & ~m_stall & ~m_error & {2{~rst}};
    genvar h;
    generate
        for (h = 0; h < 2; h = h + 1) begin : g_hart
            wire [31:0] addr = {in_register[h] ? 16'hF000 : 16'h1000, 12'd0, in_word[2*h+:2], 2'b00};
            gnomon_core_lsu #(.EARLY(1), .ATOMIC(1)) lsu (
                .clk_i(clk_i), .rst_i(rst), .x_load_i(in_load[h]), .x_store_i(in_store[h]), .x_atomic_i(in_atomic[h]), .x_op_i(4'd1),
                .x_funct3_i(3'b010), .x_base_i(addr), .x_offset_i(12'd0), .x_wdata_i(32'd0), .x_go_i(x_go[h]), .x_deny_i(1'b0),
                .x_note_i(1'b0), .x_note_value_i(32'd0), .x_addr_o(), .x_trap_o(), .x_code_o(), .m_stall_o(m_stall[h]), .m_error_o(m_error[h]),
                .m_addr_o(), .m_load_i(1'b0), .m_rdata_o(), .m_wdata_i(32'd0), .m_atomic_o(), .m_failed_o(failed[h]), .m_stored_o(),
                .d_req_valid_o(d_valid[h]), .d_req_ready_i(d_ready[h]), .d_req_addr_o(d_addr[32*h+:32]), .d_req_write_o(d_write[h]),
                .d_req_wdata_o(d_wdata[32*h+:32]), .d_req_strb_o(d_strb[4*h+:4]), .d_req_lock_o(d_lock[h]), .d_lock_o(), .d_grant_i(d_grant[h]),
                .d_snoop_valid_i(d_snoop[h]), .d_snoop_addr_i(d_snoop_addr[30*h+:30]), .d_rsp_valid_i(d_rsp[h]), .d_rsp_rdata_i(32'd0),
                .d_rsp_error_i(1'b0));
        end
    endgenerate

    // Fetches: a request stays until it is accepted.
    reg  [1:0]  fetching;
    wire [1:0]  i_valid = (in_fetch | fetching) & {2{~rst}};
    always @(posedge clk_i)
        fetching <= i_valid & ~i_ready;

    // ---- Bus: one request a cycle, data before instructions before the host; late registers answer after three cycles ----
    wire        xi_valid, xd_valid, xd_write, xd_lock, hart;
    wire [31:0] xi_addr, xd_addr;
    reg         xi_rsp, was, was_late, later, due;
    wire        late = xd_addr[31:28] == 4'hF & xd_addr[2];
    wire        host = in_host & ~xi_valid & ~xd_valid & ~xd_lock & ~rst;
    always @(posedge clk_i) begin
        xi_rsp <= xi_valid & ~xd_valid & ~rst;
        {was, was_late, later, due} <= {4{~rst}} & {xd_valid & ~late, xd_valid & late, was_late, later};
    end
    gnomon_hart_arbiter dut (
        .clk_i(clk_i), .rst_i(rst), .hart_rst_i(rst), .hold_i(hold), .i_req_valid_i(i_valid), .i_req_ready_o(i_ready),
        .i_req_addr_i({32'h1000_0004, 32'h1000_0000}), .i_rsp_valid_o(i_rsp), .d_req_valid_i(d_valid), .d_req_ready_o(d_ready),
        .d_req_addr_i(d_addr), .d_req_write_i(d_write), .d_req_wdata_i(d_wdata), .d_req_strb_i(d_strb), .d_req_lock_i(d_lock),
        .d_grant_o(d_grant), .d_snoop_valid_o(d_snoop), .d_snoop_addr_o(d_snoop_addr), .d_rsp_valid_o(d_rsp), .xi_req_valid_o(xi_valid),
        .xi_req_ready_i(~xd_valid), .xi_req_addr_o(xi_addr), .xi_rsp_valid_i(xi_rsp), .xd_req_valid_o(xd_valid), .xd_req_ready_i(1'b1),
        .xd_req_addr_o(xd_addr), .xd_req_write_o(xd_write), .xd_req_wdata_o(), .xd_req_strb_o(), .xd_lock_o(xd_lock),
        .xd_rsp_valid_i(was | due), .xh_write_i(host), .xh_addr_i({28'h1000_000, in_host_word}), .hart_o(hart));

    // ---- What was accepted ----
    wire [1:0]  d_go = d_valid & d_ready & {2{~rst}}, i_go = i_valid & i_ready;
    wire [1:0]  writes = d_go & d_write;
    wire [59:0] word = {d_addr[63:34], d_addr[31:2]};
    wire [29:0] host_word = {28'h1000_000, in_host_word};

    // The answers that are owed.
    reg  [1:0]  d_owed, d_late, d_later, i_owed;
    // An amo's load was accepted; another master wrote since. A word is reserved: the manual's reservation, exactly.
    reg  [1:0]  loaded, written, reserved;
    reg  [59:0] reservation;
    wire [1:0]  amo_load = d_go & d_lock & ~d_write;
    // The unit has an sc that has not checked its reservation.
    reg  [1:0]  checking;
    wire [1:0]  lr_begins = x_go & in_load & in_atomic & ~in_store;
    reg  [1:0]  lr_waits, sc_waits, amo_waits;
    wire [1:0]  lr_now = lr_begins | lr_waits;
    wire [1:0]  sc_now = checking | sc_waits;
    // Rules of every reachable state. An access that is owed is on its way, for the hart that was accepted last; a hart
    // that waits asks for an access, checks the reservation of an sc, or is owed an answer. The lock is that of one amo.
    reg         mine;
    reg  [1:0]  between;
    wire        holder;      // prove.py connects these to the arbiter's registers
    wire [1:0]  open;
    wire [3:0]  away = {was, was_late, later, due};
    wire [1:0]  owed_to = {2{|away}} & {mine, ~mine};
    wire [1:0]  waits = {2{~rst}} & m_stall & ~d_valid & ~checking;
    wire        sound = (away & (away - 4'd1)) == 4'd0 & d_owed == owed_to & (waits & ~d_owed) == 2'b00 &
        d_rsp == (owed_to & {2{was | due}}) & (d_owed & ~d_rsp & d_valid) == 2'b00 &
        between == ({2{xd_lock}} & {holder, ~holder}) & (between & checking) == 2'b00 & open == d_owed &
        (checking & ~(d_lock & m_stall)) == 2'b00;
    always @(posedge clk_i) begin
        if (|d_go) mine <= d_go[1];
        between <= {2{~rst}} & (amo_load | between & d_lock & ~writes);
    end

    // Cycles for which data and fetches have waited, and the lock was held; so far everything was sound.
    reg  [7:0]  d_wait0 = 8'd0, d_wait1 = 8'd0, i_wait0 = 8'd0, i_wait1 = 8'd0, lock_age = 8'd0;
    reg         sound_so_far = 1'b1;
    wire [1:0]  d_waits = d_valid & ~d_ready | checking & ~d_grant, i_waits = i_valid & ~i_ready;
    always @(posedge clk_i) begin
        sound_so_far <= sound_so_far & sound;
        d_wait0 <= d_waits[0] ? d_wait0 + 8'd1 : 8'd0;
        d_wait1 <= d_waits[1] ? d_wait1 + 8'd1 : 8'd0;
        i_wait0 <= i_waits[0] ? i_wait0 + 8'd1 : 8'd0;
        i_wait1 <= i_waits[1] ? i_wait1 + 8'd1 : 8'd0;
        lock_age <= xd_lock ? lock_age + 8'd1 : 8'd0;
    end

    integer k;
    always @(posedge clk_i) begin
        checking <= {2{~rst}} & (x_go & in_store & in_atomic & ~in_load | checking & ~d_grant);
        d_owed <= {2{~rst}} & (d_go | d_owed & ~d_rsp);
        d_late <= {2{~rst}} & d_owed & ~d_rsp;
        d_later <= {2{~rst}} & d_late & ~d_rsp;
        i_owed <= {2{~rst}} & i_go;
        lr_waits <= {2{~rst}} & lr_now & d_valid & ~d_ready;
        sc_waits <= {2{~rst}} & sc_now & d_valid & ~d_ready;
        amo_waits <= {2{~rst}} & (x_go & in_load & in_store & in_atomic | amo_waits) & ~writes;
        for (k = 0; k < 2; k = k + 1) begin
            if (amo_load[k]) {loaded[k], written[k]} <= 2'b10;
            else begin
                if (writes[k]) loaded[k] <= 1'b0;
                written[k] <= written[k] | writes[1-k] | host;
            end
            if (lr_now[k] & d_go[k]) begin
                reserved[k] <= 1'b1;
                reservation[30*k+:30] <= word[30*k+:30];
            end else if (writes[1-k] & word[30*(1-k)+:30] == reservation[30*k+:30] | host & host_word == reservation[30*k+:30] |
                         sc_now[k] & d_go[k]) reserved[k] <= 1'b0;
        end
        if (rst) {loaded, written, reserved} <= 6'd0;
    end

`ifdef CHECK_WAITS
    // A hart that accesses a counter holds both, for at most four cycles. In each of these, or in the cycle before, it has no
    // access of its own.
    reg  [2:0]  held;
    reg  [1:0]  was_idle;
    wire [1:0]  idle = ~(d_valid | d_owed | checking);
    assign hold = in_hold & |(idle | was_idle) & ~held[2];
    always @(posedge clk_i) begin
        held <= hold ? held + 3'd1 : 3'd0;
        was_idle <= idle;
    end
`else
    assign hold = in_hold;
`endif

    always @* if (~rst) begin
`ifdef CHECK_ORDER
        // One access a cycle, as the harts' ports say; answers go to the hart that asked.
        assert (~&d_go & ~&i_go & ~(|d_go & |i_go));
        assert (xd_valid == |d_go & (xi_valid & ~xd_valid) == |i_go);
        if (|d_go) assert (hart == d_go[1] & xd_addr == (d_go[1] ? d_addr[63:32] : d_addr[31:0]) & xd_write == |writes);
        if (|i_go) assert (hart == i_go[1] & xi_addr[2] == i_go[1]);
        assert ((d_rsp & ~d_owed) == 2'b00 & (d_later & d_owed & ~d_rsp) == 2'b00);
        assert (i_rsp == i_owed);
        // No access to a register while they are held.
        if (hold & xd_valid) assert (xd_addr[31:16] != 16'hF000);
`endif
`ifdef CHECK_STATE
        assert (sound);
`endif
`ifdef CHECK_WAITS
        // A data access or the check of an sc, a fetch, and the other masters' writes wait for fewer cycles. Each wait
        // begins in a sound state, with the counter at 0.
        if (sound & sound_so_far) begin
            assert (d_wait0 != `D_WAIT);
            assert (d_wait1 != `D_WAIT);
            assert (i_wait0 != `I_WAIT);
            assert (i_wait1 != `I_WAIT);
            assert (lock_age != `LOCKED);
        end
`endif
`ifdef CHECK_ATOMIC
        // Nobody writes between an amo's load and its store.
        if (writes[0] & amo_waits[0]) assert (loaded[0] & ~written[0]);
        if (writes[1] & amo_waits[1]) assert (loaded[1] & ~written[1]);
        // An sc in main memory stores only if its word is still reserved, and at once.
        if (writes[0] & sc_now[0] & d_addr[31:28] == 4'h1) assert (reserved[0] & word[29:0] == reservation[29:0]);
        if (writes[1] & sc_now[1] & d_addr[63:60] == 4'h1) assert (reserved[1] & word[59:30] == reservation[59:30]);
        if (checking[0] & d_valid[0] & d_addr[31:28] == 4'h1) assert (d_go[0]);
        if (checking[1] & d_valid[1] & d_addr[63:60] == 4'h1) assert (d_go[1]);
`endif
    end
endmodule
`default_nettype wire
