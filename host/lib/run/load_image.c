/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/run/load_image.h"

#include <stdlib.h>

#include "lib/device/flash_memory.h"

#define FLASH_ADDRESSES 0x2u /* upper four bits of an address in flash memory, on boards that have one */

static enum gnomon_status flash_fits(const struct gnomon_image *image, const struct gnomon_board *board,
                                     uint32_t address, uint32_t size, struct gnomon_error *error) {
    if (gnomon_board_flash_holds(board, address, size))
        return GNOMON_OK;
    if (!board->flash_bytes) {
        gnomon_fail(error, GNOMON_ERR_TOO_BIG, "%s needs flash memory at 0x%08x, and %s has none", image->path,
                    (unsigned)address, board->address);
        return gnomon_remedy(error, GNOMON_ERR_TOO_BIG,
                             "link it without --gnomon-flash, or take a board with flash memory (fomu-flash)");
    }
    gnomon_fail(error, GNOMON_ERR_TOO_BIG,
                "%s needs %u bytes of flash memory at 0x%08x, but on %s programs have %u bytes at 0x%08x", image->path,
                (unsigned)size, (unsigned)address, board->address, (unsigned)board->flash_bytes,
                (unsigned)board->flash_start);
    return gnomon_remedy(error, GNOMON_ERR_TOO_BIG, "make it smaller; gnomon cc --gnomon-flash links to this address");
}

static enum gnomon_status range_fits(const struct gnomon_image *image, const struct gnomon_board *board,
                                     uint32_t address, uint32_t size, uint32_t *end, struct gnomon_error *error) {
    if (address >> 28 == FLASH_ADDRESSES)
        return flash_fits(image, board, address, size, error);
    uint64_t after = (uint64_t)address + size;
    uint64_t limit = (uint64_t)board->ram_base + board->ram_bytes;
    if (address < board->ram_base || address >= limit) {
        gnomon_fail(error, GNOMON_ERR_TOO_BIG,
                    "%s needs memory at 0x%08x, but the memory of %s is from 0x%08x to 0x%08llx", image->path,
                    (unsigned)address, board->address, (unsigned)board->ram_base, (unsigned long long)limit - 1);
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

enum gnomon_status gnomon_image_load(const struct gnomon_image *image, const struct gnomon_board *board,
                                     struct gnomon_device *device,
                                     void (*progress)(void *context, const char *doing, size_t done, size_t size),
                                     void *context, struct gnomon_error *error) {
    enum gnomon_status status = GNOMON_OK;
    struct gnomon_flash_part *parts = calloc(image->segment_count + 1, sizeof *parts);
    size_t count = 0;
    if (!parts)
        return gnomon_fail_memory(error);
    for (size_t i = 0; i < image->segment_count && !status; i++) {
        const struct gnomon_segment *segment = &image->segments[i];
        if (segment->address >> 28 == FLASH_ADDRESSES)
            parts[count++] = (struct gnomon_flash_part){segment->address, segment->size, segment->data};
        else
            status = gnomon_device_write_bytes(device, segment->address, segment->data, segment->size, error);
    }
    if (!status && count)
        status = gnomon_flash_memory_write(device, board, parts, count, progress, context, error);
    free(parts);
    return status;
}
