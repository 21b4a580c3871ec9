/* SPDX-License-Identifier: Apache-2.0 */
/* The heap grows from the end of the program up to the host's files, which lie below what is left to the stack. */
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <unistd.h>

#include "internal.h"

#define MOST_FRAME 256 /* of what is going to be called from here */

/* Without a host that says where: up to the stack's share. */
static uintptr_t heap_limit(void) {
    const struct gnomon_param *param = __gnomon_param();
    if (param)
        return param->heap_end;
    return __gnomon_stack_top - GNOMON_PARAM_STACK(GNOMON_REG(GNOMON_SYSCTL_RAM_BYTES));
}

/* Where files lie between heap and stack, the stack ends above them; else it may take what the heap leaves. */
static bool has_files(const struct gnomon_param *param) {
    const struct gnomon_param_file *files = param ? (const struct gnomon_param_file *)(uintptr_t)param->in_files : NULL;
    for (uint32_t i = 0; param && i < param->in_count; i++)
        if (files[i].size > 0)
            return true;
    return false;
}

void __gnomon_guard_stack(uintptr_t heap_end) {
    const struct gnomon_param *param = __gnomon_param();
    GNOMON_REG(GNOMON_SYSCTL_STACK_LIMIT) = has_files(param) ? param->stack_end : heap_end;
}

/* The stack may have grown below the place that is left to it. A thread's own stack lies anywhere. */
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
