// SPDX-License-Identifier: Apache-2.0
// Locks that are only variables, for tests/e2e/lock_words.py, which knows each access: atomic instructions, stores and
// loads of one, two and four bytes. With an argument N above 0 the program adds N words of an array itself, and says
// what the device answered.
#include <gnomon.h>
#include <gnomon_locks.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

uint32_t spin = 7;
uint32_t next_to_it = 1;
struct {
    uint16_t halves[2];
    uint8_t bytes[4];
} small = {.halves = {1, 2}};
uint32_t own[2048];

static void __attribute__((noinline)) use(void) {
    for (uint32_t i = 0; i < 8; i++) {
        while (__atomic_exchange_n(&spin, i + 1, __ATOMIC_ACQUIRE) != 0 && i)
            ;
        next_to_it += i;
        __atomic_fetch_add(&spin, 0x100, __ATOMIC_RELAXED);
        *(volatile uint32_t *)&spin = 0;
    }
    for (int i = 0; i < 2; i++)
        *(volatile uint16_t *)&small.halves[i] = (uint16_t)(0x1234 + i);
    for (int i = 0; i < 4; i++)
        *(volatile uint8_t *)&small.bytes[i] = (uint8_t)(0x80 + i);
    for (int i = 3; i >= 0; i--)
        (void)*(volatile uint8_t *)&small.bytes[i];
}

static void add(unsigned count) {
    unsigned answers[4] = {0};
    for (unsigned i = 0; i < count; i++)
        answers[gnomon_lock_word(&own[i])]++;
    answers[gnomon_lock_word((void *)0xF0002000)]++;
    printf("%u traced, %u full, %u elsewhere, %u unsupported\n", answers[0], answers[1], answers[2], answers[3]);
    for (unsigned i = 0; i < 8; i++)
        *(volatile uint32_t *)&own[i * 200] = i;
}

int main(int argc, char **argv) {
    unsigned count = argc > 1 ? (unsigned)atoi(argv[1]) : 0;
    use();
    if (count)
        add(count);
    return 0;
}
