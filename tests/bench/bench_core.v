// SPDX-License-Identifier: Apache-2.0
// The hart with a memory that answers both ports in the next cycle, and the minimum that the runtime needs to start,
// print and count. It is the reference for the speed of the simulated board, and for cycles without waits for memory.
// It reports the program's store to the EXIT channel.
`default_nettype none
`include "gnomon_obs.vh"

module bench_core #(
    parameter COMPACT = 0,
    parameter PREDICT = COMPACT != 0 ? 0 : 9,
    parameter LATE = PREDICT != 0,
    parameter ATOMIC = 0,
    parameter BITS = 0
) (
    input  wire        clk_i, rst_i, load_we_i,
    input  wire [20:0] load_addr_i,
    input  wire [31:0] load_data_i,
    input  wire [31:0] param_i,          // address of the parameter block; 0: none
    output wire        print_o,
    output wire  [7:0] print_data_o,
    output wire  [4:0] cause_o,
    output reg  [63:0] cycle_o,  // cycles since reset; retired_o: instructions; the values that the program reads
    output reg  [63:0] retired_o,
    output wire        exit_o,
    output wire  [7:0] status_o
);

`include "gnomon_registers.vh"
    localparam [31:0] RAM_BASE = 32'h1000_0000, RAM_BYTES = 32'h80_0000;

    reg [31:0] mem[0:(RAM_BYTES/4)-1];
    wire i_valid, d_valid, d_write;
    wire [31:0] i_addr, d_addr, d_wdata;
    wire [3:0] d_strb;
    wire [`GNOMON_OBS_BITS-1:0] obs;
    wire obs_valid = obs[`GNOMON_OBS_VALID], obs_trap = obs[`GNOMON_OBS_TRAP];
    wire [31:0] mem_addr = obs[`GNOMON_OBS_MEM_ADDR], mem_wdata = obs[`GNOMON_OBS_MEM_WDATA];
    wire [3:0] mem_wmask = obs[`GNOMON_OBS_MEM_WMASK];
    assign cause_o = obs[`GNOMON_OBS_CAUSE];
    reg i_rsp, d_rsp;
    reg [31:0] i_rdata, d_rdata;

    always @(posedge clk_i) begin
        i_rsp <= i_valid && !rst_i;
        d_rsp <= d_valid && !rst_i;
        i_rdata <= mem[i_addr[22:2]];
        if (d_valid && d_write && !d_addr[31]) begin
            if (d_strb[0]) mem[d_addr[22:2]][7:0] <= d_wdata[7:0];
            if (d_strb[1]) mem[d_addr[22:2]][15:8] <= d_wdata[15:8];
            if (d_strb[2]) mem[d_addr[22:2]][23:16] <= d_wdata[23:16];
            if (d_strb[3]) mem[d_addr[22:2]][31:24] <= d_wdata[31:24];
        end
        case (d_addr)
            `GNOMON_SYSCTL_BASE | {20'd0, `GNOMON_SYSCTL_RAM_BASE}: d_rdata <= RAM_BASE;
            `GNOMON_SYSCTL_BASE | {20'd0, `GNOMON_SYSCTL_RAM_BYTES}: d_rdata <= RAM_BYTES;
            `GNOMON_SYSCTL_BASE | {20'd0, `GNOMON_SYSCTL_PARAM}: d_rdata <= param_i;
            `GNOMON_UART_BASE | {20'd0, `GNOMON_UART_STATUS}: d_rdata <= 32'd1;
            default: d_rdata <= d_addr[31] ? 32'd0 : mem[d_addr[22:2]];
        endcase
        if (load_we_i) mem[load_addr_i] <= load_data_i;
    end

    assign print_o = d_valid && d_write && d_addr == (`GNOMON_UART_BASE | {20'd0, `GNOMON_UART_DATA});
    assign print_data_o = d_wdata[7:0];

    // mcycle and minstret, read two cycles after the pulse; writes are ignored.
    reg [11:0] counter;
    reg [31:0] counter_data;
    wire hpm_valid;
    wire [11:0] hpm_addr;
    wire [63:0] counted = counter[1] ? retired_o : cycle_o;
    always @(posedge clk_i) begin
        cycle_o <= rst_i ? 64'd0 : cycle_o + 64'd1;
        retired_o <= rst_i ? 64'd0 : retired_o + {63'd0, obs_valid && !obs_trap};
        if (hpm_valid) counter <= hpm_addr;
        counter_data <= counter[7] ? counted[63:32] : counted[31:0];
    end

    gnomon_core #(
      .MUL_FAST(COMPACT == 0), .COMPACT(COMPACT), .PREDICT(PREDICT), .LATE(LATE), .ATOMIC(ATOMIC), .BITS(BITS)
    ) u_core (
      .clk_i(clk_i), .rst_i(rst_i), .boot_pc_i(32'h1000_0000), .i_req_valid_o(i_valid), .i_req_ready_i(1'b1),
      .i_req_addr_o(i_addr), .i_rsp_valid_i(i_rsp), .i_rsp_rdata_i(i_rdata), .i_rsp_error_i(1'b0), .i_flush_o(),
      .i_flush_done_i(1'b1), .i_wait_miss_i(1'b0), .d_req_valid_o(d_valid), .d_req_ready_i(1'b1), .d_req_addr_o(d_addr),
      .d_req_write_o(d_write), .i_wait_refresh_i(1'b0), .i_wait_page_i(1'b0), .d_wait_refresh_i(1'b0),
      .d_wait_page_i(1'b0), .d_req_wdata_o(d_wdata), .d_req_strb_o(d_strb), .d_rsp_valid_i(d_rsp),
      .d_rsp_rdata_i(d_rdata), .d_rsp_error_i(1'b0), .d_grant_i(1'b1), .d_wait_miss_i(1'b0), .irq_software_i(1'b0), .irq_timer_i(1'b0),
      .irq_external_i(1'b0), .irq_profile_i(1'b0), .irq_overflow_i(1'b0), .stack_limit_n_i(~22'd0),
      .hpm_valid_o(hpm_valid), .hpm_addr_o(hpm_addr), .hpm_rdata_i(counter_data), .dbg_halt_i(1'b0),
      .dbg_resume_i(1'b0), .dbg_insn_valid_i(1'b0), .dbg_insn_i(32'd0), .dbg_data_we_i(1'b0), .dbg_data_i(32'd0),
      .obs_o(obs)
    );

    assign exit_o = obs_valid && mem_wmask == 4'b1111 && mem_addr == 32'hFFFF_FFFC;
    assign status_o = mem_wdata[7:0];

endmodule

`default_nettype wire
