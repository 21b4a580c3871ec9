/* SPDX-License-Identifier: Apache-2.0 */
/* The end of a program that trapped and has no handler of its own. The host gets the reason and the place, and shows
 * them with the program's names. This code uses no libc, because any data may be damaged. */
#include <signal.h>

#include "internal.h"

enum { INTERRUPT = 1u << 31 };

_Noreturn void __gnomon_trap_report(uint32_t cause, uint32_t value);

struct gnomon_param_crash __gnomon_crash;

void __gnomon_crash_tell(enum gnomon_param_crash_kind kind, uint32_t cause, uint32_t value) {
    struct gnomon_param *param = __gnomon_param();
    __gnomon_crash.magic = GNOMON_PARAM_CRASH_MAGIC;
    __gnomon_crash.kind = kind;
    __gnomon_crash.cause = cause;
    __gnomon_crash.value = value;
    if (param)
        param->crash = (uint32_t)(uintptr_t)&__gnomon_crash;
}

/* The signal that a Unix system would have sent. */
static uint32_t signal_of(uint32_t cause) {
    static const uint8_t signals[] = {SIGBUS, SIGSEGV, SIGILL, SIGTRAP, SIGBUS, SIGSEGV, SIGBUS, SIGSEGV};
    return cause < sizeof signals ? signals[cause] : SIGSYS;
}

_Noreturn void __gnomon_trap_report(uint32_t cause, uint32_t value) {
    static int nested;
    if (!nested++)
        __gnomon_crash_tell(GNOMON_CRASH_TRAP, cause, value);
    __gnomon_exit(GNOMON_STATUS_SIGNAL + signal_of(cause));
}
