/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "harts/exclusive.h"
#include "internal.h"

/* With two harts, the other one must not take the room in between. */
static void write_byte(unsigned char byte) {
    static gnomon_hart_lock lock;
    uint32_t before = HARTS > 1 ? gnomon_exclusive_enter(&lock) : 0;
    while (!(GNOMON_REG(GNOMON_UART_STATUS) & GNOMON_UART_STATUS_TX_READY))
        if (HARTS > 1) {
            gnomon_exclusive_leave(&lock, before);
            before = gnomon_exclusive_enter(&lock);
        }
    GNOMON_REG(GNOMON_UART_DATA) = byte;
    if (HARTS > 1)
        gnomon_exclusive_leave(&lock, before);
}

void __gnomon_console_write(const char *data, size_t size) {
    for (size_t i = 0; i < size; i++)
        write_byte((unsigned char)data[i]);
}

#define NO_BYTE 0x80000000u
#define END_OF_INPUT 0x04u /* Ctrl-D */

/* Reads bytes that a terminal sends, up to the end of a line. */
static size_t read_uart(char *data, size_t size) {
    static int ended;
    size_t count = 0;
    while (count < size && !ended) {
        const uint32_t byte = GNOMON_REG(GNOMON_UART_DATA);
        if (byte & NO_BYTE) {
            if (count > 0)
                break;
        } else if ((byte & 0xFF) == END_OF_INPUT) {
            ended = 1;
        } else {
            data[count++] = (char)byte;
            if (data[count - 1] == '\n')
                break;
        }
    }
    return count;
}

/* Reads ahead: keeps bytes that the host gave and the program has not read yet. A request takes many times as long as a
 * short read. */
static size_t read_host(struct gnomon_param *param, char *data, size_t size) {
    static _Alignas(4) char ahead[512]; /* aligned: the host writes whole words */
    static size_t next, end;
    if (next == end && size >= sizeof ahead && (uintptr_t)data % 4 == 0)
        return __gnomon_request(param, NULL, data, (uint32_t)(size - size % 4));
    if (next == end) {
        next = 0;
        end = __gnomon_request(param, NULL, ahead, sizeof ahead);
    }
    if (size > end - next)
        size = end - next;
    memcpy(data, ahead + next, size);
    next += size;
    return size;
}

size_t __gnomon_console_read(char *data, size_t size) {
    struct gnomon_param *param = __gnomon_param();
    if (size == 0)
        return 0;
    return param ? read_host(param, data, size) : read_uart(data, size);
}

bool __gnomon_console_is_terminal(int fd) {
    struct gnomon_param *param = __gnomon_param();
    return !param || __gnomon_request(param, NULL, (void *)(uintptr_t)fd, 0) == 1;
}
