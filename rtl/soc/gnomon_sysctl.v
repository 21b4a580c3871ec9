// SPDX-License-Identifier: Apache-2.0
// SYSCTL registers: who this device is, hart reset, halt and debug, and the end of the program.
//
// The program's end is seen in the observation bundle: a word store to channel 0 of the message window. It sets EXITED and
// HALT, and once the hart has halted the host gets event 1; any other entry into debug mode is event 2.
`default_nettype none

module gnomon_sysctl #(
    parameter [31:0] CONFIG_WORD = 32'd0,
    parameter [31:0] CLOCK_HZ = 32'd0,
    parameter [31:0] RAM_BASE = 32'd0,
    parameter [31:0] RAM_BYTES = 32'd0,
    parameter [31:0] RTL_HASH = 32'd0,
    parameter [31:0] MISA = 32'd0
) (
    input  wire        clk_i,
    input  wire        rst_i,

    input  wire        reg_sel_i,
    input  wire        reg_write_i,
    input  wire [11:0] reg_addr_i,
    input  wire [31:0] reg_wdata_i,
    output reg  [31:0] reg_rdata_o,

    input  wire [63:0] cycle_i,

    // Hart.
    output wire        hart_rst_o,
    output reg  [31:0] boot_pc_o,
    output wire        dbg_halt_o,
    output reg         dbg_resume_o,
    input  wire        dbg_halted_i,
    input  wire  [2:0] dbg_cause_i,
    output reg         dbg_insn_valid_o,
    output reg  [31:0] dbg_insn_o,
    input  wire        dbg_busy_i,
    input  wire        dbg_error_i,
    output wire        dbg_data_we_o,
    output wire [31:0] dbg_data_o,
    input  wire [31:0] dbg_data_i,
    output wire        stopped_o,       // in reset or halted

    // Observation bundle, the part that tells of the EXIT message.
    input  wire        obs_valid_i,
    input  wire        obs_trap_i,
    input  wire        obs_wfi_i,
    input  wire [31:0] obs_mem_addr_i,
    input  wire  [3:0] obs_mem_wmask_i,
    input  wire [31:0] obs_mem_wdata_i,

    // To the host port.
    output wire        event_valid_o,
    output wire        event_exit_o,
    input  wire        event_done_i
);

`include "gnomon_registers.vh"

    localparam [31:0] ID = 32'h4D4F_4E47;
    localparam [31:0] VERSION = 32'h0001_0000;
    localparam [31:0] EXIT_ADDR = 32'hFFFF_FFFC;

    reg hart_reset, halt;
    reg [5:0] reset_hold;  // bit 5: the hart's reset has lasted its 32 cycles
    reg exited;
    reg [31:0] param, exit_status;
    reg [31:0] cycle_hi;
    reg halted_q;
    reg event_pending, event_exit;

    wire write = reg_sel_i && reg_write_i;
    wire exits = obs_valid_i && !obs_trap_i && obs_mem_wmask_i == 4'b1111 && obs_mem_addr_i == EXIT_ADDR;

    assign hart_rst_o = hart_reset || !reset_hold[5];
    assign dbg_halt_o = halt;
    assign stopped_o = hart_rst_o || dbg_halted_i;
    assign dbg_data_we_o = write && reg_addr_i == `GNOMON_SYSCTL_DEBUG_DATA;
    assign dbg_data_o = reg_wdata_i;
    assign event_valid_o = event_pending;
    assign event_exit_o = event_exit;

    always @(posedge clk_i) begin
        dbg_resume_o <= 1'b0;
        dbg_insn_valid_o <= 1'b0;
        if (write) begin
            case (reg_addr_i)
                `GNOMON_SYSCTL_CONTROL: begin
                    hart_reset <= reg_wdata_i[`GNOMON_SYSCTL_CONTROL_HART_RESET];
                    halt <= reg_wdata_i[`GNOMON_SYSCTL_CONTROL_HALT];
                    dbg_resume_o <= reg_wdata_i[`GNOMON_SYSCTL_CONTROL_RESUME];
                end
                `GNOMON_SYSCTL_ENTRY: boot_pc_o <= reg_wdata_i;
                `GNOMON_SYSCTL_PARAM: param <= reg_wdata_i;
                `GNOMON_SYSCTL_DEBUG_INSN: begin
                    dbg_insn_valid_o <= 1'b1;
                    dbg_insn_o <= reg_wdata_i;
                end
                default: ;
            endcase
        end

        if (exits) begin
            halt <= 1'b1;
            exited <= 1'b1;
            exit_status <= obs_mem_wdata_i;
            event_exit <= 1'b1;
        end

        halted_q <= dbg_halted_i;
        if (dbg_halted_i && !halted_q) event_pending <= 1'b1;
        if (event_done_i) begin
            event_pending <= 1'b0;
            event_exit <= 1'b0;
        end

        if (hart_reset) reset_hold <= 6'd0;
        else if (!reset_hold[5]) reset_hold <= reset_hold + 6'd1;

        if (hart_rst_o) begin
            exited <= 1'b0;
            exit_status <= 32'd0;
            halted_q <= 1'b0;
            event_pending <= 1'b0;
            event_exit <= 1'b0;
        end
        if (rst_i) begin
            hart_reset <= 1'b1;
            reset_hold <= 6'd0;
            halt <= 1'b0;
            boot_pc_o <= `GNOMON_SYSCTL_ENTRY_RESET;
            param <= `GNOMON_SYSCTL_PARAM_RESET;
        end
    end

    always @(posedge clk_i) begin
        if (reg_sel_i && !reg_write_i && reg_addr_i == `GNOMON_SYSCTL_CYCLE_LO) cycle_hi <= cycle_i[63:32];
        case (reg_addr_i)
            `GNOMON_SYSCTL_ID: reg_rdata_o <= ID;
            `GNOMON_SYSCTL_VERSION: reg_rdata_o <= VERSION;
            `GNOMON_SYSCTL_CONFIG: reg_rdata_o <= CONFIG_WORD;
            `GNOMON_SYSCTL_CLOCK_HZ: reg_rdata_o <= CLOCK_HZ;
            `GNOMON_SYSCTL_RAM_BASE: reg_rdata_o <= RAM_BASE;
            `GNOMON_SYSCTL_RAM_BYTES: reg_rdata_o <= RAM_BYTES;
            `GNOMON_SYSCTL_RTL_HASH: reg_rdata_o <= RTL_HASH;
            `GNOMON_SYSCTL_MISA: reg_rdata_o <= MISA;
            `GNOMON_SYSCTL_CONTROL: reg_rdata_o <= {30'd0, halt, hart_reset};
            `GNOMON_SYSCTL_STATUS: reg_rdata_o <= {27'd0, dbg_error_i, dbg_busy_i, obs_wfi_i, exited, dbg_halted_i};
            `GNOMON_SYSCTL_ENTRY: reg_rdata_o <= boot_pc_o;
            `GNOMON_SYSCTL_PARAM: reg_rdata_o <= param;
            `GNOMON_SYSCTL_EXIT_STATUS: reg_rdata_o <= exit_status;
            `GNOMON_SYSCTL_DEBUG_DATA: reg_rdata_o <= dbg_data_i;
            `GNOMON_SYSCTL_CYCLE_LO: reg_rdata_o <= cycle_i[31:0];
            `GNOMON_SYSCTL_CYCLE_HI: reg_rdata_o <= cycle_hi;
            `GNOMON_SYSCTL_DEBUG_CAUSE: reg_rdata_o <= {29'd0, dbg_cause_i};
            default: reg_rdata_o <= 32'd0;
        endcase
    end

endmodule

`default_nettype wire
