// SPDX-License-Identifier: Apache-2.0
// A memory that is all zeros again with each epoch, at once: a word is that of an epoch, and zero in every other. There
// are two banks, for the epoch that runs and for the one that has ended last, which can be read as long as no other one
// ends. What was read stays at the port; the epoch changes only when it is no longer wanted.
`default_nettype none

module gnomon_epoch_ram #(
  parameter WIDTH  = 8,
  parameter LOG2   = 4,
  parameter EPOCHS = 1, // 0: a plain memory
  parameter EPOCH_BITS = 31
) (
  input  wire             clk_i,
  input  wire [EPOCH_BITS-1:0] epoch_i,  // 0 while it is cleared

  input  wire             read_i,
  input  wire             ended_i,  // of the epoch before
  input  wire [LOG2-1:0]  read_at_i,
  output wire [WIDTH-1:0] word_o,   // the cycle after

  input  wire             clear_i,  // with zeros, all banks; else of the epoch that runs
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
