/* SPDX-License-Identifier: Apache-2.0 */
/* Walks a linked list whose order is unrelated to the nodes' addresses, then reverses it and walks it back. */
#include <stddef.h>

#include "kernel.h"

enum { NODES = 1024, ROUNDS = 32 };

static struct node {
    struct node *next;
    uint32_t value;
} nodes[NODES];

static uint32_t walk(const struct node *at, uint32_t *last) {
    uint32_t sum = 0;
    for (; at; at = at->next)
        sum += *last = at->value;
    return sum;
}

static struct node *reverse(struct node *at) {
    struct node *done = NULL;
    while (at) {
        struct node *next = at->next;
        at->next = done;
        done = at;
        at = next;
    }
    return done;
}

int main(void) {
    struct node *head = NULL;
    uint32_t sum = 0, last;
    /* An odd step visits every place if their number is a power of two. */
    for (uint32_t i = 0; i < NODES; i++) {
        struct node *node = &nodes[i * 387 % NODES];
        node->value = i;
        node->next = head;
        head = node;
        sum += i;
    }
    for (uint32_t round = 0; round < ROUNDS; round++) {
        if (walk(head, &last) != sum || last != (round & 1 ? NODES - 1 : 0))
            return 1;
        head = reverse(head);
    }
    return 0;
}
