/* SPDX-License-Identifier: Apache-2.0 */
#include "foreign.h"

KEEP int patched(int x) {
    return x * 7 + sink;
}
__attribute__((patchable_function_entry(5))) KEEP int patched_long(int x) {
    return x * 9 + sink;
}
/* The entry has no room for a jump. */
__attribute__((patchable_function_entry(1))) KEEP int patched_short(int x) {
    return x * 11 + sink;
}
