/* SPDX-License-Identifier: Apache-2.0 */
/* The port's own portmacro.h, and its critical sections with messages. The compiler finds this file first: gnomon cc
 * --gnomon-freertos. Only the outermost of nested sections sends messages. -DGNOMON_FREERTOS_CRITICAL=0 leaves them
 * out. */
#include_next "portmacro.h"

#ifndef GNOMON_FREERTOS_CRITICAL
#define GNOMON_FREERTOS_CRITICAL 1
#endif

#if GNOMON_FREERTOS_CRITICAL && !defined(__ASSEMBLER__) && defined(portENTER_CRITICAL) && !defined(GNOMON_PORTMACRO_H)
#define GNOMON_PORTMACRO_H

static inline __attribute__((always_inline)) void __gnomon_port_enter_critical(void) {
    portENTER_CRITICAL();
    if (xCriticalNesting == 1)
        __gnomon_freertos_enter_critical();
}
static inline __attribute__((always_inline)) void __gnomon_port_exit_critical(void) {
    if (xCriticalNesting == 1)
        __gnomon_freertos_exit_critical();
    portEXIT_CRITICAL();
}
#undef portENTER_CRITICAL
#undef portEXIT_CRITICAL
#define portENTER_CRITICAL() __gnomon_port_enter_critical()
#define portEXIT_CRITICAL() __gnomon_port_exit_critical()

#endif
