/* SPDX-License-Identifier: Apache-2.0 */
/* What the events of the traces say to the account of locks: messages, who runs, and where messages are missing. */
#include "lib/locks/lock_account_internal.h"

static bool take_message(struct gnomon_lock_account *account, const struct gnomon_lock_message *message,
                         const struct gnomon_lock_stack *stack) {
    if (!account_runs(account, message->hart, (int)message->thread, message->cycle))
        return false;
    if (message->lock == GNOMON_LOCKS_LOCK_NONE && message->action == GNOMON_LOCK_REQUEST) {
        account_blocks(account, message);
        return true;
    }
    return account_message(account, message, stack);
}

/* A loss of one hart's messages. The other hart's messages of the same time come after it (trace_merge.h). All is known
 * until the event before the loss. */
static bool lose(struct gnomon_lock_account *account, unsigned hart) {
    if (!account_inversions_until(account, account->cycle))
        return false;
    account_inversions_forget(account, hart);
    account->epoch++;
    account->doubtful[hart] = true;
    return true;
}

void account_end_loss(struct gnomon_lock_account *account, unsigned hart) {
    if (account->doubtful[hart] && account->learnt)
        account->epoch++;
    account->doubtful[hart] = false;
}

/* While messages of the other hart are missing, each message tells only what its own thread does at that moment. */
static void doubt_state(struct gnomon_lock_account *account, unsigned hart) {
    account->learnt = false;
    for (unsigned other = 0; other < GNOMON_MAX_HARTS; other++)
        if (other != hart && account->doubtful[other]) {
            account->epoch++;
            account->learnt = true;
        }
}

void gnomon_lock_account_calls(struct gnomon_lock_account *account, unsigned hart, uint64_t cycle) {
    account->cycle = cycle;
    account_end_loss(account, hart);
}

bool gnomon_lock_account_event(struct gnomon_lock_account *account, const struct gnomon_event *event,
                               const struct gnomon_lock_stack *stack) {
    const bool lost = event->type == GNOMON_EVENT_LOST;
    const bool loss = event->type == GNOMON_EVENT_GAP || event->type == GNOMON_EVENT_DAMAGE;
    if ((loss || (lost && (event->lost.others > 0 || account->interrupts.used))) && !lose(account, event->hart))
        return false;
    if (event->type != GNOMON_EVENT_DAMAGE)
        account->cycle = event->cycle;
    if (!loss && !lost)
        account_end_loss(account, event->hart);
    if (!account_interrupts(account, event, stack))
        return false;
    switch (event->type) {
    case GNOMON_EVENT_BEGIN:
    case GNOMON_EVENT_GAP:
        return account_runs(account, event->hart, (int)event->thread, event->cycle);
    case GNOMON_EVENT_CHANNEL:
        return event->number != GNOMON_CHANNEL_THREAD ||
               account_runs(account, event->hart, event->value < GNOMON_THREADS_MOST ? (int)event->value : UNKNOWN,
                            event->cycle);
    case GNOMON_EVENT_LOCK: {
        const struct gnomon_lock_message message = gnomon_lock_message_of(event);
        doubt_state(account, event->hart);
        return take_message(account, &message, stack);
    }
    default:
        return true;
    }
}
