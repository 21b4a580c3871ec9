/* SPDX-License-Identifier: Apache-2.0 */
/* Samples of whole stacks, for gnomon record --call-graph. */
#ifndef GNOMON_RUNTIME_STACKS_H
#define GNOMON_RUNTIME_STACKS_H

#include <gnomon/stacks.h>
#include <gnomon_unwind.h>

extern struct gnomon_stacks_request __gnomon_stacks_request;

/* Begins, as the host has asked. */
void __gnomon_stacks_start(void);
/* In the counter's interrupt: takes a sample. False: stacks are not sampled. */
bool __gnomon_stacks_sample(const struct gnomon_frame *interrupted);

#endif
