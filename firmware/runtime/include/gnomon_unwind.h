/* SPDX-License-Identifier: Apache-2.0 */
/* Stack walks from an interrupt (docs/guide/callers.md): from the interrupted instruction up the stack, with the call
 * frame information that the compiler leaves in programs linked with gnomon cc --gnomon-monitor. A walk needs no frame
 * pointer and is also correct in the middle of a function's prologue.
 *
 *     static void sample(const struct gnomon_frame *frame) {
 *         uint32_t addresses[32];
 *         size_t count = gnomon_backtrace(frame, addresses, 32);
 *         ...
 *     }
 *     GNOMON_INTERRUPT_FRAME(gnomon_timer_interrupt, sample, 2048) */
#ifndef GNOMON_UNWIND_H
#define GNOMON_UNWIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The registers of a suspended function that are known. */
struct gnomon_frame {
    uint32_t x[32]; /* x[0]: where it continues (the interrupted instruction, or the one after a call) */
};
enum { GNOMON_FRAME_PC = 0, GNOMON_FRAME_RA = 1, GNOMON_FRAME_SP = 2 };

/* The compiler's information about one function, or about a part that it moved out of a function: the place of the
 * code, and the instructions that describe its frame. */
struct gnomon_cfi_entry {
    uint32_t start, size;
    const uint8_t *common, *common_end;   /* instructions shared by several entries */
    const uint8_t *program, *program_end; /* instructions of this entry only */
    uint32_t code_unit;
    int32_t data_unit;
};

struct gnomon_walk {
    struct gnomon_frame frame;
    bool called;       /* true: `frame` waits for a call to return; false: it was interrupted */
    bool cut;          /* the last step found no caller although one must exist: information is missing or damaged */
    uint32_t function; /* start of the function (or of its part); 0: not known */
    struct gnomon_cfi_entry entry; /* information about the function; valid unless `function` is 0 */
};

void gnomon_walk_begin(struct gnomon_walk *walk, const struct gnomon_frame *interrupted);
/* Goes to the caller. Returns false if there is no caller, or (with `cut`) if the caller is not known; `walk` then
 * stays where it was. Each step goes up the stack, so a walk ends whatever the memory contains. */
bool gnomon_walk_up(struct gnomon_walk *walk);

/* Stores the address of the interrupted instruction and the return addresses of the open calls, the last call first; at
 * most `most` addresses. Returns their number. */
size_t gnomon_backtrace(const struct gnomon_frame *interrupted, uint32_t *addresses, size_t most);

/* Returns the start of the function that contains `address`; 0: not known. */
uint32_t gnomon_function_at(uint32_t address);

/* Defines the interrupt function NAME (gnomon_timer_interrupt ...). It saves all registers, calls HANDLER on a stack of
 * its own of BYTES bytes, and returns from the interrupt. HANDLER has type void (const struct gnomon_frame *). BYTES is
 * a multiple of 16; a walk takes 1.5 KiB. The interrupt must not interrupt itself. */
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
