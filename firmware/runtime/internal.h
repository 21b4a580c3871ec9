/* SPDX-License-Identifier: Apache-2.0 */
/* Declarations that the runtime's files share. */
#ifndef GNOMON_RUNTIME_INTERNAL_H
#define GNOMON_RUNTIME_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gnomon/param.h>
#include <gnomon/registers.h>

#define GNOMON_REG(address) (*(volatile uint32_t *)(uintptr_t)(address))

/* First address above the stack. */
extern uintptr_t __gnomon_stack_top;
extern char __heap_start[];
/* From now on the stack ends at `heap_end`, or above the host's files if there are any. For devices with a guard. */
void __gnomon_guard_stack(uintptr_t heap_end);

_Noreturn void __gnomon_exit(uint32_t status);

/* The parameter block, or NULL if the host gave none. */
struct gnomon_param *__gnomon_param(void);

/* Where the first thread's stack ends. If there are files between heap and stack, it ends above them. Otherwise it may
 * use what the heap leaves. Small devices use multiples of 1024. */
static inline uintptr_t gnomon_stack_limit(uintptr_t heap_end) {
    enum { GRAIN = 1024 };
    const struct gnomon_param *param = __gnomon_param();
    const struct gnomon_param_file *files = param ? (const struct gnomon_param_file *)(uintptr_t)param->in_files : NULL;
    uintptr_t end = heap_end;
    for (uint32_t i = 0; param && i < param->in_count; i++)
        if (files[i].size > 0) {
            end = param->stack_end;
            break;
        }
    return (end + GRAIN - 1) & -(uintptr_t)GRAIN;
}

/* What the host reads about a program that dies. start.S fills in the registers. */
extern struct gnomon_param_crash __gnomon_crash;
/* Makes __gnomon_crash readable for the host. */
void __gnomon_crash_tell(enum gnomon_param_crash_kind kind, uint32_t cause, uint32_t value);

/* Exit status of a program that a signal ended, as in shells: 128 plus the number of the signal. */
enum { GNOMON_STATUS_SIGNAL = 128 };

/* Waits while the console is full, so no byte is lost. */
void __gnomon_console_write(const char *data, size_t size);

/* Waits for at least one byte. Returns the number of bytes read; 0 at the end of the input. */
size_t __gnomon_console_read(char *data, size_t size);

/* Is this descriptor of the console (0, 1 or 2) a terminal of the host? Without a host it is a terminal: the UART. */
bool __gnomon_console_is_terminal(int fd);

/* Asks the host for a file, or, if `name` is NULL, for input of the console, and waits. Returns the number of bytes
 * that there are, or GNOMON_PARAM_NO_FILE if there is no such file. At most `size` bytes are then at `data`, which must
 * be a multiple of 4. For other kinds of requests see struct gnomon_param_request. */
uint32_t __gnomon_request(struct gnomon_param *param, const char *name, void *data, uint32_t size);

/* Returns the bytes of a file without copying them, at a multiple of 4; NULL: no such file. The pointer is valid until
 * the file is written to. */
const void *__gnomon_file_data(const char *name, size_t *size);

/* Tells the host which files were written. Linked only with programs that use files. */
void __gnomon_files_publish(void) __attribute__((weak));

/* Writes the file of records. Linked only with --gnomon-records. */
void __gnomon_records_write(void) __attribute__((weak));

/* Finds or makes the arrays of records for the module of that build id; a module that is loaded again gets the arrays
 * that it had. `ends`: the ends of the arrays, for the module's hooks. False: no memory. */
bool __gnomon_records_adopt(const uint8_t *key, uint32_t functions, uint32_t ends[2]) __attribute__((weak));

/* The kind of the call that returns to `address`, and its target if the instruction contains it (unwind.c). */
enum gnomon_call_kind { GNOMON_CALL_NONE, GNOMON_CALL_DIRECT, GNOMON_CALL_INDIRECT };
enum gnomon_call_kind __gnomon_call_before(uint32_t address, uint32_t *target);

/* A wrapper: with --wrap=NAME, the program's calls of NAME go to __wrap_NAME. Declares it and the real function. */
#define WRAPPED(type, name, ...)                                                                                       \
    type __real_##name(__VA_ARGS__);                                                                                   \
    type __wrap_##name(__VA_ARGS__);                                                                                   \
    type __wrap_##name(__VA_ARGS__)

#endif