/* SPDX-License-Identifier: Apache-2.0 */
/* The program that calls the functions: its source in C. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/api/exhaust.h"
#include "gnomon/exhaust_runtime_h.h"

/* ---- Arguments ---- */

static bool points_to_memory(const struct gnomon_parameter *parameter) {
    return parameter->kind == GNOMON_PARAMETER_BYTES || parameter->kind == GNOMON_PARAMETER_INTEGERS;
}

/* Is it the name of a length? */
static bool names_length(const char *name) {
    static const char *const parts[] = {"len", "size", "count", "bytes", "Len", "Size", "Count", "Bytes"};
    static const char *const names[] = {"n", "cb", "sz", "num", "nmemb"};
    bool length = false;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        length |= strstr(name, parts[i]) != NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        length |= !strcmp(name, names[i]);
    return length;
}

/* The place of the memory whose length the parameter is; `count`: it is no length. Without names, it is the one just
 * before it. */
static size_t memory_of(const struct gnomon_prototype *prototype, size_t at) {
    const struct gnomon_parameter *parameter = &prototype->parameters[at];
    if (parameter->kind != GNOMON_PARAMETER_INTEGER)
        return prototype->count;
    for (size_t i = at; i-- > 0;)
        if (points_to_memory(&prototype->parameters[i]))
            return parameter->name ? names_length(parameter->name) ? i : prototype->count
                   : i + 1 == at   ? i
                                   : prototype->count;
    return prototype->count;
}

/* Integers with a length are an array; one without is a number that is read or written. */
static bool is_array(const struct gnomon_prototype *prototype, size_t at) {
    for (size_t i = at + 1; i < prototype->count; i++)
        if (memory_of(prototype, i) == at)
            return true;
    return prototype->parameters[at].kind == GNOMON_PARAMETER_BYTES;
}

/* A number after bytes says how many they are. */
static bool follows_bytes(const struct gnomon_prototype *prototype, size_t at) {
    return at > 0 && prototype->parameters[at - 1].kind == GNOMON_PARAMETER_BYTES;
}

/* If a function reads other bytes, memory that is not constant is for its result. */
static bool reads_bytes(const struct gnomon_prototype *prototype) {
    bool reads = false;
    for (size_t i = 0; i < prototype->count; i++)
        reads |= prototype->parameters[i].constant && prototype->parameters[i].kind == GNOMON_PARAMETER_BYTES;
    return reads;
}

/* How long the memory at `at` is said to be, in C. */
static const char *length_of(const struct gnomon_prototype *prototype, size_t at) {
    return !prototype->parameters[at].constant && reads_bytes(prototype) ? "exhaust_room()" : "exhaust_size";
}

static void put_argument(const struct gnomon_prototype *prototype, size_t at, FILE *stream) {
    const struct gnomon_parameter *parameter = &prototype->parameters[at];
    const size_t memory = memory_of(prototype, at);
    char name[40];
    snprintf(name, sizeof name, "argument %zu", at + 1);
    const char *shown = parameter->name ? parameter->name : name;
    fprintf(stream, "    ");
    if (memory < prototype->count) {
        const uint32_t size = prototype->parameters[memory].size;
        fprintf(stream, "const size_t p%zu = %s / %u;\n", at, length_of(prototype, memory), size ? size : 1);
    } else if (parameter->kind == GNOMON_PARAMETER_INTEGER) {
        fprintf(stream, "const long p%zu = value;\n", at);
    } else if (parameter->kind == GNOMON_PARAMETER_REAL) {
        fprintf(stream, "const double p%zu = value;\n", at);
    } else if (parameter->kind == GNOMON_PARAMETER_OBJECT) {
        fprintf(stream, "void *const p%zu = exhaust_memory(\"%s\", %u);\n", at, shown, (unsigned)parameter->size);
    } else if (is_array(prototype, at)) {
        fprintf(stream, "void *const p%zu = exhaust_%s(\"%s\");\n", at, parameter->constant ? "input" : "output",
                shown);
    } else {
        fprintf(stream, "void *const p%zu = exhaust_number(\"%s\", %u, %s);\n", at, shown, (unsigned)parameter->size,
                follows_bytes(prototype, at) ? length_of(prototype, at - 1) : "value");
    }
}

/* ---- What can be called ---- */

/* Why a parameter cannot be made up; NULL: it can. */
static const char *obstacle(const struct gnomon_parameter *parameter) {
    switch (parameter->kind) {
    case GNOMON_PARAMETER_OPAQUE:
        return "takes a pointer to what the header does not describe";
    case GNOMON_PARAMETER_CODE:
        return "takes a pointer to a function";
    case GNOMON_PARAMETER_STREAM:
        return "takes a stream";
    case GNOMON_PARAMETER_VALUE:
        return "takes a structure or a list of arguments";
    default:
        return NULL;
    }
}

static bool skip(struct exhaust_function *function, const char *why, const char *type) {
    char text[200];
    snprintf(text, sizeof text, "%.100s%s%.80s%s", why, type ? " (" : "", type ? type : "", type ? ")" : "");
    return exhaust_judge(function, EXHAUST_SKIPPED, text);
}

static bool mentions(const struct exhaust_recipe *recipe, const char *word) {
    bool found = (recipe->before && strstr(recipe->before, word)) || (recipe->after && strstr(recipe->after, word));
    for (size_t i = 0; i < recipe->arguments.count && !found; i++)
        found = strstr(recipe->arguments.items[i], word);
    return found;
}

static void find_wants(struct exhaust_function *function) {
    const struct gnomon_prototype *prototype = function->prototype;
    const struct exhaust_recipe *recipe = function->recipe;
    if (recipe) {
        function->takes_input = mentions(recipe, "input");
        function->takes_values = recipe->values || mentions(recipe, "value");
    }
    for (size_t i = 0; i < prototype->count && !(recipe && recipe->has_arguments); i++) {
        const enum gnomon_parameter_kind kind = prototype->parameters[i].kind;
        const bool array = points_to_memory(&prototype->parameters[i]) && is_array(prototype, i);
        function->takes_input |= array;
        function->takes_values |= (kind == GNOMON_PARAMETER_INTEGER && memory_of(prototype, i) == prototype->count) ||
                                  kind == GNOMON_PARAMETER_REAL ||
                                  (kind == GNOMON_PARAMETER_INTEGERS && !array && !follows_bytes(prototype, i));
    }
}

/* False: out of memory. */
static bool decide(struct exhaust_function *function) {
    const struct gnomon_prototype *prototype = function->prototype;
    const struct exhaust_recipe *recipe = function->recipe;
    if (!prototype)
        return skip(function, "the library does not define it", NULL);
    if (recipe && recipe->skip)
        return skip(function, recipe->skip, NULL);
    if (!recipe || !recipe->has_arguments) {
        if (prototype->variadic)
            return skip(function, "takes any number of arguments", NULL);
        for (size_t i = 0; i < prototype->count; i++)
            if (obstacle(&prototype->parameters[i]))
                return skip(function, obstacle(&prototype->parameters[i]), prototype->parameters[i].type);
    }
    find_wants(function);
    return true;
}

/* ---- Source ---- */

static void put_call(const struct exhaust_function *function, FILE *stream) {
    const struct exhaust_recipe *recipe = function->recipe;
    const bool given = recipe && recipe->has_arguments;
    const size_t count = given ? recipe->arguments.count : function->prototype->count;
    fprintf(stream, "(%s)(", function->name);
    for (size_t i = 0; i < count; i++) {
        fprintf(stream, "%s", i ? ", " : "");
        if (given)
            fprintf(stream, "%s", recipe->arguments.items[i]);
        else
            fprintf(stream, "p%zu", i);
    }
    fprintf(stream, ")");
}

static void put_function(const struct exhaust_function *function, size_t number, FILE *stream) {
    const struct gnomon_prototype *prototype = function->prototype;
    const struct exhaust_recipe *recipe = function->recipe;
    fprintf(stream, "\nstatic void exhaust_call_%zu(long value) {\n", number);
    if (recipe && mentions(recipe, "input"))
        fprintf(stream, "    unsigned char *const input = exhaust_input(\"the input\");\n"
                        "    const size_t input_size = exhaust_size;\n");
    if (recipe && mentions(recipe, "output"))
        fprintf(stream, "    unsigned char *const output = exhaust_output(\"the output\");\n"
                        "    const size_t output_size = exhaust_room();\n");
    for (size_t i = 0; i < prototype->count && !(recipe && recipe->has_arguments); i++)
        put_argument(prototype, i, stream);
    if (recipe && recipe->before)
        fprintf(stream, "    %s;\n", recipe->before);
    if (prototype->returns) {
        fprintf(stream, "    __typeof__(");
        put_call(function, stream);
        fprintf(stream, ") volatile result = ");
    } else {
        fprintf(stream, "    ");
    }
    put_call(function, stream);
    fprintf(stream, ";\n");
    if (recipe && recipe->after)
        fprintf(stream, "    %s;\n", recipe->after);
    fprintf(stream, "}\n");
}

static void put_program(const struct exhaust *exhaust, FILE *stream) {
    fprintf(stream, "/* Made by gnomon api exhaust. */\n%s", EXHAUST_RUNTIME);
    for (size_t i = 0; i < exhaust->project.headers.count; i++)
        fprintf(stream, "#include <%s>\n", exhaust->project.headers.items[i]);
    for (size_t i = 0; i < exhaust->recipes.code.count; i++)
        fprintf(stream, "#include \"%s\"\n", exhaust->recipes.code.items[i]);
    for (size_t i = 0; i < exhaust->function_count; i++)
        if (exhaust->functions[i].verdict == EXHAUST_OPEN)
            put_function(&exhaust->functions[i], i, stream);
    fprintf(stream, "\nconst struct exhaust_function exhaust_functions[] = {\n");
    for (size_t i = 0; i < exhaust->function_count; i++)
        if (exhaust->functions[i].verdict == EXHAUST_OPEN)
            fprintf(stream, "    {\"%s\", exhaust_call_%zu},\n", exhaust->functions[i].name, i);
    fprintf(stream, "    {0}};\n");
}

enum gnomon_status exhaust_write_program(struct exhaust *exhaust, const char *path, struct gnomon_error *error) {
    for (size_t i = 0; i < exhaust->function_count; i++)
        if (!decide(&exhaust->functions[i]))
            return gnomon_fail_memory(error);
    FILE *stream = fopen(path, "we");
    if (!stream)
        return gnomon_fail_errno(error, GNOMON_ERR_SYSTEM, "cannot write %s", path);
    put_program(exhaust, stream);
    const bool good = !ferror(stream);
    return fclose(stream) == 0 && good ? GNOMON_OK
                                       : gnomon_fail_errno(error, GNOMON_ERR_SYSTEM, "cannot write %s", path);
}
