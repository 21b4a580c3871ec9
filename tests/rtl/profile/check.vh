// SPDX-License-Identifier: Apache-2.0
// A comparison in a bench that has `now`, the cycle, and counts `errors`.
task check(input [8*16-1:0] what, input integer which, input [31:0] is, input [31:0] want);
  if (is !== want) begin
    if (errors < 10) $display("cycle %0d: %0s %0d is %0d (%h), expected %0d", now, what, which, is, is, want);
    errors = errors + 1;
  end
endtask
