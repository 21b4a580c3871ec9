/* SPDX-License-Identifier: Apache-2.0 */
/* What FreeRTOS's port wants of a program: its trap handler in mtvec, and two handlers. */
#ifndef FREERTOS_HANDLERS_H
#define FREERTOS_HANDLERS_H

#include <stdint.h>

/* Writes mtvec. */
void take_traps(void);

/* Called at interrupts that are not the tick's. Without it they end the program, as exceptions do. */
extern void (*on_interrupt)(uint32_t cause);

#endif
