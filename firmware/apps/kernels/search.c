/* SPDX-License-Identifier: Apache-2.0 */
/* Searches words in a text of few different letters with Horspool's algorithm. Checked against a search at every
 * place. */
#include "kernel.h"

enum { TEXT = 16384, WORD = 8, WORDS = 6 };

static uint8_t text[TEXT];

static unsigned plainly(const uint8_t *word) {
    unsigned found = 0;
    for (unsigned at = 0; at + WORD <= TEXT; at++) {
        unsigned i = 0;
        while (i < WORD && text[at + i] == word[i])
            i++;
        found += i == WORD;
    }
    return found;
}

static unsigned by_skips(const uint8_t *word) {
    uint8_t skip[256];
    unsigned found = 0;
    for (unsigned i = 0; i < sizeof skip; i++)
        skip[i] = WORD;
    for (unsigned i = 0; i + 1 < WORD; i++)
        skip[word[i]] = (uint8_t)(WORD - 1 - i);
    for (unsigned at = 0; at + WORD <= TEXT; at += skip[text[at + WORD - 1]]) {
        unsigned i = WORD;
        while (i && text[at + i - 1] == word[i - 1])
            i--;
        found += i == 0;
    }
    return found;
}

int main(void) {
    uint32_t state = 1;
    for (unsigned i = 0; i < TEXT; i++)
        text[i] = (uint8_t)('a' + (kernel_random(&state) & 3));
    for (unsigned i = 0; i < WORDS; i++) {
        const uint8_t *word = text + i * 997;
        const unsigned found = by_skips(word);
        if (found == 0 || (i == 0 && found != plainly(word)))
            return 1;
    }
    return 0;
}
