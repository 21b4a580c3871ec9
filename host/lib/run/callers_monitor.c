/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/run/callers_monitor.h"

#include "lib/device/pmu.h"
#include "lib/elf/address_range.h"

enum gnomon_status gnomon_monitor_find(const struct gnomon_board *board, const char *path, const char *name,
                                       uint32_t bytes, uint32_t *address, struct gnomon_error *error) {
    struct gnomon_address_range range;
    enum gnomon_status status = gnomon_address_range_find(path, name, GNOMON_ADDRESS_RANGE_VARIABLE, &range, error);
    if (status && status != GNOMON_ERR_NOT_FOUND)
        return status;
    if (status || range.end - range.start < bytes || !gnomon_board_holds(board, range.start, bytes)) {
        gnomon_fail(error, GNOMON_ERR_UNSUPPORTED, "%s has no monitor", path);
        return gnomon_remedy(error, GNOMON_ERR_UNSUPPORTED, "compile and link it with gnomon cc --gnomon-monitor");
    }
    *address = range.start;
    return GNOMON_OK;
}

enum gnomon_status gnomon_callers_ask(struct gnomon_device *device, const struct gnomon_board *board, const char *path,
                                      const struct gnomon_monitor_request *request, struct gnomon_error *error) {
    struct gnomon_monitor_request asked = *request;
    struct gnomon_pmu pmu;
    uint32_t address = 0;
    asked.magic = GNOMON_MONITOR_MAGIC;
    asked.version = GNOMON_MONITOR_VERSION;
    enum gnomon_status status =
        gnomon_monitor_find(board, path, "__gnomon_monitor_request", sizeof asked, &address, error);
    if (!status)
        status = gnomon_pmu_open(&pmu, device, board, error);
    if (!status && (pmu.counters < 3 || pmu.ranges < 2))
        status = gnomon_fail(error, GNOMON_ERR_UNSUPPORTED, "%s has too few counters to find callers", board->address);
    return status ? status : gnomon_device_write_bytes(device, address, &asked, sizeof asked, error);
}

enum gnomon_status gnomon_callers_read(struct gnomon_device *device, const struct gnomon_board *board, const char *path,
                                       struct gnomon_monitor_results *results, struct gnomon_error *error) {
    uint32_t address = 0;
    enum gnomon_status status =
        gnomon_monitor_find(board, path, "__gnomon_monitor_results", sizeof *results, &address, error);
    if (!status)
        status = gnomon_device_read_bytes(device, address, results, sizeof *results, error);
    if (!status && (results->magic != GNOMON_MONITOR_MAGIC || results->version != GNOMON_MONITOR_VERSION ||
                    results->count > GNOMON_MONITOR_CALLERS))
        return gnomon_fail(error, GNOMON_ERR_PROTOCOL, "the monitor in %s has left no results", path);
    return status;
}
