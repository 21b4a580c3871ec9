// SPDX-License-Identifier: Apache-2.0
// The one shared bus: masters instruction, data and host; slaves main memory, register blocks and lock segments. Any
// other address answers with an error. Protocol and address map: docs/internals/soc.md, docs/reference/address-map.md.
//
// The bus accepts one request a cycle, with fixed priority data > instruction > host, and answers it in the next cycle.
// So the data port never waits, an access takes the same time for every address, and the host takes only cycles that
// the hart leaves and `h_grant_i` allows. Each master's address has its own decoder, so that the instruction port's
// address leads only to memory.
//
// WAIT = 1: main memory answers when it can. The bus passes reads of main memory with their master's number, and
// answers them in order when their data comes. It answers writes to main memory in the next cycle, because later
// requests come after them. Registers and lock segments answer in the next cycle, as with WAIT = 0. Each master gets
// its answers in order: a request that would be answered in the next cycle waits for that master's earlier reads. The
// host uses main memory only while the hart is stopped (the host port ensures this), so the hart alone determines open
// rows and the queue. For registers the host takes cycles that the hart leaves.
//
// LATE: register blocks from this number on are behind registers (gnomon_bus_stage), and their read data passes one
// more here: they answer three cycles after the acceptance. So no path leads from them to a master. Core, data cache
// and host port make no other request until then, so each gets its answers in order.
//
// SHADOW = 1: main memory has a shadow of the same size. The caches' shadow words come from it (`*_req_shadow_i`), at
// the same address as the line. The host alone has a window to it, 0x2000_0000 above main memory. The caches' reads of
// the shadow are no accesses of the program, so the bus monitor does not show them.
//
// FLASH_LOG2 adds a flash memory (gnomon_flash) from FLASH_BASE on, only with WAIT = 0. A read of it is accepted when
// its word has come, and answered in the next cycle as any other. Above the flash memory, in an address range of the
// same size, a write of the host sends a byte to the flash, and a read gets what came back with the last byte.
//
// Access rights: instruction: main memory and flash memory; data: everything, but no writes to flash memory; host: main
// memory, flash memory and registers (the host port ensures that the hart is stopped for the memories). Registers are
// words: a partial write is an error. While `d_req_lock_i` is high, writes of the host wait, so no other master writes
// between the data port's load and its store. d_snoop_* reports the host's writes to memory, which end reservations.
`default_nettype none

module gnomon_interconnect #(
  parameter [31:0] RAM_BASE = 32'h1000_0000,
  parameter integer RAM_BYTES = 65536,  // a power of two
  parameter integer BLOCKS = 4,         // register blocks of 4 KiB from 0xF000_0000 on
  parameter integer LATE = BLOCKS,
  parameter integer WAIT = 0,
  parameter integer SHADOW = 0,
  parameter [31:0] FLASH_BASE = 32'h2000_0000,
  parameter integer FLASH_LOG2 = 0      // log2 of the flash memory's bytes; 0: there is none
) (
  input  wire              clk_i, rst_i,

  // Instruction port (read only).
  input  wire              i_req_valid_i,
  output wire              i_req_ready_o,
  input  wire [31:0]       i_req_addr_i,
  input  wire              i_req_shadow_i,
  output wire              i_rsp_valid_o,
  output wire [31:0]       i_rsp_rdata_o,
  output wire              i_rsp_error_o,

  // Data port.
  input  wire              d_req_valid_i,
  output wire              d_req_ready_o,
  input  wire [31:0]       d_req_addr_i,
  input  wire              d_req_shadow_i,
  input  wire              d_req_write_i,
  input  wire [31:0]       d_req_wdata_i,
  input  wire [3:0]        d_req_strb_i,
  input  wire              d_req_lock_i,
  output wire              d_snoop_valid_o,
  output wire [31:2]       d_snoop_addr_o,
  output wire              d_rsp_valid_o,
  output wire [31:0]       d_rsp_rdata_o,
  output wire              d_rsp_error_o,

  // Host port (whole words).
  input  wire              h_grant_i,  // the bus may take a request of the host in this cycle
  input  wire              h_req_valid_i,
  output wire              h_req_ready_o,
  input  wire [31:0]       h_req_addr_i,
  input  wire              h_req_write_i,
  input  wire [31:0]       h_req_wdata_i,
  output wire              h_rsp_valid_o,
  output wire [31:0]       h_rsp_rdata_o,
  output wire              h_rsp_error_o,

  // Main memory. WAIT = 0: always ready, read data one cycle later; of its outputs only mem_rsp_rdata_i counts.
  output wire              mem_valid_o,
  input  wire              mem_ready_i,
  output wire [$clog2(RAM_BYTES)-1:2] mem_addr_o,
  output wire              mem_shadow_o,
  output wire              mem_write_o,
  output wire [31:0]       mem_wdata_o,
  output wire [3:0]        mem_strb_o,
  output wire [1:0]        mem_owner_o,
  input  wire              mem_rsp_valid_i,
  input  wire [1:0]        mem_rsp_owner_i,
  input  wire [31:0]       mem_rsp_rdata_i,
  input  wire              mem_refresh_i,  // main memory refreshes; main memory closes or opens a row
  input  wire              mem_page_i,

  // Flash memory: a read waits for its word; the word is in hand; it is taken. A byte can be sent; it is sent. The word
  // is valid in the cycle after `flash_take_o`.
  output wire              flash_want_o,
  output wire [31:2]       flash_addr_o,
  input  wire              flash_there_i,
  output wire              flash_take_o,
  input  wire              flash_idle_i,
  output wire              flash_send_o,
  input  wire [31:0]       flash_word_i,

  // Reason for which a port's access to main memory waits; only stall causes depend on these signals.
  output wire              i_wait_refresh_o, i_wait_page_o, d_wait_refresh_o, d_wait_page_o,

  // Register blocks: read data comes one cycle later, or two from the block LATE on, 0 when not selected. Side effects
  // of a read happen in the cycle of `reg_sel_o`, or one later.
  output wire [BLOCKS-1:0] reg_sel_o,
  output wire              reg_write_o,
  output wire [11:0]       reg_addr_o,
  output wire [31:0]       reg_wdata_o,
  input  wire [32*BLOCKS-1:0] reg_rdata_i,

  // Bus monitor: docs/internals/observation.md.
  output wire              mon_valid_o,
  output wire [1:0]        mon_master_o,
  output wire              mon_write_o,
  output wire [31:0]       mon_addr_o,
  output wire [3:0]        mon_strb_o,
  output wire [31:0]       mon_wdata_o
);

  localparam integer RAM_LOG2 = $clog2(RAM_BYTES);
  localparam [1:0] MASTER_I = 2'd0, MASTER_D = 2'd1, MASTER_H = 2'd2;

  // Decoding.
  wire d_ram = d_req_addr_i[31:RAM_LOG2] == RAM_BASE[31:RAM_LOG2];
  wire i_ram = i_req_addr_i[31:RAM_LOG2] == RAM_BASE[31:RAM_LOG2];
  localparam [31:0] SHADOW_BASE = RAM_BASE + 32'h2000_0000;
  wire h_shadow = SHADOW != 0 && h_req_addr_i[31:RAM_LOG2] == SHADOW_BASE[31:RAM_LOG2];
  wire h_ram = h_req_addr_i[31:RAM_LOG2] == RAM_BASE[31:RAM_LOG2] || h_shadow;
  wire d_page = d_req_addr_i[31:16] == 16'hF000 && !(d_req_write_i && d_req_strb_i != 4'b1111);
  wire h_page = h_req_addr_i[31:16] == 16'hF000;

  // Flash memory; h_bytes: the range for bytes.
  wire d_flash, i_flash, h_flash, h_bytes;
  generate
    if (FLASH_LOG2 != 0) begin : g_flash
      localparam [31:0] BYTES_BASE = FLASH_BASE + (32'd1 << FLASH_LOG2);
      assign d_flash = d_req_addr_i[31:FLASH_LOG2] == FLASH_BASE[31:FLASH_LOG2] && !d_req_write_i;
      assign i_flash = i_req_addr_i[31:FLASH_LOG2] == FLASH_BASE[31:FLASH_LOG2];
      assign h_flash = h_req_addr_i[31:FLASH_LOG2] == FLASH_BASE[31:FLASH_LOG2] && !h_req_write_i;
      assign h_bytes = h_req_addr_i[31:FLASH_LOG2] == BYTES_BASE[31:FLASH_LOG2];
    end else begin : g_no_flash
      assign {d_flash, i_flash, h_flash, h_bytes} = 4'b0000;
    end
  endgenerate

  // Arbitration: a master of lower priority does not delay one of higher priority.
  wire mem_ready = WAIT == 0 || mem_ready_i;
  wire i_clear, d_clear;  // main memory owes this port no more reads
  wire d_ordered = d_clear || (d_ram && !d_req_write_i);
  assign d_req_ready_o = d_ordered && (mem_ready || !d_ram) && (flash_there_i || !d_flash);
  assign i_req_ready_o = !d_req_valid_i && (i_ram ? mem_ready : i_clear) && (flash_there_i || !i_flash);
  assign h_req_ready_o = !d_req_valid_i && !i_req_valid_i && h_grant_i && !(d_req_lock_i && h_req_write_i) &&
      (mem_ready || !h_ram) && (flash_there_i || !h_flash) && (flash_idle_i || !h_bytes);

  wire        d_go = d_req_valid_i && d_req_ready_o;
  wire        i_go = i_req_valid_i && i_req_ready_o;
  wire        h_go = h_req_valid_i && h_req_ready_o;
  wire        valid = d_go || i_go || h_go;
  wire  [1:0] master = d_req_valid_i ? MASTER_D : i_req_valid_i ? MASTER_I : MASTER_H;
  assign d_snoop_valid_o = h_go && h_req_write_i;
  assign d_snoop_addr_o = h_req_addr_i[31:2];
  wire [31:0] x_addr = d_req_valid_i ? d_req_addr_i : h_req_addr_i;  // address of data port or host
  wire [31:0] addr = master == MASTER_I ? i_req_addr_i : x_addr;
  wire        write = d_req_valid_i ? d_req_write_i : !i_req_valid_i && h_req_write_i;
  wire [31:0] wdata = d_req_valid_i ? d_req_wdata_i : h_req_wdata_i;
  wire  [3:0] strb = d_req_valid_i ? d_req_strb_i : 4'b1111;
  wire is_ram = d_req_valid_i ? d_ram : i_req_valid_i ? i_ram : h_ram;
  wire is_page = d_req_valid_i ? d_page : !i_req_valid_i && h_page;
  wire is_lock = d_req_valid_i && d_req_addr_i[31:25] == 7'b1110_000;

  wire is_flash = d_req_valid_i ? d_flash : i_req_valid_i ? i_flash : h_flash;
  wire is_bytes = !d_req_valid_i && !i_req_valid_i && h_bytes;

  assign flash_want_o = (d_req_valid_i || i_req_valid_i || h_req_valid_i) && is_flash;
  assign flash_addr_o = addr[31:2];
  assign flash_take_o = valid && is_flash;
  assign flash_send_o = valid && is_bytes && write;

  reg [BLOCKS-1:0] is_reg;
  integer b;
  always @* begin
    is_reg = {BLOCKS{1'b0}};
    for (b = 0; b < BLOCKS; b = b + 1) if (is_page) is_reg[b] = x_addr[15:12] == b[3:0];
  end

  assign mem_valid_o = valid && is_ram;
  assign mem_addr_o = addr[RAM_LOG2-1:2];
  // The shadow words of a cache's line.
  wire beat = SHADOW != 0 && (d_req_valid_i ? d_req_shadow_i : i_req_valid_i && i_req_shadow_i);
  assign mem_shadow_o = beat || (!d_req_valid_i && !i_req_valid_i && h_shadow);
  assign mem_write_o = write;
  assign mem_wdata_o = wdata;
  assign mem_strb_o = strb;
  assign mem_owner_o = master;

  assign reg_sel_o = is_reg & {BLOCKS{valid}};
  assign reg_write_o = write;
  assign reg_addr_o = {x_addr[11:2], 2'b00};
  assign reg_wdata_o = wdata;

  assign mon_valid_o = valid && !beat;
  assign mon_master_o = master;
  assign mon_write_o = write;
  assign mon_addr_o = addr;
  assign mon_strb_o = strb;
  assign mon_wdata_o = wdata;

  // The masters that get a response in the next cycle. Main memory and late blocks send all other responses.
  wire to_late;
  wire later = WAIT != 0 && is_ram && !write;
  reg r_i, r_d, r_h, r_error;

  always @(posedge clk_i) begin
    r_i <= i_go && !later;
    r_d <= d_go && !later && !to_late;
    r_h <= h_go && !later && !to_late;
    r_error <= !(is_ram || is_flash || is_bytes || is_lock || (is_reg != {BLOCKS{1'b0}}));
    if (rst_i) {r_i, r_d, r_h} <= 3'b000;
  end

  wire [31:0] ram_rdata;  // WAIT = 0: data of main memory or flash memory in the next cycle
  reg r_flash;
  always @(posedge clk_i) r_flash <= is_flash || is_bytes;
  wire [31:0] memory_rdata = FLASH_LOG2 != 0 && r_flash ? flash_word_i : mem_rsp_rdata_i;
  reg [31:0] rdata, late_word;
  integer k;
  always @* begin
    rdata = ram_rdata;
    late_word = 32'd0;
    for (k = 0; k < LATE; k = k + 1) rdata = rdata | reg_rdata_i[32*k+:32];
    for (k = LATE; k < BLOCKS; k = k + 1) late_word = late_word | reg_rdata_i[32*k+:32];
  end

  wire i_back, d_back, h_back, d_due, h_due;
  wire [31:0] late_rdata;
  assign i_rsp_valid_o = r_i || i_back;
  assign d_rsp_valid_o = r_d || d_back || d_due;
  assign h_rsp_valid_o = r_h || h_back || h_due;
  assign i_rsp_rdata_o = memory_rdata;

  generate
    if (LATE < BLOCKS) begin : g_late

      // The accesses one, two and three cycles after their acceptance, and the last one's read data.
      reg [2:0] d_age, h_age;
      reg [31:0] word;
      always @(posedge clk_i) begin
        d_age <= {d_age[1:0], d_go && to_late};
        h_age <= {h_age[1:0], h_go && to_late};
        if (rst_i) {d_age, h_age} <= 6'd0;
        word <= late_word;
      end
      assign to_late = |is_reg[BLOCKS-1:LATE];
      assign {d_due, h_due} = {d_age[2], h_age[2]};
      assign late_rdata = word;

    end else begin : g_none_late

      assign to_late = 1'b0;
      assign {d_due, h_due} = 2'b00;
      assign late_rdata = late_word;

    end
  endgenerate

  generate
    if (WAIT == 0) begin : g_next

      reg r_ram;
      always @(posedge clk_i) r_ram <= is_ram || is_flash || is_bytes;

      assign {i_clear, d_clear} = 2'b11;
      assign {i_back, d_back, h_back} = 3'b000;
      assign ram_rdata = memory_rdata & {32{r_ram}};
      assign d_rsp_rdata_o = d_due ? late_rdata : rdata;
      assign h_rsp_rdata_o = h_due ? late_rdata : rdata;
      assign i_rsp_error_o = !r_ram;
      assign d_rsp_error_o = r_error && !d_due;
      assign h_rsp_error_o = r_error && !h_due;
      assign {i_wait_refresh_o, i_wait_page_o, d_wait_refresh_o, d_wait_page_o} = 4'b0000;
      wire unused = &{1'b0, mem_ready_i, mem_rsp_valid_i, mem_rsp_owner_i, mem_refresh_i, mem_page_i};

    end else begin : g_wait

      // Reads that main memory owes: at most one cache line and its shadow for a port, and one word for the host.
      localparam integer OWED = 4;
      localparam [OWED-1:0] NONE = {OWED{1'b0}}, ONE = {{(OWED - 1) {1'b0}}, 1'b1};
      reg [OWED-1:0] i_owed, d_owed;
      always @(posedge clk_i) begin
        i_owed <= i_owed + {{(OWED - 1) {1'b0}}, i_go && later} - {{(OWED - 1) {1'b0}}, i_back};
        d_owed <= d_owed + {{(OWED - 1) {1'b0}}, d_go && later} - {{(OWED - 1) {1'b0}}, d_back};
        if (rst_i) {i_owed, d_owed} <= {NONE, NONE};
      end

      assign i_back = mem_rsp_valid_i && mem_rsp_owner_i == MASTER_I;
      assign d_back = mem_rsp_valid_i && mem_rsp_owner_i == MASTER_D;
      assign h_back = mem_rsp_valid_i && mem_rsp_owner_i == MASTER_H;
      assign i_clear = i_owed == NONE || (i_owed == ONE && i_back);
      assign d_clear = d_owed == NONE || (d_owed == ONE && d_back);

      assign ram_rdata = 32'd0;
      assign d_rsp_rdata_o = d_back ? mem_rsp_rdata_i : d_due ? late_rdata : rdata;
      assign h_rsp_rdata_o = h_back ? mem_rsp_rdata_i : h_due ? late_rdata : rdata;
      assign i_rsp_error_o = r_i;
      assign d_rsp_error_o = r_d && r_error;
      assign h_rsp_error_o = r_h && r_error;

      wire i_waits = (i_req_valid_i && i_ram) || i_owed != NONE;
      wire d_waits = (d_req_valid_i && d_ram) || d_owed != NONE;
      assign i_wait_refresh_o = i_waits && mem_refresh_i;
      assign i_wait_page_o = i_waits && mem_page_i;
      assign d_wait_refresh_o = d_waits && mem_refresh_i;
      assign d_wait_page_o = d_waits && mem_page_i;

    end
  endgenerate

endmodule

`default_nettype wire
