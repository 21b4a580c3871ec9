/* SPDX-License-Identifier: Apache-2.0 */
#include "internal.h"

void __gnomon_console_write(const char *data, size_t size) {
    for (size_t i = 0; i < size; i++) {
        while (!(GNOMON_REG(GNOMON_UART_STATUS) & GNOMON_UART_STATUS_TX_READY))
            ;
        GNOMON_REG(GNOMON_UART_DATA) = (unsigned char)data[i];
    }
}

#define NO_BYTE 0x80000000u
#define END_OF_INPUT 0x04u

size_t __gnomon_console_read(char *data, size_t size) {
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
