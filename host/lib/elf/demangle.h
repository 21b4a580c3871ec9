/* SPDX-License-Identifier: Apache-2.0 */
/* Turns the linker's symbols into the names that C++ and Rust programmers wrote. */
#ifndef GNOMON_LIB_DEMANGLE_H
#define GNOMON_LIB_DEMANGLE_H

#include <stddef.h>

#define GNOMON_MOST_SYMBOL 4096 /* characters; a longer symbol is not demangled */

/* The readable form of `symbol`: C++ (Itanium ABI) or Rust (both manglings, without Rust's hashes). The caller frees
 * it. NULL: `symbol` has no other form, or out of memory. */
char *gnomon_demangle(const char *symbol);

/* Length of a readable name without its parameters: 1 for "f(int) const". 0: the name has no parameters. */
size_t gnomon_name_length(const char *name);

/* gnomon_demangle for Rust's mangling v0 only ("_R..."). Depth and length of the output are bounded. */
char *gnomon_demangle_rust(const char *symbol);

#endif
