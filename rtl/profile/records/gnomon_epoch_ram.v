// SPDX-License-Identifier: Apache-2.0
// A memory that each epoch clears at once: a word belongs to an epoch and reads as zero in every other one. It has two
// banks, for the running epoch and for the one before, which can be read until another epoch ends. The word that was
// read stays at the port. The epoch changes only when that word is no longer needed.
`default_nettype none

module gnomon_epoch_ram #(
  parameter WIDTH  = 8,
  parameter LOG2   = 4,
  parameter EPOCHS = 1, // 0: a plain memory
  parameter EPOCH_BITS = 31
) (
  input  wire             clk_i,
  input  wire [EPOCH_BITS-1:0] epoch_i,  // 0 during the clearing

  input  wire             read_i,
  input  wire             ended_i,  // reads the epoch before
  input  wire [LOG2-1:0]  read_at_i,
  output wire [WIDTH-1:0] word_o,   // one cycle after read_i

  input  wire             clear_i,  // writes zeros to both banks; write_i writes to the running epoch's bank
  input  wire             write_i,
  input  wire [LOG2-1:0]  write_at_i,
  input  wire [WIDTH-1:0] word_i
);
  wire [WIDTH-1:0] word = word_i & {WIDTH{!clear_i}};
  generate
    if (EPOCHS != 0) begin : g_banks
      (* no_rw_check *) reg [WIDTH+EPOCH_BITS-1:0] even[0:(1<<LOG2)-1];
      (* no_rw_check *) reg [WIDTH+EPOCH_BITS-1:0] odd[0:(1<<LOG2)-1];
      reg [WIDTH+EPOCH_BITS-1:0] even_word, odd_word;
      reg ended;
      always @(posedge clk_i) begin
        if (clear_i || (write_i && !epoch_i[0])) even[write_at_i] <= {epoch_i, word};
        if (clear_i || (write_i && epoch_i[0])) odd[write_at_i] <= {epoch_i, word};
        if (read_i) begin
          even_word <= even[read_at_i];
          odd_word <= odd[read_at_i];
          ended <= ended_i;
        end
      end
      wire [EPOCH_BITS-1:0] wanted = epoch_i - {{(EPOCH_BITS - 1) {1'b0}}, ended};
      wire [EPOCH_BITS-1:0] epoch;
      wire [WIDTH-1:0] found;
      assign {epoch, found} = wanted[0] ? odd_word : even_word;
      assign word_o = found & {WIDTH{epoch == wanted}};
    end else begin : g_plain
      wire unused = &{1'b0, epoch_i, ended_i};
      (* no_rw_check *) reg [WIDTH-1:0] words[0:(1<<LOG2)-1];
      reg [WIDTH-1:0] found;
      always @(posedge clk_i) begin
        if (clear_i || write_i) words[write_at_i] <= word;
        if (read_i) found <= words[read_at_i];
      end
      assign word_o = found;
    end
  endgenerate
endmodule

`default_nettype wire
