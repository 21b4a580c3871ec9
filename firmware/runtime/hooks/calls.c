/* SPDX-License-Identifier: Apache-2.0 */
/* Hooks for objects that another compiler instrumented with -finstrument-functions: it inserts calls of these two
 * functions, which send the messages. Linked only into programs that have such objects. */
#include <gnomon.h>
#include <gnomon/trace.h>

void __cyg_profile_func_enter(void *function, void *caller);
void __cyg_profile_func_exit(void *function, void *caller);

void __cyg_profile_func_enter(void *function, void *caller) {
    (void)caller;
    GNOMON_SEND(GNOMON_CHANNEL_CALL_ENTER, (uintptr_t)function);
}

void __cyg_profile_func_exit(void *function, void *caller) {
    (void)caller;
    GNOMON_SEND(GNOMON_CHANNEL_CALL_EXIT, (uintptr_t)function);
}
