// SPDX-License-Identifier: Apache-2.0
// Address triggers (tdata1 of type 2, mcontrol). They compare the address of the instruction that is about to enter D,
// and of a load or store in X before the access. Action 0 raises a breakpoint exception, except in M mode while
// interrupts are off, because a handler cannot be re-entered. Action 1 enters debug mode; only triggers that belong to
// the debugger have it. Match 0 compares one address with all bytes of the access, match 1 an aligned address range.
`default_nettype none

module gnomon_core_trigger #(
  parameter COUNT = 2,                 // 2 or 4
  parameter USER = 0
) (
  input  wire        clk_i, rst_i,

  input  wire        csr_write_i,
  input  wire [11:0] csr_addr_i,
  input  wire [31:0] csr_wdata_i,
  output wire        csr_exists_o,
  output reg  [31:0] csr_rdata_o,

  input  wire        debug_i, user_i,
  input  wire        mie_i,  // mstatus.MIE

  input  wire [31:1] f_pc_i,
  output wire        f_trap_o, f_debug_o,

  input  wire [31:0] x_addr_i,
  input  wire [1:0]  x_size_i,    // log2 of the bytes
  input  wire        x_store_i,
  output wire        x_checks_o,  // a load or store trigger is on in this mode
  output wire        x_trap_o, x_debug_o
);
  localparam SELECT = COUNT > 2 ? 2 : 1;
  localparam [5:0] LARGEST = 6'd32;    // log2 of the bytes of the largest address range
  reg  [SELECT-1:0] select;

  wire [COUNT*32-1:0] controls, addresses;
  wire [COUNT-1:0]    ranges, f_trap, f_debug, x_on, x_trap, x_debug;
  assign f_debug_o = |f_debug;
  assign f_trap_o = |f_trap && !f_debug_o;
  assign x_checks_o = |x_on;
  assign x_debug_o = |x_debug;
  assign x_trap_o = |x_trap && !x_debug_o;

  assign csr_exists_o = csr_addr_i[11:3] == 9'h0f4 && (csr_addr_i[2:0] < 3'd3 || csr_addr_i[2:0] == 3'd4);
  always @* begin
    csr_rdata_o = 32'd0;
    case (csr_addr_i)
      12'h7a0: csr_rdata_o = {{32 - SELECT{1'b0}}, select};
      12'h7a1: csr_rdata_o = controls[32 * select +: 32];
      12'h7a2: csr_rdata_o = selected;
      12'h7a4: csr_rdata_o = 32'd4;                                // only type 2
      default: ;
    endcase
  end
  always @(posedge clk_i)
    if (rst_i)
      select <= {SELECT{1'b0}};
    else if (csr_write_i && csr_addr_i == 12'h7a0)
      select <= csr_wdata_i[SELECT-1:0];

  // A write to the selected trigger's tdata1 or tdata2 finds the address bits that count, with one adder for all
  // triggers: an aligned range ignores the lowest 0 of its address and the ones below it.
  wire        writes_control = csr_write_i && csr_addr_i == 12'h7a1;
  wire        writes_address = csr_write_i && csr_addr_i == 12'h7a2;
  wire        new_range = csr_wdata_i[10:7] == 4'd1;
  wire [31:0] selected = addresses[32 * select +: 32];
  wire [31:0] new_address = csr_addr_i[1] ? csr_wdata_i : selected;
  wire        has_range = csr_addr_i[1] ? ranges[select] : new_range;
  wire [31:0] new_counts = ~(new_address ^ (new_address + 32'd1)) | {32{!has_range}};
  genvar t;
  generate
    for (t = 0; t < COUNT; t = t + 1) begin : trigger
      reg         dmode, enters, range, machine, user, execute, store, load;
      reg  [31:0] address, counts;
      assign ranges[t] = range;
      assign controls[32 * t +: 32] = {4'd2, dmode, LARGEST, 5'd0, 3'd0, enters, 1'b0, 3'd0, range, machine, 2'b00,
          user,
                       execute, store, load};
      assign addresses[32 * t +: 32] = address;
      wire        mine = select == t && (debug_i || !dmode);
      wire        dmode_written = csr_wdata_i[27] && debug_i;
      always @(posedge clk_i) begin
        if (mine && writes_control) begin
          {dmode, enters} <= {dmode_written, dmode_written && csr_wdata_i[15:12] == 4'd1};
          {range, machine} <= {new_range, csr_wdata_i[6]};
          {user, execute, store, load} <= {csr_wdata_i[3] && USER != 0, csr_wdata_i[2:0]};
        end
        if (mine && writes_address)
          address <= csr_wdata_i;
        if (mine && (writes_control || writes_address))
          counts <= new_counts;
        if (rst_i) begin
          {dmode, enters, range, machine, user, execute, store, load} <= 8'd0;
          address <= 32'd0;
          counts <= 32'hffff_ffff;
        end
      end

      wire        on = !debug_i && (user_i ? user : machine && (enters || mie_i));
      wire        f_match = on && execute && (({f_pc_i, 1'b0} ^ address) & counts) == 32'd0;
      assign {f_debug[t], f_trap[t]} = {f_match && enters, f_match && !enters};
      wire [31:0] same_word = {30'd0, x_size_i[1], x_size_i != 2'd0};
      wire        x_match = ((x_addr_i ^ address) & counts & ~same_word) == 32'd0;
      assign x_on[t] = on && (load || store);
      wire        x_hit = on && (x_store_i ? store : load) && x_match;
      assign {x_debug[t], x_trap[t]} = {x_hit && enters, x_hit && !enters};
    end
  endgenerate
endmodule
`default_nettype wire
