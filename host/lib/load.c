/* SPDX-License-Identifier: Apache-2.0 */
#include "load.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef SHT_RISCV_ATTRIBUTES
#define SHT_RISCV_ATTRIBUTES 0x70000003 /* older elf.h */
#endif
#define MOST_FILE ((off_t)1 << 30)

static enum gnomon_status read_all(int fd, const char *path, uint8_t *data, size_t size, struct gnomon_error *error) {
    while (size) {
        ssize_t got = read(fd, data, size);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return gnomon_fail_errno(error, GNOMON_ERR_SYSTEM, "cannot read %s", path);
        if (got == 0)
            return gnomon_fail(error, GNOMON_ERR_SYSTEM, "%s became shorter while it was read", path);
        data += got;
        size -= (size_t)got;
    }
    return GNOMON_OK;
}

enum gnomon_status gnomon_read_file(const char *path, uint8_t **data, size_t *size, struct gnomon_error *error) {
    struct stat about;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &about)) {
        enum gnomon_status missing = errno == ENOENT ? GNOMON_ERR_NOT_FOUND : GNOMON_ERR_SYSTEM;
        gnomon_fail_errno(error, missing, "cannot open %s", path);
        if (fd >= 0)
            close(fd);
        return missing;
    }
    enum gnomon_status status = GNOMON_OK;
    *data = NULL;
    if (!S_ISREG(about.st_mode))
        status = gnomon_fail(error, GNOMON_ERR_FORMAT, "%s is not a regular file", path);
    else if (about.st_size > MOST_FILE)
        status = gnomon_fail(error, GNOMON_ERR_TOO_BIG, "%s is larger than 1 GiB", path);
    else if (!(*data = malloc((size_t)about.st_size + 1)))
        status = gnomon_fail_memory(error);
    else
        status = read_all(fd, path, *data, (size_t)about.st_size, error);
    *size = (size_t)about.st_size;
    close(fd);
    if (status) {
        free(*data);
        *data = NULL;
    }
    return status;
}

static bool write_all(int fd, const uint8_t *data, size_t size) {
    while (size) {
        ssize_t done = write(fd, data, size);
        if (done < 0 && errno != EINTR)
            return false;
        data += done > 0 ? done : 0;
        size -= done > 0 ? (size_t)done : 0;
    }
    return true;
}

enum gnomon_status gnomon_write_file(const char *path, const void *data, size_t size, struct gnomon_error *error) {
    char temporary[4096];
    if (snprintf(temporary, sizeof temporary, "%s.tmp", path) >= (int)sizeof temporary)
        return gnomon_fail(error, GNOMON_ERR_ARGUMENT, "the name %s is too long", path);
    int fd = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    bool good = fd >= 0 && write_all(fd, data, size);
    int reason = errno;
    if (fd >= 0 && close(fd) && good) {
        reason = errno;
        good = false;
    }
    if (good && rename(temporary, path)) {
        reason = errno;
        good = false;
    }
    if (good)
        return GNOMON_OK;
    if (fd >= 0)
        unlink(temporary);
    errno = reason;
    return gnomon_fail_errno(error, GNOMON_ERR_SYSTEM, "cannot write %s", path);
}

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

static enum gnomon_status range_fits(const struct gnomon_image *image, const struct gnomon_board *board,
                                     uint32_t address, uint32_t size, uint32_t *end, struct gnomon_error *error) {
    uint64_t after = (uint64_t)address + size;
    uint64_t limit = (uint64_t)board->ram_base + board->ram_bytes;
    if (address < board->ram_base || address >= limit) {
        gnomon_fail(error, GNOMON_ERR_TOO_BIG, "%s wants memory at 0x%08x, but that of %s is from 0x%08x to 0x%08llx",
                    image->path, (unsigned)address, board->address, (unsigned)board->ram_base,
                    (unsigned long long)limit - 1);
        return gnomon_remedy(error, GNOMON_ERR_TOO_BIG, "link it with Gnomon's linker script, as gnomon cc does");
    }
    if (after > limit) {
        gnomon_fail(error, GNOMON_ERR_TOO_BIG, "%s needs %llu bytes of memory, %s has %u", image->path,
                    (unsigned long long)(after - board->ram_base), board->address, (unsigned)board->ram_bytes);
        return gnomon_remedy(error, GNOMON_ERR_TOO_BIG, "make it smaller, or take a larger board (-d sim:full)");
    }
    if (after > *end)
        *end = (uint32_t)after;
    return GNOMON_OK;
}

enum gnomon_status gnomon_image_fits(const struct gnomon_image *image, const struct gnomon_board *board, uint32_t *end,
                                     struct gnomon_error *error) {
    enum gnomon_status status = GNOMON_OK;
    *end = board->ram_base;
    for (size_t i = 0; i < image->segment_count && !status; i++) {
        const struct gnomon_segment *segment = &image->segments[i];
        status = range_fits(image, board, segment->address, segment->memory, end, error);
        if (!status)
            status = range_fits(image, board, segment->runs_at, segment->memory, end, error);
    }
    return status;
}

enum gnomon_status gnomon_image_runs(const struct gnomon_image *image, const struct gnomon_board *board,
                                     struct gnomon_error *error) {
    char has[GNOMON_ISA_BYTES], lacking[GNOMON_EXTENSION_BYTES];
    gnomon_board_isa(board, has);
    if (gnomon_isa_has(has, image->isa, lacking))
        return GNOMON_OK;
    gnomon_fail(error, GNOMON_ERR_UNSUPPORTED, "%s was compiled for %s, and %s has no %s", image->path, image->isa,
                board->address, lacking);
    return gnomon_remedy(error, GNOMON_ERR_UNSUPPORTED,
                         "compile it with -march=%s or less, or take another device (gnomon info says what one has)",
                         has);
}

enum gnomon_status gnomon_image_load(const struct gnomon_image *image, struct gnomon_device *device,
                                     struct gnomon_error *error) {
    enum gnomon_status status = GNOMON_OK;
    for (size_t i = 0; i < image->segment_count && !status; i++)
        status = gnomon_device_write_bytes(device, image->segments[i].address, image->segments[i].data,
                                           image->segments[i].size, error);
    return status;
}
