// SPDX-License-Identifier: Apache-2.0
// For clock and area figures: the SDRAM controller with registers on all pins. Inputs are shifted in serially, and the
// outputs are reduced to one bit.
`default_nettype none

module place_sdram #(
    parameter [31:0] CLOCK_HZ = 32'd50_000_000
) (
    input  wire clk_i, bit_i,
    output wire bit_o
);
    localparam INS = 1 + 1 + 1 + 23 + 1 + 32 + 4 + 2 + 16, OUTS = 1 + 1 + 1 + 2 + 32 + 2 + 5 + 2 + 13 + 2 + 16 + 1;
    reg [INS-1:0] in;
    reg [OUTS-1:0] out;
    wire [OUTS-1:0] found;
    reg bit_q;
    assign bit_o = bit_q;
    always @(posedge clk_i) begin
        in <= {in[INS-2:0], bit_i};
        out <= found;
        bit_q <= ^out;
    end
    wire rst, park, valid, write;
    wire [24:2] addr;
    wire [31:0] wdata;
    wire [3:0] strb;
    wire [1:0] owner;
    wire [15:0] dq;
    assign {rst, park, valid, addr, write, wdata, strb, owner, dq} = in;

    gnomon_sdram #(
      .CLOCK_HZ(CLOCK_HZ)
    ) u_sdram (
      .clk_i(clk_i), .rst_i(rst), .park_i(park), .parked_o(found[0]), .req_valid_i(valid), .req_ready_o(found[1]),
      .req_addr_i(addr), .req_write_i(write), .req_wdata_i(wdata), .req_strb_i(strb), .req_owner_i(owner),
      .rsp_valid_o(found[2]), .rsp_owner_o(found[4:3]), .rsp_rdata_o(found[36:5]), .refresh_o(found[37]),
      .page_o(found[38]), .sdram_cke_o(found[39]), .sdram_cs_n_o(found[40]), .sdram_ras_n_o(found[41]),
      .sdram_cas_n_o(found[42]), .sdram_we_n_o(found[43]), .sdram_ba_o(found[45:44]), .sdram_a_o(found[58:46]),
      .sdram_dqm_o(found[60:59]), .sdram_dq_o(found[76:61]), .sdram_dq_oe_o(found[77]), .sdram_dq_i(dq)
    );
endmodule

`default_nettype wire
