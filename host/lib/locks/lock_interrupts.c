/* SPDX-License-Identifier: Apache-2.0 */
/* Interrupts that are switched off, as a lock of their own with index 0. They are off from the instruction that clears
 * MIE until MIE is 1 again, by an instruction or by the return from a trap. A trap's own MIE of 0 does not count, but
 * if the return from the outermost trap leaves MIE at 0 (to a thread that had switched them off), they are off from
 * there on. The time before MIE was first 1 does not count. */
#include "lib/locks/lock_account_internal.h"

/* The instructions that write a CSR have 4 bytes; a caller is the address after its instruction. */
#define CSR_BYTES 4

static bool tell(struct gnomon_lock_account *account, enum gnomon_lock_action action, uint64_t cycle, uint32_t caller,
                 const struct gnomon_lock_stack *stack) {
    const struct gnomon_lock_message message = {
        .action = action, .thread = account->interrupts.thread, .caller = caller, .cycle = cycle};
    return account_message(account, &message, stack);
}

static bool switch_off(struct gnomon_lock_account *account, const struct gnomon_event *event, uint32_t caller,
                       const struct gnomon_lock_stack *stack) {
    struct account_interrupts *interrupts = &account->interrupts;
    interrupts->off = true;
    interrupts->thread =
        event->thread < GNOMON_LOCKS_THREAD_OTHER ? event->thread : (unsigned)GNOMON_LOCKS_THREAD_OTHER - 1;
    return tell(account, GNOMON_LOCK_ACQUIRED, event->cycle, caller, stack);
}

static bool switch_on(struct gnomon_lock_account *account, const struct gnomon_event *event, uint32_t caller,
                      const struct gnomon_lock_stack *stack) {
    struct account_interrupts *interrupts = &account->interrupts;
    const bool was_off = interrupts->off;
    interrupts->ever_on = true;
    interrupts->off = false;
    return !was_off || tell(account, GNOMON_LOCK_RELEASED, event->cycle, caller, stack);
}

static bool changed(struct gnomon_lock_account *account, const struct gnomon_event *event,
                    const struct gnomon_lock_stack *stack) {
    struct account_interrupts *interrupts = &account->interrupts;
    const bool before = interrupts->mie, known = !interrupts->unknown;
    const uint32_t caller = (event->value & ~1u) + CSR_BYTES;
    interrupts->mie = event->value & 1;
    interrupts->mpie = event->number == GNOMON_CHANNEL_INTERRUPTS_MPIE;
    interrupts->used = true;
    interrupts->unknown = false;
    if (interrupts->mie)
        return switch_on(account, event, caller, stack);
    return !known || !before || switch_off(account, event, caller, stack);
}

static bool returned(struct gnomon_lock_account *account, const struct gnomon_event *event,
                     const struct gnomon_lock_stack *stack) {
    struct account_interrupts *interrupts = &account->interrupts;
    interrupts->traps -= interrupts->traps > 0;
    interrupts->mie = interrupts->mpie;
    interrupts->mpie = true;
    if (interrupts->unknown)
        return true;
    if (interrupts->mie)
        return switch_on(account, event, 0, stack);
    return interrupts->off || !interrupts->ever_on || interrupts->traps > 0 || switch_off(account, event, 0, stack);
}

bool account_interrupts(struct gnomon_lock_account *account, const struct gnomon_event *event,
                        const struct gnomon_lock_stack *stack) {
    struct account_interrupts *interrupts = &account->interrupts;
    switch (event->type) {
    case GNOMON_EVENT_LOST:
    case GNOMON_EVENT_GAP:
    case GNOMON_EVENT_DAMAGE:
        interrupts->unknown = true;
        interrupts->traps = 0;
        return true;
    case GNOMON_EVENT_TRAP_ENTER:
        interrupts->traps++;
        interrupts->mpie = interrupts->mie;
        interrupts->mie = false;
        return true;
    case GNOMON_EVENT_TRAP_LEAVE:
        return returned(account, event, stack);
    case GNOMON_EVENT_CHANNEL:
        return (event->number & ~1u) != GNOMON_CHANNEL_INTERRUPTS || changed(account, event, stack);
    default:
        return true;
    }
}
