// SPDX-License-Identifier: Apache-2.0
// The one shared bus: masters instruction, data and host; slaves main memory, register blocks and lock segments; whatever
// else is addressed answers with an error. Protocol and address map: docs/soc.md, docs/address-map.md.
//
// One request is accepted a cycle, in fixed priority data > instruction > host, and answered in the next. So the data port
// never waits, an access takes the same time whatever it addresses, and the host takes only cycles that the hart leaves
// and `h_grant_i` allows. Each master's address is decoded by itself, so that the instruction port's goes only to memory.
// Who may do what: instruction: main memory; data: everything; host: main memory and registers (that the hart must be
// stopped for the former is the host port's concern).
// Registers are words: a write of less is an error.
// While `d_req_lock_i` is high, the host's writes wait: no other master comes between the data port's load and its store.
// The host's writes to memory are told on d_snoop_*, which ends reservations.
`default_nettype none

module gnomon_interconnect #(
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

    // Main memory: read data the cycle after.
    output wire                           ram_en_o,
    output wire                     [3:0] ram_we_o,
    output wire [$clog2(RAM_BYTES)-3:0]   ram_addr_o,
    output wire                    [31:0] ram_wdata_o,
    input  wire                    [31:0] ram_rdata_i,

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

    // Arbitration: whoever is lower does not see what is below it.
    assign d_req_ready_o = 1'b1;
    assign i_req_ready_o = !d_req_valid_i;
    assign h_req_ready_o = !d_req_valid_i && !i_req_valid_i && h_grant_i && !(d_req_lock_i && h_req_write_i);

    wire        h_go = h_req_valid_i && h_req_ready_o;
    wire        i_go = i_req_valid_i && !d_req_valid_i;
    wire        valid = d_req_valid_i || i_req_valid_i || h_go;
    wire  [1:0] master = d_req_valid_i ? MASTER_D : i_req_valid_i ? MASTER_I : MASTER_H;
    assign d_snoop_valid_o = h_go && h_req_write_i;
    assign d_snoop_addr_o = h_req_addr_i[31:2];
    wire [31:0] x_addr = d_req_valid_i ? d_req_addr_i : h_req_addr_i;  // of data port or host
    wire [31:0] addr = i_go ? i_req_addr_i : x_addr;
    wire        write = d_req_valid_i ? d_req_write_i : !i_req_valid_i && h_req_write_i;
    wire [31:0] wdata = d_req_valid_i ? d_req_wdata_i : h_req_wdata_i;
    wire  [3:0] strb = d_req_valid_i ? d_req_strb_i : 4'b1111;

    // Decoding.
    wire d_ram = d_req_addr_i[31:RAM_LOG2] == RAM_BASE[31:RAM_LOG2];
    wire i_ram = i_req_addr_i[31:RAM_LOG2] == RAM_BASE[31:RAM_LOG2];
    wire h_ram = h_req_addr_i[31:RAM_LOG2] == RAM_BASE[31:RAM_LOG2];
    wire d_page = d_req_addr_i[31:16] == 16'hF000 && !(d_req_write_i && d_req_strb_i != 4'b1111);
    wire h_page = h_req_addr_i[31:16] == 16'hF000;
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

    assign ram_en_o = valid && is_ram;
    assign ram_we_o = write ? strb : 4'b0000;
    assign ram_addr_o = addr[RAM_LOG2-1:2];
    assign ram_wdata_o = wdata;

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

    // Response: who asked, and which slave answers.
    reg r_i, r_d, r_h;
    reg r_ram, r_error;

    always @(posedge clk_i) begin
        r_i <= i_go;
        r_d <= d_req_valid_i;
        r_h <= h_go;
        r_ram <= is_ram;
        r_error <= !(is_ram || is_lock || (is_reg != {BLOCKS{1'b0}}));
        if (rst_i) {r_i, r_d, r_h} <= 3'b000;
    end

    reg [31:0] rdata;
    integer k;
    always @* begin
        rdata = ram_rdata_i & {32{r_ram}};
        for (k = 0; k < BLOCKS; k = k + 1) rdata = rdata | reg_rdata_i[32*k+:32];
    end

    assign i_rsp_valid_o = r_i;
    assign d_rsp_valid_o = r_d;
    assign h_rsp_valid_o = r_h;
    assign i_rsp_rdata_o = ram_rdata_i;
    assign d_rsp_rdata_o = rdata;
    assign h_rsp_rdata_o = rdata;
    assign i_rsp_error_o = !r_ram;
    assign d_rsp_error_o = r_error;
    assign h_rsp_error_o = r_error;

endmodule

`default_nettype wire
