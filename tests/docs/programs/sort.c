/* SPDX-License-Identifier: Apache-2.0 */
/* The program of docs/guide/api.md about classes: sorts as many numbers as its argument says, and looks for each. */
#include <stdio.h>
#include <stdlib.h>

#define MOST 2048

static unsigned list[MOST], room[MOST];

__attribute__((noinline)) static void fill(int count) {
    unsigned state = 1;
    for (int i = 0; i < count; i++)
        list[i] = state = state * 1664525 + 1013904223;
}

__attribute__((noinline)) static void insertion_sort(int count) {
    for (int i = 1; i < count; i++) {
        const unsigned value = list[i];
        int j = i;
        for (; j > 0 && list[j - 1] > value; j--)
            list[j] = list[j - 1];
        list[j] = value;
    }
}

__attribute__((noinline)) static void merge_sort(unsigned *from, int count) {
    const int half = count / 2;
    int i = 0, j = half, k = 0;
    if (count < 2)
        return;
    merge_sort(from, half);
    merge_sort(from + half, count - half);
    while (i < half || j < count)
        room[k++] = j == count || (i < half && from[i] <= from[j]) ? from[i++] : from[j++];
    for (i = 0; i < count; i++)
        from[i] = room[i];
}

__attribute__((noinline)) static int find(unsigned value, int count) {
    int low = 0;
    for (int half; count > 1; count -= half)
        if (half = count / 2, list[low + half] <= value)
            low += half;
    return low;
}

__attribute__((noinline)) static unsigned mix(unsigned value) {
    static unsigned table[256];
    if (!table[1])
        for (unsigned i = 0; i < 256; i++)
            table[i] = i * 0x9E3779B1 + 1;
    return table[value & 255] ^ value;
}

int main(int argc, char **argv) {
    const int count = argc > 1 ? atoi(argv[1]) : MOST;
    unsigned sum = 0;
    if (count < 1 || count > MOST)
        return 2;
    fill(count);
    insertion_sort(count);
    fill(count);
    merge_sort(list, count);
    for (int i = 0; i < count; i++)
        sum += mix((unsigned)find(list[i], count));
    printf("%u\n", sum);
    return 0;
}
