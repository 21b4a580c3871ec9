/* SPDX-License-Identifier: Apache-2.0 */
/* gnomon cc --gnomon-heap links with --wrap for these functions, too, so that the host knows when main began, and what
 * the program could reach when it ended. */
#include <gnomon.h>

#include "heap/heap.h"
#include "internal.h"

WRAPPED(void, __libc_init_array, void) {
    __real___libc_init_array();
    __gnomon_heap_cycle(__gnomon_heap.main_cycle);
}

/* Before the functions of atexit and the global destructors. */
WRAPPED(_Noreturn void, exit, int status) {
    __gnomon_heap.exited = 1;
    gnomon_heap_look();
    __real_exit(status);
}

WRAPPED(_Noreturn void, _exit, int status) {
    __gnomon_heap_save();
    if (__gnomon_heap_verify)
        __gnomon_heap_verify();
    __real__exit(status);
}
