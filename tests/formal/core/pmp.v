// SPDX-License-Identifier: Apache-2.0
// The real PMP unit against guard.v: from any reachable state, over one write of its CSRs. The write leads to such a
// state again, so the property always holds.
`default_nettype none

module formal_pmp (
    input wire        clk_i, in_write,
    input wire [11:0] in_number,
    input wire [31:0] in_wdata,
    input wire [31:2] in_f_addr, in_x_addr,
    input wire        in_f_user, in_x_user, in_store
);
    reg  [1:0]  cycle = 2'd0;
    always @(posedge clk_i)
        cycle <= cycle + {1'b0, ~cycle[1]};
    wire        load = cycle == 2'd0;
    wire        write = in_write & ~load;

    (* keep *) wire [8*`PMP-1:0] start_configs;
    (* keep *) wire [30*`PMP-1:0] start_addresses;
    (* keep *) wire start_zero;
    wire        g_exists, g_first, g_second, g_data, g_sane;
    wire [31:0] g_rdata;
    formal_guard #(.USER(1), .PMP(`PMP), .GRAIN(`PMP_GRAIN)) guard (
        .clk_i(clk_i), .load_i(load), .configs_i(start_configs ^ {8*`PMP{start_zero}}),
        .addresses_i(start_addresses ^ {30*`PMP{start_zero}}), .controls_i(32'd0), .places_i(32'd0), .select_i(1'b0),
        .write_i(write), .number_i(in_number), .wdata_i(in_wdata), .exists_o(g_exists), .rdata_o(g_rdata),
        .user_i(in_f_user), .data_user_i(in_x_user), .mie_i(1'b0), .pc_i({in_f_addr, 2'b00}), .addr_i({in_x_addr, 2'b00}),
        .mask_i(4'b1111), .store_i(in_store), .first_o(g_first), .second_o(g_second), .data_o(g_data), .sane_o(g_sane));

    wire        exists, first, second, data, checks;
    wire [31:0] rdata;
    gnomon_core_pmp #(.ENTRIES(`PMP), .GRAIN(`PMP_GRAIN)) dut (
        .clk_i(clk_i), .rst_i(1'b0), .csr_write_i(write), .csr_addr_i(in_number), .csr_wdata_i(in_wdata), .csr_exists_o(exists),
        .csr_rdata_o(rdata), .f_addr_i(in_f_addr), .f_user_i(in_f_user), .f_denied_o(first), .f_next_denied_o(second),
        .x_addr_i(in_x_addr), .x_user_i(in_x_user), .x_store_i(in_store), .x_checks_o(checks), .x_denied_o(data));

    wire        message = in_store & &in_x_addr[31:16];          // passes, but in another unit
    reg         sane;
    always @(posedge clk_i) begin
        if (load)
            sane <= g_sane;
        if (~load & sane) begin
            assert (exists == g_exists & rdata == g_rdata);
            assert (first == g_first & second == g_second);
            assert (message | data == g_data);
            assert (checks | ~data);
        end
    end
endmodule
`default_nettype wire
