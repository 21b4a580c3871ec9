/* SPDX-License-Identifier: Apache-2.0 */
/* gnomon ui of API profiles. */
#include <sys/stat.h>

#include "cli/interrupt.h"
#include "cli/ui/ui.h"
#include "lib/fleet/api_file.h"

bool ui_is_api(const char *path) {
    uint8_t bytes[16];
    struct stat status;
    FILE *file = !stat(path, &status) && S_ISREG(status.st_mode) ? fopen(path, "rb") : NULL; /* a pipe is read once */
    const size_t size = file ? fread(bytes, 1, sizeof bytes, file) : 0;
    if (file)
        fclose(file);
    return gnomon_api_file_is(bytes, size);
}

static enum gnomon_status write_summary(void *api, FILE *stream, struct gnomon_error *error) {
    return gnomon_ui_api_write_summary(api, stream, error);
}

static enum gnomon_status write_profiles(void *api, FILE *stream, struct gnomon_error *error) {
    return gnomon_ui_api_write(api, stream, error);
}

int ui_show_api(const struct cli_context *context, struct gnomon_ui_api *api, const char *directory, uint64_t port) {
    static const struct ui_file files[] = {{"profile.js", write_summary}, {"api.js", write_profiles}, {0}};
    struct gnomon_error error;
    if (gnomon_ui_api_read(api, &error))
        return cli_error(context, &error);
    cli_watch_interrupts(false); /* until now Ctrl-C ends the command at once */
    return directory ? ui_export(context, directory, files, api)
                     : ui_serve_files(context, api->path, port, files, NULL, api);
}
