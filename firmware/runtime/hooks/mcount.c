/* SPDX-License-Identifier: Apache-2.0 */
/* Hook for objects compiled with -pg: every function calls it at entry. There is no call at exit. Linked only into
 * programs that have such objects. */
#include <gnomon.h>
#include <gnomon/trace.h>

void _mcount(void *caller);
void __mcount(void *caller) __attribute__((alias("_mcount")));

void _mcount(void *caller) {
    (void)caller;
    GNOMON_SEND(GNOMON_CHANNEL_CALL_MCOUNT, (uintptr_t)__builtin_return_address(0));
}
