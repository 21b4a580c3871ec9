// SPDX-License-Identifier: Apache-2.0
// What TAGS.CONFIG says, for the module that includes this in its body with parameters LOG2, DELAY, OWN_LOG2 and
// OWN_SEGMENTS.

localparam SEGMENTS = 4, TIMERS = 4, STEPS = 4;
localparam [31:0] CONFIG_WORD = {
  1'b1, 3'd0, DELAY[3:0], 1'b1, OWN_SEGMENTS[2:0], OWN_LOG2[3:0], STEPS[3:0], TIMERS[3:0], SEGMENTS[2:0], LOG2[4:0]
};
