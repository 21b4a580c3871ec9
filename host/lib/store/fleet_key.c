/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/store/fleet_key.h"

#include <nettle/sha2.h>
#include <string.h>

#include "lib/util/bytes.h"

/* The 0 at the end of each text is hashed, too, so that no two lists of texts are the same bytes. */
static void add(struct sha256_ctx *hash, const char *text) {
    sha256_update(hash, strlen(text) + 1, (const uint8_t *)text);
}

static void add_number(struct sha256_ctx *hash, uint64_t number) {
    uint8_t bytes[8];
    gnomon_put_little(bytes, sizeof bytes, number);
    sha256_update(hash, sizeof bytes, bytes);
}

static struct gnomon_fleet_key key_of(struct sha256_ctx *hash) {
    uint8_t bytes[16];
    sha256_digest(hash, sizeof bytes, bytes);
    return (struct gnomon_fleet_key){(int64_t)gnomon_little(bytes, 8), (int64_t)gnomon_little(bytes + 8, 8)};
}

struct gnomon_fleet_key gnomon_fleet_source_key(const struct gnomon_api_source *source) {
    struct sha256_ctx hash;
    sha256_init(&hash);
    add(&hash, source->program);
    add(&hash, source->build);
    add(&hash, source->scenario);
    add(&hash, source->device);
    return key_of(&hash);
}

struct gnomon_fleet_key gnomon_fleet_row_key(const struct gnomon_api_row *row, const struct gnomon_fleet_key *source) {
    struct sha256_ctx hash;
    sha256_init(&hash);
    add_number(&hash, (uint64_t)source->first);
    add_number(&hash, (uint64_t)source->second);
    add(&hash, row->module);
    add(&hash, row->build);
    add(&hash, row->function);
    add(&hash, row->file);
    add(&hash, row->cost);
    return key_of(&hash);
}

unsigned gnomon_fleet_shard(const struct gnomon_fleet_key *key, unsigned shards) {
    return (unsigned)((uint64_t)key->first % shards);
}
