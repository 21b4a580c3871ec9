/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <string.h>

#include <gnomon_harts.h>

#include "internal.h"

enum { LEAST_STACK = 128 };

extern char __tls_base[], __gnomon_tls_data_size[], __gnomon_tls_size[], __gnomon_tls_align[];

/* What hart 1 begins with; `entry` reads it by these offsets. */
static volatile struct {
    void (*function)(void *);
    void *argument;
    char *stack, *tls;
} begin;

/* First instructions of hart 1. */
static void __attribute__((naked, used, aligned(4))) entry(void) {
    __asm__ volatile(".option push\n\t"
                     ".option norelax\n\t"
                     "la gp, __global_pointer$\n\t"
                     ".option pop\n\t"
                     "la a1, __gnomon_vectors\n\t"
                     "ori a1, a1, 1\n\t"
                     "csrw mtvec, a1\n\t"
                     "la a1, %0\n\t"
                     "lw a2, 0(a1)\n\t"
                     "lw a0, 4(a1)\n\t"
                     "lw sp, 8(a1)\n\t"
                     "lw tp, 12(a1)\n\t"
                     "jalr a2\n"
                     "1: wfi\n\t"
                     "j 1b" ::"i"(&begin));
}

unsigned gnomon_harts(void) {
    return (GNOMON_REG(GNOMON_SYSCTL_CONFIG) & GNOMON_SYSCTL_CONFIG_HARTS) >> GNOMON_SYSCTL_CONFIG_HARTS_SHIFT;
}

int gnomon_hart_start(void (*function)(void *), void *argument, void *stack, size_t size) {
    const size_t tls = (uintptr_t)__gnomon_tls_size, data = (uintptr_t)__gnomon_tls_data_size;
    const uintptr_t alignment = (uintptr_t)__gnomon_tls_align > 16 ? (uintptr_t)__gnomon_tls_align : 16;
    char *top = (char *)(((uintptr_t)stack + size - tls) & -alignment);
    int error = gnomon_harts() < 2                                ? ENODEV
                : GNOMON_REG(GNOMON_SYSCTL_HART1_START) & 1       ? EBUSY
                : size < tls || top - (char *)stack < LEAST_STACK ? EINVAL
                                                                  : 0;
    if (error) {
        errno = error;
        return -1;
    }
    memcpy(top, __tls_base, data);
    memset(top + data, 0, tls - data);
    begin.function = function;
    begin.argument = argument;
    begin.stack = begin.tls = top;
    __asm__ volatile("fence" ::: "memory");
    GNOMON_REG(GNOMON_SYSCTL_HART1_START) = (uint32_t)(uintptr_t)entry;
    return 0;
}

void gnomon_hart_interrupt(unsigned hart, int raised) {
    GNOMON_REG(hart == 0 ? GNOMON_TIMER_MSIP : GNOMON_TIMER_HART1_MSIP) = raised != 0;
}
