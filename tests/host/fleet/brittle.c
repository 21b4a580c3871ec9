/* SPDX-License-Identifier: Apache-2.0 */
#include "brittle.h"

#include <stdlib.h>
#include <string.h>

#undef brittle_twice

struct brittle_hidden {
    int secret;
};

static struct brittle_hidden hidden;
static volatile unsigned sink;

unsigned brittle_sum(const void *bytes, size_t length) {
    unsigned sum = 0;
    for (size_t i = 0; i < length; i++)
        sum += ((const unsigned char *)bytes)[i];
    return sum;
}

size_t brittle_copy(char *to, size_t to_length, const char *from, size_t from_length) {
    const size_t length = to_length < from_length ? to_length : from_length;
    memcpy(to, from, length);
    return length;
}

int brittle_twice(int number) {
    return (int)(2 * (unsigned)number);
}

double brittle_half(double number) {
    return number / 2;
}

int brittle_pair(struct brittle_pair *pair, enum brittle_colour colour) {
    pair->second[2] = colour;
    return pair->first;
}

long brittle_total(const int *numbers, size_t count) {
    long total = 0;
    for (size_t i = 0; i < count; i++)
        total += numbers[i] & 0xFF;
    return total;
}

void brittle_nothing(void) {
    sink++;
}

size_t brittle_squares(const unsigned char *bytes, size_t length) {
    size_t equal = 0;
    for (size_t i = 0; i < length && i < 256; i++)
        for (size_t j = 0; j < length && j < 256; j++)
            equal += bytes[i] == bytes[j];
    return equal;
}

__attribute__((noinline)) static int after_jump(int number) {
    for (unsigned i = 0; i < 100; i++)
        sink += i;
    return number;
}

int brittle_tail(int number) {
    sink = 1;
    return after_jump(number + 1);
}

int brittle_crash(const char *text, int where) {
    return where == 255 ? *(volatile int *)4 : *text;
}

int brittle_deep(int depth) {
    volatile char room[2000];
    room[0] = (char)depth;
    return depth <= 0 ? 0 : brittle_deep(depth - 1) + room[0];
}

void brittle_hang(int rounds) {
    while (rounds == -1)
        sink++;
}

void brittle_after(char *text) {
    memset(text, 1, 4096 + 2 * strlen(text) + 1);
}

void brittle_before(int *number) {
    number[-1] = 1;
}

void brittle_changes(const char *text) {
    *(char *)text ^= 1;
}

void brittle_exit(int status) {
    exit(status);
}

int brittle_needs_more(struct brittle_hidden *of) {
    return of->secret;
}

int brittle_calls(int (*call)(int), int number) {
    return call(number);
}

int brittle_print(const char *format, ...) {
    return format[0];
}

int brittle_list(const char *format, va_list list) {
    return format[0] + va_arg(list, int);
}

int brittle_file(FILE *file) {
    return file == stdout;
}

int brittle_by_value(struct brittle_pair pair) {
    return pair.first;
}

struct brittle_hidden *brittle_open(const char *name) {
    return *name ? &hidden : NULL;
}
