// SPDX-License-Identifier: Apache-2.0
// Accesses of a block's registers by a bench that has sel, write, addr, wdata, rdata, and a task `tick`: a cycle, after
// which sel and write are 0.
task set(input [11:0] where, input [31:0] value);
  begin
    {sel, write, addr, wdata} = {2'b11, where, value};
    tick;
  end
endtask
reg [31:0] got;
task get(input [11:0] where);
  begin
    {sel, write, addr} = {2'b10, where};
    tick;
    got = rdata;
  end
endtask
