/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a random API profile: what a collector could submit. Functions are those of a few programs, some much more often
 * than others, so that submissions meet in rows. With `large`, numbers come near their largest values.
 *
 * usage: fleet_random SEED ROWS FUNCTIONS small|large FILE.gnp */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/fleet/api_file.h"

static uint64_t state;

static uint64_t draw(uint64_t below) {
    uint64_t mixed = state += UINT64_C(0x9E3779B97F4A7C15);
    mixed = (mixed ^ mixed >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    mixed = (mixed ^ mixed >> 27) * UINT64_C(0x94D049BB133111EB);
    mixed ^= mixed >> 31;
    return below ? mixed % below : mixed;
}

static struct gnomon_api_source *source(struct gnomon_api_profile *profile) {
    static const char *const programs[] = {"image.elf", "zlib.elf", "caf\xC3\xA9'; drop table gnomon_row; --"},
                             *const builds[] = {"00ff", "a1b2c3d4", ""}, *const scenarios[] = {"collected", "large \"input\""},
                             *const devices[] = {"full", "sim:full"};
    const struct gnomon_api_source wanted = {.program = programs[draw(3)],
                                             .build = builds[draw(3)],
                                             .scenario = scenarios[draw(2)],
                                             .device = devices[draw(2)]};
    struct gnomon_api_source *made = gnomon_api_profile_source(profile, &wanted);
    gnomon_api_source_add(made, 1 + draw(3), draw(UINT64_C(1) << 40));
    return made;
}

static void fill(struct gnomon_api_row *row, bool large) {
    const struct gnomon_api_row rest = {.line = (unsigned)draw(4) ? 10 + (unsigned)draw(1000) : 0,
                                        .doubt = draw(4) ? 0 : 1u << draw(4),
                                        .lost = draw(3) ? 0 : draw(large ? 0 : 1000),
                                        .least = draw(5) ? draw(1000) : UINT64_MAX,
                                        .most = draw(5) ? draw(0) >> draw(60) : 0};
    gnomon_api_row_join(row, &rest);
    const unsigned first = (unsigned)draw(28), count = 1 + (unsigned)draw(4);
    for (unsigned i = 0; i < count; i++) {
        struct gnomon_bucket bucket = {1 + draw(100), draw(UINT64_C(1) << 40), draw(0)};
        if (large && !draw(3))
            bucket = (struct gnomon_bucket){draw(0) >> draw(8) | 1, draw(0), (gnomon_uint128)draw(0) << 64 | draw(0)};
        gnomon_api_row_add(row, first + i, &bucket);
    }
}

int main(int argc, char **argv) {
    struct gnomon_api_profile *profile = gnomon_api_profile_new();
    struct gnomon_error error;
    if (argc != 6 || !profile)
        return 2;
    state = strtoull(argv[1], NULL, 0);
    const uint64_t rows = strtoull(argv[2], NULL, 0), functions = strtoull(argv[3], NULL, 0);
    struct gnomon_api_source *from = source(profile);
    for (uint64_t i = 0; i < rows; i++) {
        char function[64];
        if (!draw(64))
            from = source(profile);
        snprintf(function, sizeof function, "function_%u", (unsigned)draw(1 + draw(functions)));
        const struct gnomon_api_row wanted = {.source = from,
                                              .cost = draw(4) ? GNOMON_API_CYCLES : GNOMON_API_OWN_BYTES,
                                              .module = from->program,
                                              .build = from->build,
                                              .function = function,
                                              .file = draw(3) ? "src/file.c" : ""};
        fill(gnomon_api_profile_row(profile, &wanted), !strcmp(argv[4], "large"));
    }
    const enum gnomon_status status = gnomon_api_file_save(profile, argv[5], &error);
    if (status)
        fprintf(stderr, "%s\n", error.what);
    gnomon_api_profile_free(profile);
    return status ? 1 : 0;
}
