// SPDX-License-Identifier: Apache-2.0
// Clock recovery at four samples a bit. Every change of the line restarts the bit, which is sampled one to two samples
// later. While the device sends, the line is ignored and tick_o is the device's bit clock.
`default_nettype none

module gnomon_usb_sampler #(
  parameter integer SUSPEND = 0
) (
  input  wire clk_i, rst_i, usb_dp_i, usb_dn_i, sending_i,
  output reg  tick_o,       // pulse: a bit; bit_o, se0_o and j_o hold until the next tick
  output reg  bit_o,        // NRZI decoded
  output reg  se0_o, j_o,
  output wire bus_reset_o,  // SE0 for more than 2.5 us
  output wire suspended_o   // with SUSPEND: J for 3 ms
);
  // The two lines are unrelated bits: a skewed change lasts one sample and restarts the bit.
  wire [1:0] line;
  reg [1:0] line_q;
  reg [1:0] phase;
  reg dp_last;
  reg [5:0] se0_count;
  reg line_changed;          // line_q differs from its previous sample
  wire changed = line_changed && !sending_i;
  wire sample = phase == 2'd1 && !changed;
  wire se0 = line_q == 2'b00;

  gnomon_sync2 #(.WIDTH(2)) u_sync (.clk_i(clk_i), .rst_i(rst_i), .d_i({usb_dp_i, usb_dn_i}), .q_o(line));

  assign bus_reset_o = se0_count[5];

  always @(posedge clk_i) begin
    line_q <= line;
    line_changed <= line != line_q;
    phase  <= changed ? 2'd1 : phase + 2'd1;
    tick_o <= sample;
    if (sample) begin
      bit_o <= line_q[1] == dp_last;
      se0_o <= se0;
      j_o <= line_q == 2'b10;
      dp_last <= line_q[1];
      if (!se0 || sending_i) se0_count <= 6'd0;
      else if (!se0_count[5]) se0_count <= se0_count + 6'd1;
    end
    if (rst_i) begin
      phase <= 2'd0;
      tick_o <= 1'b0;
      se0_count <= 6'd0;
    end
  end

  generate
    if (SUSPEND != 0) begin : g_suspend
      localparam [17:0] CYCLES = 18'd144_000;   // 3 ms
      reg [17:0] idle;
      assign suspended_o = idle == CYCLES;
      always @(posedge clk_i) begin
        if (rst_i || line_q != 2'b10 || sending_i) idle <= 18'd0;
        else if (!suspended_o) idle <= idle + 18'd1;
      end
    end else begin : g_no_suspend
      assign suspended_o = 1'b0;
    end
  endgenerate
endmodule

`default_nettype wire
