/* SPDX-License-Identifier: Apache-2.0 */
/* Files that the host hands over when the program asks: it halts itself, and the host reads what it wants, writes it
 * and lets it go on (docs/usb-protocol.md, "Requests"). */
#include <errno.h>
#include <stdlib.h>

#include <gnomon.h>

#include "internal.h"

/* How many bytes the file has, of which at most `size` are now at `data`. */
static uint32_t ask(struct gnomon_param *param, const char *name, void *data, uint32_t size) {
    volatile struct gnomon_param_request request = {
        .name = (uint32_t)(uintptr_t)name,
        .data = (uint32_t)(uintptr_t)data,
        .size = size,
        .result = GNOMON_PARAM_NO_FILE,
    };
    volatile uint32_t *pending = &param->request;
    *pending = (uint32_t)(uintptr_t)&request;
    GNOMON_REG(GNOMON_SYSCTL_CONTROL) = GNOMON_SYSCTL_CONTROL_HALT;
    while (*pending)
        ;
    __asm__ volatile("" ::: "memory"); /* what is at `data` is new */
    return request.result;
}

void *gnomon_fetch(const char *name, size_t *size) {
    struct gnomon_param *param = __gnomon_param();
    const uint32_t bytes = param ? ask(param, name, NULL, 0) : GNOMON_PARAM_NO_FILE;
    if (bytes == GNOMON_PARAM_NO_FILE) {
        errno = ENOENT;
        return NULL;
    }
    void *data = malloc(bytes ? bytes : 1);
    if (!data)
        return NULL;
    if (ask(param, name, data, bytes) != bytes) {
        free(data);
        errno = EIO;
        return NULL;
    }
    *size = bytes;
    return data;
}
