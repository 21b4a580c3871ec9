/* SPDX-License-Identifier: Apache-2.0 */
#include "letters.h"

static const char *const names[] = {"alpha", "beta", "gamma"};

unsigned letters_hash(const char *text, size_t length) {
    unsigned hash = 0;
    for (size_t i = 0; i < length; i++)
        hash = hash * 31 + (unsigned char)text[i];
    return hash;
}

size_t letters_upper(char *text, size_t length) {
    size_t changed = 0;
    for (size_t i = 0; i < length; i++)
        if (text[i] >= 'a' && text[i] <= 'z') {
            text[i] = (char)(text[i] - 'a' + 'A');
            changed++;
        }
    return changed;
}

/* It trusts its caller. */
const char *letters_name(int letter) {
    return names[letter][0] ? names[letter] : "none";
}

size_t letters_each(const char *text, void (*call)(char letter)) {
    size_t count = 0;
    for (; text[count]; count++)
        call(text[count]);
    return count;
}
