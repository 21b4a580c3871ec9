/* SPDX-License-Identifier: Apache-2.0 */
/* Counts loads and mispredictions of a program, and the cycles of one of its functions.
 *     cc -o count count.c -lgnomon && ./count sim:full ./hello main */
#include <libgnomon.h>
#include <stdio.h>

static void show(void *context, const uint8_t *data, size_t size) {
    (void)context;
    fwrite(data, 1, size, stderr);
}

static int give_up(const struct libgnomon_error *error) {
    fprintf(stderr, "%s\n%s\n", error->what, error->remedy);
    return 1;
}

int main(int argc, char **argv) {
    struct libgnomon_device *device;
    struct libgnomon_error error;
    struct libgnomon_run run = {.console = show};
    struct libgnomon_range range;
    uint32_t base, limit;
    uint64_t loads, missed;
    if (argc < 4 || libgnomon_abi() != LIBGNOMON_ABI) {
        fprintf(stderr, "usage: count DEVICE ELF FUNCTION [ARG...]\n");
        return 2;
    }
    const char *arguments[64] = {argv[2]};
    int count = 1;
    for (; count < 64 && count + 3 < argc; count++)
        arguments[count] = argv[count + 3];
    if (libgnomon_find(argv[2], argv[3], false, &base, &limit, &error) ||
        libgnomon_open(argv[1], NULL, &device, &error))
        return give_up(&error);
    int failed = libgnomon_load(device, argv[2], count, arguments, &error) ||
                 libgnomon_count(device, 0, "loads", &error) || libgnomon_count(device, 1, "mispredictions", &error) ||
                 libgnomon_range(device, 0, base, limit, &error) || libgnomon_run(device, &run, &error) ||
                 libgnomon_counter(device, 0, &loads, &error) || libgnomon_counter(device, 1, &missed, &error) ||
                 libgnomon_range_read(device, 0, &range, &error);
    libgnomon_close(device);
    if (failed)
        return give_up(&error);
    printf("cycles %llu\ninstructions %llu\nloads %llu\nmispredictions %llu\n%s %llu\n", (unsigned long long)run.cycles,
           (unsigned long long)run.instructions, (unsigned long long)loads, (unsigned long long)missed, argv[3],
           (unsigned long long)range.cycles);
    return 0;
}
