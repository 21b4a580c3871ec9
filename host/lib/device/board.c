/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/device/board.h"

#include <stdio.h>
#include <string.h>

#include "gnomon/registers.h"
#include "gnomon/trace.h"
#include "lib/model/function_records.h"

enum { REGISTERS_MAJOR = GNOMON_REGISTERS_VERSION >> 16 };

#define FLASH_UNIT 65536u /* start and size of flash memory are multiples of this */
#define MOST_FLASH (16u << 20)
#define MOST_WATCHED 4096 /* the most that an entry of the device's table can number */

static unsigned field(uint32_t word, uint32_t mask, unsigned shift) {
    return (word & mask) >> shift;
}
#define FIELD(word, name) field(word, GNOMON_SYSCTL_CONFIG_##name, GNOMON_SYSCTL_CONFIG_##name##_SHIFT)

static void take_config(struct gnomon_board *board, uint32_t word) {
    static const char *const names[] = {"small", "mid", "full"};
    unsigned name = FIELD(word, NAME);
    board->config = name < sizeof names / sizeof *names ? names[name] : "other";
    board->harts = FIELD(word, HARTS);
    board->hpm_counters = FIELD(word, HPM);
    board->stack_entries = 1u << FIELD(word, STACK_LOG2);
    board->fifo_entries = 1u << FIELD(word, FIFO_LOG2);
    unsigned records_log2 = FIELD(word, RECORDS_LOG2);
    board->records = records_log2 ? 1u << records_log2 : 0;
    board->numbers = 1u << (16 + 4 * FIELD(word, NUMBERS));
    board->arcs = word & GNOMON_SYSCTL_CONFIG_ARCS;
    board->profiler = word & GNOMON_SYSCTL_CONFIG_PROFILE;
    board->locks = word & GNOMON_SYSCTL_CONFIG_LOCKS;
    board->icache = word & GNOMON_SYSCTL_CONFIG_ICACHE;
    board->simulated = word & GNOMON_SYSCTL_CONFIG_SIMULATED;
}

enum { COMPACT_THREADS_LOG2 = 3 }; /* threads of records without a configuration register */

/* Reads the options of the records. A device without records has no such register. */
static enum gnomon_status take_record_config(struct gnomon_device *device, struct gnomon_board *board,
                                             struct gnomon_error *error) {
    uint32_t word;
    enum gnomon_status status = gnomon_device_get(device, GNOMON_PROFILE_RECORD_CONFIG, &word, error);
    if (status)
        return status;
    unsigned buckets_log2 =
        field(word, GNOMON_PROFILE_RECORD_CONFIG_BUCKETS_LOG2, GNOMON_PROFILE_RECORD_CONFIG_BUCKETS_LOG2_SHIFT);
    board->bucketed = buckets_log2 ? 1u << buckets_log2 : 0;
    unsigned threads =
        field(word, GNOMON_PROFILE_RECORD_CONFIG_THREADS_LOG2, GNOMON_PROFILE_RECORD_CONFIG_THREADS_LOG2_SHIFT);
    board->threads = !board->records ? 0 : 1u << (word ? threads : COMPACT_THREADS_LOG2);
    board->compact = board->records && !board->arcs && !word; /* the compact form has no such register */
    board->arc_parts = word & GNOMON_PROFILE_RECORD_CONFIG_ARC_PART;
    board->epochs = word & GNOMON_PROFILE_RECORD_CONFIG_EPOCHS;
    board->losses = word & GNOMON_PROFILE_RECORD_CONFIG_LOSSES;
    return GNOMON_OK;
}

/* Refuses values that a Gnomon cannot have: the device is no Gnomon, or its registers do not answer. */
static enum gnomon_status check(const struct gnomon_board *board, struct gnomon_error *error) {
    if (board->version_major != REGISTERS_MAJOR) {
        gnomon_fail(error, GNOMON_ERR_UNSUPPORTED, "%s has registers of version %u.%u, this gnomon supports %u.x",
                    board->address, board->version_major, board->version_minor, REGISTERS_MAJOR);
        return gnomon_remedy(error, GNOMON_ERR_UNSUPPORTED, "use the gnomon command and the bitstream of one release");
    }
    if (board->ram_base % 4 || board->ram_bytes < 1024 || board->ram_bytes % 4 ||
        board->ram_bytes > UINT32_MAX - board->ram_base || !board->clock_hz || !board->harts ||
        (board->records && board->records <= GNOMON_RECORD_TRAPS) || board->bucketed > board->records ||
        board->numbers > GNOMON_MAX_FUNCTIONS ||
        (board->watch && (board->watch > MOST_WATCHED || board->watch < 256 || board->watch & (board->watch - 1))))
        return gnomon_fail(error, GNOMON_ERR_PROTOCOL,
                           "%s reports an impossible description of itself: %u bytes at 0x%08x, %u Hz", board->address,
                           (unsigned)board->ram_bytes, (unsigned)board->ram_base, (unsigned)board->clock_hz);
    return GNOMON_OK;
}

/* Reads the options of watching and of the stack guard. A register reads 0 if the device lacks the unit. */
static enum gnomon_status take_stack_config(struct gnomon_device *device, struct gnomon_board *board,
                                            struct gnomon_error *error) {
    uint32_t limit, switches = 0;
    enum gnomon_status status = gnomon_device_get(device, GNOMON_SYSCTL_STACK_LIMIT, &limit, error);
    if (!status && board->profiler)
        status = gnomon_device_get(device, GNOMON_PROFILE_SWITCHES, &switches, error);
    if (status)
        return status;
    board->stack_guard = limit & GNOMON_SYSCTL_STACK_LIMIT_GUARD;
    board->switches = switches & GNOMON_PROFILE_SWITCHES_PRESENT;
    return GNOMON_OK;
}

/* Reads where flash memory is for programs. Only small boards have it. */
static enum gnomon_status take_flash_config(struct gnomon_device *device, struct gnomon_board *board,
                                            struct gnomon_error *error) {
    uint32_t words[2] = {0};
    if (strcmp(board->config, "small") != 0)
        return GNOMON_OK;
    enum gnomon_status status = gnomon_device_read(device, GNOMON_SYSCTL_FLASH_START, words, 2, error);
    board->flash_start = words[0];
    board->flash_bytes = words[1];
    if (!status && (words[0] % FLASH_UNIT || words[1] % FLASH_UNIT || words[1] > MOST_FLASH))
        return gnomon_fail(error, GNOMON_ERR_PROTOCOL, "%s reports an impossible flash memory: %u bytes at 0x%08x",
                           board->address, (unsigned)words[1], (unsigned)words[0]);
    return status;
}

/* Reads the options of the block STALL_CAUSES, if the device has it. */
static enum gnomon_status take_causes_config(struct gnomon_device *device, struct gnomon_board *board,
                                             struct gnomon_error *error) {
    uint32_t config;
    enum gnomon_status status = gnomon_device_probe(device, GNOMON_STALL_CAUSES_CONFIG, &config, error);
    if (status)
        return status;
    unsigned parcels = config & GNOMON_STALL_CAUSES_CONFIG_CODE_WINDOW_LOG2;
    board->causes = config & GNOMON_STALL_CAUSES_CONFIG_PRESENT;
    board->code_window = parcels ? 2u << parcels : 0;
    return GNOMON_OK;
}

/* Reads the options of the tags, if the device has them. */
static enum gnomon_status take_tags_config(struct gnomon_device *device, struct gnomon_board *board,
                                           struct gnomon_error *error) {
    uint32_t config;
    enum gnomon_status status = gnomon_device_probe(device, GNOMON_TAGS_CONFIG, &config, error);
    if (status || !(config & GNOMON_TAGS_CONFIG_PRESENT))
        return status;
    unsigned log2 = config & GNOMON_TAGS_CONFIG_SHADOW_LOG2;
    board->tagged = log2 && log2 < 30 ? UINT32_C(4) << log2 : 0;
    board->tag_cache = config & GNOMON_TAGS_CONFIG_CACHE;
    board->sampler = config & GNOMON_TAGS_CONFIG_SAMPLER;
    board->reduced_tags = config & GNOMON_TAGS_CONFIG_REDUCED;
    return GNOMON_OK;
}

/* Reads which options hart 0's profiler has that hart 1's has, too. */
static enum gnomon_status take_second_hart(struct gnomon_device *device, struct gnomon_board *board,
                                           struct gnomon_error *error) {
    enum { HART1 = GNOMON_BLOCKS_OF_HART(1) };
    uint32_t records, places = 0, causes = 0;
    enum gnomon_status status = gnomon_device_get(device, HART1 + GNOMON_PROFILE_RECORD_CONFIG, &records, error);
    if (!status)
        status = gnomon_device_get(device, HART1 + GNOMON_PROFILE_WATCH_PLACES, &places, error);
    if (!status)
        status = gnomon_device_get(device, HART1 + GNOMON_STALL_CAUSES_CONFIG, &causes, error);
    if (status)
        return status;
    board->other_records = board->records && records;
    board->other_watch = board->watch && places == board->watch;
    board->other_window = board->code_window && causes & GNOMON_STALL_CAUSES_CONFIG_CODE_WINDOW_LOG2;
    return GNOMON_OK;
}

enum gnomon_status gnomon_board_read(struct gnomon_device *device, struct gnomon_board *board,
                                     struct gnomon_error *error) {
    enum { FIRST = GNOMON_SYSCTL_VERSION, LAST = GNOMON_SYSCTL_MISA, COUNT = (LAST - FIRST) / 4 + 1 };
    uint32_t words[COUNT];
#define WORD(name) words[(GNOMON_SYSCTL_##name - FIRST) / 4]
    uint32_t watch = 0, values = 0;
    enum gnomon_status status = gnomon_device_read(device, FIRST, words, COUNT, error);
    if (!status && WORD(CONFIG) & GNOMON_SYSCTL_CONFIG_WATCH)
        status = gnomon_device_get(device, GNOMON_PROFILE_WATCH_PLACES, &watch, error);
    if (!status && watch)
        status = gnomon_device_get(device, GNOMON_PROFILE_WATCH_VALUES, &values, error);
    if (status)
        return status;
    memset(board, 0, sizeof *board);
    memcpy(board->address, device->transport->address, sizeof board->address);
    board->usb = device->transport->identity;
    board->version_major = WORD(VERSION) >> 16;
    board->version_minor = WORD(VERSION) & 0xFFFF;
    take_config(board, WORD(CONFIG));
    board->watch = watch;
    board->watch_values = values & 1;
    board->clock_hz = WORD(CLOCK_HZ);
    board->ram_base = WORD(RAM_BASE);
    board->ram_bytes = WORD(RAM_BYTES);
    board->rtl_hash = WORD(RTL_HASH);
    board->misa = WORD(MISA);
#undef WORD
    if (board->records)
        status = take_record_config(device, board, error);
    if (!status)
        status = take_stack_config(device, board, error);
    if (!status)
        status = take_flash_config(device, board, error);
    if (!status && board->profiler)
        status = take_causes_config(device, board, error);
    if (!status && board->profiler)
        status = take_tags_config(device, board, error);
    if (!status && board->profiler && board->harts > 1)
        status = take_second_hart(device, board, error);
    return status ? status : check(board, error);
}

bool gnomon_board_holds(const struct gnomon_board *board, uint32_t address, uint64_t size) {
    return address >= board->ram_base && address - board->ram_base + size <= board->ram_bytes;
}

bool gnomon_board_flash_holds(const struct gnomon_board *board, uint32_t address, uint64_t size) {
    return address >= board->flash_start && address - board->flash_start + size <= board->flash_bytes;
}

uint64_t gnomon_board_readable(const struct gnomon_board *board, uint32_t address) {
    if (gnomon_board_holds(board, address, 1))
        return (uint64_t)board->ram_base + board->ram_bytes - address;
    if (gnomon_board_flash_holds(board, address, 1))
        return (uint64_t)board->flash_start + board->flash_bytes - address;
    return 0;
}

const char *gnomon_board_isa(const struct gnomon_board *board, char isa[GNOMON_ISA_BYTES]) {
    static const char order[] = "iemafdqcbvh"; /* the manual's canonical order */
    size_t used = (size_t)snprintf(isa, GNOMON_ISA_BYTES, "rv32");
    for (const char *letter = order; *letter; letter++)
        if (board->misa >> (*letter - 'a') & 1)
            isa[used++] = *letter;
    snprintf(isa + used, GNOMON_ISA_BYTES - used, "_zicsr_zifencei%s",
             board->misa & GNOMON_SYSCTL_MISA_BITMANIP ? "_zba_zbb_zbs" : "");
    return isa;
}

bool gnomon_board_has_user(const struct gnomon_board *board) {
    return board->misa >> ('u' - 'a') & 1;
}

bool gnomon_board_has_pmp(const struct gnomon_board *board) {
    return board->misa & GNOMON_SYSCTL_MISA_PMP;
}

json_t *gnomon_board_json(const struct gnomon_board *board) {
    char isa[GNOMON_ISA_BYTES], version[32], hash[16], protocol[16];
    snprintf(version, sizeof version, "%u.%u", board->version_major, board->version_minor);
    snprintf(hash, sizeof hash, "%08x", (unsigned)board->rtl_hash);
    snprintf(protocol, sizeof protocol, "%x.%02x", board->usb.release >> 8, board->usb.release & 0xFFu);
    json_t *json = json_pack(
        "{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:I, s:I, s:I, s:s, s:i, s:b, s:b, s:b, s:b, s:i, s:i, s:i, s:i, s:b}",
        "address", board->address, "configuration", board->config, "product", board->usb.name, "serial",
        board->usb.serial, "protocol", protocol, "version", version, "isa", gnomon_board_isa(board, isa), "clock_hz",
        (json_int_t)board->clock_hz, "ram_base", (json_int_t)board->ram_base, "ram_bytes", (json_int_t)board->ram_bytes,
        "rtl_hash", hash, "harts", (int)board->harts, "profiler", (int)board->profiler, "locks", (int)board->locks,
        "icache", (int)board->icache, "simulated", (int)board->simulated, "hpm_counters", (int)board->hpm_counters,
        "stack_entries", (int)board->stack_entries, "fifo_entries", (int)board->fifo_entries, "records",
        (int)board->records, "arcs", (int)board->arcs);
    if (json) {
        json_object_set_new(json, "flash_start", json_integer(board->flash_start));
        json_object_set_new(json, "flash_bytes", json_integer(board->flash_bytes));
        json_object_set_new(json, "user_mode", json_boolean(gnomon_board_has_user(board)));
        json_object_set_new(json, "pmp", json_boolean(gnomon_board_has_pmp(board)));
        json_object_set_new(json, "bucketed_records", json_integer(board->bucketed));
        json_object_set_new(json, "function_numbers", json_integer(board->numbers));
        json_object_set_new(json, "watch", json_integer(board->watch));
        json_object_set_new(json, "watch_values", json_boolean(board->watch_values));
        json_object_set_new(json, "epochs", json_boolean(board->epochs));
        json_object_set_new(json, "record_threads", json_integer(board->threads));
        json_object_set_new(json, "stack_guard", json_boolean(board->stack_guard));
        json_object_set_new(json, "thread_switches", json_boolean(board->switches));
        json_object_set_new(json, "causes", json_boolean(board->causes));
        json_object_set_new(json, "code_window_bytes", json_integer(board->code_window));
        json_object_set_new(json, "tagged_bytes", json_integer(board->tagged));
        json_object_set_new(json, "tag_cache", json_boolean(board->tag_cache));
        json_object_set_new(json, "reduced_tags", json_boolean(board->reduced_tags));
        json_object_set_new(json, "sampler", json_boolean(board->sampler));
        json_object_set_new(json, "losses", json_boolean(board->losses));
    }
    return json;
}
