/* SPDX-License-Identifier: Apache-2.0 */
/* The heap grows from the end of the program up to a reserve for the stack. */
#include <errno.h>
#include <unistd.h>

#include "internal.h"

#define MOST_STACK (1u << 20)

extern char __heap_start[];

/* The stack's share: an eighth of the memory, at most 1 MiB. */
static uintptr_t heap_limit(void) {
    uintptr_t reserve = GNOMON_REG(GNOMON_SYSCTL_RAM_BYTES) / 8;
    if (reserve > MOST_STACK)
        reserve = MOST_STACK;
    return __gnomon_stack_top - reserve;
}

void *sbrk(ptrdiff_t increment) {
    static uintptr_t end;
    if (!end)
        end = (uintptr_t)__heap_start;
    const uintptr_t limit = heap_limit();
    const uintptr_t start = (uintptr_t)__heap_start;
    if (increment >= 0 ? end > limit || (uintptr_t)increment > limit - end : (uintptr_t)-increment > end - start) {
        errno = ENOMEM;
        return (void *)-1;
    }
    const uintptr_t old = end;
    end += (uintptr_t)increment;
    return (void *)old;
}
