// SPDX-License-Identifier: Apache-2.0
// The real register file is no worse than its stand-in in units.v: every place returns the last word written, unless it
// is written at the edge of the read. For the form that reads at the rising edge.
`default_nettype none

module formal_regfile (
    input wire        clk_i,
    input wire [4:0]  raddr1_i, raddr2_i,
    input wire        we_i,
    input wire [4:0]  waddr_i,
    input wire [31:0] wdata_i
);
    wire [31:0] rdata1, rdata2;
    gnomon_core_regfile dut (
        .clk_i(clk_i), .raddr1_i(raddr1_i), .raddr2_i(raddr2_i), .rdata1_o(rdata1), .rdata2_o(rdata2), .we_i(we_i),
        .waddr_i(waddr_i), .wdata_i(wdata_i));
    // From any content: the check follows a word from its first write. A word without writes does not change.
    (* anyconst *) reg [4:0] place;
    reg  [31:0] word, expected;
    reg         known, check1, check2;
    wire        writes = we_i & waddr_i == place;
    wire        follows = known & ~$initstate;
    always @(posedge clk_i) begin
        if (writes)
            word <= wdata_i;
        known <= writes | follows;
        expected <= word;
        check1 <= raddr1_i == place & ~writes & follows;
        check2 <= raddr2_i == place & ~writes & follows;
    end
    always @* begin
        assert (~check1 | $initstate | rdata1 == expected);
        assert (~check2 | $initstate | rdata2 == expected);
    end
endmodule
`default_nettype wire
