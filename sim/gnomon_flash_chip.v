// SPDX-License-Identifier: Apache-2.0
// Model of a quad SPI flash of 16 Mbit with the usual commands of its class (AT25SF161, W25Q16), as seen once a cycle
// of the SoC's clock (gnomon_flash): keeps data, erases and programs with a busy time, and ends the simulation with the
// rule's name if a command breaks a rule. At power-up it is in deep power-down, as the FPGA's configuration leaves it,
// or with CONTINUOUS = 1 in the continuous mode of a boot loader; four wires are not enabled.
//
// Its busy times are shorter than those of a real flash, so that a simulation does not wait for a second.
`default_nettype none

module gnomon_flash_chip #(
  parameter integer BYTES = 2_097_152,
  parameter integer CONTINUOUS = 0,
  parameter integer PROGRAM_CYCLES = 200,
  parameter integer ERASE_CYCLES = 2000
) (
  input  wire       clk_i,
  input  wire       sck_i,       // its clock has a pulse in this cycle
  input  wire       cs_n_i,
  input  wire [3:0] io_i, io_oe_i,
  output wire [3:0] io_o, io_oe_o
);

    localparam [7:0] READ = 8'hEB, ID = 8'h9F, STATUS1 = 8'h05, STATUS2 = 8'h35, WRITE_ENABLE = 8'h06,
        WRITE_DISABLE = 8'h04, WRITE_STATUS1 = 8'h01, WRITE_STATUS2 = 8'h31, PROGRAM = 8'h02, ERASE_4K = 8'h20,
        ERASE_64K = 8'hD8, SLEEP = 8'hB9, WAKE = 8'hAB, NOTHING = 8'hFF;
    localparam [23:0] ID_BYTES = 24'h1F8601;
    localparam integer A = $clog2(BYTES);

    reg [7:0] mem[0:BYTES-1];
    reg [7:0] page[0:255];      // data of a program command, and which of its bytes came
    reg [255:0] given;
    reg asleep, continuous, enabled, quad;
    reg [31:0] busy;

    reg selected;
    reg [31:0] n;               // clocks of this command; in continuous mode the first 8 are left out
    reg [7:0] op;
    reg [6:0] in;
    reg [23:0] addr;
    reg [3:0] out, out_oe;
    integer b, erases, programs;

    task broken(input [8*32-1:0] rule);
        begin
            $display("flash: %0s, command %02x, clock %0d", rule, op, n);
            $fatal(1, "the flash's rules are broken");
        end
    endtask

    wire [31:0] clock = selected ? n : continuous ? 32'd8 : 32'd0;
    wire [7:0] now_op = clock < 32'd8 ? {op[6:0], io_i[0]} : !selected ? READ : op;
    wire [7:0] now_in = {in, io_i[0]};
    wire [3:0] nibble = io_i & io_oe_i;
    wire [31:0] next = clock + 32'd1;
    wire [7:0] status1 = {6'd0, enabled, busy != 32'd0}, status2 = {6'd0, quad, 1'b0};
    wire [31:0] read_nibble = next - 32'd20;
    wire [7:0] read_byte = mem[addr[A-1:0] + read_nibble[A:1]];
    wire unused = &{1'b0, addr, read_nibble};

    // One clock of the flash: takes the wires, and shows what it drives in the next clock.
    task pulse;
        begin
            selected <= 1'b1;
            n <= next;
            op <= now_op;
            in <= now_in[6:0];
            out_oe <= 4'b0000;
            if (!asleep) case (now_op)
                READ: begin
                    if (clock == 32'd8) begin
                        if (busy != 32'd0) broken("a read while busy");
                        if (!quad && !continuous) broken("four wires are not enabled");
                    end
                    if (clock >= 32'd8 && clock < 32'd14) addr <= {addr[19:0], nibble};
                    if (clock == 32'd14) continuous <= nibble[1:0] == 2'b10;
                    if (clock >= 32'd8 && clock < 32'd14 && selected && op == READ && !continuous && io_oe_i != 4'b1111) broken("an address on few wires");
                    if (clock >= 32'd19) begin
                        out_oe <= 4'b1111;
                        out <= next[0] ? read_byte[3:0] : read_byte[7:4];
                    end
                end
                ID: single(clock >= 32'd31 ? 1'b0 : ID_BYTES[5'd31-next[4:0]]);
                STATUS1: single(status1[~next[2:0]]);
                STATUS2: single(status2[~next[2:0]]);
                PROGRAM: begin
                    if (clock >= 32'd8 && clock < 32'd32) addr <= {addr[22:0], io_i[0]};
                    if (clock >= 32'd32 && clock[2:0] == 3'd7) begin
                        page[addr[7:0]] <= now_in;
                        given[addr[7:0]] <= 1'b1;
                        addr[7:0] <= addr[7:0] + 8'd1;
                    end
                end
                ERASE_4K, ERASE_64K: if (clock >= 32'd8) addr <= {addr[22:0], io_i[0]};
                default: ;
            endcase
        end
    endtask

    task single(input value);
        if (next >= 32'd8) begin
            out_oe <= 4'b0010;
            out <= {2'b00, value, 1'b0};
        end
    endtask

    // Memory loops need blocking assignments; nothing else reads the memory in the same cycle.
    /* verilator lint_off BLKSEQ */
    task erase(input [31:0] bytes);
        begin
            for (b = 0; b < bytes; b = b + 1) mem[(addr[A-1:0] & ~(bytes[A-1:0] - 1'b1)) + b[A-1:0]] = 8'hFF;
            busy <= ERASE_CYCLES;
            erases <= erases + 1;
        end
    endtask

    // The flash executes a command when it is deselected.
    task execute;
        begin
            selected <= 1'b0;
            given <= 256'd0;
            if (op == WAKE && n >= 32'd8) asleep <= 1'b0;
            if (!asleep && n >= 32'd8) begin
                if (busy != 32'd0 && op != STATUS1 && op != STATUS2) broken("a command while busy");
                case (op)
                    SLEEP: asleep <= 1'b1;
                    WRITE_ENABLE: enabled <= 1'b1;
                    WRITE_DISABLE: enabled <= 1'b0;
                    WRITE_STATUS1: if (enabled && n == 32'd24) quad <= in[1];
                    WRITE_STATUS2: if (enabled && n == 32'd16) quad <= in[1];
                    PROGRAM: if (enabled && n[2:0] == 3'd0) begin
                        for (b = 0; b < 256; b = b + 1)
                            if (given[b]) mem[{addr[A-1:8], b[7:0]}] = mem[{addr[A-1:8], b[7:0]}] & page[b];
                        busy <= PROGRAM_CYCLES;
                                    programs <= programs + 1;
                    end
                    ERASE_4K: if (enabled && n == 32'd32) erase(32'd4096);
                    ERASE_64K: if (enabled && n == 32'd32) erase(32'd65536);
                    READ, ID, STATUS1, STATUS2, WAKE, NOTHING: ;
                    default: broken("no such command");
                endcase
                if (op == PROGRAM || op == ERASE_4K || op == ERASE_64K || op == WRITE_STATUS1 || op == WRITE_STATUS2) begin
                    if (!enabled) broken("writing is not enabled");
                    enabled <= 1'b0;
                end
            end
        end
    endtask
    /* verilator lint_on BLKSEQ */

    assign io_o = out;
    assign io_oe_o = cs_n_i || !selected ? 4'b0000 : out_oe;

    always @(posedge clk_i) begin
        if (busy != 32'd0) busy <= busy - 32'd1;
        if ((io_oe_i & io_oe_o) != 4'b0000) broken("two drive a wire");
        if (!cs_n_i && sck_i) pulse;
        if (cs_n_i && selected) execute;
    end

    initial begin
        for (b = 0; b < BYTES; b = b + 1) mem[b] = 8'hFF;
        for (b = 0; b < 256; b = b + 1) page[b] = 8'hFF;
        given = 256'd0;
        {enabled, quad, selected} = 3'd0;
        asleep = CONTINUOUS == 0;
        continuous = CONTINUOUS != 0;
        {busy, n} = 64'd0;
        {op, in} = 15'd0;
        addr = 24'd0;
        {out, out_oe} = 8'd0;
        erases = 0;
        programs = 0;
    end

endmodule

`default_nettype wire
