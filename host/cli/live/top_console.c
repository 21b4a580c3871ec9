/* SPDX-License-Identifier: Apache-2.0 */
/* What the program writes while gnomon top has the screen. */
#include <stdlib.h>
#include <string.h>

#include "cli/live/top.h"

void top_console_put(struct top_console *console, const uint8_t *data, size_t size) {
    if (console->file)
        fwrite(data, 1, size, console->file);
    if (!console->kept && !(console->kept = malloc(TOP_KEPT)))
        return;
    for (size_t i = 0; i < size; i++)
        console->kept[console->bytes++ % TOP_KEPT] = (char)data[i];
}

static char at(const struct top_console *console, uint64_t byte) {
    return console->kept[byte % TOP_KEPT];
}

/* Where the line begins that ends before `end`. */
static uint64_t line_start(const struct top_console *console, uint64_t first, uint64_t end) {
    while (end > first && at(console, end - 1) != '\n')
        end--;
    return end;
}

unsigned top_console_lines(const struct top_console *console, unsigned lines, size_t width, char *text) {
    if (!console->kept || !console->bytes)
        return 0;
    const uint64_t first = console->bytes > TOP_KEPT ? console->bytes - TOP_KEPT : 0;
    uint64_t end = console->bytes, starts[16];
    unsigned found = 0;
    if (at(console, end - 1) == '\n')
        end--;
    for (uint64_t from = end; found < lines && found < sizeof starts / sizeof *starts;) {
        starts[found++] = line_start(console, first, from);
        if (starts[found - 1] == first)
            break;
        from = starts[found - 1] - 1;
    }
    for (unsigned i = 0; i < found; i++) {
        uint64_t byte = starts[found - 1 - i];
        char *line = text + i * (width + 1);
        size_t used = 0;
        for (; byte < end && at(console, byte) != '\n' && used < width; byte++)
            line[used++] =
                (unsigned char)at(console, byte) < 0x20 || at(console, byte) == 0x7F ? ' ' : at(console, byte);
        line[used] = 0;
    }
    return found;
}
