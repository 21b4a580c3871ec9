/* SPDX-License-Identifier: Apache-2.0 */
/* Adds API profiles, each as often as it is said: what `gnomon merge` makes of so many files. Adding is associative, so
 * a profile that is doubled is as good as one that is added twice.
 *
 * usage: fleet_times OUT.gnp <LINES      each line: TIMES FILE.gnp */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/fleet/api_file.h"

static void check(bool good, const char *what) {
    if (good)
        return;
    fprintf(stderr, "fleet_times: %s\n", what);
    exit(1);
}

static struct gnomon_api_profile *copy(const struct gnomon_api_profile *profile, unsigned times) {
    struct gnomon_api_profile *made = gnomon_api_profile_new();
    check(made, "out of memory");
    for (unsigned i = 0; i < times; i++)
        check(gnomon_api_profile_add(made, profile), "out of memory");
    return made;
}

static void add_times(struct gnomon_api_profile *sum, const char *path, uint64_t times) {
    struct gnomon_api_profile *power = gnomon_api_profile_new();
    struct gnomon_error error;
    bool is_profile;
    check(power && !gnomon_api_file_add(power, path, &is_profile, &error) && is_profile, path);
    for (; times; times >>= 1) {
        if (times & 1)
            check(gnomon_api_profile_add(sum, power), "out of memory");
        struct gnomon_api_profile *doubled = copy(power, 2);
        gnomon_api_profile_free(power);
        power = doubled;
    }
    gnomon_api_profile_free(power);
}

int main(int argc, char **argv) {
    struct gnomon_api_profile *sum = gnomon_api_profile_new();
    struct gnomon_error error;
    char path[4096];
    uint64_t times;
    check(argc == 2 && sum, "usage: fleet_times OUT.gnp <LINES");
    while (scanf("%" SCNu64 " %4095s", &times, path) == 2)
        add_times(sum, path, times);
    check(!gnomon_api_file_save(sum, argv[1], &error), error.what);
    gnomon_api_profile_free(sum);
    return 0;
}
