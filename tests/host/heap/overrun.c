/* SPDX-License-Identifier: Apache-2.0 */
/* Writes where it must not, in each way that guards find; test_guard.py knows what they say. Argument 1: how many
 * blocks to allocate and free before, correctly. */
#include <errno.h>
#include <gnomon.h>
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEEP __attribute__((noinline))
typedef volatile uint8_t *bytes;
/* The compiler does not know that these are functions of libc. */
static void *(*volatile allocate)(size_t size) = malloc;
static void (*volatile release)(void *block) = free;
static void *(*volatile resize)(void *block, size_t size) = realloc;
static unsigned wrong;

KEEP static bytes make(size_t size) {
    bytes block = allocate(size);
    for (size_t i = 0; i < size; i++)
        block[i] = (uint8_t)i;
    return block;
}
KEEP static void drop(bytes block) {
    release((void *)block);
}
KEEP static void expect(int good) {
    wrong += !good;
}

KEEP static void writes_first_byte_after(void) {
    bytes block = make(21);
    block[21] = 0;
    drop(block);
}
KEEP static void writes_eighth_byte_after(void) {
    bytes block = make(16);
    block[23] = 0;
    drop(block);
}
KEEP static void writes_before(void) {
    bytes block = make(12);
    block[-2] = 0;
    drop(block);
}
KEEP static void writes_after_and_resizes(void) {
    bytes block = make(30);
    block[30] = 0;
    block = resize((void *)block, 60);
    expect(block[29] == 29);
    drop(block);
}
KEEP static void writes_after_free(void) {
    bytes block = make(40);
    drop(block);
    block[5] = 1;
}
KEEP static void writes_after_and_keeps(void) {
    bytes block = make(10);
    block[11] = 0;
}
KEEP static void frees_twice(void) {
    bytes block = make(14);
    drop(block);
    drop(block);
}
KEEP static void frees_what_is_none(void) {
    static uint32_t variable[16];
    bytes block = make(64);
    drop((bytes)variable + 32);
    drop(block + 20);
    drop(block);
}

/* Destroys what is in front of the next block, which is then not freed. */
KEEP static void writes_far(void) {
    bytes block = make(8), next = make(8);
    for (size_t i = 0; i < 44; i++)
        block[8 + i] = 0x55;
    drop(next);
    drop(block);
}

/* All of malloc's relatives give blocks that can be used to the last byte. */
KEEP static void uses(void) {
    static const size_t sizes[] = {0, 1, 3, 4, 8, 31, 100, 1000};
    for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const size_t size = sizes[i];
        uint8_t *zeroed = calloc(size, 3), *aligned = aligned_alloc(64, size), *aligned_too = NULL;
        expect(zeroed && aligned && (uintptr_t)aligned % 64 == 0 &&
               posix_memalign((void **)&aligned_too, 256, size) == 0 && (uintptr_t)aligned_too % 256 == 0);
        for (size_t j = 0; j < 3 * size; j++)
            expect(zeroed[j] == 0);
        memset(zeroed, 1, 3 * size);
        memset(aligned, 2, size);
        memset(aligned_too, 3, size);
        expect(malloc_usable_size(aligned) == size);
        zeroed = resize(zeroed, size + 5);
        expect(size == 0 || (zeroed[0] == 1 && zeroed[size - 1] == 1));
        release(zeroed);
        release(aligned);
        release(aligned_too);
    }
    void *none = NULL;
    errno = 0;
    expect(posix_memalign(&none, 3, 8) == EINVAL);
    expect(allocate(0x7FFFFFFF) == NULL && allocate((size_t)-4) == NULL);
    release(NULL);
    char *copy = strdup("a string of libc");
    expect(strlen(copy) == 16);
    release(copy);
    release(resize(NULL, 9));
}

int main(int argc, char **argv) {
    const unsigned before = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 0) : 0;
    for (unsigned i = 0; i < before; i++)
        drop(make(50));
    uses();
    if (argc <= 2) {
        writes_first_byte_after();
        writes_eighth_byte_after();
        writes_before();
        writes_after_and_resizes();
        writes_after_free();
        writes_after_and_keeps();
        frees_twice();
        frees_what_is_none();
        writes_far();
        uses();
    }
    printf("%u wrong\n", wrong);
    return 0;
}
