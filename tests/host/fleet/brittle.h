/* SPDX-License-Identifier: Apache-2.0 */
/* A library with a function of each kind, for gnomon api exhaust. */
#ifndef BRITTLE_H
#define BRITTLE_H

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

struct brittle_pair {
    int first, second[3];
};
struct brittle_hidden;
enum brittle_colour { BRITTLE_RED, BRITTLE_BLUE };

/* These return. */
unsigned brittle_sum(const void *bytes, size_t length);
size_t brittle_copy(char *to, size_t to_length, const char *from, size_t from_length);
int brittle_twice(int number);
double brittle_half(double number);
int brittle_pair(struct brittle_pair *pair, enum brittle_colour colour);
long brittle_total(const int *numbers, size_t count);
void brittle_nothing(void);
size_t brittle_squares(const unsigned char *bytes, size_t length);
int brittle_tail(int number);

/* These do not. */
int brittle_crash(const char *text, int where);
int brittle_deep(int depth);
void brittle_hang(int rounds);
void brittle_after(char *text);
void brittle_before(int *number);
void brittle_changes(const char *text);
void brittle_exit(int status);

/* These cannot be called without help. */
int brittle_needs_more(struct brittle_hidden *hidden);
int brittle_calls(int (*call)(int), int number);
int brittle_print(const char *format, ...);
int brittle_list(const char *format, va_list list);
int brittle_file(FILE *file);
int brittle_by_value(struct brittle_pair pair);
struct brittle_hidden *brittle_open(const char *name);
int brittle_missing(int number);

static inline int brittle_inline(int number) {
    return number + 1;
}

#define brittle_twice(number) (brittle_twice(number) + 1)

#endif
