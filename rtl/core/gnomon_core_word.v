// SPDX-License-Identifier: Apache-2.0
// A register of 32 bits with a hold. HARD = 1 puts it into a DSP block of the UP5K (its accumulator, always loaded): a
// register that is fed by nothing but another one would cost a logic cell a bit. The power-on value is undefined.
`default_nettype none

module gnomon_core_word #(
    parameter HARD = 0
) (
    input  wire        clk_i,
    input  wire        hold_i,
    input  wire [31:0] data_i,
    output wire [31:0] data_o
);
    generate
        if (HARD != 0) begin : g_hard
            wire [2:0] unused;
            // Output: the registers Q and S, which take C and D.
            SB_MAC16 #(
                .TOPOUTPUT_SELECT(2'd1),
                .BOTOUTPUT_SELECT(2'd1)
            ) u_dsp (
                .CLK(clk_i),
                .CE(1'b1),
                .C(data_i[31:16]),
                .D(data_i[15:0]),
                .A(16'd0),
                .B(16'd0),
                .AHOLD(1'b0),
                .BHOLD(1'b0),
                .CHOLD(1'b0),
                .DHOLD(1'b0),
                .IRSTTOP(1'b0),
                .IRSTBOT(1'b0),
                .ORSTTOP(1'b0),
                .ORSTBOT(1'b0),
                .OLOADTOP(1'b1),
                .OLOADBOT(1'b1),
                .ADDSUBTOP(1'b0),
                .ADDSUBBOT(1'b0),
                .OHOLDTOP(hold_i),
                .OHOLDBOT(hold_i),
                .CI(1'b0),
                .ACCUMCI(1'b0),
                .SIGNEXTIN(1'b0),
                .O(data_o),
                .CO(unused[0]),
                .ACCUMCO(unused[1]),
                .SIGNEXTOUT(unused[2])
            );
        end else begin : g_soft
            reg [31:0] data;
            always @(posedge clk_i)
                if (~hold_i)
                    data <= data_i;
            assign data_o = data;
        end
    endgenerate
endmodule
`default_nettype wire
