// SPDX-License-Identifier: Apache-2.0
// Reads a quad SPI flash as memory, and sends single bytes to it. Page: docs/internals/flash.md.
//
// A read (`want_i`, `addr_i`) is over in the cycle with `there_o`: the word is in hand, and stays on `word_o` for one
// cycle more. The first word takes a command of 28 cycles: "fast read quad I/O" (8 bits on one wire), the address and
// the mode (8 nibbles on four wires), a pause of 4 nibbles, 8 nibbles of data. After a word is taken, the next word
// follows at once, without a command, and waits with the flash's clock stopped. A request for any other word ends the
// transfer: the flash is deselected for one cycle, and a new command begins. While the hart is stopped, the transfer
// ends after each word. So the hart always starts with the flash deselected, whatever the host has read.
//
// The mode byte asks for no continuous mode: whenever the flash is deselected, it understands every command, also that
// of the FPGA's configuration.
//
// A byte (`send_i`, taken while `idle_o`) goes out on one wire. The flash stays selected until a byte with `last_i`.
// Then `word_o` holds what came back: bits 7 to 0 of the byte are its bits 5, 1, 13, 9, 21, 17, 29, 25.
//
// The flash's clock is low in the first half of each cycle of clk_i, and high in the second half of those with `sck_o`
// (SPI mode 0): what one side puts out at a rising edge of clk_i, the other side reads half a cycle or a cycle later.
`default_nettype none

module gnomon_flash #(
  parameter integer LOG2 = 21  // log2 of the flash's bytes
) (
  input  wire            clk_i, rst_i,

  input  wire            stopped_i,  // the hart is stopped
  input  wire            want_i,
  input  wire [LOG2-1:2] addr_i,
  output wire            there_o,
  input  wire            take_i,     // with `there_o`: the word is taken
  output wire [31:0]     word_o,

  output wire            idle_o,
  input  wire            send_i,
  input  wire [7:0]      byte_i,
  input  wire            last_i,

  output wire            sck_o,      // the flash's clock has a pulse in this cycle
  output wire            cs_n_o,
  output wire [3:0]      io_o, io_oe_o,
  input  wire [3:0]      io_i
);

  // Cycles left, minus one: a word up to 7; before it the pause up to 11, address and mode up to 19, the command up to
  // 27.
  localparam [4:0] WORD = 5'd7, ALL = 5'd27;

  reg select, run, raw, last;
  reg [4:0] left;
  reg [31:0] shift;
  reg [LOG2-1:2] at;  // address of the word in hand or on its way

  wire command = left[4] && (left[3] || left[2]);
  wire address = left[4] != (left[3] && left[2]) && !command;
  wire reading = select && !raw && !command && !address;

  wire fits = at == addr_i;
  wire wrong = select && !raw && (want_i ? !fits : stopped_i);
  wire start = !select && want_i;
  wire over = left == 5'd0;
  assign there_o = select && !raw && !run && fits;
  assign idle_o = !run && (raw || !select);

  always @(posedge clk_i) begin
    if (start) shift <= {{(24 - LOG2) {1'b0}}, addr_i, 2'b00, 8'hFF};
    else if (send_i) {shift[28], shift[24], shift[20], shift[16], shift[12], shift[8], shift[4], shift[0]} <= byte_i;
    else if (run && !command) shift <= {shift[27:0], io_i};

    if (start) at <= addr_i;
    else if (take_i) at <= at + 1'b1;

    if (start) left <= ALL;
    else if (take_i || send_i) left <= WORD;
    else if (run && !over) left <= left - 5'd1;

    if (start || take_i || send_i) run <= 1'b1;
    else if (wrong || over) run <= 1'b0;

    if (send_i) {raw, last} <= {1'b1, last_i};
    if (start || send_i) select <= 1'b1;
    else if (wrong) select <= 1'b0;
    else if (raw && last && over) {raw, select} <= 2'b00;

    if (rst_i) {select, run, raw} <= 3'b000;
  end

  // The command is 8'hEB.
  assign io_o[0] = command ? left != 5'd24 && left != 5'd22 : shift[28];
  assign io_o[1] = shift[29];
  assign io_o[3:2] = address ? shift[31:30] : 2'b11;
  assign io_oe_o = {{2{!reading}}, address, !reading};
  assign sck_o = run;
  assign cs_n_o = !select;
  // The first byte from the flash is the word's low byte.
  assign word_o = {shift[7:0], shift[15:8], shift[23:16], shift[31:24]};

endmodule

`default_nettype wire
