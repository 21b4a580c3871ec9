// SPDX-License-Identifier: Apache-2.0
// gnomon_interconnect for a main memory that answers when it can: the same masters, the same map and the same rules, and one
// request accepted a cycle, in the same priority. Reads of main memory are handed over with their master's number, and answered when
// their data comes, in order; writes there are answered in the next cycle, as whatever is asked later comes behind them. Registers and
// lock segments answer in the next cycle as before.
//
// Each master's answers are in its order: what is answered in the next cycle waits until all of that master's reads are.
// Main memory is the host's only while the hart is stopped (that is the host port's concern), so its rows and its queue are the
// hart's own; and for registers the host takes cycles that the hart leaves.
`default_nettype none

module gnomon_interconnect_wait #(
    parameter [31:0] RAM_BASE = 32'h1000_0000,
    parameter integer RAM_BYTES = 65536,  // power of two
    parameter integer BLOCKS = 4          // register blocks of 4 KiB from 0xF000_0000 on
) (
    input  wire        clk_i,
    input  wire        rst_i,

    // Instruction port (read only).
    input  wire        i_req_valid_i,
    output wire        i_req_ready_o,
    input  wire [31:0] i_req_addr_i,
    output wire        i_rsp_valid_o,
    output wire [31:0] i_rsp_rdata_o,
    output wire        i_rsp_error_o,

    // Data port.
    input  wire        d_req_valid_i,
    output wire        d_req_ready_o,
    input  wire [31:0] d_req_addr_i,
    input  wire        d_req_write_i,
    input  wire [31:0] d_req_wdata_i,
    input  wire  [3:0] d_req_strb_i,
    input  wire        d_req_lock_i,
    output wire        d_snoop_valid_o,
    output wire [31:2] d_snoop_addr_o,
    output wire        d_rsp_valid_o,
    output wire [31:0] d_rsp_rdata_o,
    output wire        d_rsp_error_o,

    // Host port (whole words).
    input  wire        h_grant_i,     // a request of the host may be taken in this cycle
    input  wire        h_req_valid_i,
    output wire        h_req_ready_o,
    input  wire [31:0] h_req_addr_i,
    input  wire        h_req_write_i,
    input  wire [31:0] h_req_wdata_i,
    output wire        h_rsp_valid_o,
    output wire [31:0] h_rsp_rdata_o,
    output wire        h_rsp_error_o,

    // Main memory.
    output wire                         mem_valid_o,
    input  wire                         mem_ready_i,
    output wire [$clog2(RAM_BYTES)-1:2] mem_addr_o,
    output wire                         mem_write_o,
    output wire                  [31:0] mem_wdata_o,
    output wire                   [3:0] mem_strb_o,
    output wire                   [1:0] mem_owner_o,
    input  wire                         mem_rsp_valid_i,
    input  wire                   [1:0] mem_rsp_owner_i,
    input  wire                  [31:0] mem_rsp_rdata_i,
    input  wire                         mem_refresh_i,   // it refreshes; it closes or opens a row
    input  wire                         mem_page_i,

    // What this port has asked of main memory waits for that: only causes of cycles depend on it.
    output wire        i_wait_refresh_o,
    output wire        i_wait_page_o,
    output wire        d_wait_refresh_o,
    output wire        d_wait_page_o,

    // Register blocks: read data the cycle after, 0 when not selected; side effects of a read happen in the cycle of `sel`.
    output wire       [BLOCKS-1:0] reg_sel_o,
    output wire                    reg_write_o,
    output wire             [11:0] reg_addr_o,
    output wire             [31:0] reg_wdata_o,
    input  wire    [32*BLOCKS-1:0] reg_rdata_i,

    // Bus monitor: docs/observation.md.
    output wire        mon_valid_o,
    output wire  [1:0] mon_master_o,
    output wire        mon_write_o,
    output wire [31:0] mon_addr_o,
    output wire  [3:0] mon_strb_o,
    output wire [31:0] mon_wdata_o
);

    localparam integer RAM_LOG2 = $clog2(RAM_BYTES);
    localparam [1:0] MASTER_I = 2'd0, MASTER_D = 2'd1, MASTER_H = 2'd2;

    // Decoding.
    wire d_ram = d_req_addr_i[31:RAM_LOG2] == RAM_BASE[31:RAM_LOG2];
    wire i_ram = i_req_addr_i[31:RAM_LOG2] == RAM_BASE[31:RAM_LOG2];
    wire h_ram = h_req_addr_i[31:RAM_LOG2] == RAM_BASE[31:RAM_LOG2];
    wire d_page = d_req_addr_i[31:16] == 16'hF000 && !(d_req_write_i && d_req_strb_i != 4'b1111);
    wire h_page = h_req_addr_i[31:16] == 16'hF000;

    // Reads that main memory owes: to a port no more than a line of a cache. The host's is one.
    localparam integer OWED = 4;
    reg [OWED-1:0] i_owed, d_owed;
    localparam [OWED-1:0] NONE = {OWED{1'b0}}, ONE = {{(OWED - 1) {1'b0}}, 1'b1};
    wire i_back = mem_rsp_valid_i && mem_rsp_owner_i == MASTER_I;
    wire d_back = mem_rsp_valid_i && mem_rsp_owner_i == MASTER_D;
    wire h_back = mem_rsp_valid_i && mem_rsp_owner_i == MASTER_H;
    wire i_clear = i_owed == NONE || (i_owed == ONE && i_back);
    wire d_clear = d_owed == NONE || (d_owed == ONE && d_back);

    // Arbitration: whoever is lower does not see what is below it.
    wire d_ordered = d_clear || (d_ram && !d_req_write_i);
    assign d_req_ready_o = d_ordered && (mem_ready_i || !d_ram);
    assign i_req_ready_o = !d_req_valid_i && (i_ram ? mem_ready_i : i_clear);
    assign h_req_ready_o = !d_req_valid_i && !i_req_valid_i && h_grant_i && !(d_req_lock_i && h_req_write_i) && (mem_ready_i || !h_ram);

    wire        d_go = d_req_valid_i && d_req_ready_o;
    wire        i_go = i_req_valid_i && i_req_ready_o;
    wire        h_go = h_req_valid_i && h_req_ready_o;
    wire        valid = d_go || i_go || h_go;
    wire  [1:0] master = d_req_valid_i ? MASTER_D : i_req_valid_i ? MASTER_I : MASTER_H;
    assign d_snoop_valid_o = h_go && h_req_write_i;
    assign d_snoop_addr_o = h_req_addr_i[31:2];
    wire [31:0] x_addr = d_req_valid_i ? d_req_addr_i : h_req_addr_i;  // of data port or host
    wire [31:0] addr = master == MASTER_I ? i_req_addr_i : x_addr;
    wire        write = d_req_valid_i ? d_req_write_i : !i_req_valid_i && h_req_write_i;
    wire [31:0] wdata = d_req_valid_i ? d_req_wdata_i : h_req_wdata_i;
    wire  [3:0] strb = d_req_valid_i ? d_req_strb_i : 4'b1111;
    wire is_ram = d_req_valid_i ? d_ram : i_req_valid_i ? i_ram : h_ram;
    wire is_page = d_req_valid_i ? d_page : !i_req_valid_i && h_page;
    wire is_lock = d_req_valid_i && d_req_addr_i[31:25] == 7'b1110_000;

    wire [BLOCKS-1:0] is_reg;
    genvar b;
    generate
        for (b = 0; b < BLOCKS; b = b + 1) begin : g_block
            assign is_reg[b] = is_page && x_addr[15:12] == b[3:0];
        end
    endgenerate

    assign mem_valid_o = valid && is_ram;
    assign mem_addr_o = addr[RAM_LOG2-1:2];
    assign mem_write_o = write;
    assign mem_wdata_o = wdata;
    assign mem_strb_o = strb;
    assign mem_owner_o = master;

    assign reg_sel_o = is_reg & {BLOCKS{valid}};
    assign reg_write_o = write;
    assign reg_addr_o = {x_addr[11:2], 2'b00};
    assign reg_wdata_o = wdata;

    assign mon_valid_o = valid;
    assign mon_master_o = master;
    assign mon_write_o = write;
    assign mon_addr_o = addr;
    assign mon_strb_o = strb;
    assign mon_wdata_o = wdata;

    // Responses of the next cycle: to whom. All others come from main memory.
    wire reads_ram = is_ram && !write;
    reg r_i, r_d, r_h, r_error;
    always @(posedge clk_i) begin
        r_i <= i_go && !i_ram;
        r_d <= d_go && !reads_ram;
        r_h <= h_go && !reads_ram;
        r_error <= !(is_ram || is_lock || (is_reg != {BLOCKS{1'b0}}));
        i_owed <= i_owed + {{(OWED - 1) {1'b0}}, i_go && i_ram} - {{(OWED - 1) {1'b0}}, i_back};
        d_owed <= d_owed + {{(OWED - 1) {1'b0}}, d_go && reads_ram} - {{(OWED - 1) {1'b0}}, d_back};
        if (rst_i) begin
            {r_i, r_d, r_h} <= 3'b000;
            {i_owed, d_owed} <= {NONE, NONE};
        end
    end

    reg [31:0] rdata;
    integer k;
    always @* begin
        rdata = 32'd0;
        for (k = 0; k < BLOCKS; k = k + 1) rdata = rdata | reg_rdata_i[32*k+:32];
    end

    assign i_rsp_valid_o = r_i || i_back;
    assign d_rsp_valid_o = r_d || d_back;
    assign h_rsp_valid_o = r_h || h_back;
    assign i_rsp_rdata_o = mem_rsp_rdata_i;
    assign d_rsp_rdata_o = d_back ? mem_rsp_rdata_i : rdata;
    assign h_rsp_rdata_o = h_back ? mem_rsp_rdata_i : rdata;
    assign i_rsp_error_o = r_i;
    assign d_rsp_error_o = r_d && r_error;
    assign h_rsp_error_o = r_h && r_error;

    wire i_waits = (i_req_valid_i && i_ram) || i_owed != NONE;
    wire d_waits = (d_req_valid_i && d_ram) || d_owed != NONE;
    assign i_wait_refresh_o = i_waits && mem_refresh_i;
    assign i_wait_page_o = i_waits && mem_page_i;
    assign d_wait_refresh_o = d_waits && mem_refresh_i;
    assign d_wait_page_o = d_waits && mem_page_i;

endmodule

`default_nettype wire
