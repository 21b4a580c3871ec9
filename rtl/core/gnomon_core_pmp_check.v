// SPDX-License-Identifier: Apache-2.0
// Decides whether physical memory protection denies one access: the lowest matching entry decides; without a match, U
// mode is denied.
`default_nettype none

module gnomon_core_pmp_check #(
  parameter ENTRIES = 4,
  parameter [29:0] COMPARED = {30{1'b1}}
) (
  input  wire [8*ENTRIES-1:0] configs_i,
  input  wire [30*ENTRIES-1:0] addresses_i, masks_i,
  input  wire [31:2]        addr_i,
  input  wire               user_i,
  input  wire [ENTRIES-1:0] permits_i,
  output reg                denied_o
);
  wire [29:0]        addr = addr_i & COMPARED;
  wire [ENTRIES:0]   below;            // below[e]: addr is below pmpaddr of entry e - 1
  wire [ENTRIES-1:0] match, binds;
  assign below[0] = 1'b0;
  genvar e;
  generate
    for (e = 0; e < ENTRIES; e = e + 1) begin : entry
      wire [1:0] kind = configs_i[8 * e + 3 +: 2];
      assign below[e + 1] = addr < (addresses_i[30 * e +: 30] & COMPARED);
      assign match[e] = kind[1] ? ((addr ^ addresses_i[30 * e +: 30]) & ~masks_i[30 * e +: 30] & COMPARED) == 30'd0
                   : kind[0] && !below[e] && below[e + 1];
      assign binds[e] = user_i || configs_i[8 * e + 7];
    end
  endgenerate

  integer i;
  always @* begin
    denied_o = user_i;
    for (i = ENTRIES - 1; i >= 0; i = i - 1)
      if (match[i])
        denied_o = binds[i] && !permits_i[i];
  end
  // The check does not read the permissions in configs_i: permits_i has them.
  wire unused = &{1'b0, configs_i};
endmodule
`default_nettype wire
