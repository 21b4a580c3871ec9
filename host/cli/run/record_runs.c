/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/run/record_runs.h"

#include <stdlib.h>
#include <unistd.h>

#include "lib/util/series.h"

/* gnomon diff takes all files of a series: one of an earlier, longer series would be among them. */
static enum gnomon_status check_next(const char *path, uint64_t runs, struct gnomon_error *error) {
    char *next = gnomon_series_name(path, runs + 1);
    enum gnomon_status status = next ? GNOMON_OK : gnomon_fail_memory(error);
    if (next && access(next, F_OK) == 0) {
        gnomon_fail(error, GNOMON_ERR_ARGUMENT, "%s is of an earlier series of more runs", next);
        status = gnomon_remedy(error, GNOMON_ERR_ARGUMENT, "remove that series, or name another file with -o");
    }
    free(next);
    return status;
}

int record_runs(struct cli_context *context, uint64_t runs, const char *path,
                int (*once)(struct cli_context *context, const char *path)) {
    struct gnomon_error error;
    int result = CLI_OK;
    if (check_next(path, runs, &error))
        return cli_error(context, &error);
    for (uint64_t i = 1; i <= runs && !result; i++) {
        char *name = gnomon_series_name(path, i);
        if (!name) {
            gnomon_fail_memory(&error);
            return cli_error(context, &error);
        }
        result = once(context, name);
        free(name);
    }
    return result;
}
