// SPDX-License-Identifier: Apache-2.0
// gnomon_bus_delay: follows any one request from its acceptance to its output.
`default_nettype none

module formal_delay (
    input wire       clk_i,
    // Free in each cycle.
    input wire       in_valid, in_ready, in_follow,
    input wire [1:0] in_req
);
    localparam integer CYCLES = 3;
    reg         started = 1'b0;
    always @(posedge clk_i)
        started <= 1'b1;
    wire        rst = ~started;

    wire        ready, valid;
    wire [1:0]  req;
    gnomon_bus_delay #(
      .CYCLES(CYCLES), .WIDTH(2)
    ) dut (
        .clk_i(clk_i), .rst_i(rst), .req_valid_i(in_valid & ~rst), .req_ready_o(ready), .req_i(in_req),
        .req_valid_o(valid), .req_ready_i(in_ready), .req_o(req));

    wire        enters = in_valid & ready & ~rst;
    wire        leaves = valid & in_ready;
    reg  [2:0]  inside, ahead;           // requests inside; requests before the followed one
    reg         followed, held;
    reg  [1:0]  it, held_req;
    reg  [2:0]  age;                     // cycles since its acceptance, without cycles in which the bus refused
    always @(posedge clk_i) begin
        inside <= rst ? 3'd0 : inside + {2'd0, enters} - {2'd0, leaves};
        if (enters & in_follow & ~followed)
            {it, ahead, age} <= {in_req, inside - {2'd0, leaves}, 3'd1};
        else begin
            ahead <= ahead - {2'd0, leaves};
            age <= age + {2'd0, ~valid | in_ready};
        end
        followed <= ~rst & (followed ? ~(leaves & ahead == 3'd0) : enters & in_follow);
        {held, held_req} <= {~rst & valid & ~in_ready, req};
    end
    always @* if (~rst) begin
        if (valid) assert (inside != 3'd0);
        if (followed & leaves & ahead == 3'd0) assert (req == it & age == CYCLES);
        if (followed) assert (age <= CYCLES);
        if (held) assert (valid & req == held_req);
    end
endmodule
`default_nettype wire
