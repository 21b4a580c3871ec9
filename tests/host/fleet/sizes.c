/* SPDX-License-Identifier: Apache-2.0 */
/* Functions whose costs grow in known ways with the size of the input: argument 1. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <zlib.h>

#define MOST 4096

static uint32_t numbers[MOST], other[MOST], table[256];
static uint32_t state = 1;

static void fill(uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        numbers[i] = state = state * 1664525 + 1013904223;
}

/* n^2 */
__attribute__((noinline)) void insertion_sort(uint32_t *list, uint32_t count) {
    for (uint32_t i = 1; i < count; i++) {
        const uint32_t value = list[i];
        uint32_t j = i;
        for (; j > 0 && list[j - 1] > value; j--)
            list[j] = list[j - 1];
        list[j] = value;
    }
}

/* n log n. It calls itself. */
__attribute__((noinline)) void merge_sort(uint32_t *list, uint32_t *room, uint32_t count) {
    if (count < 2)
        return;
    const uint32_t half = count / 2;
    merge_sort(list, room, half);
    merge_sort(list + half, room, count - half);
    uint32_t i = 0, j = half, k = 0;
    while (i < half && j < count)
        room[k++] = list[i] <= list[j] ? list[i++] : list[j++];
    while (i < half)
        room[k++] = list[i++];
    for (uint32_t l = 0; l < k; l++)
        list[l] = room[l];
}

/* log n */
__attribute__((noinline)) uint32_t search(const uint32_t *list, uint32_t count, uint32_t value) {
    uint32_t low = 0;
    while (count > 1) {
        const uint32_t half = count / 2;
        if (list[low + half] <= value)
            low += half;
        count -= half;
    }
    return low;
}

/* Constant, with a start: the first call makes the table. */
__attribute__((noinline)) uint32_t lookup(uint32_t value) {
    if (!table[1])
        for (uint32_t i = 0; i < 256; i++) {
            table[i] = i + 1;
            for (int bit = 0; bit < 8; bit++)
                table[i] = table[i] * 33 ^ i;
        }
    return table[value & 255];
}

/* Constant */
__attribute__((noinline)) uint32_t mix(uint32_t value) {
    return (value ^ value >> 15) * 0x85EBCA6B;
}

int main(int argc, char **argv) {
    const uint32_t count = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 100;
    uint32_t sum = 0;
    if (count < 1 || count > MOST)
        return 2;
    fill(count);
    sum += (uint32_t)crc32(0, (const unsigned char *)numbers, count);
    insertion_sort(numbers, count);
    fill(count);
    merge_sort(numbers, other, count);
    for (uint32_t i = 0; i < count; i++)
        sum += search(numbers, count, state + i) + lookup(i) + mix(i);
    printf("%lu\n", (unsigned long)sum);
    return 0;
}
