/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/device/flash_memory.h"

#include <stdlib.h>
#include <string.h>

#include "lib/util/clock.h"

/* Addresses of the bus: the flash, and where a write sends a byte to it. */
#define FLASH_BASE 0x20000000u
#define FLASH_SEND 0x20200000u
#define LAST 0x100u /* in a word to send: the flash's command ends with this byte */

#define SECTOR 4096u
#define BLOCK 65536u
#define PAGE 256u
#define SECTORS (BLOCK / SECTOR)
#define COMMAND 4 /* bytes of a command with an address */

enum {
    WRITE_STATUS = 0x01,
    PROGRAM = 0x02,
    READ_STATUS = 0x05,
    WRITE_ENABLE = 0x06,
    ERASE_SECTOR = 0x20,
    WRITE_STATUS_2 = 0x31,
    READ_STATUS_2 = 0x35,
    READ_ID = 0x9F,
    WAKE = 0xAB,
    ERASE_BLOCK = 0xD8,
    NOTHING = 0xFF,
};
enum { BUSY = 1, QUAD = 2 };

/* Milliseconds that a flash may be busy, several times the longest time of a data sheet; scaled. */
enum { PROGRAM_MS = 500, ERASE_MS = 10000, STATUS_MS = 1000 };

enum { SAME, CLEAR_ENOUGH, TO_ERASE };

struct flash {
    struct gnomon_device *device;
    const struct gnomon_board *board;
    uint8_t *wanted, *found; /* the flash memory for programs as it must be, and as it was read */
    uint8_t *used;           /* for each sector: a part of the program is in it */
    uint8_t *state;          /* for each used sector: what it needs */
    size_t sectors;          /* up to the last one with a part of the program */
    void (*progress)(void *context, const char *doing, size_t done, size_t size);
    void *context;
};

static void tell(const struct flash *flash, const char *doing, size_t done, size_t size) {
    if (flash->progress)
        flash->progress(flash->context, doing, done, size);
}

/* ---- Commands ---- */

static enum gnomon_status send(const struct flash *flash, const uint32_t *words, size_t count,
                               struct gnomon_error *error) {
    return gnomon_device_write(flash->device, FLASH_SEND, words, count, error);
}

/* Sends one byte and gets the byte that came back. */
static enum gnomon_status swap(const struct flash *flash, uint32_t word, uint8_t *answer, struct gnomon_error *error) {
    static const uint8_t bits[] = {5, 1, 13, 9, 21, 17, 29, 25}; /* of the word that is read, the highest first */
    uint32_t came = 0;
    enum gnomon_status status = send(flash, &word, 1, error);
    if (!status)
        status = gnomon_device_get(flash->device, FLASH_SEND, &came, error);
    *answer = 0;
    for (size_t i = 0; i < sizeof bits; i++)
        *answer = (uint8_t)(*answer << 1 | (came >> bits[i] & 1));
    return status;
}

static enum gnomon_status read_register(const struct flash *flash, uint32_t command, uint8_t *bytes, size_t count,
                                        struct gnomon_error *error) {
    enum gnomon_status status = send(flash, &command, 1, error);
    for (size_t i = 0; i < count && !status; i++)
        status = swap(flash, i + 1 == count ? NOTHING | LAST : NOTHING, &bytes[i], error);
    return status;
}

static enum gnomon_status wait(const struct flash *flash, const char *doing, unsigned milliseconds,
                               struct gnomon_error *error) {
    const uint64_t end = gnomon_now_ms() + (uint64_t)milliseconds * flash->device->transport->timeout_scale;
    for (;;) {
        uint8_t now;
        const bool late = gnomon_now_ms() > end;
        enum gnomon_status status = read_register(flash, READ_STATUS, &now, 1, error);
        if (status || !(now & BUSY))
            return status;
        if (late)
            return gnomon_fail(error, GNOMON_ERR_TIMEOUT, "the flash of %s is busy for more than %u ms after %s",
                               flash->board->address, milliseconds, doing);
    }
}

/* Puts a command that writes, with an address, after the command that allows it. */
static size_t put_write(uint32_t *words, uint32_t command, uint32_t offset) {
    const uint32_t all[] = {WRITE_ENABLE | LAST, command, offset >> 16 & 0xFF, offset >> 8 & 0xFF, offset & 0xFF};
    memcpy(words, all, sizeof all);
    return sizeof all / sizeof *all;
}

static enum gnomon_status erase(const struct flash *flash, size_t sector, uint32_t command,
                                struct gnomon_error *error) {
    uint32_t words[1 + COMMAND];
    const uint32_t offset = flash->board->flash_start - FLASH_BASE + (uint32_t)(sector * SECTOR);
    size_t count = put_write(words, command, offset);
    words[count - 1] |= LAST;
    enum gnomon_status status = send(flash, words, count, error);
    return status ? status : wait(flash, "an erase", ERASE_MS, error);
}

static enum gnomon_status program(const struct flash *flash, size_t at, struct gnomon_error *error) {
    uint32_t words[1 + COMMAND + PAGE];
    size_t count = put_write(words, PROGRAM, flash->board->flash_start - FLASH_BASE + (uint32_t)at);
    for (size_t i = 0; i < PAGE; i++)
        words[count++] = flash->wanted[at + i];
    words[count - 1] |= LAST;
    enum gnomon_status status = send(flash, words, count, error);
    return status ? status : wait(flash, "a write", PROGRAM_MS, error);
}

/* ---- Start ---- */

/* Ends a continuous mode of four wires (8 clocks) and of two wires (16 clocks) that a boot loader may have left, and
 * the deep power-down in which the FPGA's configuration leaves the flash. The first byte also ends a command that a
 * host did not complete. */
static enum gnomon_status wake(const struct flash *flash, struct gnomon_error *error) {
    static const uint32_t words[] = {NOTHING | LAST, NOTHING, NOTHING | LAST, WAKE | LAST};
    uint8_t id[3];
    enum gnomon_status status = send(flash, words, sizeof words / sizeof *words, error);
    if (!status)
        status = read_register(flash, READ_ID, id, sizeof id, error);
    if (status || (id[0] != 0x00 && id[0] != 0xFF))
        return status;
    gnomon_fail(error, GNOMON_ERR_UNSUPPORTED, "no flash answers on %s: its identification is %02x %02x %02x",
                flash->board->address, id[0], id[1], id[2]);
    return gnomon_remedy(error, GNOMON_ERR_UNSUPPORTED, "take a board with a flash, or link without --gnomon-flash");
}

static enum gnomon_status write_status(const struct flash *flash, const uint32_t *bytes, size_t count,
                                       struct gnomon_error *error) {
    uint32_t words[4] = {WRITE_ENABLE | LAST};
    memcpy(words + 1, bytes, count * sizeof *bytes);
    words[count] |= LAST;
    enum gnomon_status status = send(flash, words, count + 1, error);
    return status ? status : wait(flash, "a write to its status", STATUS_MS, error);
}

/* The device reads the flash over four wires, which a bit of the flash's own status allows. Flashes differ in the
 * command that sets it. */
static enum gnomon_status enable_quad(const struct flash *flash, struct gnomon_error *error) {
    uint8_t first = 0, second = 0;
    enum gnomon_status status = read_register(flash, READ_STATUS_2, &second, 1, error);
    if (status || second & QUAD)
        return status;
    const uint32_t alone[] = {WRITE_STATUS_2, second | QUAD};
    status = write_status(flash, alone, 2, error);
    if (!status)
        status = read_register(flash, READ_STATUS_2, &second, 1, error);
    if (status || second & QUAD)
        return status;
    status = read_register(flash, READ_STATUS, &first, 1, error);
    const uint32_t both[] = {WRITE_STATUS, first, second | QUAD};
    if (!status)
        status = write_status(flash, both, 3, error);
    if (!status)
        status = read_register(flash, READ_STATUS_2, &second, 1, error);
    if (status || second & QUAD)
        return status;
    return gnomon_fail(error, GNOMON_ERR_UNSUPPORTED,
                       "the flash of %s does not allow reading over four wires: its status is write-protected",
                       flash->board->address);
}

/* ---- Contents ---- */

static bool is_blank(const uint8_t *data, size_t size) {
    for (size_t i = 0; i < size; i++)
        if (data[i] != 0xFF)
            return false;
    return true;
}

static uint8_t needs(const uint8_t *wanted, const uint8_t *found) {
    if (!memcmp(wanted, found, SECTOR))
        return SAME;
    for (size_t i = 0; i < SECTOR; i++)
        if (wanted[i] & ~found[i])
            return TO_ERASE;
    return CLEAR_ENOUGH;
}

/* Reads the sectors of which `which` is not 0, and sets `state`. */
static enum gnomon_status compare(struct flash *flash, const uint8_t *which, const char *doing,
                                  struct gnomon_error *error) {
    enum gnomon_status status = GNOMON_OK;
    for (size_t sector = 0; sector < flash->sectors && !status; sector++) {
        if (!which[sector])
            continue;
        const size_t at = sector * SECTOR;
        tell(flash, doing, sector, flash->sectors);
        status = gnomon_device_read_bytes(flash->device, flash->board->flash_start + (uint32_t)at, flash->found + at,
                                          SECTOR, error);
        flash->state[sector] = needs(flash->wanted + at, flash->found + at);
    }
    return status;
}

/* Erases a whole block if all of it is to be erased, else sector by sector. */
static enum gnomon_status erase_all(struct flash *flash, struct gnomon_error *error) {
    enum gnomon_status status = GNOMON_OK;
    for (size_t sector = 0; sector < flash->sectors && !status; sector++) {
        if (flash->state[sector] != TO_ERASE)
            continue;
        size_t count = 1;
        const bool aligned = (flash->board->flash_start + sector * SECTOR) % BLOCK == 0;
        while (aligned && count < SECTORS && sector + count < flash->sectors &&
               flash->state[sector + count] == TO_ERASE)
            count++;
        tell(flash, "erasing", sector, flash->sectors);
        if (count < SECTORS)
            count = 1;
        status = erase(flash, sector, count == SECTORS ? ERASE_BLOCK : ERASE_SECTOR, error);
        memset(flash->found + sector * SECTOR, 0xFF, count * SECTOR);
        sector += count - 1;
    }
    return status;
}

static enum gnomon_status program_all(struct flash *flash, struct gnomon_error *error) {
    enum gnomon_status status = GNOMON_OK;
    for (size_t at = 0; at < flash->sectors * SECTOR && !status; at += PAGE) {
        const uint8_t *wanted = flash->wanted + at;
        if (flash->state[at / SECTOR] == SAME || !memcmp(wanted, flash->found + at, PAGE) || is_blank(wanted, PAGE))
            continue;
        tell(flash, "programming", at, flash->sectors * SECTOR);
        status = program(flash, at, error);
    }
    return status;
}

static enum gnomon_status verify(struct flash *flash, struct gnomon_error *error) {
    uint8_t *written = malloc(flash->sectors + 1);
    if (!written)
        return gnomon_fail_memory(error);
    memcpy(written, flash->state, flash->sectors);
    enum gnomon_status status = compare(flash, written, "verifying", error);
    free(written);
    for (size_t at = 0; at < flash->sectors * SECTOR && !status; at++) {
        if (flash->state[at / SECTOR] == SAME || flash->wanted[at] == flash->found[at])
            continue;
        gnomon_fail(error, GNOMON_ERR_PROTOCOL,
                    "the flash of %s holds 0x%02x at 0x%08x after 0x%02x was written: verification failed",
                    flash->board->address, flash->found[at], (unsigned)(flash->board->flash_start + at),
                    flash->wanted[at]);
        status = gnomon_remedy(error, GNOMON_ERR_PROTOCOL,
                               "run it again; a flash that is write-protected or worn out "
                               "fails again");
    }
    return status;
}

static void place(struct flash *flash, const struct gnomon_flash_part *part) {
    const size_t at = part->address - flash->board->flash_start;
    memcpy(flash->wanted + at, part->data, part->size);
    for (size_t sector = at / SECTOR; part->size && sector <= (at + part->size - 1) / SECTOR; sector++)
        flash->used[sector] = 1;
}

enum gnomon_status gnomon_flash_memory_write(struct gnomon_device *device, const struct gnomon_board *board,
                                             const struct gnomon_flash_part *parts, size_t count,
                                             void (*progress)(void *context, const char *doing, size_t done,
                                                              size_t size),
                                             void *context, struct gnomon_error *error) {
    const size_t bytes = board->flash_bytes;
    struct flash flash = {.device = device,
                          .board = board,
                          .wanted = malloc(bytes),
                          .found = malloc(bytes),
                          .used = calloc(bytes / SECTOR, 1),
                          .state = calloc(bytes / SECTOR, 1),
                          .sectors = bytes / SECTOR,
                          .progress = progress,
                          .context = context};
    enum gnomon_status status = GNOMON_OK;
    if (!flash.wanted || !flash.found || !flash.used || !flash.state)
        status = gnomon_fail_memory(error);
    if (!status) {
        memset(flash.wanted, 0xFF, bytes);
        for (size_t i = 0; i < count; i++)
            place(&flash, &parts[i]);
        while (flash.sectors && !flash.used[flash.sectors - 1])
            flash.sectors--;
        status = wake(&flash, error);
    }
    if (!status)
        status = enable_quad(&flash, error);
    if (!status)
        status = compare(&flash, flash.used, "comparing", error);
    if (!status)
        status = erase_all(&flash, error);
    if (!status)
        status = program_all(&flash, error);
    if (!status)
        status = verify(&flash, error);
    free(flash.wanted);
    free(flash.found);
    free(flash.used);
    free(flash.state);
    return status;
}
