// SPDX-License-Identifier: Apache-2.0
// Handshake of one bus port for the core's test bench. With stall_i, requests and responses wait at random. At most one
// access is open.
`default_nettype none

module memory #(
    parameter [31:0] SEED = 1
) (
    input  wire        clk_i, rst_i, stall_i, req_valid_i,
    output wire        req_ready_o, accept_o, rsp_valid_o
);
    reg [31:0] random;
    reg        open;
    always @(posedge clk_i)
        if (rst_i) begin
            random <= SEED;
            open <= 1'b0;
        end else begin
            random <= {random[30:0], random[31] ^ random[21] ^ random[1] ^ random[0]};
            open <= accept_o | open & ~rsp_valid_o;
        end

    assign rsp_valid_o = open & (~stall_i | random[5:4] != 2'd0);
    assign req_ready_o = (~open | rsp_valid_o) & (~stall_i | random[1:0] != 2'd0) & ~rst_i;
    assign accept_o = req_valid_i & req_ready_o;
endmodule
`default_nettype wire
