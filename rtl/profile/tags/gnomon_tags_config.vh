// SPDX-License-Identifier: Apache-2.0
// The value of TAGS.CONFIG. The including module has the parameters LOG2, DELAY, PER_ADDRESS_LOG2 and CACHE.

localparam TIMERS = 4, STEPS = 4, BLOCKS_LOG2 = 4;
localparam [31:0] CONFIG_WORD = {
  1'b1, 2'd0, CACHE != 0, DELAY[3:0], 1'b1, 3'b100, PER_ADDRESS_LOG2[3:0], STEPS[3:0], TIMERS[3:0],
  BLOCKS_LOG2[2:0], LOG2[4:0]
};
