/* SPDX-License-Identifier: Apache-2.0 */
/* FreeRTOS's tasks as threads, and its critical sections (gnomon_freertos.h). */
#include <string.h>

#include "freertos/freertos_internal.h"

/* A task's name is part of its control block, which may be gone at the end of the run. Equal names have one copy. */
#define NAME_BYTES 1024
static char names[NAME_BYTES];

struct gnomon_freertos_thread __gnomon_freertos_threads[256];

static const char *keep_name(const char *name) {
    const size_t size = strlen(name) + 1;
    char *copy = names;
    while (*copy && strcmp(copy, name) != 0)
        copy += strlen(copy) + 1;
    if (*copy)
        return copy;
    if (copy + size >= names + NAME_BYTES) /* the last byte stays 0 */
        return name;
    return memcpy(copy, name, size);
}

/* A thread goes on with the mret that ends the trap in which another one took its place. A new task begins with an
 * mret, too. For the profiler, which follows the traps of each thread, it gets a trap that this mret ends: an ecall in
 * its name, whose handler is the next instruction and leaves without an mret. `thread` is the one that runs. Interrupts
 * are off, and a task is not created within a trap, so that mepc and mcause are free. */
static __attribute__((naked, aligned(4), noinline)) void open_trap(uint32_t task, uint32_t thread) {
    (void)task;
    (void)thread;
    __asm__("csrr t0, mtvec\n\t"
            "csrr t1, mstatus\n\t"
            "la t2, 1f\n\t"
            "csrw mtvec, t2\n\t"
            "sw a0, -8(zero)\n\t" /* the message THREAD */
            "ecall\n\t"
            ".balign 4\n"
            "1:\n\t"
            "csrw mtvec, t0\n\t"
            "csrw mstatus, t1\n\t"
            "sw a1, -8(zero)\n\t"
            "ret");
}
void __gnomon_freertos_open_trap(unsigned thread) {
    if (thread != GNOMON_LOCKS_THREAD_OTHER)
        open_trap(thread, __gnomon_thread);
}

/* The first task begins without an mret: here is the one that ends its trap. Interrupts are off, and stay off. */
__attribute__((naked)) void __gnomon_freertos_first_task(void) {
    __asm__("csrr t0, mstatus\n\t"
            "csrw mepc, ra\n\t"
            "li t1, 0x1880\n\t" /* MPP: machine mode; MPIE */
            "or t2, t0, t1\n\t"
            "andi t3, t0, 8\n\t"
            "bnez t3, 1f\n\t"
            "xori t2, t2, 0x80\n"
            "1:\n\t"
            "csrw mstatus, t2\n\t"
            "mret");
}

/* The kernel calls the functions that change the table within a critical section. */
unsigned __gnomon_freertos_task(const void *tcb, const char *name, const void *start, unsigned priority) {
    const uint32_t index = __gnomon_handle_add(tcb, keep_name(name), start);
    __gnomon_handle_priority(tcb, priority);
    return index;
}
void __gnomon_freertos_priority(const void *tcb, unsigned priority) {
    __gnomon_handle_priority(tcb, priority);
}

void __gnomon_freertos_task_ended(const void *tcb) {
    __gnomon_handle_ended(tcb);
    __gnomon_lock_destroy(tcb, true);
}

static void send_critical(uint32_t what, uint32_t caller) {
    static uint32_t section; /* its index */
    if (!section)
        section = __gnomon_lock_add(&section, GNOMON_LOCK_CRITICAL, 0);
    __gnomon_lock_send(what, section, caller);
}

void __gnomon_freertos_enter_critical(void) {
    __gnomon_freertos_threads[__gnomon_thread].in_critical = true;
    send_critical(GNOMON_LOCKS_ACQUIRED, CALLER);
}
void __gnomon_freertos_exit_critical(void) {
    if (!__gnomon_freertos_threads[__gnomon_thread].in_critical)
        return;
    __gnomon_freertos_threads[__gnomon_thread].in_critical = false;
    send_critical(GNOMON_LOCKS_RELEASED, CALLER);
}

/* A task may yield within a critical section: the next task runs with interrupts as it had them. Tasks without an index
 * share what is known of them, so the rest of such a section is not seen. */
void __gnomon_freertos_switched_out(int blocked) {
    struct gnomon_freertos_thread *thread = &__gnomon_freertos_threads[__gnomon_thread];
    if (thread->in_critical) {
        send_critical(GNOMON_LOCKS_RELEASED, 0);
        thread->in_critical = __gnomon_thread != GNOMON_LOCKS_THREAD_OTHER;
    }
    if (blocked)
        __gnomon_lock_send(GNOMON_LOCKS_REQUEST, GNOMON_LOCKS_LOCK_NONE, 0);
}

unsigned __gnomon_freertos_switched_in(const void *tcb) {
    const uint32_t index = __gnomon_handle_index(tcb), before = __gnomon_thread;
    __gnomon_thread = index;
    return index == before ? ~0u : index;
}
void __gnomon_freertos_goes_on(void) {
    if (__gnomon_freertos_threads[__gnomon_thread].in_critical)
        send_critical(GNOMON_LOCKS_ACQUIRED, 0);
}
