/* SPDX-License-Identifier: Apache-2.0 */
/* Static names that tagged.c also has. */
static char letters[3];

__attribute__((noinline)) static int shared_name(int value) {
    return value ^ letters[value & 1];
}

__attribute__((noinline)) static int only_here(int value) {
    return value * value + shared_name(value);
}

int dropped(int value) {
    return value * 12345 + letters[0]; /* the linker drops this function, but keeps its lines */
}

int other_file(int value) {
    return only_here(value) - 1;
}
