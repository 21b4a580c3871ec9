/* SPDX-License-Identifier: Apache-2.0 */
/* A small library, for `gnomon api exhaust` in the documents. */
#include <stddef.h>

unsigned letters_hash(const char *text, size_t length);
size_t letters_upper(char *text, size_t length);
const char *letters_name(int letter);
size_t letters_each(const char *text, void (*call)(char letter));
