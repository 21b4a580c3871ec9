/* SPDX-License-Identifier: Apache-2.0 */
/* Who called whom, from an interrupt (docs/callers.md): a walk from the interrupted instruction up the stack, by the
 * call frame information that the compiler leaves in programs linked with gnomon cc --gnomon-monitor. It needs no frame
 * pointer, and holds in the middle of a function's prologue as anywhere.
 *
 *     static void sample(const struct gnomon_frame *frame) {
 *         uint32_t addresses[32];
 *         size_t count = gnomon_backtrace(frame, addresses, 32);
 *         ...
 *     }
 *     GNOMON_INTERRUPT_FRAME(gnomon_timer_interrupt, sample, 2048)
 */
#ifndef GNOMON_UNWIND_H
#define GNOMON_UNWIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The registers of a function that waits, as far as they are known. */
struct gnomon_frame {
    uint32_t x[32]; /* x[0] is where it goes on: the interrupted instruction, or the one behind a call */
};
enum { GNOMON_FRAME_PC = 0, GNOMON_FRAME_RA = 1, GNOMON_FRAME_SP = 2 };

/* What the compiler says of one function, or of a part that it moved out of one: where its code is, and instructions.
 */
struct gnomon_cfi_entry {
    uint32_t start, size;
    const uint8_t *common, *common_end;   /* for all that share them */
    const uint8_t *program, *program_end; /* and its own */
    uint32_t code_unit;
    int32_t data_unit;
};

struct gnomon_walk {
    struct gnomon_frame frame;
    bool called;       /* `frame` waits for a call to return; else it was interrupted */
    bool cut;          /* the last step found no caller although there must be one: no information, or damage */
    uint32_t function; /* where the function (or the part of it) begins; 0: not known */
    struct gnomon_cfi_entry entry; /* what is known of it, unless `function` is 0 */
};

void gnomon_walk_begin(struct gnomon_walk *walk, const struct gnomon_frame *interrupted);
/* To the caller. False: there is none (or, with `cut`, it is not known), and `walk` is where it was. Each step
 * goes up the stack, so a walk ends, whatever lies in memory. */
bool gnomon_walk_up(struct gnomon_walk *walk);

/* The interrupted instruction and the addresses to which the open calls return, the last call's first: at most `most`.
 * Returns how many. */
size_t gnomon_backtrace(const struct gnomon_frame *interrupted, uint32_t *addresses, size_t most);

/* Where the function begins that holds `address`; 0: not known. */
uint32_t gnomon_function_at(uint32_t address);

/* Defines the interrupt NAME (gnomon_timer_interrupt ...): saves all registers, calls HANDLER, of type
 * void (const struct gnomon_frame *), on a stack of its own of BYTES bytes (a multiple of 16; a walk takes 1.5 KiB),
 * and goes on. It may not interrupt itself. */
#define GNOMON_INTERRUPT_FRAME(name, handler, bytes)                                                                   \
    __asm__(".pushsection .noinit." #name ", \"aw\", @nobits\n"                                                        \
            ".balign 16\n"                                                                                             \
            "__" #name "_frame: .zero 128\n"                                                                           \
            "__" #name "_stack: .zero " #bytes "\n"                                                                    \
            "__" #name "_top:\n"                                                                                       \
            ".popsection\n"                                                                                            \
            ".pushsection .text." #name ", \"ax\"\n"                                                                   \
            ".balign 4\n"                                                                                              \
            ".globl " #name "\n"                                                                                       \
            ".type " #name ", @function\n" #name ":\n"                                                                 \
            ".cfi_startproc\n"                                                                                         \
            ".cfi_undefined ra\n"                                                                                      \
            "addi sp, sp, -16\n"                                                                                       \
            "sw t0, 0(sp)\n"                                                                                           \
            "la t0, __" #name "_frame\n"                                                                               \
            ".irp n, 1,3,4,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31\n"                \
            "sw x\\n, 4*\\n(t0)\n"                                                                                     \
            ".endr\n"                                                                                                  \
            "lw t1, 0(sp)\n"                                                                                           \
            "sw t1, 20(t0)\n"                                                                                          \
            "addi t1, sp, 16\n"                                                                                        \
            "sw t1, 8(t0)\n"                                                                                           \
            "csrr t1, mepc\n"                                                                                          \
            "sw t1, 0(t0)\n"                                                                                           \
            "mv a0, t0\n"                                                                                              \
            "la sp, __" #name "_top\n"                                                                                 \
            "call " #handler "\n"                                                                                      \
            "la t0, __" #name "_frame\n"                                                                               \
            ".irp n, 1,2,3,4,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31\n"              \
            "lw x\\n, 4*\\n(t0)\n"                                                                                     \
            ".endr\n"                                                                                                  \
            "lw t0, 20(t0)\n"                                                                                          \
            "mret\n"                                                                                                   \
            ".cfi_endproc\n"                                                                                           \
            ".size " #name ", . - " #name "\n"                                                                         \
            ".popsection\n");                                                                                          \
    __attribute__((used)) void handler(const struct gnomon_frame *interrupted);

#ifdef __cplusplus
}
#endif

#endif
