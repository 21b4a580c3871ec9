/* SPDX-License-Identifier: Apache-2.0 */
/* Takes longer in each run: a word of memory that no code clears holds the length. */
#define LEFT_ALONE (*(volatile unsigned *)0x11000000u)

int main(void) {
    for (volatile unsigned i = ++LEFT_ALONE; i > 0; i--)
        ;
    return 0;
}
