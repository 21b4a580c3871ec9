/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/util/series.h"

#include <stdio.h>
#include <string.h>

char *gnomon_series_name(const char *path, unsigned long number) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
    const char *end = dot && dot != name ? dot : name + strlen(name);
    char *made;
    return asprintf(&made, "%.*s.%lu%s", (int)(end - path), path, number, end) < 0 ? NULL : made;
}
