/* SPDX-License-Identifier: Apache-2.0 */
/* Modules: code that a running program loads and unloads (docs/firmware.md, "Modules"). They are linked with gnomon cc
 * --gnomon-module, run wherever there is room, and are profiled like the rest. */
#ifndef GNOMON_MODULE_H
#define GNOMON_MODULE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct gnomon_module;

/* Loads a module from a file in memory, which is not needed afterwards: takes memory for it from malloc, relocates it,
 * runs its constructors. FILE lies at a multiple of 4. NULL: gnomon_module_error says why. */
struct gnomon_module *gnomon_module_load(const void *file, size_t size);

/* The same from a file of the program: one that the host placed, or that the program wrote. Where there is none of that
 * name, the host is asked for it over USB (gnomon run --offer, gnomon record --offer). */
struct gnomon_module *gnomon_module_open(const char *name);

/* Address of a function or variable of the module; NULL: it has none of that name. */
void *gnomon_module_symbol(const struct gnomon_module *module, const char *name);

/* Runs its destructors and gives its memory back. Nothing of it may be running, and no pointer into it is good from
 * here on. */
void gnomon_module_unload(struct gnomon_module *module);

/* Why the last call failed, in a sentence. */
const char *gnomon_module_error(void);

/* What of the program its modules may use, by name. A module that wants anything else is not loaded. memcpy, memmove,
 * memset, memcmp and errno need not be named. */
struct gnomon_export {
    const char *name;
    const void *address;
};
#define GNOMON_EXPORT(symbol)                                                                                          \
    __attribute__((section(".gnomon.exports"), used)) static const struct gnomon_export gnomon_export_##symbol = {     \
        #symbol, (const void *)&symbol}

/* What the compiler calls for 64-bit and floating-point arithmetic. */
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
/* The compiler has no declaration of these, and the type does not matter. */
#define GNOMON_EXPORT_ROUTINE(symbol)                                                                                  \
    extern const char gnomon_routine_##symbol[] __asm__(#symbol);                                                      \
    __attribute__((section(".gnomon.exports"), used)) static const struct gnomon_export gnomon_export_##symbol = {     \
        #symbol, gnomon_routine_##symbol}

#ifdef __cplusplus
}
#endif

#endif
