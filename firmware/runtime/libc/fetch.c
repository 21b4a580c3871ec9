/* SPDX-License-Identifier: Apache-2.0 */
/* Files that the host sends when the program asks for them. */
#include <errno.h>
#include <stdlib.h>

#include <gnomon.h>

#include "internal.h"

void *gnomon_fetch(const char *name, size_t *size) {
    struct gnomon_param *param = __gnomon_param();
    const uint32_t bytes = param ? __gnomon_request(param, name, NULL, 0) : GNOMON_PARAM_NO_FILE;
    if (bytes == GNOMON_PARAM_NO_FILE) {
        errno = ENOENT;
        return NULL;
    }
    void *data = malloc(bytes ? bytes : 1);
    if (!data)
        return NULL;
    if (__gnomon_request(param, name, data, bytes) != bytes) {
        free(data);
        errno = EIO;
        return NULL;
    }
    *size = bytes;
    return data;
}
