/* SPDX-License-Identifier: Apache-2.0 */
/* gnomon api: what the functions of a library cost. Each action has a file. */
#include "cli/api/api_run.h"

#include <string.h>

static const struct cli_option options[] = {
    {0, "function", "NAME", "functions of this name, or of a pattern such as 'png_*'; each use adds some", CLI_LIST,
     offsetof(struct api_values, functions)},
    {0, "header", "FILE",
     "plan, run: functions that this header declares and the program calls; each use adds some (needs -g)", CLI_LIST,
     offsetof(struct api_values, headers)},
    {'d', "device", "ADDR",
     "plan, run, exhaust: where to run, as for gnomon record; each use adds a device on which runs are made at the "
     "same time "
     "(default: sim:full)",
     CLI_LIST, offsetof(struct api_values, devices)},
    {'I', "include", "DIR", "exhaust: a folder in which the compiler finds headers; each use adds one", CLI_LIST,
     offsetof(struct api_values, includes)},
    {0, "cc", "OPTION", "exhaust: an option for gnomon cc, such as -DNAME or -lm; one word for each use", CLI_LIST,
     offsetof(struct api_values, compiler)},
    {0, "inputs", "DIR", "exhaust: the functions get the contents of the files in DIR (default: made bytes)",
     CLI_STRING, offsetof(struct api_values, inputs)},
    {0, "recipe", "FILE", "exhaust: how functions are called that need more, in TOML", CLI_STRING,
     offsetof(struct api_values, recipe)},
    {'j', "jobs", "N",
     "plan, run, exhaust: simulated boards that run at the same time (default: one for each processor)", CLI_NUMBER,
     offsetof(struct api_values, jobs)},
    {0, "duration", "TIME",
     "plan, run: stop the program after TIME (2s, 500ms, 10us, or 1e6c for cycles), for one that does not end. "
     "exhaust: how long all calls of a run may take (default: 100ms)",
     CLI_STRING, offsetof(struct api_values, duration)},
    {0, "status", "STATUS",
     "plan, run: the program's exit status if it does its work (default: 0); any: each one will do", CLI_STRING,
     offsetof(struct api_values, status)},
    CLI_SIM_OPTION(struct api_values, sim_options),
    {0, "strict", NULL,
     "run: exit with status 3 if the functions cost something else when all are watched at once. exhaust: if one "
     "crashes, hangs, ends the program or writes outside its memory",
     CLI_FLAG, offsetof(struct api_values, strict)},
    {0, "cost", "COST",
     "list, classes, doc: only this cost: cycles, bytes, own-bytes, retired; or own-cycles (own-retired ...), which is "
     "not shown otherwise. run: what calls are measured in, cycles or an event of gnomon stat -e list (default: "
     "cycles). Each use adds a cost",
     CLI_LIST, offsetof(struct api_values, costs)},
    {0, "by", "WHAT",
     "list: own cycles and own bytes added by module, by folder of the source file, by namespace (C++, Rust), or by "
     "library",
     CLI_STRING, offsetof(struct api_values, by)},
    {0, "depth", "N", "list --by folder or namespace: only the first N names (default: all)", CLI_NUMBER,
     offsetof(struct api_values, depth)},
    {0, "libraries", "FILE",
     "list --by library: a TOML file with NAME = \"PATTERN\" of source files, or an array of patterns", CLI_STRING,
     offsetof(struct api_values, libraries)},
    {0, "scenario", "NAME",
     "list, classes, doc: only runs of this scenario. plan, run: the name of what the command line runs (default: that "
     "of the "
     "program)",
     CLI_STRING, offsetof(struct api_values, scenario)},
    {0, "on", "DEVICE", "list, classes, doc: only runs on this kind of device, as the first line shows it: sim:full",
     CLI_STRING, offsetof(struct api_values, on)},
    {0, "size", "N",
     "list, classes, doc: only runs with an input of this size. plan, run: the size of the input of what the command "
     "line runs, "
     "in what you count: bytes, elements (default: none)",
     CLI_NUMBER, offsetof(struct api_values, size)},
    {0, "build", "ID", "list, classes, doc: only runs of programs whose build id begins with ID", CLI_STRING,
     offsetof(struct api_values, build)},
    {0, "histogram", NULL, "list: the buckets of each row below it", CLI_FLAG, offsetof(struct api_values, histogram)},
    {0, "form", "FORM", "doc: markdown (default), doxygen, or json for editors", CLI_STRING,
     offsetof(struct api_values, form)},
    {'s', "sort", "KEY", "list: order of the rows: sum, mean, calls, most or name (default: sum)", CLI_STRING,
     offsetof(struct api_values, sort)},
    {'n', "limit", "N", "list, classes: show the first N rows", CLI_NUMBER, offsetof(struct api_values, limit)},
    {0},
};

/* Actions that read a profile. */
struct reader {
    const char *action;
    int (*run)(struct cli_context *context, const char *path);
};

static const struct reader readers[] = {{"list", api_list}, {"classes", api_classes}, {"doc", api_doc}};

static int read_profile(struct cli_context *context, const struct reader *reader) {
    const struct api_values *values = context->values;
    if (context->argc > 2)
        return cli_usage(context, "%s takes one profile", reader->action);
    if (values->devices.count)
        return cli_usage(context, "%s runs nothing: --on %s chooses runs on this kind of device", reader->action,
                         values->devices.items[0]);
    return reader->run(context, context->argv[1]);
}

static int run_api(struct cli_context *context) {
    const char *action = context->argv[0];
    if (!strcmp(action, "plan"))
        return api_plan(context);
    if (!strcmp(action, "run"))
        return api_run(context);
    if (!strcmp(action, "exhaust"))
        return api_exhaust(context);
    for (size_t i = 0; i < sizeof readers / sizeof *readers; i++)
        if (!strcmp(action, readers[i].action))
            return read_profile(context, &readers[i]);
    return cli_usage(context, "unknown action %s: it is plan, run, exhaust, list, classes or doc", action);
}

const struct command command_api = {
    .name = "api",
    .summary = "measure what the functions of a library cost, each alone, and show it",
    .synopsis = "plan|run|exhaust|list|classes|doc [OPTION...] FILE [ARG...]",
    .description =
        "`gnomon api run` measures functions of a library in scenarios: command lines of a program without hooks. "
        "FILE is the program, and its arguments follow; or an api.toml that names program, functions, scenarios and "
        "devices. A first run of each scenario lists the functions that it calls, and which of them are on a stack "
        "together. Then the scenario runs again, as often as needed, and in each run the device watches only "
        "functions that share no stack: no other function has any overhead, and none is measured within another one. "
        "A last run watches all at once; the table shows both. The profile is the sum of the runs. After Ctrl-C the "
        "same command goes on where it was.\n\n`gnomon api plan` only makes the first run, and prints which function "
        "would be in which run, and how many runs are needed at least.\n\n`gnomon api exhaust` calls every function "
        "that the "
        "headers declare and the libraries (FILE ARG...) define, with made bytes or given files, and integers from 0 "
        "to "
        "the largest. It makes a program for that, which runs once for each function and input: a function that "
        "crashes, hangs or writes outside its memory is named, and disturbs no other. The costs go into the "
        "profile.\n\n`gnomon api list` reads an API profile of "
        "`gnomon merge`, and prints a row for each function and cost: calls, mean, standard deviation, least and "
        "most of one call, and the sum. Runs of all scenarios, sizes and devices are added, unless --scenario, "
        "--size or --on choose some; builds are not. Of the costs bytes and own-bytes, a \"call\" is a block "
        "that was allocated; of own-cycles, which --cost and --by show, a run. `--by` adds own cycles, of functions "
        "without what they called, by module, folder, namespace or library; their sum is the cycles of the run. "
        "Recordings of all functions have them.\n\n`gnomon api classes` says of each function and cost whether a "
        "call costs the same for any input, or how it grows with the size of the input (--size): log n, sqrt n, n, n "
        "log n, n sqrt n, n^2 or n^3. It needs runs of at least 3 sizes, and tells nothing when several of these "
        "describe the costs about equally well. \"start-up\" is a function of which at most one call of a run costs "
        "far more than all others.\n\n`gnomon api doc` prints the same in words, for a manual: as Markdown, as "
        "comments for Doxygen (`\\par Cost`), or as JSON with a text for each function that an editor shows.",
    .examples = "gnomon api run -o zlib.gnp --header zlib.h ./zlib.elf -- text text.z\tMeasure the functions of "
                "zlib.h.\n"
                "gnomon api run api.toml\tMeasure what the file names.\n"
                "gnomon api exhaust -o zlib.gnp --header zlib.h -I zlib zlib/libz.a\tCall every function of zlib.\n"
                "gnomon api list all.gnp\tAll functions, most cycles first.\n"
                "gnomon api classes all.gnp\tWhich functions grow with the input, and how.\n"
                "gnomon api list --function 'png_*' --histogram all.gnp\tHow the costs of some are distributed.\n",
    .common = CLI_OUTPUT | CLI_JSON | CLI_NAMES,
    .options = options,
    .values_size = sizeof(struct api_values),
    .min_operands = 2,
    .max_operands = -1,
    .run = run_api,
};
