/* SPDX-License-Identifier: Apache-2.0 */
/* From headers and libraries to a program: the compiler lists what the headers declare, the libraries say what they
 * define, and the debug information of a first program has the parameters. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/api/api_command.h"
#include "cli/api/exhaust.h"
#include "cli/interrupt.h"
#include "lib/elf/declared.h"
#include "lib/elf/library.h"
#include "lib/util/file.h"

/* ---- The compiler ---- */

static void common_words(const struct exhaust *exhaust, struct api_words *words) {
    const struct api_values *values = exhaust->context->values;
    static const char *const always[] = {"gnomon", "cc", "--gnomon-off", "-O1", "-g", "-w", "-I."};
    for (size_t i = 0; i < sizeof always / sizeof *always; i++)
        api_words_add(words, always[i]);
    for (size_t i = 0; i < values->includes.count; i++) {
        char *word = NULL;
        api_words_take(words, asprintf(&word, "-I%s", values->includes.items[i]) < 0 ? NULL : word);
    }
    for (size_t i = 0; i < values->compiler.count; i++)
        api_words_add(words, values->compiler.items[i]);
    char *word = NULL; /* the program does not depend on the profile's name */
    api_words_take(words, asprintf(&word, "-ffile-prefix-map=%s=exhaust", exhaust->folder) < 0 ? NULL : word);
}

static void library_words(const struct exhaust *exhaust, struct api_words *words) {
    for (int i = 1; i < exhaust->context->argc; i++)
        api_words_add(words, exhaust->context->argv[i]);
}

/* Waits for the compiler; Ctrl-C reaches it, too. */
static enum gnomon_status compile(const struct exhaust *exhaust, struct api_words *words, struct gnomon_error *error) {
    char *said = exhaust_file(exhaust, "compiler"), text[400];
    enum gnomon_status status = said && !words->failed ? GNOMON_OK : gnomon_fail_memory(error);
    pid_t child = 0;
    int how = 0;
    if (!status && (errno = api_command_start(&child, words, NULL, "/dev/null", said)))
        status = gnomon_fail_errno(error, GNOMON_ERR_SYSTEM, "cannot start gnomon cc");
    if (!status && waitpid(child, &how, 0) == child && how) {
        if (cli_interrupted()) {
            status = gnomon_fail(error, GNOMON_ERR_INTERRUPTED, "interrupted while the program was made");
        } else {
            api_command_said(text, sizeof text, said);
            gnomon_fail(error, GNOMON_ERR_SYSTEM, "gnomon cc cannot make the program: %s", text);
            status = gnomon_remedy(error, GNOMON_ERR_SYSTEM,
                                   "-I names folders of headers, further libraries follow the first one, --cc OPTION "
                                   "is for the compiler; all messages are in %s",
                                   said);
        }
    }
    free(said);
    api_words_free(words);
    return status;
}

/* ---- What is declared ---- */

static void include_headers(const struct exhaust *exhaust, FILE *stream) {
    for (size_t i = 0; i < exhaust->project.headers.count; i++)
        fprintf(stream, "#include <%s>\n", exhaust->project.headers.items[i]);
}

/* Writes a file from `put`. */
static enum gnomon_status write_source(const struct exhaust *exhaust, const char *path,
                                       void (*put)(const struct exhaust *exhaust, FILE *stream),
                                       struct gnomon_error *error) {
    FILE *stream = path ? fopen(path, "we") : NULL;
    if (!path)
        return gnomon_fail_memory(error);
    if (!stream)
        return gnomon_fail_errno(error, GNOMON_ERR_SYSTEM, "cannot write %s", path);
    put(exhaust, stream);
    const bool good = !ferror(stream);
    return fclose(stream) == 0 && good ? GNOMON_OK
                                       : gnomon_fail_errno(error, GNOMON_ERR_SYSTEM, "cannot write %s", path);
}

/* The name that a declaration in GCC's list declares: the first one before a parenthesis that is not of a pointer. Ends
 * it with a 0; NULL: there is none. */
static char *declared_name(char *text) {
    for (char *at = text; (at = strchr(at, '(')); at++) {
        char *end = at;
        while (end > text && end[-1] == ' ')
            end--;
        char *start = end;
        while (start > text && (isalnum((unsigned char)start[-1]) || start[-1] == '_'))
            start--;
        if (start < end && at[1] != '*') {
            *end = '\0';
            return start;
        }
    }
    return NULL;
}

/* A line is: slash, star, PATH:LINE:NC, star, slash, extern TYPE NAME (TYPES); */
static bool take_line(struct exhaust *exhaust, char *line) {
    char *end = strstr(line, " */ extern "), *path = line + 3;
    if (strncmp(line, "/* ", 3) != 0 || !end)
        return true;
    *end = '\0';
    for (int colons = 0; colons < 2 && strrchr(path, ':'); colons++)
        *strrchr(path, ':') = '\0';
    bool from = false;
    for (size_t i = 0; i < exhaust->project.headers.count; i++)
        from |= gnomon_ends_path(path, exhaust->project.headers.items[i]);
    const char *name = from ? declared_name(end + strlen(" */ extern ")) : NULL;
    return !name || gnomon_name_set_add(&exhaust->declared, name);
}

static enum gnomon_status read_list(struct exhaust *exhaust, const char *path, struct gnomon_error *error) {
    FILE *file = fopen(path, "re");
    char *line = NULL;
    size_t room = 0;
    bool good = true;
    if (!file)
        return gnomon_fail_errno(error, GNOMON_ERR_SYSTEM, "cannot read %s", path);
    while (good && getline(&line, &room, file) > 0)
        good = take_line(exhaust, line);
    free(line);
    fclose(file);
    gnomon_name_set_sort(&exhaust->declared);
    if (!good)
        return gnomon_fail_memory(error);
    if (exhaust->declared.count)
        return GNOMON_OK;
    gnomon_fail(error, GNOMON_ERR_NOT_FOUND, "%s declares no function", exhaust->project.headers.items[0]);
    return gnomon_remedy(error, GNOMON_ERR_NOT_FOUND,
                         "name the header with --header as the library's users include it");
}

static enum gnomon_status list_declared(struct exhaust *exhaust, struct gnomon_error *error) {
    char *source = exhaust_file(exhaust, "headers.c"), *list = exhaust_file(exhaust, "headers.txt"),
         *object = exhaust_file(exhaust, "headers.o");
    struct api_words words = {0};
    enum gnomon_status status =
        list && object ? write_source(exhaust, source, include_headers, error) : gnomon_fail_memory(error);
    if (!status) {
        common_words(exhaust, &words);
        const char *const more[] = {"-c", "-aux-info", list, "-o", object, source};
        for (size_t i = 0; i < sizeof more / sizeof *more; i++)
            api_words_add(&words, more[i]);
        status = compile(exhaust, &words, error);
    }
    if (!status)
        status = read_list(exhaust, list, error);
    free(source);
    free(list);
    free(object);
    return status;
}

/* ---- What the library has ---- */

static bool is_wanted(const struct exhaust *exhaust, const char *name) {
    const struct api_values *values = exhaust->context->values;
    return api_wants(values, name, name);
}

/* Names every function, so that their declarations are in the debug information. */
static void name_functions(const struct exhaust *exhaust, FILE *stream) {
    include_headers(exhaust, stream);
    fprintf(stream, "void *const gnomon_functions[] = {\n");
    for (size_t i = 0; i < exhaust->declared.count; i++)
        if (is_wanted(exhaust, exhaust->declared.names[i]) &&
            gnomon_name_set_has(&exhaust->defined, exhaust->declared.names[i]))
            fprintf(stream, "    (void *)(%s),\n", exhaust->declared.names[i]);
    fprintf(stream, "    0};\nint main(int argc, char **argv) { return gnomon_functions[argc] == (void *)argv; }\n");
}

static enum gnomon_status link_with(const struct exhaust *exhaust, const char *source, const char *program,
                                    struct gnomon_error *error) {
    struct api_words words = {0};
    common_words(exhaust, &words);
    api_words_add(&words, "-o");
    api_words_add(&words, program);
    api_words_add(&words, source);
    library_words(exhaust, &words);
    return compile(exhaust, &words, error);
}

static enum gnomon_status read_prototypes(struct exhaust *exhaust, struct gnomon_error *error) {
    char *source = exhaust_file(exhaust, "functions.c"), *program = exhaust_file(exhaust, "functions.elf");
    enum gnomon_status status =
        program ? write_source(exhaust, source, name_functions, error) : gnomon_fail_memory(error);
    if (!status)
        status = link_with(exhaust, source, program, error);
    if (!status)
        status = gnomon_prototypes_read(&exhaust->prototypes, program, exhaust->project.headers.items,
                                        exhaust->project.headers.count, error);
    free(source);
    free(program);
    return status;
}

static enum gnomon_status list_functions(struct exhaust *exhaust, struct gnomon_error *error) {
    exhaust->functions = calloc(exhaust->declared.count + 1, sizeof *exhaust->functions);
    if (!exhaust->functions)
        return gnomon_fail_memory(error);
    for (size_t i = 0; i < exhaust->declared.count; i++) {
        const char *name = exhaust->declared.names[i];
        if (is_wanted(exhaust, name))
            exhaust->functions[exhaust->function_count++] =
                (struct exhaust_function){.name = name,
                                          .prototype = gnomon_prototypes_find(&exhaust->prototypes, name),
                                          .recipe = exhaust_recipe_of(&exhaust->recipes, name)};
    }
    for (size_t i = 0; i < exhaust->recipes.count; i++)
        if (!gnomon_name_set_has(&exhaust->declared, exhaust->recipes.list[i].function))
            return gnomon_fail(error, GNOMON_ERR_NOT_FOUND, "the recipe of %s: no header declares it",
                               exhaust->recipes.list[i].function);
    return exhaust->function_count ? GNOMON_OK
                                   : gnomon_fail(error, GNOMON_ERR_NOT_FOUND, "no function has a name of --function");
}

/* The program is named after the library: "libz.elf". */
static char *program_name(const struct exhaust *exhaust) {
    const char *library = gnomon_basename(exhaust->context->argv[1]), *dot = strrchr(library, '.');
    char *name = NULL, *path = NULL;
    const int length = (int)(dot && dot != library ? (size_t)(dot - library) : strlen(library));
    if (asprintf(&name, "%.*s.elf", length, library) >= 0)
        path = exhaust_file(exhaust, name);
    free(name);
    return path;
}

enum gnomon_status exhaust_build(struct exhaust *exhaust, struct gnomon_error *error) {
    enum gnomon_status status = GNOMON_OK;
    for (int i = 1; i < exhaust->context->argc && !status; i++)
        status = gnomon_library_functions(&exhaust->defined, exhaust->context->argv[i], error);
    gnomon_name_set_sort(&exhaust->defined);
    if (!status)
        status = list_declared(exhaust, error);
    if (!status)
        status = read_prototypes(exhaust, error);
    if (!status)
        status = list_functions(exhaust, error);
    char *source = exhaust_file(exhaust, "calls.c");
    exhaust->project.program = program_name(exhaust);
    if (!status && (!source || !exhaust->project.program))
        status = gnomon_fail_memory(error);
    if (!status)
        status = exhaust_write_program(exhaust, source, error);
    if (!status)
        status = link_with(exhaust, source, exhaust->project.program, error);
    free(source);
    return status;
}
