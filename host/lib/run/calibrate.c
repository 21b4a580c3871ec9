/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/run/calibrate.h"

#include <stdio.h>
#include <string.h>

#include "gnomon/registers.h"
#include "lib/trace/gnt.h"
#include "lib/util/clock.h"

#define CARRY_CYCLES (1u << 20) /* before the carry: the device reads the high half after the low half */

enum gnomon_status gnomon_calibrate_check(const struct gnomon_board *board, struct gnomon_error *error) {
    if (!board->simulated)
        return GNOMON_OK;
    gnomon_fail(error, GNOMON_ERR_UNSUPPORTED,
                "%s is simulated: its time passes only while it works for the host, so its clock has no rate",
                board->address);
    return gnomon_remedy(error, GNOMON_ERR_UNSUPPORTED, "give a real board");
}

enum gnomon_status gnomon_calibrate_begin(struct gnomon_device *device, bool *started, struct gnomon_error *error) {
    uint32_t control = 0;
    enum gnomon_status status = gnomon_device_get(device, GNOMON_SYSCTL_CONTROL, &control, error);
    *started = false;
    if (status || !(control & GNOMON_SYSCTL_CONTROL_HART_RESET))
        return status;
    status = gnomon_device_set(device, GNOMON_SYSCTL_CONTROL, GNOMON_SYSCTL_CONTROL_HALT, error);
    *started = !status;
    return status;
}

enum gnomon_status gnomon_calibrate_sample(struct gnomon_device *device, struct gnomon_clock_samples *samples,
                                           struct gnomon_error *error) {
    uint32_t words[2] = {0};
    struct gnomon_clock_sample sample = {.before = gnomon_now_raw_ns()};
    enum gnomon_status status = gnomon_device_read(device, GNOMON_SYSCTL_CYCLE_LO, words, 2, error);
    sample.after = gnomon_now_raw_ns();
    sample.cycle = (uint64_t)words[1] << 32 | words[0];
    if (!status && sample.cycle && words[0] <= UINT32_MAX - CARRY_CYCLES)
        gnomon_clock_samples_add(samples, &sample);
    return status;
}

enum gnomon_status gnomon_calibrate_end(struct gnomon_device *device, bool started, struct gnomon_error *error) {
    return started ? gnomon_device_set(device, GNOMON_SYSCTL_CONTROL, GNOMON_SYSCTL_CONTROL_HART_RESET, error)
                   : GNOMON_OK;
}

json_t *gnomon_calibrate_json(const struct gnomon_clock_fit *fit) {
    char boot[GNOMON_BOOT_BYTES] = "";
    FILE *file = fopen("/proc/sys/kernel/random/boot_id", "r");
    if (file && !fgets(boot, sizeof boot, file))
        *boot = 0;
    if (file)
        fclose(file);
    boot[strcspn(boot, "\n")] = 0;
    json_t *json = gnomon_clock_fit_json(fit);
    if (json)
        json_object_set_new(json, "boot", json_string(boot));
    return json;
}

static enum gnomon_status parse(const char *path, const json_t *json, struct gnomon_recorded_clock *clock,
                                struct gnomon_error *error) {
    if (!json) {
        gnomon_fail(error, GNOMON_ERR_NOT_FOUND, "%s has no host times of its cycles", path);
        return gnomon_remedy(error, GNOMON_ERR_NOT_FOUND, "record again with gnomon record --calibrate");
    }
    const char *boot = json_string_value(json_object_get(json, "boot"));
    snprintf(clock->boot, sizeof clock->boot, "%s", boot ? boot : "");
    return gnomon_clock_fit_parse(json, &clock->fit)
               ? GNOMON_OK
               : gnomon_fail(error, GNOMON_ERR_FORMAT, "the host times of the cycles in %s are damaged", path);
}

enum gnomon_status gnomon_calibrate_load(const char *path, struct gnomon_recorded_clock *clock,
                                         struct gnomon_error *error) {
    struct gnomon_gnt_reader *reader;
    const uint8_t *frame;
    enum gnomon_status status = gnomon_gnt_open(&reader, path, error);
    if (status)
        return status;
    do
        status = gnomon_gnt_next(reader, &frame, error);
    while (!status && frame);
    clock->clock_hz = (uint32_t)gnomon_gnt_count(gnomon_gnt_header(reader), "clock_hz");
    if (!status)
        status = parse(path, json_object_get(gnomon_gnt_trailer(reader), "clock"), clock, error);
    gnomon_gnt_close(reader);
    return status;
}
