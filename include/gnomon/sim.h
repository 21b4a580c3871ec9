/* SPDX-License-Identifier: Apache-2.0 */
/* The exit status by which the simulator informs the command that started it. */
#ifndef GNOMON_SIM_H
#define GNOMON_SIM_H

/* A lean model was asked for units that it does not have: 1 << LOG2, plus a bit for each such unit, as in
 * rtl/profile/gnomon_left_out.v. */
#define GNOMON_SIM_LEFT_OUT_LOG2 5

#endif
