/* SPDX-License-Identifier: Apache-2.0 */
/* Requests to the host while the program runs (docs/reference/usb-protocol.md, "Requests"): the program halts itself;
 * the host reads the request, fulfils it and lets the program continue. */
#include "harts/exclusive.h"
#include "internal.h"

uint32_t __gnomon_request(struct gnomon_param *param, const char *name, void *data, uint32_t size) {
    volatile struct gnomon_param_request request = {
        .name = (uint32_t)(uintptr_t)name,
        .data = (uint32_t)(uintptr_t)data,
        .size = size,
        .result = GNOMON_PARAM_NO_FILE,
    };
    static gnomon_hart_lock lock;
    volatile uint32_t *pending = &param->request;
    const uint32_t before = HARTS > 1 ? gnomon_exclusive_enter(&lock) : 0; /* one request at a time */
    *pending = (uint32_t)(uintptr_t)&request;
    GNOMON_REG(GNOMON_SYSCTL_CONTROL) = GNOMON_SYSCTL_CONTROL_HALT;
    while (*pending)
        ;
    __asm__ volatile("" ::: "memory"); /* the host has changed the content of `data` */
    if (HARTS > 1)
        gnomon_exclusive_leave(&lock, before);
    return request.result;
}
