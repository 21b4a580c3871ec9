// SPDX-License-Identifier: Apache-2.0
// The reference for the speed of the simulated board: the hart with a plain memory and nothing else. It says when the program
// stores to the EXIT channel.
`default_nettype none

module bench_core (
    input  wire        clk_i,
    input  wire        rst_i,
    input  wire        load_we_i,
    input  wire [11:0] load_addr_i,
    input  wire [31:0] load_data_i,
    output wire        exit_o,
    output wire  [7:0] status_o
);

    reg [31:0] mem[0:4095];
    wire i_valid, d_valid, d_write, obs_valid;
    wire [31:0] i_addr, d_addr, d_wdata, mem_addr, mem_wdata;
    wire [3:0] d_strb, mem_wmask;
    reg i_rsp, d_rsp;
    reg [31:0] i_rdata, d_rdata;

    always @(posedge clk_i) begin
        i_rsp <= i_valid && !rst_i;
        d_rsp <= d_valid && !rst_i;
        i_rdata <= mem[i_addr[13:2]];
        if (d_valid && d_write) begin
            if (d_strb[0]) mem[d_addr[13:2]][7:0] <= d_wdata[7:0];
            if (d_strb[1]) mem[d_addr[13:2]][15:8] <= d_wdata[15:8];
            if (d_strb[2]) mem[d_addr[13:2]][23:16] <= d_wdata[23:16];
            if (d_strb[3]) mem[d_addr[13:2]][31:24] <= d_wdata[31:24];
        end else d_rdata <= mem[d_addr[13:2]];
        if (load_we_i) mem[load_addr_i] <= load_data_i;
    end

    gnomon_core u_core (
        .clk_i(clk_i), .rst_i(rst_i), .boot_pc_i(32'h1000_0000),
        .i_req_valid_o(i_valid), .i_req_ready_i(1'b1), .i_req_addr_o(i_addr),
        .i_rsp_valid_i(i_rsp), .i_rsp_rdata_i(i_rdata), .i_rsp_error_i(1'b0), .i_flush_o(), .i_flush_done_i(1'b1),
        .d_req_valid_o(d_valid), .d_req_ready_i(1'b1), .d_req_addr_o(d_addr), .d_req_write_o(d_write),
        .d_req_wdata_o(d_wdata), .d_req_strb_o(d_strb), .d_rsp_valid_i(d_rsp), .d_rsp_rdata_i(d_rdata), .d_rsp_error_i(1'b0),
        .irq_software_i(1'b0), .irq_timer_i(1'b0), .irq_external_i(1'b0), .irq_profile_i(1'b0),
        .hpm_rdata_i(32'd0), .dbg_halt_i(1'b0), .dbg_resume_i(1'b0), .dbg_insn_valid_i(1'b0), .dbg_insn_i(32'd0),
        .dbg_data_we_i(1'b0), .dbg_data_i(32'd0),
        .obs_valid_o(obs_valid), .obs_mem_addr_o(mem_addr), .obs_mem_wmask_o(mem_wmask), .obs_mem_wdata_o(mem_wdata)
    );

    assign exit_o = obs_valid && mem_wmask == 4'b1111 && mem_addr == 32'hFFFF_FFFC;
    assign status_o = mem_wdata[7:0];

endmodule

`default_nettype wire
