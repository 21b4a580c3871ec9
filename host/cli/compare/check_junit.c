/* SPDX-License-Identifier: Apache-2.0 */
/* The result of gnomon check as JUnit's XML, which build servers read: a test case for each limit and function. */
#include <string.h>

#include "cli/compare/check.h"
#include "cli/print_names.h"
#include "lib/util/output.h"

/* Text in an attribute or an element. Characters that XML does not allow become "?", so do bytes that are no UTF-8. */
static void put_text(FILE *stream, const char *text) {
    static const struct {
        char character;
        const char *entity;
    } entities[] = {{'<', "&lt;"}, {'>', "&gt;"}, {'&', "&amp;"}, {'"', "&quot;"}, {'\'', "&apos;"}};
    char clean[CLI_CLEAN_BYTES];
    json_t *utf8 = json_string(text);
    for (const char *at = cli_clean(clean, text); *at; at++) {
        const char *entity = NULL;
        for (size_t i = 0; i < sizeof entities / sizeof *entities; i++)
            if (entities[i].character == *at)
                entity = entities[i].entity;
        if (entity)
            fputs(entity, stream);
        else
            fputc(utf8 || (unsigned char)*at < 0x80 ? *at : '?', stream);
    }
    json_decref(utf8);
}

static void put_case(FILE *stream, const struct check *check, const struct gnomon_judgement *judgement,
                     const char *program) {
    char text[CHECK_TEXT_BYTES];
    fputs("    <testcase classname=\"", stream);
    put_text(stream, program);
    fprintf(stream, "\" name=\"%s ", gnomon_limit_option(judgement->limit->kind));
    put_text(stream, judgement->limit->text);
    if (judgement->name) {
        fputs(": ", stream);
        put_text(stream, judgement->name);
    }
    fputs("\" time=\"0\">\n", stream);
    if (check_fails(check, judgement)) {
        fprintf(stream, "      <failure type=\"%s\" message=\"", check_verdict(judgement));
        put_text(stream, check_name(judgement));
        fprintf(stream, ": %s: ", check_figure(judgement));
        put_text(stream, check_text(text, check, judgement));
        fputs("\"/>\n", stream);
    }
    fputs("    </testcase>\n", stream);
}

enum gnomon_status check_junit(const struct check *check, const char *path, struct gnomon_error *error) {
    struct gnomon_output output;
    enum gnomon_status status = gnomon_output_open(&output, path, NULL, NULL, error);
    const char *program = cli_basename(gnomon_symbols_path(check->now.figures[0].analysis.symbols));
    if (status)
        return status;
    FILE *stream = output.streams[0];
    fprintf(stream,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites tests=\"%zu\" failures=\"%zu\" errors=\"0\" "
            "time=\"0\">\n  <testsuite name=\"gnomon check\" tests=\"%zu\" failures=\"%zu\" errors=\"0\" "
            "skipped=\"0\" time=\"0\">\n",
            check->count, check->failed, check->count, check->failed);
    for (size_t i = 0; i < check->count; i++)
        put_case(stream, check, &check->judgements[i], program);
    fputs("  </testsuite>\n</testsuites>\n", stream);
    return gnomon_output_close(&output, true, error);
}
