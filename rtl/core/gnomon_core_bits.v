// SPDX-License-Identifier: Apache-2.0
// Zba, Zbb and Zbs, without the instructions that the ALU executes (andn, orn, xnor with its complemented operand;
// rotations and bext in its shifter). The result is 0 while no select bit is high. A count of bits ends one cycle
// later, in M, which adds the counts of groups of four bits: of the ones for cpop, of the zeros below the first one for
// ctz. clz is ctz of the reversed bits.
`default_nettype none

module gnomon_core_bits (
  input  wire        clk_i,

  input  wire [4:0]  x_select_i,  // {rev8 and orc.b, extensions, single bits, min and max, shNadd}
  input  wire        x_late_i,    // the instruction is a count
  input  wire [31:0] x_insn_i,    // distinguishes the members of a group
  input  wire [31:0] x_a_i,
  input  wire [31:0] x_b_i,       // complemented for min and max
  input  wire        x_less_i,    // the ALU's comparison
  output wire [31:0] x_result_o,

  input  wire        m_load_i,   // the instruction in X moves to M
  input  wire        m_clear_i,  // clears the count in M
  output wire [31:0] m_result_o  // 0 if M has no count
);
  wire [2:0]  op = x_insn_i[14:12];

  wire [31:0] scaled = op[2] ? (op[1] ? {x_a_i[28:0], 3'd0} : {x_a_i[29:0], 2'd0}) : {x_a_i[30:0], 1'd0};
  wire [31:0] sum = scaled + x_b_i;

  wire        first = x_less_i ^ op[1];
  wire [31:0] chosen = first ? x_a_i : ~x_b_i;

  // bset 01, bclr 10, binv 11
  wire [31:0] one = 32'd1 << x_b_i[4:0];
  wire [31:0] single = x_insn_i[30] ? (x_insn_i[29] ? x_a_i ^ one : x_a_i & ~one) : x_a_i | one;

  // sext.b, sext.h, zext.h
  wire        half = x_insn_i[20] || x_insn_i[5];
  wire        sign = !x_insn_i[5] && (half ? x_a_i[15] : x_a_i[7]);
  wire [31:0] extended = {{16{sign}}, half ? x_a_i[15:8] : {8{sign}}, x_a_i[7:0]};

  wire [31:0] reversed = {x_a_i[7:0], x_a_i[15:8], x_a_i[23:16], x_a_i[31:24]};
  wire [31:0] any = {{8{|x_a_i[31:24]}}, {8{|x_a_i[23:16]}}, {8{|x_a_i[15:8]}}, {8{|x_a_i[7:0]}}};
  wire [31:0] bytes = x_insn_i[30] ? reversed : any;

  // Selections instead of ANDs: the gates are equal, but a simulation evaluates only selected values.
  assign x_result_o = (x_select_i[0] ? sum : 32'd0) | (x_select_i[1] ? chosen : 32'd0) |
      (x_select_i[2] ? single : 32'd0)
           | (x_select_i[3] ? extended : 32'd0) | (x_select_i[4] ? bytes : 32'd0);

  // clz 00, ctz 01, cpop 10
  reg  [31:0] from;
  always @* begin
    from = 32'd0;
    if (x_late_i) begin
      from = x_a_i;
      if (!x_insn_i[20]) begin     // reverses by halves: faster in a simulation than bit by bit
        from = {from[15:0], from[31:16]};
        from = (from & 32'h00ff_00ff) << 8 | from >> 8 & 32'h00ff_00ff;
        from = (from & 32'h0f0f_0f0f) << 4 | from >> 4 & 32'h0f0f_0f0f;
        from = (from & 32'h3333_3333) << 2 | from >> 2 & 32'h3333_3333;
        from = (from & 32'h5555_5555) << 1 | from >> 1 & 32'h5555_5555;
      end
    end
  end
  wire        all = x_insn_i[21];
  wire [7:0]  empty;                   // the group has no one
  wire [8:0]  counts;                  // ctz counts in this group: the groups before it are empty
  assign counts[0] = 1'b1;
  reg  [2:0]  m_four [0:7];
  genvar g;
  generate
    for (g = 0; g < 8; g = g + 1) begin : groups
      wire [3:0]  group = from[4 * g +: 4];
      assign empty[g] = group == 4'd0;
      assign counts[g + 1] = &empty[g:0];
      wire [2:0]  ones = {2'd0, group[0]} + {2'd0, group[1]} + {2'd0, group[2]} + {2'd0, group[3]};
      wire [2:0]  zeros = empty[g] ? 3'd4 : group[0] ? 3'd0 : group[1] ? 3'd1 : group[2] ? 3'd2 : 3'd3;
      always @(posedge clk_i)
        if (m_clear_i)
          m_four[g] <= 3'd0;
        else if (m_load_i)
          m_four[g] <= !x_late_i ? 3'd0 : all ? ones : counts[g] ? zeros : 3'd0;
    end
  endgenerate
  wire [3:0]  m_byte0 = {1'b0, m_four[0]} + {1'b0, m_four[1]};
  wire [3:0]  m_byte1 = {1'b0, m_four[2]} + {1'b0, m_four[3]};
  wire [3:0]  m_byte2 = {1'b0, m_four[4]} + {1'b0, m_four[5]};
  wire [3:0]  m_byte3 = {1'b0, m_four[6]} + {1'b0, m_four[7]};
  wire [4:0]  m_low = {1'b0, m_byte0} + {1'b0, m_byte1};
  wire [4:0]  m_high = {1'b0, m_byte2} + {1'b0, m_byte3};
  assign m_result_o = {26'd0, {1'b0, m_low} + {1'b0, m_high}};

  wire        unused = &{1'b0, counts[8], x_insn_i[31], x_insn_i[28:22], x_insn_i[19:15], x_insn_i[11:6],
              x_insn_i[4:0], op[0]};
endmodule
`default_nettype wire
