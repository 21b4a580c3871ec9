/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/export/legacy_symbol.h"

#include <inttypes.h>

uint64_t legacy_place(uint32_t index, uint32_t address) {
    return (uint64_t)(index + 1) << 32 | address;
}

#define NO_ADDRESS 0x80 /* the reader takes 1 from callers: these bits must not reach those above */

/* The reader drops addresses of 64 bits. */
uint64_t legacy_remote_place(uint32_t id, const struct gnomon_name *name, bool caller) {
    const bool known = name && name->symbol && !name->module && !name->overlay;
    return (known ? name->address : (uint64_t)id << GNOMON_EXPORT_PLACE_BITS | NO_ADDRESS) + caller;
}

void legacy_put_warnings(const struct gnomon_export *export, FILE *stream) {
    for (size_t i = 0; i < export->exactness.count; i++)
        fprintf(stream, "%%warn %s\n", export->exactness.reasons[i].text);
}

void legacy_begin_symbols(const struct gnomon_export *export, FILE *stream) {
    legacy_put_warnings(export, stream);
    fprintf(stream, "--- symbol\nbinary=%s\n", export->analysis.elf_path ? export->analysis.elf_path : "?");
}

/* Two minus signs would part the name of a function from that of an inlined one. The place at the end tells functions
 * apart whose names the reader shortens to the same. */
void legacy_put_symbol(FILE *stream, uint64_t place, const char *label) {
    fprintf(stream, "0x%016" PRIx64 " ", place);
    for (; *label; label++) {
        fputc(*label, stream);
        if (label[0] == '-' && label[1] == '-')
            fputc(' ', stream);
    }
    fprintf(stream, "<%" PRIx64 ">\n", place);
}
