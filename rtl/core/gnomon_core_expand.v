// SPDX-License-Identifier: Apache-2.0
// Expands a compressed instruction (RV32C without floating point) into its 32-bit form; 32-bit instructions pass
// unchanged. An illegal compressed instruction leaves as {16'b0, instruction}, the value for mtval.
`default_nettype none

module gnomon_core_expand (
  input  wire [31:0] insn_i,
  output wire        short_o,    // the instruction is compressed
  output wire        illegal_o,  // the compressed instruction is not defined
  output reg  [31:0] insn_o
);
  localparam [6:0] LOAD = 7'h03, OP_IMM = 7'h13, STORE = 7'h23, OP = 7'h33, LUI = 7'h37, BRANCH = 7'h63,
           JALR = 7'h67, JAL = 7'h6f;
  wire [15:0] c = insn_i[15:0];
  wire [4:0]  rd = c[11:7];
  wire [4:0]  rs2 = c[6:2];
  wire [4:0]  rdp = {2'b01, c[4:2]};
  wire [4:0]  rsp = {2'b01, c[9:7]};
  wire [11:0] imm6 = {{7{c[12]}}, c[6:2]};
  wire [11:0] imm_lw = {5'd0, c[5], c[12:10], c[6], 2'b00};

  reg [31:0] long_form;
  reg        bad;
  always @* begin
    bad = 1'b0;
    case ({c[1:0], c[15:13]})
      5'b00_000: begin                                                            // c.addi4spn
        long_form = {2'd0, c[10:7], c[12:11], c[5], c[6], 2'b00, 5'd2, 3'b000, rdp, OP_IMM};
        bad = c[12:5] == 8'd0;
      end
      5'b00_010: long_form = {imm_lw, rsp, 3'b010, rdp, LOAD};                     // c.lw
      5'b00_110: long_form = {imm_lw[11:5], rdp, rsp, 3'b010, imm_lw[4:0], STORE}; // c.sw
      5'b01_000: long_form = {imm6, rd, 3'b000, rd, OP_IMM};                       // c.addi
      5'b01_001, 5'b01_101:                                                       // c.jal, c.j
        long_form = {c[12], c[8], c[10:9], c[6], c[7], c[2], c[11], c[5:3], {9{c[12]}}, 4'd0, !c[15], JAL};
      5'b01_010: long_form = {imm6, 5'd0, 3'b000, rd, OP_IMM};                     // c.li
      5'b01_011: begin
        if (rd == 5'd2)                                                         // c.addi16sp
          long_form = {{3{c[12]}}, c[4:3], c[5], c[2], c[6], 4'd0, 5'd2, 3'b000, 5'd2, OP_IMM};
        else                                                                    // c.lui
          long_form = {{15{c[12]}}, c[6:2], rd, LUI};
        bad = {c[12], c[6:2]} == 6'd0;
      end
      5'b01_100:
        case (c[11:10])
          2'b00, 2'b01: begin                                                 // c.srli, c.srai
            long_form = {1'b0, c[10], 5'd0, rs2, rsp, 3'b101, rsp, OP_IMM};
            bad = c[12];
          end
          2'b10: long_form = {imm6, rsp, 3'b111, rsp, OP_IMM};                 // c.andi
          default: begin                                                      // c.sub, c.xor, c.or, c.and
            long_form = {1'b0, c[6:5] == 2'b00, 5'd0, rdp, rsp,
                   c[6:5] == 2'b00 ? 3'b000 : c[6:5] == 2'b01 ? 3'b100 : {2'b11, c[5]}, rsp, OP};
            bad = c[12];
          end
        endcase
      5'b01_110, 5'b01_111:                                                       // c.beqz, c.bnez
        long_form = {{4{c[12]}}, c[6:5], c[2], 5'd0, rsp, 2'b00, c[13], c[11:10], c[4:3], c[12], BRANCH};
      5'b10_000: begin                                                            // c.slli
        long_form = {7'd0, rs2, rd, 3'b001, rd, OP_IMM};
        bad = c[12];
      end
      5'b10_010: begin                                                            // c.lwsp
        long_form = {4'd0, c[3:2], c[12], c[6:4], 2'b00, 5'd2, 3'b010, rd, LOAD};
        bad = rd == 5'd0;
      end
      5'b10_100:
        if (rs2 != 5'd0)                                                        // c.mv, c.add
          long_form = {7'd0, rs2, c[12] ? rd : 5'd0, 3'b000, rd, OP};
        else if (c[12] && rd == 5'd0)
          long_form = 32'h0010_0073;                                          // c.ebreak
        else begin
          long_form = {12'd0, rd, 3'b000, 4'd0, c[12], JALR};                  // c.jr, c.jalr
          bad = rd == 5'd0;
        end
      5'b10_110: long_form = {4'd0, c[8:7], c[12], rs2, 5'd2, 3'b010, c[11:9], 2'b00, STORE}; // c.swsp
      default: begin
        long_form = {16'd0, c};
        bad = 1'b1;
      end
    endcase
  end

  assign short_o = c[1:0] != 2'b11;
  assign illegal_o = short_o && bad;
  always @* begin
    insn_o = insn_i;
    if (short_o)
      insn_o = bad ? {16'd0, c} : long_form;
  end
endmodule
`default_nettype wire
