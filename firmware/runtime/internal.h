/* SPDX-License-Identifier: Apache-2.0 */
/* What the runtime's files share with each other. */
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
/* Where a device has a guard, the stack ends here from now on, or above the host's files. */
void __gnomon_guard_stack(uintptr_t heap_end);

_Noreturn void __gnomon_exit(uint32_t status);

/* What the host is told of a program that dies. Registers are filled in by start.S. */
extern struct gnomon_param_crash __gnomon_crash;
/* From now on the host can read __gnomon_crash. */
void __gnomon_crash_tell(enum gnomon_param_crash_kind kind, uint32_t cause, uint32_t value);

/* Exit status of a program that a signal ended, as shells show it: 128 and the signal. */
enum { GNOMON_STATUS_SIGNAL = 128 };

/* Waits while the console is full: no byte is lost. */
void __gnomon_console_write(const char *data, size_t size);

/* Waits for at least one byte; returns how many there were, 0 at the end of the input. */
size_t __gnomon_console_read(char *data, size_t size);

/* The parameter block, or NULL if the host gave none. */
struct gnomon_param *__gnomon_param(void);

/* Asks the host for a file, or with `name` NULL for input of the console, and waits: how many bytes there are, of which
 * at most `size` are now at `data`, a multiple of 4; GNOMON_PARAM_NO_FILE: there is no such file. */
uint32_t __gnomon_request(struct gnomon_param *param, const char *name, void *data, uint32_t size);

/* The bytes of a file where they lie, at a multiple of 4; NULL: there is none. Good until it is written to. */
const void *__gnomon_file_data(const char *name, size_t *size);

/* Tells the host which files were written. Linked only with programs that use files. */
void __gnomon_files_publish(void) __attribute__((weak));

/* Writes the file of records. Linked only with --gnomon-records. */
void __gnomon_records_write(void) __attribute__((weak));

/* The arrays of a module of that build id, new or as it left them: their ends for its hooks. False: no memory. */
bool __gnomon_records_adopt(const uint8_t *key, uint32_t functions, uint32_t ends[2]) __attribute__((weak));

/* The call to behind which `address` returns, and where it goes if the instruction says so (unwind.c). */
enum gnomon_call_kind { GNOMON_CALL_NONE, GNOMON_CALL_DIRECT, GNOMON_CALL_INDIRECT };
enum gnomon_call_kind __gnomon_call_before(uint32_t address, uint32_t *target);

#endif