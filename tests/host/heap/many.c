/* SPDX-License-Identifier: Apache-2.0 */
/* Many blocks: a list that stays in reach, and one that is lost. Argument 1: how many blocks in each. */
#include <gnomon.h>
#include <stdlib.h>

struct node {
    struct node *volatile next;
};
static struct node *volatile kept, *volatile lost;

__attribute__((noinline)) static struct node *add(struct node *next) {
    struct node *node = malloc(sizeof *node);
    node->next = next;
    return node;
}

int main(int argc, char **argv) {
    const unsigned blocks = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 0) : 100;
    for (unsigned i = 0; i < blocks; i++) {
        kept = add(kept);
        lost = add(lost);
    }
    lost = NULL;
    return 0;
}
