/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks that the program can reach in each way, and blocks that it has lost in each way. Every function's name says
 * what each mode of the leak check must find of its blocks (test_leaks.py). Argument 1: end by exit, _exit or abort. */
#include <gnomon.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define KEEP __attribute__((noinline))
struct node {
    struct node *volatile next;
    uint32_t data[6];
};
static struct node *volatile list, *volatile freed_at_exit, *volatile forgotten_at_exit;
static char *volatile middle;
static _Thread_local void *volatile thread_variable;
static void *volatile sink;
static volatile uint8_t unaligned[16];

/* The compiler does not know that these are new blocks. */
static void *(*volatile allocate)(size_t size) = malloc;

/* The stack may hold what a function that has returned has left there. */
KEEP static void scrub(void) {
    volatile uint32_t words[200];
    for (unsigned i = 0; i < 200; i++)
        words[i] = i;
    (void)words[0];
}

__attribute__((constructor)) KEEP static void lost_before_main(void) {
    sink = allocate(50);
    sink = NULL;
}

KEEP static void reached_from_global(void) {
    for (unsigned i = 0; i < 3; i++) {
        struct node *node = allocate(sizeof *node);
        node->next = list;
        node->data[0] = 0;
        list = node;
    }
}
KEEP static void reached_inside(void) {
    middle = (char *)allocate(64) + 60;
}
KEEP static void reached_from_thread_variable(void) {
    thread_variable = allocate(28);
}
KEEP static void reached_from_older(void) { /* from a block that was allocated before the first mark */
    list->next->next->data[1] = (uint32_t)(uintptr_t)allocate(52);
}
KEEP static void lost_alone(void) {
    sink = allocate(100);
    sink = NULL;
}
KEEP static void lost_in_cycle(void) {
    struct node *first = allocate(sizeof *first), *second = allocate(sizeof *second);
    first->next = second;
    second->next = first;
}
KEEP static void lost_below_lost(void) {
    struct node *head = NULL;
    for (unsigned i = 0; i < 4; i++) {
        struct node *node = allocate(sizeof *node);
        node->next = head;
        head = node;
    }
}
KEEP static void ignored(void) {
    struct node *node = allocate(sizeof *node);
    gnomon_heap_ignore(node);
    node->next = NULL;
}
KEEP static void below_ignored(void) {
    struct node *node = allocate(sizeof *node);
    gnomon_heap_ignore(node);
    node->next = allocate(56);
}
KEEP static void lost_again(void) { /* no longer ignored */
    struct node *node = allocate(sizeof *node);
    gnomon_heap_ignore(node);
    node->next = NULL;
    gnomon_heap_unignore(node);
}
KEEP static void unchecked(void) {
    gnomon_heap_leaks_off();
    struct node *node = allocate(sizeof *node);
    gnomon_heap_leaks_off();
    node->next = allocate(32);
    gnomon_heap_leaks_on();
    sink = allocate(16);
    sink = NULL;
    gnomon_heap_leaks_on();
    gnomon_heap_leaks_on(); /* one too many */
}
KEEP static void below_unchecked(void) {
    gnomon_heap_leaks_off();
    struct node *node = allocate(sizeof *node);
    gnomon_heap_leaks_on();
    node->next = allocate(56);
}
KEEP static void lost_beyond(void) { /* a pointer to the first byte after the block is none to the block */
    sink = (char *)allocate(40) + 40;
    list->data[0] = (uint32_t)(uintptr_t)sink;
    sink = NULL;
}
KEEP static void lost_unaligned(void) {
    const uintptr_t block = (uintptr_t)allocate(36);
    for (unsigned i = 0; i < sizeof block; i++)
        unaligned[1 + i] = (uint8_t)(block >> (8 * i));
}
KEEP static void lost_only_in_freed(void) {
    struct node *node = allocate(sizeof *node);
    node->next = allocate(44);
    free(node);
}
KEEP static void lost_at_exit(void) {
    freed_at_exit = allocate(24);
    forgotten_at_exit = allocate(20);
}
KEEP static void lost_after_exit(void) {
    sink = allocate(612);
    sink = NULL;
}
static void forget(void) {
    free(freed_at_exit);
    freed_at_exit = forgotten_at_exit = NULL;
    lost_after_exit();
}

static sem_t started, never;
KEEP static void lost_in_thread(void) { /* only the other thread has its checks off */
    sink = allocate(60);
    sink = NULL;
}
KEEP static void *reached_from_thread(void *unused) {
    void *volatile block = allocate(72);
    lost_in_thread();
    (void)unused;
    sem_post(&started);
    sem_wait(&never);
    return block;
}

/* Only a saved register has the address. */
KEEP static void *reached_from_register(void) {
    return allocate(88);
}

int main(int argc, char **argv) {
    const char *how = argc > 1 ? argv[1] : "exit";
    pthread_t thread;
    atexit(forget);
    sem_init(&started, 0, 0);
    sem_init(&never, 0, 0);
    reached_from_global();
    reached_inside();
    reached_from_thread_variable();
    GNOMON_MARK(1, 0);
    reached_from_older();
    lost_alone();
    lost_in_cycle();
    lost_below_lost();
    lost_beyond();
    GNOMON_HEAP_MARK(2);
    GNOMON_MARK(3, 1); /* the value is the number of a look, but no look was made */
    ignored();
    below_ignored();
    lost_again();
    unchecked();
    below_unchecked();
    lost_unaligned();
    lost_only_in_freed();
    lost_at_exit();
    scrub();
    pthread_create(&thread, NULL, reached_from_thread, NULL);
    gnomon_heap_leaks_off();
    sem_wait(&started);
    gnomon_heap_leaks_on();
    register void *kept __asm__("s5") = reached_from_register();
    __asm__ volatile("" : "+r"(kept));
    scrub();
    if (!strcmp(how, "_exit"))
        _exit(0);
    if (!strcmp(how, "abort"))
        abort();
    exit(0);
}
