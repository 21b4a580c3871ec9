/* SPDX-License-Identifier: Apache-2.0 */
/* What the host looks for, and the thread that runs. They are in a file of their own, so that neither a program without
 * threads gets the threads layer, nor a program with threads the table of locks. */
#include <gnomon/locks.h>

#include "harts/exclusive.h"

extern uint32_t __gnomon_thread;
uint32_t __gnomon_thread;

/* For changes of the tables. The threads layer takes it, too, when its table moves. */
extern gnomon_hart_lock __gnomon_locks_lock;
gnomon_hart_lock __gnomon_locks_lock;
#if GNOMON_HARTS > 1
extern _Thread_local uint32_t __gnomon_thread_index;
_Thread_local uint32_t __gnomon_thread_index;
#endif
struct gnomon_locks __gnomon_locks = {.magic = GNOMON_LOCKS_MAGIC, .version = GNOMON_LOCKS_VERSION};
