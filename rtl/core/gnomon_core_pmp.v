// SPDX-License-Identifier: Apache-2.0
// Physical memory protection: its CSRs and three checks. The first is of the word in which the instruction about to
// enter D begins, the second of the next word, the third of a load or store. Each check covers a halfword of an
// instruction or data within one word, so no access matches an entry only in part.
`default_nettype none

module gnomon_core_pmp #(
  parameter ENTRIES = 4,               // up to 16; the CSRs of all 16 entries exist
  parameter GRAIN = 2                  // log2 of the bytes of the smallest region; above 2: no NA4
) (
  input  wire        clk_i, rst_i,

  input  wire        csr_write_i,
  input  wire [11:0] csr_addr_i,
  input  wire [31:0] csr_wdata_i,
  output wire        csr_exists_o,
  output reg  [31:0] csr_rdata_o,

  input  wire [31:2] f_addr_i,
  input  wire        f_user_i,
  output wire        f_denied_o, f_next_denied_o,

  input  wire [31:2] x_addr_i,
  input  wire        x_user_i, x_store_i,
  output wire        x_checks_o,  // an access can be denied
  output wire        x_denied_o
);
  // Bits of pmpaddr (address bits 31:2) that an entry stores (with NAPOT, the other bits read 1), and bits that it
  // compares.
  localparam [29:0] KEPT = {30{1'b1}} << (GRAIN > 2 ? GRAIN - 3 : 0);
  localparam [29:0] COMPARED = {30{1'b1}} << (GRAIN - 2);
  localparam [1:0] OFF = 2'd0, TOR = 2'd1, NA4 = 2'd2;

  wire [16*8-1:0]  configs;            // values of pmpcfg
  wire [16*30-1:0] addresses;          // values of pmpaddr
  wire [30*ENTRIES-1:0] masks;         // NAPOT: address bits that need not match
  wire [ENTRIES-1:0] locks, executes, writes, reads;
  wire [ENTRIES:0] top_locked;         // entry e is a locked TOR entry: the address of entry e - 1 is locked, too
  assign top_locked[ENTRIES] = 1'b0;
  wire        unused = &{1'b0, top_locked[0], csr_wdata_i[30]};

  wire        at_config = csr_addr_i[11:2] == 10'h0e8;
  wire        at_address = csr_addr_i[11:4] == 8'h3b;
  assign csr_exists_o = at_config || at_address;

  genvar e;
  generate
    for (e = 0; e < 16; e = e + 1) begin : entry
      if (e < ENTRIES) begin : there
        reg         lock, x, w, r;
        localparam [3:0] NUMBER = e;
        reg  [1:0]  kind;
        reg  [29:0] address;
        wire        l_new = csr_wdata_i[8 * (e % 4) + 7];
        wire [1:0]  kind_new = csr_wdata_i[8 * (e % 4) + 3 +: 2];
        wire [2:0]  xwr_new = csr_wdata_i[8 * (e % 4) +: 3];
        wire [29:0] ones = address | (kind[1] ? ~KEPT : 30'd0);
        assign configs[8 * e +: 8] = {lock, 2'b00, kind, x, w, r};
        assign addresses[30 * e +: 30] = kind[1] ? ones : address & COMPARED;
        assign masks[30 * e +: 30] = kind == NA4 ? 30'd0 : ones ^ (ones + 30'd1);
        assign top_locked[e] = lock && kind == TOR;
        assign {locks[e], executes[e], writes[e], reads[e]} = {lock, x, w, r};
        always @(posedge clk_i) begin
          if (csr_write_i && at_config && csr_addr_i[1:0] == NUMBER[3:2] && !lock) begin
            // Write permission without read permission is reserved: the entry gets neither.
            {lock, x, w, r} <= {l_new, xwr_new[2], &xwr_new[1:0], xwr_new[0]};
            kind <= GRAIN > 2 && kind_new == NA4 ? OFF : kind_new;
          end
          if (csr_write_i && at_address && csr_addr_i[3:0] == NUMBER && !lock && !top_locked[e + 1])
            address <= csr_wdata_i[29:0] & KEPT;
          if (rst_i) begin
            {lock, kind, x, w, r} <= 6'd0;
            address <= 30'd0;
          end
        end
      end else begin : absent
        assign configs[8 * e +: 8] = 8'd0;
        assign addresses[30 * e +: 30] = 30'd0;
      end
    end
  endgenerate

  always @* begin
    csr_rdata_o = 32'd0;
    if (at_config)
      csr_rdata_o = configs[32 * csr_addr_i[1:0] +: 32];
    if (at_address)
      csr_rdata_o = {2'd0, addresses[30 * csr_addr_i[3:0] +: 30]};
  end

  wire [8*ENTRIES-1:0]  used = configs[8*ENTRIES-1:0];
  wire [30*ENTRIES-1:0] used_addresses = addresses[30*ENTRIES-1:0];
  gnomon_core_pmp_check #(.ENTRIES(ENTRIES), .COMPARED(COMPARED)) u_first (
    .configs_i(used), .addresses_i(used_addresses), .masks_i(masks), .addr_i(f_addr_i), .user_i(f_user_i),
    .permits_i(executes), .denied_o(f_denied_o));
  gnomon_core_pmp_check #(.ENTRIES(ENTRIES), .COMPARED(COMPARED)) u_second (
    .configs_i(used), .addresses_i(used_addresses), .masks_i(masks), .addr_i(f_addr_i + 30'd1), .user_i(f_user_i),
    .permits_i(executes), .denied_o(f_next_denied_o));
  gnomon_core_pmp_check #(.ENTRIES(ENTRIES), .COMPARED(COMPARED)) u_data (
    .configs_i(used), .addresses_i(used_addresses), .masks_i(masks), .addr_i(x_addr_i), .user_i(x_user_i),
    .permits_i(x_store_i ? writes : reads), .denied_o(x_denied_o));
  assign x_checks_o = x_user_i || |locks;
endmodule
`default_nettype wire
