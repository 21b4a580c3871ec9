/* SPDX-License-Identifier: Apache-2.0 */
/* Modules: code that a running program loads and unloads (docs/guide/firmware.md, "Modules"). A module is linked with
 * gnomon cc --gnomon-module, runs at any address where there is memory, and is profiled like the rest of the program.
 */
#ifndef GNOMON_MODULE_H
#define GNOMON_MODULE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct gnomon_module;

/* Loads a module from a file in memory: allocates memory for the module with malloc, relocates it and runs its
 * constructors. FILE must be aligned to 4 bytes; it is not needed after the call. Returns NULL on failure;
 * gnomon_module_error then says why. */
struct gnomon_module *gnomon_module_load(const void *file, size_t size);

/* Loads a module from a file of the program, placed by the host or written by the program. If there is no file of that
 * name, the program asks the host for it over USB (gnomon run --offer, gnomon record --offer). */
struct gnomon_module *gnomon_module_open(const char *name);

/* Returns the address of a function or variable of the module, or NULL if the module has none of that name. */
void *gnomon_module_symbol(const struct gnomon_module *module, const char *name);

/* Runs the module's destructors and frees its memory. No code of the module may be running, and no pointer into the
 * module is valid after the call. */
void gnomon_module_unload(struct gnomon_module *module);

/* Returns a sentence that says why the last call failed. */
const char *gnomon_module_error(void);

/* The functions and variables of the program that its modules may use, by name. A module that needs any other name is
 * not loaded. memcpy, memmove, memset, memcmp and errno are always available. */
struct gnomon_export {
    const char *name;
    const void *address;
};
#define GNOMON_EXPORT(symbol)                                                                                          \
    __attribute__((section(".gnomon.exports"), used)) static const struct gnomon_export gnomon_export_##symbol = {     \
        #symbol, (const void *)&symbol}

/* Exports the functions that the compiler calls for 64-bit and floating-point arithmetic. */
#define GNOMON_EXPORT_ARITHMETIC                                                                                       \
    GNOMON_EXPORT_ROUTINE(__divdi3);                                                                                   \
    GNOMON_EXPORT_ROUTINE(__moddi3);                                                                                   \
    GNOMON_EXPORT_ROUTINE(__udivdi3);                                                                                  \
    GNOMON_EXPORT_ROUTINE(__umoddi3);                                                                                  \
    GNOMON_EXPORT_ROUTINE(__ashldi3);                                                                                  \
    GNOMON_EXPORT_ROUTINE(__ashrdi3);                                                                                  \
    GNOMON_EXPORT_ROUTINE(__lshrdi3);                                                                                  \
    GNOMON_EXPORT_ROUTINE(__clzsi2);                                                                                   \
    GNOMON_EXPORT_ROUTINE(__ctzsi2);                                                                                   \
    GNOMON_EXPORT_ROUTINE(__popcountsi2);                                                                              \
    GNOMON_EXPORT_ROUTINE(__bswapsi2);                                                                                 \
    GNOMON_EXPORT_ROUTINE(__addsf3);                                                                                   \
    GNOMON_EXPORT_ROUTINE(__subsf3);                                                                                   \
    GNOMON_EXPORT_ROUTINE(__mulsf3);                                                                                   \
    GNOMON_EXPORT_ROUTINE(__divsf3);                                                                                   \
    GNOMON_EXPORT_ROUTINE(__eqsf2);                                                                                    \
    GNOMON_EXPORT_ROUTINE(__nesf2);                                                                                    \
    GNOMON_EXPORT_ROUTINE(__ltsf2);                                                                                    \
    GNOMON_EXPORT_ROUTINE(__lesf2);                                                                                    \
    GNOMON_EXPORT_ROUTINE(__gtsf2);                                                                                    \
    GNOMON_EXPORT_ROUTINE(__gesf2);                                                                                    \
    GNOMON_EXPORT_ROUTINE(__floatsisf);                                                                                \
    GNOMON_EXPORT_ROUTINE(__floatunsisf);                                                                              \
    GNOMON_EXPORT_ROUTINE(__fixsfsi);                                                                                  \
    GNOMON_EXPORT_ROUTINE(__fixunssfsi);                                                                               \
    GNOMON_EXPORT_ROUTINE(__adddf3);                                                                                   \
    GNOMON_EXPORT_ROUTINE(__subdf3);                                                                                   \
    GNOMON_EXPORT_ROUTINE(__muldf3);                                                                                   \
    GNOMON_EXPORT_ROUTINE(__divdf3);                                                                                   \
    GNOMON_EXPORT_ROUTINE(__eqdf2);                                                                                    \
    GNOMON_EXPORT_ROUTINE(__nedf2);                                                                                    \
    GNOMON_EXPORT_ROUTINE(__ltdf2);                                                                                    \
    GNOMON_EXPORT_ROUTINE(__ledf2);                                                                                    \
    GNOMON_EXPORT_ROUTINE(__gtdf2);                                                                                    \
    GNOMON_EXPORT_ROUTINE(__gedf2);                                                                                    \
    GNOMON_EXPORT_ROUTINE(__floatsidf);                                                                                \
    GNOMON_EXPORT_ROUTINE(__floatunsidf);                                                                              \
    GNOMON_EXPORT_ROUTINE(__fixdfsi);                                                                                  \
    GNOMON_EXPORT_ROUTINE(__fixunsdfsi);                                                                               \
    GNOMON_EXPORT_ROUTINE(__extendsfdf2);                                                                              \
    GNOMON_EXPORT_ROUTINE(__truncdfsf2)
/* The compiler has no declaration of these functions. The type given here does not matter. */
#define GNOMON_EXPORT_ROUTINE(symbol)                                                                                  \
    extern const char gnomon_routine_##symbol[] __asm__(#symbol);                                                      \
    __attribute__((section(".gnomon.exports"), used)) static const struct gnomon_export gnomon_export_##symbol = {     \
        #symbol, gnomon_routine_##symbol}

#ifdef __cplusplus
}
#endif

#endif
