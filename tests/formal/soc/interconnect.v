// SPDX-License-Identifier: Apache-2.0
// The interconnect between any masters and slaves, against docs/internals/soc.md and docs/reference/address-map.md, for
// all addresses and data.
`default_nettype none
`ifndef RAM_BYTES
`define RAM_BYTES 65536
`endif
`ifndef LATE
`define LATE `BLOCKS
`endif

module formal_interconnect (
    input wire        clk_i,
    // Free in each cycle.
    input wire        i_valid, d_asks, h_asks, d_write, d_lock, h_grant, h_write, in_ready, in_rsp,
    input wire [31:0] i_addr, d_addr, d_wdata, h_addr, h_wdata, ram_rdata,
    input wire [3:0]  d_strb,
    input wire [1:0]  in_owner,
    input wire [32*`BLOCKS-1:0] in_rdata
);
    localparam [31:0] RAM_BASE = 32'h1000_0000;
    reg         started = 1'b0;
    always @(posedge clk_i)
        started <= 1'b1;
    wire        rst = ~started;

    wire        i_ready, d_ready, h_ready, i_rsp, d_rsp, h_rsp, i_error, d_error, h_error;
    wire [31:0] i_rdata, d_rdata, h_rdata;
    wire        snoop, ram_en, ram_write, reg_write, mon, mon_write;
    wire [31:2] snoop_addr;
    wire [3:0]  ram_strb, mon_strb, waits;
    wire [$clog2(`RAM_BYTES)-3:0] ram_addr;
    wire [31:0] ram_wdata, reg_wdata, mon_addr, mon_wdata;
    wire [`BLOCKS-1:0] reg_sel;
    wire [11:0] reg_addr;
    wire [1:0]  mon_master;

    // Data port and host wait for a late block's answer.
    reg  [2:0]  late, later;       // accepted one, two cycles ago, by instruction, data, host
    wire        d_valid = d_asks & ~late[1] & ~later[1], h_valid = h_asks & ~late[0] & ~later[0];

    // A register block reads 0 unless it was selected; a late one, unless it was selected two cycles ago. A late one's
    // word goes through a register.
    localparam [`BLOCKS-1:0] IS_LATE = {`BLOCKS{1'b1}} << `LATE;
    reg  [`BLOCKS-1:0] selected, access;
    reg  [32*`BLOCKS-1:0] before;
    wire [32*`BLOCKS-1:0] reg_rdata;
    always @(posedge clk_i) begin
        selected <= reg_sel & ~IS_LATE | access;
        access <= reg_sel & IS_LATE;
        before <= in_rdata;
    end
    genvar b;
    generate
        for (b = 0; b < `BLOCKS; b = b + 1) begin : g_block
            assign reg_rdata[32*b+:32] = in_rdata[32*b+:32] & {32{selected[b]}};
        end
    endgenerate

    gnomon_interconnect #(
      .RAM_BASE(RAM_BASE), .RAM_BYTES(`RAM_BYTES), .BLOCKS(`BLOCKS), .LATE(`LATE)
    ) dut (
        .clk_i(clk_i), .rst_i(rst),
        .i_req_valid_i(i_valid), .i_req_ready_o(i_ready), .i_req_addr_i(i_addr), .i_req_shadow_i(1'b0), .i_rsp_valid_o(i_rsp), .i_rsp_rdata_o(i_rdata),
        .i_rsp_error_o(i_error),
        .d_req_valid_i(d_valid), .d_req_ready_o(d_ready), .d_req_addr_i(d_addr), .d_req_shadow_i(1'b0), .d_req_write_i(d_write), .d_req_wdata_i(d_wdata),
        .d_req_strb_i(d_strb), .d_req_lock_i(d_lock), .d_snoop_valid_o(snoop), .d_snoop_addr_o(snoop_addr), .d_rsp_valid_o(d_rsp),
        .d_rsp_rdata_o(d_rdata), .d_rsp_error_o(d_error),
        .h_grant_i(h_grant), .h_req_valid_i(h_valid), .h_req_ready_o(h_ready), .h_req_addr_i(h_addr), .h_req_write_i(h_write),
        .h_req_wdata_i(h_wdata), .h_rsp_valid_o(h_rsp), .h_rsp_rdata_o(h_rdata), .h_rsp_error_o(h_error),
        .mem_valid_o(ram_en), .mem_ready_i(in_ready), .mem_addr_o(ram_addr), .mem_shadow_o(), .mem_write_o(ram_write), .mem_wdata_o(ram_wdata),
        .mem_strb_o(ram_strb), .mem_owner_o(), .mem_rsp_valid_i(in_rsp), .mem_rsp_owner_i(in_owner), .mem_rsp_rdata_i(ram_rdata),
        .mem_refresh_i(in_rsp), .mem_page_i(in_rsp), .i_wait_refresh_o(waits[0]), .i_wait_page_o(waits[1]), .d_wait_refresh_o(waits[2]),
        .d_wait_page_o(waits[3]),
        .flash_want_o(), .flash_addr_o(), .flash_there_i(1'b0), .flash_take_o(), .flash_idle_i(1'b0), .flash_send_o(), .flash_word_i(32'd0),
        .reg_sel_o(reg_sel), .reg_write_o(reg_write), .reg_addr_o(reg_addr), .reg_wdata_o(reg_wdata), .reg_rdata_i(reg_rdata),
        .mon_valid_o(mon), .mon_master_o(mon_master), .mon_write_o(mon_write), .mon_addr_o(mon_addr), .mon_strb_o(mon_strb),
        .mon_wdata_o(mon_wdata));

    // The request accepted in this cycle, and its slave by the address map.
    wire        i_go = i_valid & i_ready, d_go = d_valid & d_ready, h_go = h_valid & h_ready;
    wire        go = i_go | d_go | h_go;
    wire [31:0] addr = i_go ? i_addr : d_go ? d_addr : h_addr;
    wire        write = d_go & d_write | h_go & h_write;
    wire [31:0] wdata = d_go ? d_wdata : h_wdata;
    wire [3:0]  strb = d_go ? d_strb : 4'b1111;
    wire        to_ram = addr >= RAM_BASE & addr - RAM_BASE < `RAM_BYTES;
    wire        to_reg = ~i_go & addr >= 32'hF000_0000 & addr - 32'hF000_0000 < `BLOCKS * 4096 & (~write | strb == 4'b1111);
    wire        to_lock = d_go & addr >= 32'hE000_0000 & addr < 32'hE200_0000;
    wire [31:0] block = (addr - 32'hF000_0000) >> 12;

    // A request accepted in the previous cycle is answered in this cycle; a request to a late block, two cycles later.
    wire        to_late = to_reg & block >= `LATE;
    reg  [2:0]  was, due;          // of instruction, data, host
    reg         was_ram, was_reg, was_lock, was_write, late_write, later_write, due_write;
    reg  [31:0] was_block, late_block, later_block, due_block;
    wire [31:0] expected = was_ram ? ram_rdata : was_reg ? in_rdata[32*was_block+:32] : 32'd0;
    wire [31:0] due_expected = before[32*due_block+:32];
    wire        fails = ~was_ram & ~was_reg & ~was_lock;
    always @(posedge clk_i) begin
        was <= {3{~rst & ~to_late}} & {i_go, d_go, h_go};
        late <= {3{~rst & to_late}} & {i_go, d_go, h_go};
        later <= {3{~rst}} & late;
        due <= {3{~rst}} & later;
        {was_ram, was_reg, was_lock, was_write, was_block} <= {to_ram, to_reg, to_lock, write, block};
        {late_write, late_block} <= {write, block};
        {later_write, later_block} <= {late_write, late_block};
        {due_write, due_block} <= {later_write, later_block};
    end

    always @* if (~rst) begin
        // One grant at a time, and the priorities.
        assert ({1'b0, i_go} + {1'b0, d_go} + {1'b0, h_go} <= 2'd1);
        assert (d_ready);
        assert (i_ready == ~d_valid);
        assert (h_ready == (~d_valid & ~i_valid & h_grant & ~(d_lock & h_write)));
        // The request goes to one slave, unchanged.
        assert (ram_en == (go & to_ram));
        assert (reg_sel == (go & to_reg ? 1 << block : 0));
        if (ram_en) assert (ram_addr == addr[31:2] - RAM_BASE[31:2]);
        if (ram_en) assert (ram_write == write);
        if (ram_en & write) assert (ram_strb == strb);
        if (|reg_sel) assert (reg_write == write & reg_addr == {addr[11:2], 2'b00});
        if (ram_en & write) assert (ram_wdata == wdata);
        if (|reg_sel & write) assert (reg_wdata == wdata);
        // The answer goes to the requesting master, with an error if no slave has the address.
        assert ({i_rsp, d_rsp, h_rsp} == (was | due));
        assert ((was & due) == 3'b000);
        if (was[2]) assert (i_error == fails & (fails | i_rdata == expected));
        if (was[1]) assert (d_error == fails & (was_write | d_rdata == expected));
        if (was[0]) assert (h_error == fails & (was_write | h_rdata == expected));
        if (due[1]) assert (~d_error & (due_write | d_rdata == due_expected));
        if (due[0]) assert (~h_error & (due_write | h_rdata == due_expected));
        // No other master writes between the data port's locked load and its store, and snoop reports the host's
        // writes.
        if (d_lock) assert (~(write & ~d_go));
        assert (snoop == (h_go & h_write));
        if (snoop) assert (snoop_addr == h_addr[31:2]);
        // No master waits for memory.
        assert (waits == 4'b0000);
        // The monitor.
        assert (mon == go);
        if (mon) assert (mon_master == (i_go ? 2'd0 : d_go ? 2'd1 : 2'd2) & mon_addr == addr & mon_write == write);
        if (mon & mon_write) assert (mon_strb == strb & mon_wdata == wdata);
    end
endmodule
`default_nettype wire
