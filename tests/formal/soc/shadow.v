// SPDX-License-Identifier: Apache-2.0
// Two copies of a cache with the same inputs, except that the shadow words of their lines differ: all their outputs are
// the same in every cycle. So tags that come with a line have no influence on the program, nor on when anything
// happens. DATA selects the data cache. The core is free; the bus answers what it owes, and takes no request of the cache
// in a cycle in which another master writes.
`ifdef DATA
`undef FORMAL  // the data cache's own proof is not part of this one
`include "cache/gnomon_dcache_buffer.v"
`include "cache/gnomon_dcache.v"
`endif
`default_nettype none

module formal_shadow (
    input wire        clk_i,
    // Free in each cycle.
    input wire        in_valid, in_write, in_lock, in_flush, in_ready, in_rsp, in_error, in_snoop,
    input wire [31:0] in_addr, in_wdata, in_rdata, in_shadow, in_snoop_addr,
    input wire [3:0]  in_strb
);
    reg         started = 1'b0;
    always @(posedge clk_i)
        started <= 1'b1;
    wire        rst = ~started;

    // What the bus owes; both copies ask the same.
    reg  [2:0]  owed;
    wire        ready = in_ready & owed != 3'd7;
    wire        go = g_copy[0].b_valid & ready;
    wire        rsp = in_rsp & owed != 3'd0;
    wire        snoop = in_snoop & ~go;
    always @(posedge clk_i)
        owed <= rst ? 3'd0 : owed + {2'd0, go} - {2'd0, rsp};

    localparam integer OUTPUTS = 74 + 38;
    wire [OUTPUTS-1:0] outputs [0:1];
    wire [1:0]  shadow;
    genvar n;
    generate
        for (n = 0; n < 2; n = n + 1) begin : g_copy
            wire [31:0] rdata = n == 1 & shadow[0] ? in_shadow : in_rdata;
            wire        c_ready, c_rsp, c_error, b_valid, b_write, b_lock, b_shadow, empty, done, access, fill, miss;
            wire [31:0] c_rdata, b_addr, b_wdata, shadow_addr;
            wire [3:0]  b_strb;
`ifdef DATA
            assign done = 1'b0;
            gnomon_dcache #(
              .BYTES(32), .LINE_WORDS(4), .SIZE_LOG2(6), .BUFFER_LOG2(1), .SHADOW(1), .SHADOW_AT(2)
            ) dut (
                .clk_i(clk_i), .rst_i(rst), .c_req_valid_i(in_valid), .c_req_ready_o(c_ready), .c_req_addr_i(in_addr),
                .c_req_write_i(in_write), .c_req_wdata_i(in_wdata), .c_req_strb_i(in_strb), .c_req_lock_i(in_lock),
                .c_rsp_valid_o(c_rsp), .c_rsp_rdata_o(c_rdata), .c_rsp_error_o(c_error), .b_req_valid_o(b_valid),
                .b_req_ready_i(ready), .b_req_addr_o(b_addr), .b_req_write_o(b_write), .b_req_wdata_o(b_wdata),
                .b_req_strb_o(b_strb), .b_req_lock_o(b_lock), .b_req_shadow_o(b_shadow), .b_rsp_valid_i(rsp),
                .b_rsp_rdata_i(rdata), .b_rsp_error_i(in_error), .snoop_valid_i(snoop),
                .snoop_addr_i(in_snoop_addr), .empty_o(empty), .access_o(access), .fill_o(fill), .miss_o(miss),
                .shadow_valid_o(shadow[n]), .shadow_addr_o(shadow_addr));
`else
            assign {b_write, b_lock, empty, b_wdata, b_strb} = 39'd0;
            gnomon_icache #(
              .BYTES(32), .LINE_WORDS(4), .SIZE_LOG2(6), .SHADOW(2)
            ) dut (
                .clk_i(clk_i), .rst_i(rst), .c_req_valid_i(in_valid), .c_req_ready_o(c_ready), .c_req_addr_i(in_addr),
                .c_rsp_valid_o(c_rsp), .c_rsp_rdata_o(c_rdata), .c_rsp_error_o(c_error), .flush_i(in_flush),
                .flush_done_o(done), .access_o(access), .fill_o(fill), .miss_o(miss), .shadow_valid_o(shadow[n]),
                .shadow_addr_o(shadow_addr), .b_req_valid_o(b_valid), .b_req_ready_i(ready), .b_req_addr_o(b_addr),
                .b_req_shadow_o(b_shadow), .b_rsp_valid_i(rsp), .b_rsp_rdata_i(rdata), .b_rsp_error_i(in_error));
`endif
            // The data of a store's answer do not count.
            reg         open, store;
            always @(posedge clk_i) begin
                if (~open | c_rsp) {open, store} <= {in_valid & c_ready, in_write};
                if (rst) open <= 1'b0;
            end
`ifdef DATA
            wire        reads = c_rsp & ~store;
`else
            wire        reads = c_rsp;
`endif
            // What a core or bus does not look at, because it is not valid, does not count.
            assign outputs[n] = {c_ready, c_rsp, c_rsp & c_error, c_rdata & {32{reads}}, b_valid, b_write & b_valid, b_lock & b_valid,
                b_shadow & b_valid, b_addr & {32{b_valid}}, b_wdata & {32{b_valid}}, b_strb & {4{b_valid}}, empty, done, access, fill, miss};
        end
    endgenerate
    always @* if (~rst) begin
        assert (outputs[0] == outputs[1]);
        assert (shadow[0] == shadow[1]);
    end
endmodule
`default_nettype wire
