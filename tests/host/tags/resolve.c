/* SPDX-License-Identifier: Apache-2.0 */
/* Prints the address ranges of WHAT arguments in a program: a line of JSON for each, or its error.
 *
 * usage: resolve ELF <LIST, a WHAT in each line */
#include <jansson.h>
#include <string.h>

#include "lib/tag/tag_plan.h"

static void print(const struct gnomon_tag_list *list, enum gnomon_status status, const struct gnomon_error *error) {
    json_t *json;
    if (status) {
        json = json_pack("{s:s, s:s, s:s}", "status", gnomon_status_name(status), "what", error->what, "remedy",
                         error->remedy);
    } else {
        const struct gnomon_tag_spec *spec = &list->specs[0];
        json_t *ranges = json_array();
        for (size_t i = 0; i < spec->target.count; i++)
            json_array_append_new(ranges, json_pack("[I, I]", (json_int_t)spec->target.ranges[i].start,
                                                    (json_int_t)spec->target.ranges[i].end));
        json = json_pack("{s:b, s:I, s:i, s:o}", "data", (int)spec->target.data, "mode", (json_int_t)spec->mode,
                         "tail_calls", (int)spec->target.tail_calls, "ranges", ranges);
    }
    json_dumpf(json, stdout, JSON_COMPACT);
    putchar('\n');
    json_decref(json);
}

int main(int argc, char **argv) {
    struct gnomon_tag_program program;
    struct gnomon_error error;
    char line[1024];
    if (argc != 2 || gnomon_tag_program_open(&program, argv[1], &error)) {
        fprintf(stderr, "resolve: %s\n", argc == 2 ? error.what : "usage: resolve ELF <LIST");
        return 2;
    }
    while (fgets(line, sizeof line, stdin)) {
        struct gnomon_tag_list list = {0};
        line[strcspn(line, "\n")] = '\0';
        print(&list, gnomon_tag_list_add(&list, &program, line, &error), &error);
        gnomon_tag_list_free(&list);
    }
    gnomon_tag_program_close(&program);
    return 0;
}
