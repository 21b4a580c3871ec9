/* SPDX-License-Identifier: Apache-2.0 */
/* Counts loads and mispredictions of a program, and the cycles of one of its functions.
 *     cc -o count count.c -lgnomon && ./count sim:full ./hello main */
#include <libgnomon.h>
#include <stdio.h>

static void show(void *context, const uint8_t *data, size_t size) {
    (void)context;
    fwrite(data, 1, size, stderr);
}

int main(int argc, char **argv) {
    struct libgnomon_device *device = NULL;
    struct libgnomon_error error;
    struct libgnomon_run run = {.console = show};
    struct libgnomon_range range;
    uint32_t base, limit;
    uint64_t loads, missed;
    if (argc < 4 || libgnomon_abi() != LIBGNOMON_ABI)
        return fputs("usage: count DEVICE ELF FUNCTION [ARG...]\n", stderr), 2;
    const char *function = argv[3];
    argv[3] = argv[2]; /* from here on, the program's arguments: its name first */
    int failed = libgnomon_find(argv[2], function, false, &base, &limit, &error) ||
                 libgnomon_open(argv[1], NULL, &device, &error) ||
                 libgnomon_load(device, argv[2], argc - 3, (const char *const *)argv + 3, &error) ||
                 libgnomon_count(device, 0, "loads", &error) || libgnomon_count(device, 1, "mispredictions", &error) ||
                 libgnomon_range(device, 0, base, limit, &error) || libgnomon_run(device, &run, &error) ||
                 libgnomon_counter(device, 0, &loads, &error) || libgnomon_counter(device, 1, &missed, &error) ||
                 libgnomon_range_read(device, 0, &range, &error);
    libgnomon_close(device);
    if (failed)
        return fprintf(stderr, "%s\n%s\n", error.what, error.remedy), 1;
    printf("cycles %llu\ninstructions %llu\nloads %llu\nmispredictions %llu\n%s %llu\n", (unsigned long long)run.cycles,
           (unsigned long long)run.instructions, (unsigned long long)loads, (unsigned long long)missed, function,
           (unsigned long long)range.cycles);
    return 0;
}
