/* SPDX-License-Identifier: Apache-2.0 */
/* For objects compiled with -fpatchable-function-entry=N: before main, the nops at the entry of each function are
 * replaced by a call of a stub that sends a message. Linked by gnomon cc --gnomon-patchable. */
#include <gnomon.h>
#include <gnomon/trace.h>

#define NOP 0x00000013u
#define TWO_SHORT_NOPS 0x00010001u
#define REACH (1 << 20) /* distance that jal reaches in each direction */

void __gnomon_patch_entries(void);
void __gnomon_entered(void);

/* Addresses of the nops, from the linker. */
extern uint32_t *const __gnomon_patchable[], *const __gnomon_patchable_end[];

/* Called with the return address in t0, which is dead at a function's entry. */
__attribute__((naked)) void __gnomon_entered(void) {
    __asm__ volatile("sw t0, %0(zero)\n\tjr t0" ::"i"(-4 - 4 * GNOMON_CHANNEL_CALL_PATCHED));
}

static uint32_t jal_t0(int32_t distance) {
    const uint32_t d = (uint32_t)distance;
    return (d >> 20 & 1) << 31 | (d >> 1 & 0x3FF) << 21 | (d >> 11 & 1) << 20 | (d >> 12 & 0xFF) << 12 | 5 << 7 | 0x6F;
}

/* Entries that have no room for a jump, or are too far away, stay unchanged. */
__attribute__((constructor(101))) void __gnomon_patch_entries(void) {
    for (uint32_t *const *entry = __gnomon_patchable; entry < __gnomon_patchable_end; entry++) {
        volatile uint16_t *nops = (volatile uint16_t *)*entry;
        const uint32_t found = nops[0] | (uint32_t)nops[1] << 16;
        const int32_t distance = (int32_t)((uintptr_t)__gnomon_entered - (uintptr_t)nops);
        if ((found != NOP && found != TWO_SHORT_NOPS) || distance >= REACH || distance < -REACH)
            continue;
        const uint32_t jump = jal_t0(distance);
        nops[0] = (uint16_t)jump;
        nops[1] = (uint16_t)(jump >> 16);
    }
    __asm__ volatile(".word 0x0000100f" ::: "memory"); /* fence.i */
}
