/* SPDX-License-Identifier: Apache-2.0 */
#include "handlers.h"

#include <stdlib.h>

extern void freertos_risc_v_trap_handler(void);
void freertos_risc_v_application_exception_handler(uint32_t cause);
void freertos_risc_v_application_interrupt_handler(uint32_t cause);
void (*on_interrupt)(uint32_t cause);

void take_traps(void) {
    __asm__ volatile("csrw mtvec, %0" ::"r"(freertos_risc_v_trap_handler));
}
void freertos_risc_v_application_exception_handler(uint32_t cause) {
    (void)cause;
    abort();
}
void freertos_risc_v_application_interrupt_handler(uint32_t cause) {
    if (!on_interrupt)
        abort();
    on_interrupt(cause);
}
