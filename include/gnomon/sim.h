/* SPDX-License-Identifier: Apache-2.0 */
/* What the simulator tells the command that started it, by its exit status. */
#ifndef GNOMON_SIM_H
#define GNOMON_SIM_H

/* A lean model was asked for units that it has not: 1 << LOG2 and a bit for each, as in rtl/profile/gnomon_left_out.v.
 */
#define GNOMON_SIM_LEFT_OUT_LOG2 5

#endif
