/* SPDX-License-Identifier: Apache-2.0 */
/* The program of docs/guide/heap.md: counts words in lists, and forgets to free one of them. */
#include <gnomon.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct word {
    struct word *next;
    unsigned count;
    char *text;
};

static struct word *find(struct word *list, const char *text) {
    while (list && strcmp(list->text, text) != 0)
        list = list->next;
    return list;
}

__attribute__((noinline)) static struct word *add(struct word *list, const char *text) {
    struct word *word = find(list, text);
    if (word) {
        word->count++;
        return list;
    }
    word = malloc(sizeof *word);
    *word = (struct word){.next = list, .count = 1, .text = strdup(text)};
    return word;
}

static void drop(struct word *list) {
    while (list) {
        struct word *next = list->next;
        free(list); /* and its text? */
        list = next;
    }
}

__attribute__((noinline)) static unsigned different(char *line) {
    struct word *list = NULL;
    unsigned count = 0;
    for (char *word = strtok(line, " "); word; word = strtok(NULL, " "))
        list = add(list, word);
    for (struct word *word = list; word; word = word->next)
        count++;
    drop(list);
    return count;
}

int main(void) {
    char line[] = "the cat and the dog and the bird";
    GNOMON_MARK(1, 0);
    printf("%u words\n", different(line));
    GNOMON_MARK(2, 0);
    return 0;
}
