// SPDX-License-Identifier: Apache-2.0
// The border between the hart and the profiler: everything that the profiler observes, one cycle later, together. So no
// path of logic leads from the hart into the profiler, and nothing in the profiler can set the hart's clock. The time
// of an observation is delayed with it and stays that of the hart. With REGISTERED 0 the outputs are the inputs.
`default_nettype none
`include "gnomon_obs.vh"

module gnomon_profile_border #(
  parameter REGISTERED = 0,
  parameter LINE_BITS = 20 // of tags_line_i
) (
  input  wire        clk_i, clk_host_i,

  input  wire        hart_rst_i,
  input  wire        hart_rst_host_i,  // hart_rst_i, for clk_host_i
  input  wire [`GNOMON_OBS_PROFILED] obs_i,
  input  wire        stop_i, exit_i,
  input  wire [3:0]  obs_cache_i,
  input  wire        tags_code_i, tags_data_i,
  input  wire [LINE_BITS-1:0] tags_line_i,
  input  wire [31:0] tags_word_i,
  input  wire        mon_valid_i,
  input  wire [1:0]  mon_master_i,
  input  wire        mon_write_i,
  input  wire [31:0] mon_addr_i,
  input  wire [3:0]  mon_strb_i,
  input  wire [31:0] mon_wdata_i,
  input  wire [63:0] cycle_i,

  output wire        hart_rst_o, hart_rst_host_o,
  output wire [`GNOMON_OBS_PROFILED] obs_o,
  output wire        stop_o, exit_o,
  output wire [3:0]  obs_cache_o,
  output wire        tags_code_o, tags_data_o,
  output wire [LINE_BITS-1:0] tags_line_o,
  output wire [31:0] tags_word_o,
  output wire        mon_valid_o,
  output wire [1:0]  mon_master_o,
  output wire        mon_write_o,
  output wire [31:0] mon_addr_o,
  output wire [3:0]  mon_strb_o,
  output wire [31:0] mon_wdata_o,
  output wire [63:0] cycle_o
);
  generate
    if (REGISTERED != 0) begin : g_registered
      reg hart_rst, hart_rst_host, stop, exit, mon_valid, mon_write;
      reg [`GNOMON_OBS_PROFILED] obs;
      reg [3:0] obs_cache;
      reg tags_code, tags_data;
      reg [LINE_BITS-1:0] tags_line;
      reg [31:0] tags_word;
      reg [1:0] mon_master;
      reg [31:0] mon_addr, mon_wdata;
      reg [3:0] mon_strb;
      reg [63:0] cycle;
      always @(posedge clk_i) begin
        {hart_rst, obs, stop, exit} <= {hart_rst_i, obs_i, stop_i, exit_i};
        obs_cache <= obs_cache_i;
        {tags_code, tags_data, tags_line, tags_word} <= {tags_code_i, tags_data_i, tags_line_i, tags_word_i};
        {mon_valid, mon_master, mon_write, mon_addr} <= {mon_valid_i, mon_master_i, mon_write_i, mon_addr_i};
        {mon_strb, mon_wdata} <= {mon_strb_i, mon_wdata_i};
        cycle <= cycle_i;
      end
      always @(posedge clk_host_i) hart_rst_host <= hart_rst_host_i;
      assign {hart_rst_o, hart_rst_host_o, obs_o, stop_o, exit_o} = {hart_rst, hart_rst_host, obs, stop, exit};
      assign obs_cache_o = obs_cache;
      assign {tags_code_o, tags_data_o, tags_line_o, tags_word_o} = {tags_code, tags_data, tags_line, tags_word};
      assign {mon_valid_o, mon_master_o, mon_write_o, mon_addr_o} = {mon_valid, mon_master, mon_write, mon_addr};
      assign {mon_strb_o, mon_wdata_o} = {mon_strb, mon_wdata};
      assign cycle_o = cycle;
    end else begin : g_direct
      assign {hart_rst_o, hart_rst_host_o, obs_o, stop_o, exit_o} =
          {hart_rst_i, hart_rst_host_i, obs_i, stop_i, exit_i};
      assign obs_cache_o = obs_cache_i;
      assign {tags_code_o, tags_data_o, tags_line_o, tags_word_o} =
          {tags_code_i, tags_data_i, tags_line_i, tags_word_i};
      assign {mon_valid_o, mon_master_o, mon_write_o, mon_addr_o} =
          {mon_valid_i, mon_master_i, mon_write_i, mon_addr_i};
      assign {mon_strb_o, mon_wdata_o} = {mon_strb_i, mon_wdata_i};
      assign cycle_o = cycle_i;
      wire unused = &{1'b0, clk_i, clk_host_i};
    end
  endgenerate
endmodule

`default_nettype wire
