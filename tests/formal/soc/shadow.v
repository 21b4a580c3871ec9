// SPDX-License-Identifier: Apache-2.0
// Two copies of the instruction cache with the same inputs, except that the shadow words of their lines differ: all
// their outputs are the same in every cycle. So tags that come with a line have no influence on the program, nor on when
// anything happens. There are no assumptions about core and bus.
`default_nettype none

module formal_shadow (
    input wire        clk_i,
    // Free in each cycle.
    input wire        in_valid, in_flush, in_ready, in_rsp, in_error,
    input wire [31:0] in_addr, in_rdata, in_shadow
);
    reg         started = 1'b0;
    always @(posedge clk_i)
        started <= 1'b1;
    wire        rst = ~started;

    localparam integer OUTPUTS = 73;
    wire [OUTPUTS-1:0] outputs [0:1];
    wire [1:0]  shadow;
    genvar n;
    generate
        for (n = 0; n < 2; n = n + 1) begin : g_copy
            wire [31:0] rdata = n == 1 & shadow[0] ? in_shadow : in_rdata;
            wire        c_ready, c_rsp, c_error, b_valid, b_shadow, done, access, fill, miss;
            wire [31:0] c_rdata, b_addr, shadow_addr;
            gnomon_icache #(
              .BYTES(32), .LINE_WORDS(4), .SIZE_LOG2(6), .SHADOW(2)
            ) dut (
                .clk_i(clk_i), .rst_i(rst), .c_req_valid_i(in_valid), .c_req_ready_o(c_ready), .c_req_addr_i(in_addr),
                .c_rsp_valid_o(c_rsp), .c_rsp_rdata_o(c_rdata), .c_rsp_error_o(c_error), .flush_i(in_flush),
                .flush_done_o(done), .access_o(access), .fill_o(fill), .miss_o(miss), .shadow_valid_o(shadow[n]),
                .shadow_addr_o(shadow_addr), .b_req_valid_o(b_valid), .b_req_ready_i(in_ready), .b_req_addr_o(b_addr),
                .b_req_shadow_o(b_shadow), .b_rsp_valid_i(in_rsp), .b_rsp_rdata_i(rdata), .b_rsp_error_i(in_error));
            // What a core or bus does not look at, because it is not valid, does not count.
            assign outputs[n] = {c_ready, c_rsp, c_rsp & c_error, c_rdata & {32{c_rsp}}, b_valid,
                b_shadow & b_valid, b_addr & {32{b_valid}}, done, access, fill, miss};
        end
    endgenerate
    always @* if (~rst) begin
        assert (outputs[0] == outputs[1]);
        assert (shadow[0] == shadow[1]);
    end
endmodule
`default_nettype wire
