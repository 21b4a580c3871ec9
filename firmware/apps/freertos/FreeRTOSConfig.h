/* SPDX-License-Identifier: Apache-2.0 */
/* FreeRTOS on Gnomon's simulated board: preemptive, 5,000 ticks a second, all objects static. */
#ifndef FREERTOS_CONFIG_H
#define FREERTOS_CONFIG_H

#define configMTIME_BASE_ADDRESS 0xF0001000
#define configMTIMECMP_BASE_ADDRESS 0xF0001008
#define configISR_STACK_SIZE_WORDS 256

#ifndef __ASSEMBLER__
#define configCPU_CLOCK_HZ 60000000
#define configTICK_RATE_HZ 5000
#define configTICK_TYPE_WIDTH_IN_BITS TICK_TYPE_WIDTH_32_BITS
#define configUSE_PREEMPTION 1
#define configUSE_IDLE_HOOK 0
#define configUSE_TICK_HOOK 0
#define configMAX_PRIORITIES 3
#define configMINIMAL_STACK_SIZE 256
#define configMAX_TASK_NAME_LEN 12
#define configSUPPORT_STATIC_ALLOCATION 1
#define configSUPPORT_DYNAMIC_ALLOCATION 0
#define configKERNEL_PROVIDED_STATIC_MEMORY 1
#define configUSE_TIMERS 0
#define configUSE_MUTEXES 1
#define configUSE_COUNTING_SEMAPHORES 1
#define configQUEUE_REGISTRY_SIZE 6
#define configUSE_TASK_NOTIFICATIONS 1
#define INCLUDE_vTaskDelay 1
#define INCLUDE_vTaskDelete 1
#endif
#endif
