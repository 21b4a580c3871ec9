/* SPDX-License-Identifier: Apache-2.0 */
/* Keys of the fleet's tables: the first bits of the SHA-256 of the texts. Texts are long; two that differ have
 * different keys, for 128 bits of it do not collide by chance. */
#ifndef GNOMON_LIB_FLEET_KEY_H
#define GNOMON_LIB_FLEET_KEY_H

#include "lib/fleet/api_profile.h"

struct gnomon_fleet_key {
    int64_t first, second;
};

/* Of program, build, scenario and device. */
struct gnomon_fleet_key gnomon_fleet_source_key(const struct gnomon_api_source *source);
/* Of module, build, function, file and cost, and of the key of its source. */
struct gnomon_fleet_key gnomon_fleet_row_key(const struct gnomon_api_row *row, const struct gnomon_fleet_key *source);

/* The shard that keeps the numbers of this key. */
unsigned gnomon_fleet_shard(const struct gnomon_fleet_key *key, unsigned shards);

#endif
