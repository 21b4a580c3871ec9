/* SPDX-License-Identifier: Apache-2.0 */
/* Serves the data of a recording. */
#include <inttypes.h>
#include <pthread.h>
#include <string.h>
#include <time.h>

#include "cli/interrupt.h"
#include "cli/ui/ui.h"

struct recording {
    struct gnomon_ui *ui;
    pthread_mutex_t lock; /* files of the whole recording are made one at a time */
};

/* Without tiles: the page asks for them one by one. */
static enum gnomon_status write_timeline(struct gnomon_ui *ui, FILE *stream, struct gnomon_error *error) {
    return gnomon_ui_write_timeline(ui, 0, stream, error);
}

static const struct data {
    const char *path;
    enum gnomon_status (*write)(struct gnomon_ui *ui, FILE *stream, struct gnomon_error *error);
} data[] = {
    {"/profile.js", gnomon_ui_write_profile},
    {"/calls.js", gnomon_ui_write_calls},
    {"/sources.js", gnomon_ui_write_sources},
    {"/timeline.js", write_timeline},
};

static bool get_tile(const char *path, unsigned *level, uint64_t *index) {
    char ending[4] = "";
    int length = 0;
    return sscanf(path, "/tile-%2u-%" SCNu64 "%3s%n", level, index, ending, &length) == 3 && !strcmp(ending, ".js") &&
           !path[length];
}

/* False: there is no such data. */
static bool write_data(void *context, const char *path, FILE *stream, enum gnomon_status *status,
                       struct gnomon_error *error) {
    struct recording *recording = context;
    unsigned level;
    uint64_t index;
    if (get_tile(path, &level, &index))
        return gnomon_ui_write_tile(recording->ui, level, index, stream);
    for (size_t i = 0; i < sizeof data / sizeof *data; i++) {
        if (strcmp(path, data[i].path) != 0)
            continue;
        pthread_mutex_lock(&recording->lock);
        *status = data[i].write(recording->ui, stream, error);
        pthread_mutex_unlock(&recording->lock);
        return true;
    }
    return false;
}

int ui_serve_recording(const struct cli_context *context, struct gnomon_ui *ui, uint64_t port) {
    struct recording recording = {.ui = ui, .lock = PTHREAD_MUTEX_INITIALIZER};
    struct ui_service service = {.write = write_data, .context = &recording};
    struct gnomon_error error;
    if (ui_service_open(&service, port, &error))
        return cli_error(context, &error);
    ui_service_say(&service, ui->export.analysis.path);
    while (!cli_interrupted()) {
        const struct timespec pause = {.tv_nsec = 100000000};
        nanosleep(&pause, NULL);
    }
    gnomon_http_close(service.http);
    return CLI_OK;
}
