/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/elf/image.h"

#include <gelf.h>
#include <libelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/util/file.h"

#ifndef SHT_RISCV_ATTRIBUTES
#define SHT_RISCV_ATTRIBUTES 0x70000003 /* missing in older elf.h */
#endif

static enum gnomon_status malformed(const struct gnomon_image *image, enum gnomon_status status, const char *why,
                                    struct gnomon_error *error) {
    gnomon_fail(error, status, "%s %s", image->path, why);
    return gnomon_remedy(error, status, "give an ELF executable for RV32, as gnomon cc makes it");
}

static enum gnomon_status check_header(const struct gnomon_image *image, const GElf_Ehdr *header,
                                       struct gnomon_error *error) {
    if (header->e_ident[EI_DATA] != ELFDATA2LSB)
        return malformed(image, GNOMON_ERR_UNSUPPORTED, "is a big-endian ELF file", error);
    if (header->e_machine != EM_RISCV)
        return malformed(image, GNOMON_ERR_UNSUPPORTED, "is an ELF file for another architecture, not RISC-V", error);
    if (header->e_ident[EI_CLASS] != ELFCLASS32)
        return malformed(image, GNOMON_ERR_UNSUPPORTED, "is a 64-bit ELF file, not RV32", error);
    if (header->e_type != ET_EXEC)
        return malformed(image, GNOMON_ERR_UNSUPPORTED,
                         header->e_type == ET_REL ? "is an object file, not a linked executable"
                                                  : "is not an executable linked to fixed addresses",
                         error);
    return GNOMON_OK;
}

static enum gnomon_status add_segment(struct gnomon_image *image, const GElf_Phdr *header, struct gnomon_error *error) {
    if (header->p_type != PT_LOAD || !header->p_memsz)
        return GNOMON_OK;
    if (header->p_filesz > header->p_memsz)
        return malformed(image, GNOMON_ERR_FORMAT, "has a segment that is larger in the file than in memory", error);
    if (header->p_offset > image->file_size || header->p_filesz > image->file_size - header->p_offset)
        return malformed(image, GNOMON_ERR_FORMAT, "is cut short: a segment lies beyond its end", error);
    if (header->p_paddr % 4)
        return malformed(image, GNOMON_ERR_FORMAT, "has a segment at an address that is not a multiple of 4", error);
    image->segments[image->segment_count++] = (struct gnomon_segment){
        .address = (uint32_t)header->p_paddr,
        .runs_at = (uint32_t)header->p_vaddr,
        .size = (uint32_t)header->p_filesz,
        .memory = (uint32_t)header->p_memsz,
        .data = image->file + header->p_offset,
        .writable = header->p_flags & PF_W,
    };
    return GNOMON_OK;
}

static enum gnomon_status read_segments(struct gnomon_image *image, Elf *elf, struct gnomon_error *error) {
    GElf_Ehdr header_of_file;
    size_t count = 0;
    if (elf_getphdrnum(elf, &count) || count > 1024)
        return malformed(image, GNOMON_ERR_FORMAT, "has no readable program headers", error);
    if (gelf_getehdr(elf, &header_of_file) && count < header_of_file.e_phnum)
        return malformed(image, GNOMON_ERR_FORMAT, "is cut short: its program headers lie beyond its end", error);
    image->segments = calloc(count + 1, sizeof *image->segments);
    if (!image->segments)
        return gnomon_fail_memory(error);
    for (size_t i = 0; i < count; i++) {
        GElf_Phdr header;
        if (!gelf_getphdr(elf, (int)i, &header))
            return malformed(image, GNOMON_ERR_FORMAT, "is cut short: its program headers lie beyond its end", error);
        enum gnomon_status status = add_segment(image, &header, error);
        if (status)
            return status;
    }
    if (!image->segment_count)
        return malformed(image, GNOMON_ERR_FORMAT, "holds nothing to load", error);
    return GNOMON_OK;
}

static void take_build_id(struct gnomon_image *image, Elf_Data *data) {
    GElf_Nhdr note;
    size_t name, description;
    for (size_t at = 0, next; (next = gelf_getnote(data, at, &note, &name, &description)) > 0; at = next) {
        const char *bytes = data->d_buf;
        if (note.n_type != NT_GNU_BUILD_ID || note.n_namesz != 4 || memcmp(bytes + name, "GNU", 4) != 0 ||
            note.n_descsz > (sizeof image->build_id - 1) / 2)
            continue;
        for (size_t i = 0; i < note.n_descsz; i++)
            snprintf(image->build_id + 2 * i, 3, "%02x", (unsigned)(uint8_t)bytes[description + i]);
    }
}

static void read_build_id(struct gnomon_image *image, Elf *elf) {
    GElf_Shdr header;
    for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));)
        if (gelf_getshdr(section, &header) && header.sh_type == SHT_NOTE) {
            Elf_Data *data = elf_getdata(section, NULL);
            if (data && data->d_buf)
                take_build_id(image, data);
        }
}

static void read_isa(struct gnomon_image *image, Elf *elf) {
    GElf_Shdr header;
    for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
        const Elf_Data *data = gelf_getshdr(section, &header) && header.sh_type == SHT_RISCV_ATTRIBUTES
                                   ? elf_rawdata(section, NULL)
                                   : NULL;
        if (data && data->d_buf)
            gnomon_isa_read(image->isa, data->d_buf, data->d_size);
    }
}

static enum gnomon_status read_elf(struct gnomon_image *image, struct gnomon_error *error) {
    if (image->file_size < EI_NIDENT || memcmp(image->file, ELFMAG, SELFMAG) != 0)
        return malformed(image, GNOMON_ERR_FORMAT, "is not an ELF file", error);
    elf_version(EV_CURRENT);
    Elf *elf = elf_memory((char *)image->file, image->file_size);
    GElf_Ehdr header;
    if (!elf || !gelf_getehdr(elf, &header)) {
        elf_end(elf);
        return malformed(image, GNOMON_ERR_FORMAT, "is a damaged ELF file", error);
    }
    enum gnomon_status status = check_header(image, &header, error);
    image->entry = (uint32_t)header.e_entry;
    if (!status)
        status = read_segments(image, elf, error);
    if (!status) {
        read_build_id(image, elf);
        read_isa(image, elf);
    }
    elf_end(elf);
    return status;
}

enum gnomon_status gnomon_image_open(const char *path, struct gnomon_image **opened, struct gnomon_error *error) {
    struct gnomon_image *image = calloc(1, sizeof *image);
    if (!image || !(image->path = strdup(path))) {
        free(image);
        return gnomon_fail_memory(error);
    }
    enum gnomon_status status = gnomon_read_file(path, &image->file, &image->file_size, error);
    if (!status)
        status = read_elf(image, error);
    if (status)
        gnomon_image_close(image);
    else
        *opened = image;
    return status;
}

void gnomon_image_close(struct gnomon_image *image) {
    if (!image)
        return;
    free(image->segments);
    free(image->file);
    free(image->path);
    free(image);
}
