// SPDX-License-Identifier: Apache-2.0
// The value of TAGS.CONFIG. The including module has the parameters LOG2, DELAY, PER_ADDRESS_LOG2 and
// PER_ADDRESS_SEGMENTS.

localparam SEGMENTS = 4, TIMERS = 4, STEPS = 4;
localparam [31:0] CONFIG_WORD = {
  1'b1, 3'd0, DELAY[3:0], 1'b1, PER_ADDRESS_SEGMENTS[2:0], PER_ADDRESS_LOG2[3:0], STEPS[3:0], TIMERS[3:0],
      SEGMENTS[2:0], LOG2[4:0]
};
