/* SPDX-License-Identifier: Apache-2.0 */
/* Sorts numbers in place. Checked by their order and their sum. */
#include "kernel.h"

enum { COUNT = 4000 };

static uint32_t values[COUNT];

static void sort(uint32_t *first, uint32_t *last) {
    while (first < last) {
        const uint32_t pivot = first[(last - first) / 2];
        uint32_t *low = first, *high = last;
        while (low <= high) {
            while (*low < pivot)
                low++;
            while (*high > pivot)
                high--;
            if (low <= high) {
                const uint32_t value = *low;
                *low++ = *high;
                *high-- = value;
            }
        }
        sort(first, high);
        first = low;
    }
}

int main(void) {
    uint32_t state = 1, sum = 0;
    for (int i = 0; i < COUNT; i++)
        sum += values[i] = kernel_random(&state);
    sort(values, values + COUNT - 1);
    for (int i = 0; i < COUNT; i++) {
        sum -= values[i];
        if (i && values[i - 1] > values[i])
            return 1;
    }
    return sum != 0;
}
