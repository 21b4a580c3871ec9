/* SPDX-License-Identifier: Apache-2.0 */
/* A state machine reads numbers, names and comments from characters. The generator of the input knows the expected
 * counts. */
#include "kernel.h"

enum { TOKENS = 4000, LONGEST = 12 };
enum kind { NUMBER, NAME, COMMENT, KINDS };

static char text[TOKENS * LONGEST + 1];

static char *make(unsigned made[KINDS]) {
    uint32_t state = 1;
    char *at = text;
    for (int i = 0; i < TOKENS; i++) {
        uint32_t random = kernel_random(&state);
        const enum kind kind = random % 16 == 0 ? COMMENT : random % 16 < 7 ? NUMBER : NAME;
        const char first = kind == NUMBER ? '0' : kind == NAME ? 'a' : '#';
        made[kind]++;
        *at++ = first;
        for (random >>= 4; random & 7; random >>= 3)
            *at++ = (char)(kind == COMMENT ? ' ' + (random & 7) : first + (random & 7));
        *at++ = kind == COMMENT || random & 8 ? '\n' : ' ';
    }
    return at;
}

int main(void) {
    enum { BETWEEN, IN_NUMBER, IN_NAME, IN_COMMENT } state = BETWEEN;
    unsigned made[KINDS] = {0}, seen[KINDS] = {0};
    const char *end = make(made);
    for (const char *at = text; at < end; at++) {
        const char c = *at;
        switch (state) {
        case BETWEEN:
            if (c >= '0' && c <= '9') {
                state = IN_NUMBER;
            } else if (c >= 'a' && c <= 'z') {
                state = IN_NAME;
            } else if (c == '#') {
                state = IN_COMMENT;
            }
            break;
        case IN_NUMBER:
            if (c < '0' || c > '9') {
                seen[NUMBER]++;
                state = BETWEEN;
            }
            break;
        case IN_NAME:
            if (c < 'a' || c > 'z') {
                seen[NAME]++;
                state = BETWEEN;
            }
            break;
        case IN_COMMENT:
            if (c == '\n') {
                seen[COMMENT]++;
                state = BETWEEN;
            }
            break;
        }
    }
    for (int kind = 0; kind < KINDS; kind++)
        if (seen[kind] != made[kind] || made[kind] == 0)
            return 1;
    return state != BETWEEN;
}
