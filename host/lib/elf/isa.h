/* SPDX-License-Identifier: Apache-2.0 */
/* Names of instruction sets, such as "rv32imac_zicsr": what a device has, or what a program was compiled for. */
#ifndef GNOMON_LIB_ISA_H
#define GNOMON_LIB_ISA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GNOMON_ARCH_BYTES 512
#define GNOMON_EXTENSION_BYTES 32

/* Copies Tag_RISCV_arch of a section .riscv.attributes; "" if the section has no such tag, or is damaged. */
void gnomon_isa_read(char isa[GNOMON_ARCH_BYTES], const uint8_t *section, size_t size);

/* Has `has` all extensions of `wants`, whatever their versions? If not, `lacking` is the first missing extension. ""
 * wants none. */
bool gnomon_isa_has(const char *has, const char *wants, char lacking[GNOMON_EXTENSION_BYTES]);

#endif
