// SPDX-License-Identifier: Apache-2.0
// The iCE40's pin without its registers: plain input; no output, plain output, or an output that OUTPUT_ENABLE switches
// off. The model in yosys tests for an open input, which Verilator does not support.
`default_nettype none

module SB_IO #(
    parameter [5:0] PIN_TYPE = 6'd0
) (
    inout  wire PACKAGE_PIN,
    input  wire LATCH_INPUT_VALUE, CLOCK_ENABLE, INPUT_CLK, OUTPUT_CLK, OUTPUT_ENABLE, D_OUT_0, D_OUT_1,
    output wire D_IN_0, D_IN_1
);

    localparam [3:0] NO_OUTPUT = 4'b0000;
    localparam [3:0] OUTPUT = 4'b0110;
    localparam [3:0] SWITCHED = 4'b1010;

    assign D_IN_0 = PACKAGE_PIN;
    assign D_IN_1 = 1'b0;
    generate
        if (PIN_TYPE[5:2] == OUTPUT) begin : g_output
            assign PACKAGE_PIN = D_OUT_0;
        end else if (PIN_TYPE[5:2] == SWITCHED) begin : g_switched
            assign PACKAGE_PIN = OUTPUT_ENABLE ? D_OUT_0 : 1'bz;
        end
    endgenerate

    initial if (PIN_TYPE[1:0] != 2'b01 || (PIN_TYPE[5:2] != NO_OUTPUT && PIN_TYPE[5:2] != OUTPUT && PIN_TYPE[5:2] != SWITCHED))
    begin
        $display("SB_IO: PIN_TYPE %b is not modelled", PIN_TYPE);
        $finish;
    end

    wire unused = &{1'b0, LATCH_INPUT_VALUE, CLOCK_ENABLE, INPUT_CLK, OUTPUT_CLK, D_OUT_1};

endmodule

`default_nettype wire
