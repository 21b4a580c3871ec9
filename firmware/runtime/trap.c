/* SPDX-License-Identifier: Apache-2.0 */
/* The last words of a program that trapped and has no handler of its own. No libc here: anything may be broken. */
#include <string.h>

#include "internal.h"

enum { INTERRUPT = 1u << 31, STATUS_BASE = 128 };

_Noreturn void __gnomon_trap_report(uint32_t cause, uint32_t pc, uint32_t value, uint32_t sp, uint32_t ra);

static const char *const names[] = {
    "instruction address misaligned",
    "instruction access fault",
    "illegal instruction",
    "breakpoint",
    "load address misaligned",
    "load access fault",
    "store address misaligned",
    "store access fault",
    "environment call from U-mode",
    0,
    0,
    "environment call from M-mode",
};

static void put(const char *text) {
    __gnomon_console_write(text, strlen(text));
}

static void put_hex(const char *label, uint32_t value) {
    char text[] = "0x00000000";
    for (int i = 9; i > 1; i--, value >>= 4)
        text[i] = "0123456789abcdef"[value & 15];
    put(label);
    put(text);
}

_Noreturn void __gnomon_trap_report(uint32_t cause, uint32_t pc, uint32_t value, uint32_t sp, uint32_t ra) {
    static int nested;
    const uint32_t code = cause & ~INTERRUPT;
    if (nested++)
        __gnomon_exit(STATUS_BASE + (code & 31));
    if (cause & INTERRUPT)
        put("gnomon: interrupt without a handler");
    else if (code < sizeof names / sizeof *names && names[code])
        put(names[code]);
    else
        put("trap");
    put_hex(": cause ", cause);
    put_hex(", pc ", pc);
    put_hex(", value ", value);
    put_hex(", ra ", ra);
    put_hex(", sp ", sp);
    put("\n");
    __gnomon_exit(STATUS_BASE + (code & 31));
}
