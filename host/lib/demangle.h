/* SPDX-License-Identifier: Apache-2.0 */
/* Names of C++ and Rust as their programmers wrote them, from the linker's symbols. */
#ifndef GNOMON_LIB_DEMANGLE_H
#define GNOMON_LIB_DEMANGLE_H

#include <stddef.h>

#define GNOMON_MOST_SYMBOL 4096 /* characters; a longer symbol keeps its form */

/* The readable form of `symbol`: C++ (Itanium ABI), Rust of both manglings, without Rust's hashes. The caller frees it.
 * NULL: `symbol` has no other form, or memory is out. */
char *gnomon_demangle(const char *symbol);

/* Length of a readable name without its parameters: of "f(int) const" that of "f". 0: it has none. */
size_t gnomon_name_length(const char *name);

/* The part of it for Rust's mangling v0 ("_R..."). Depth and length of what it writes are bounded. */
char *gnomon_demangle_rust(const char *symbol);

#endif
