/* SPDX-License-Identifier: Apache-2.0 */
/* The heap grows from the end of the program up to the host's files. The files lie below the space that is left for the
 * stack. */
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <unistd.h>

#include "internal.h"

#define MOST_FRAME 256 /* largest stack frame of functions called from here */

/* The host says where the heap ends. Without a host it ends at the stack's share of the memory. */
static uintptr_t heap_limit(void) {
    const struct gnomon_param *param = __gnomon_param();
    if (param)
        return param->heap_end;
    return __gnomon_stack_top - GNOMON_PARAM_STACK(GNOMON_REG(GNOMON_SYSCTL_RAM_BYTES));
}

/* A program with threads has this function in threads/kernel.c. */
__attribute__((weak)) void __gnomon_guard_stack(uintptr_t heap_end) {
    GNOMON_REG(GNOMON_SYSCTL_STACK_LIMIT) = gnomon_stack_limit(heap_end);
}

/* The stack may have grown below the space that was left for it. A thread's own stack may be at any address. */
static bool reaches_stack(uintptr_t end, uintptr_t increment) {
    const uintptr_t sp = (uintptr_t)__builtin_frame_address(0);
    return sp >= end && sp - end < increment + MOST_FRAME;
}

void *sbrk(ptrdiff_t increment) {
    static uintptr_t end;
    if (!end)
        end = (uintptr_t)__heap_start;
    const uintptr_t limit = heap_limit();
    const uintptr_t start = (uintptr_t)__heap_start;
    if (increment >= 0 ? end > limit || (uintptr_t)increment > limit - end || reaches_stack(end, (uintptr_t)increment)
                       : (uintptr_t)-increment > end - start) {
        errno = ENOMEM;
        return (void *)-1;
    }
    const uintptr_t old = end;
    end += (uintptr_t)increment;
    __gnomon_guard_stack(end);
    return (void *)old;
}
