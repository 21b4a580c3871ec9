// SPDX-License-Identifier: Apache-2.0
// Lock words: a table of exact addresses in main memory. Each load, store or atomic instruction that accesses a word of
// the table is an event, in the cycle in which it retires.
//
// The table has sets of 4 places. The low bits of a word's address choose its set, a place keeps the bits above. So
// each access is decided in its own cycle: the memories are read while the bundle passes the border, with the address
// that the border registers. An address whose set is full gets no place, and the registers say so.
//
// A second port of the memories adds addresses, reads them back, and empties the table. It never waits for the first.
`default_nettype none
`include "gnomon_obs.vh"

module gnomon_lock_words #(
  parameter LOG2 = 10, // log2 of the places, 3 to 10
  parameter [31:0] MEMORY_BASE = 32'h1000_0000,
  parameter MEMORY_LOG2 = 25 // log2 of the bytes of main memory, above LOG2
) (
  input  wire        clk_i, rst_i,

  input  wire        enable_i,
  input  wire [31:0] early_addr_i,           // the address in front of the border
  input  wire [`GNOMON_OBS_PROFILED] obs_i,  // behind the border, one cycle later

  output wire        event_o,
  output wire [15:0] number_o,  // written, read, 4 byte lanes, place
  output wire [31:0] data_o,    // what the accessed bytes hold after the access, right-justified; of a store all of rs2

  input  wire        reg_sel_i, reg_write_i,
  input  wire [11:0] reg_addr_i,
  input  wire [31:0] reg_wdata_i,
  output reg  [31:0] reg_rdata_o
);
`include "gnomon_registers.vh"
  localparam WAYS = 4, SET_BITS = LOG2 - 2, TAG_AT = SET_BITS + 2;
  localparam [3:0] PLACES_LOG2 = LOG2[3:0];
  localparam TAG = MEMORY_LOG2 - TAG_AT;

  wire [31:0] address = obs_i[`GNOMON_OBS_MEM_ADDR];
  wire [3:0] rmask = obs_i[`GNOMON_OBS_MEM_RMASK], wmask = obs_i[`GNOMON_OBS_MEM_WMASK];
  wire in_memory = address[31:MEMORY_LOG2] == MEMORY_BASE[31:MEMORY_LOG2];
  wire accesses = obs_i[`GNOMON_OBS_VALID] && !obs_i[`GNOMON_OBS_TRAP] && (rmask[0] || wmask[0]) && in_memory;

  // The second port: first the set is read, then the request is decided.
  reg [31:2] request;
  reg adds, reads, decides, sweeps;
  reg [1:0] way; // of the request, and then of the place that was found
  reg full;
  reg [31:0] found; // the address in that place, 0 if there is none
  reg [10:0] count;
  wire busy = reads || decides || sweeps;
  wire [SET_BITS-1:0] set = request[TAG_AT-1:2];
  wire [WAYS-1:0] hits, same, used, writes;
  wire [TAG:0] second[0:WAYS-1];
  wire [TAG:0] entry = {!sweeps, request[MEMORY_LOG2-1:TAG_AT]};
  wire fits = request[31:MEMORY_LOG2] == MEMORY_BASE[31:MEMORY_LOG2];
  wire [WAYS-1:0] first_free = ~used & (used + {{(WAYS - 1) {1'b0}}, 1'b1});
  wire known = |same;
  wire [WAYS-1:0] chosen = known ? same : first_free;
  assign writes = {WAYS{sweeps}} | (first_free & {WAYS{decides && adds && !known && fits}});
  reg [TAG:0] written;
  always @(posedge clk_i) written <= entry;
  wire [TAG:0] wanted = {1'b1, address[MEMORY_LOG2-1:TAG_AT]};
  genvar i;
  generate
    for (i = 0; i < WAYS; i = i + 1) begin : g_way
      (* no_rw_check *)
      reg [TAG:0] memory[0:(1<<SET_BITS)-1];
      reg [TAG:0] looked, other;
      reg passed; // this set was written in the cycle of its look-up: then `looked` may be anything
      always @(posedge clk_i) begin
        looked <= memory[early_addr_i[TAG_AT-1:2]];
        passed <= writes[i] && set == early_addr_i[TAG_AT-1:2];
      end
      always @(posedge clk_i) begin
        if (writes[i]) memory[set] <= entry;
        else other <= memory[set];
      end
      assign hits[i] = passed ? written == wanted : looked == wanted;
      assign second[i] = other;
      assign used[i] = other[TAG];
      assign same[i] = other == entry;
    end
  endgenerate
  wire [1:0] hit_way = {hits[3] || hits[2], hits[3] || hits[1]};
  wire [1:0] chosen_way = {chosen[3] || chosen[2], chosen[3] || chosen[1]};
  wire [TAG:0] stored = second[way];

  assign event_o = enable_i && accesses && |hits;
  wire [3:0] lanes = (rmask | wmask) << address[1:0];
  assign number_o = {wmask[0], rmask[0], lanes, hit_way, 8'd0} | {{(16 - SET_BITS) {1'b0}}, address[TAG_AT-1:2]};
  assign data_o = wmask[0] ? obs_i[`GNOMON_OBS_MEM_WDATA] : obs_i[`GNOMON_OBS_MEM_RDATA];

  wire write = reg_sel_i && reg_write_i;
  wire write_word = write && reg_addr_i == `GNOMON_PROFILE_LOCK_WORD;
  wire write_place = write && reg_addr_i == `GNOMON_PROFILE_LOCK_WORD_PLACE;
  always @(posedge clk_i) begin
    reads <= write_word || (write_place && !reg_wdata_i[31]);
    decides <= reads;
    if (write_word) begin
      request <= reg_wdata_i[31:2];
      adds <= 1'b1;
    end
    if (write_place) begin
      request[TAG_AT-1:2] <= reg_wdata_i[SET_BITS-1:0];
      way <= reg_wdata_i[9:8];
      adds <= 1'b0;
    end
    if (decides) begin
      full <= adds && fits && !(|chosen);
      if (adds) way <= chosen_way;
      if (adds) found <= {request, 2'd0} & {32{fits && |chosen}};
      else found <= {MEMORY_BASE[31:MEMORY_LOG2], stored[TAG-1:0], set, 2'd0} & {32{stored[TAG]}};
      if (adds && fits && !known && |chosen) count <= count + 11'd1;
    end
    if (sweeps) begin
      request[TAG_AT-1:2] <= set + {{(SET_BITS - 1) {1'b0}}, 1'b1};
      sweeps <= !(&set);
    end
    if (rst_i || (write_place && reg_wdata_i[31])) begin
      request <= 30'd0;
      sweeps <= 1'b1;
      {reads, decides, full} <= 3'd0;
      way <= 2'd0;
      found <= 32'd0;
      count <= 11'd0;
    end
  end

  wire [9:0] place = {way, 8'd0} | {{(10 - SET_BITS) {1'b0}}, set};
  always @(posedge clk_i)
    case (reg_addr_i)
      `GNOMON_PROFILE_LOCK_WORD: reg_rdata_o <= found;
      `GNOMON_PROFILE_LOCK_WORD_PLACE: reg_rdata_o <= {1'b1, busy, full, 2'd0, count, 2'd0, PLACES_LOG2, place};
      default: reg_rdata_o <= 32'd0;
    endcase

  wire unused = &{1'b0, obs_i, early_addr_i[31:TAG_AT], early_addr_i[1:0], rmask[3:1], wmask[3:1]};
endmodule

`default_nettype wire
