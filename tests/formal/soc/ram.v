// SPDX-License-Identifier: Apache-2.0
// gnomon_ram in block RAM: a read returns the last written bit, which stays at the port until the next read.
`default_nettype none

module formal_ram (
    input wire        clk_i,
    // Free in each cycle.
    input wire        en_i,
    input wire [3:0]  we_i, addr_i,
    input wire [31:0] wdata_i
);
    (* anyconst *) wire [3:0] place;
    (* anyconst *) wire [4:0] at;
    wire [31:0] rdata;
    gnomon_ram #(.BYTES(64)) dut (
        .clk_i(clk_i), .en_i(en_i), .we_i(we_i), .addr_i(addr_i), .wdata_i(wdata_i), .rdata_o(rdata));

    reg         known = 1'b0, shown = 1'b0;      // the bit was written; the port shows it
    reg         value, expected;
    wire        read = en_i & we_i == 4'b0000;
    wire        writes = en_i & we_i[at[4:3]] & addr_i == place;
    always @(posedge clk_i) begin
        if (writes)
            {known, value} <= {1'b1, wdata_i[at]};
        if (read)
            {shown, expected} <= {known & addr_i == place, value};
    end
    always @*
        if (shown) assert (rdata[at] == expected);
endmodule
`default_nettype wire
