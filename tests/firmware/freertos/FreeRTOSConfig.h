/* SPDX-License-Identifier: Apache-2.0 */
/* FreeRTOS on Gnomon: preemptive, a tick every 2,000 cycles or as TICK_HZ says, all objects static. */
#ifndef FREERTOS_CONFIG_H
#define FREERTOS_CONFIG_H

#define configMTIME_BASE_ADDRESS 0xF0001000
#define configMTIMECMP_BASE_ADDRESS 0xF0001008
#define configISR_STACK_SIZE_WORDS 256

#ifndef __ASSEMBLER__
#define configCPU_CLOCK_HZ 60000000
#ifndef TICK_HZ
#define TICK_HZ 30000
#endif
#define configTICK_RATE_HZ TICK_HZ
#define configTICK_TYPE_WIDTH_IN_BITS TICK_TYPE_WIDTH_32_BITS
#define configUSE_PREEMPTION 1
#define configUSE_IDLE_HOOK 0
#define configUSE_TICK_HOOK 0
#ifndef MOST_PRIORITIES
#define MOST_PRIORITIES 3
#endif
#define configMAX_PRIORITIES MOST_PRIORITIES
#define configMINIMAL_STACK_SIZE 256
#define configMAX_TASK_NAME_LEN 12
#define configSUPPORT_STATIC_ALLOCATION 1
#ifdef DYNAMIC
#define configSUPPORT_DYNAMIC_ALLOCATION 1
#define configTOTAL_HEAP_SIZE 40000
#else
#define configSUPPORT_DYNAMIC_ALLOCATION 0
#endif
#define configKERNEL_PROVIDED_STATIC_MEMORY 1
#define configUSE_TIMERS 0
#define INCLUDE_vTaskDelay 1

#ifdef LOCKS /* what locks.c uses */
#define configUSE_MUTEXES 1
#define configUSE_RECURSIVE_MUTEXES 1
#define configUSE_COUNTING_SEMAPHORES 1
#define configQUEUE_REGISTRY_SIZE 6
#define configUSE_TASK_NOTIFICATIONS 1
#define configUSE_EVENT_GROUPS 1
#define configUSE_STREAM_BUFFERS 1
#define INCLUDE_vTaskDelete 1
#define INCLUDE_xTaskGetCurrentTaskHandle 1
#endif

#ifdef WRONG /* what wrong.c uses, too */
#define INCLUDE_vTaskSuspend 1
#define INCLUDE_vTaskPrioritySet 1
#endif

#ifdef TOLD /* a message THREAD announces the running task */
#include <stdint.h>
#define configUSE_TRACE_FACILITY 1
#define traceTASK_SWITCHED_IN() (*(volatile uint32_t *)0xFFFFFFF8 = pxCurrentTCB->uxTCBNumber)
#endif
#endif
#endif
