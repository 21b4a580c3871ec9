/* SPDX-License-Identifier: Apache-2.0 */
/* gnomon merge: API profiles, and the costs in recordings, added together. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/api/api.h"
#include "cli/print_names.h"
#include "lib/fleet/api_facts.h"
#include "lib/fleet/api_recording.h"

struct values {
    const char *scenario, *elf;
    uint64_t size;
    struct cli_list modules;
    bool strict;
};

static const struct cli_option options[] = {
    {0, "scenario", "NAME", "what the recordings among the files are runs of (default: the name of the program)",
     CLI_STRING, offsetof(struct values, scenario)},
    {0, "size", "N",
     "the size of the input of the recordings among the files, in what you count: bytes, elements (default: none)",
     CLI_NUMBER, offsetof(struct values, size)},
    {0, "elf", "FILE", "the recordings' program, where it is not where it was when they were recorded", CLI_STRING,
     offsetof(struct values, elf)},
    {0, "module", "FILE", "a module that the program loaded and whose file was not at hand then, or has moved",
     CLI_LIST, offsetof(struct values, modules)},
    {0, "strict", NULL, "exit with status 3 when events of a recording were lost or its end is missing", CLI_FLAG,
     offsetof(struct values, strict)},
    {0},
};

struct merging {
    const struct cli_context *context;
    struct gnomon_api_profile *profile;
    int worth; /* of all recordings: CLI_OK, CLI_FAILED or CLI_INCOMPLETE */
};

static enum gnomon_status add_recording(struct merging *merging, const char *path, struct gnomon_error *error) {
    const struct values *values = merging->context->values;
    const struct gnomon_api_recording recording = {.path = path,
                                                   .elf = values->elf,
                                                   .scenario = values->scenario,
                                                   .size = values->size,
                                                   .modules = values->modules.items,
                                                   .module_count = values->modules.count};
    struct gnomon_exactness exactness;
    const enum gnomon_status status = gnomon_api_recording_add(merging->profile, &recording, &exactness, error);
    if (status)
        return status;
    for (size_t i = 0; i < exactness.count; i++)
        cli_warn(merging->context, "%s: %s", path, exactness.reasons[i].text);
    if (gnomon_exactness_kind(&exactness, GNOMON_REASON_DAMAGE))
        merging->worth = CLI_FAILED;
    else if (values->strict && !merging->worth && !gnomon_exactness_complete(&exactness))
        merging->worth = CLI_INCOMPLETE;
    return GNOMON_OK;
}

static enum gnomon_status add_all(struct merging *merging, struct gnomon_error *error) {
    const struct cli_context *context = merging->context;
    struct cli_progress progress;
    enum gnomon_status status = GNOMON_OK;
    cli_progress_begin(&progress, context);
    for (int i = 0; i < context->argc && !status; i++) {
        bool profile = false;
        status = gnomon_api_file_add(merging->profile, context->argv[i], &profile, error);
        if (!status && !profile)
            status = add_recording(merging, context->argv[i], error);
        if (cli_progress_due(&progress))
            cli_progress_draw(&progress, "%d of %d files added", i + 1, context->argc);
    }
    cli_progress_end(&progress);
    return status;
}

static int run_merge(struct cli_context *context) {
    struct merging merging = {.context = context};
    struct gnomon_error error;
    if (!context->output)
        return cli_usage(context, "missing option: -o FILE");
    if (!strcmp(context->output, "-") && isatty(STDOUT_FILENO))
        return cli_usage(context, "an API profile is binary, and standard output is a terminal: give -o FILE");
    merging.profile = gnomon_api_profile_new();
    if (!merging.profile)
        gnomon_fail_memory(&error);
    const bool failed =
        !merging.profile || add_all(&merging, &error) || gnomon_api_file_save(merging.profile, context->output, &error);
    if (!failed && strcmp(context->output, "-") != 0) {
        char *facts = gnomon_api_facts(merging.profile);
        cli_note(context, "wrote %s: %s", context->output, facts ? facts : "");
        free(facts);
    }
    gnomon_api_profile_free(merging.profile);
    return failed ? cli_error(context, &error) : merging.worth;
}

const struct command command_merge = {
    .name = "merge",
    .summary = "add what functions cost in many runs: an API profile",
    .synopsis = "-o PROFILE.gnp [OPTION...] FILE...",
    .description =
        "Adds API profiles (*.gnp) and recordings of `gnomon record`, and writes the sum. An API profile has, for each "
        "function and cost, how many calls cost from 1 to 1, 2 to 3, 4 to 7 ..., with their sum and the sum of their "
        "squares. Costs are the cycles of a call with all that it called, and, of a recording with events of a "
        "program that was linked with `gnomon cc --gnomon-heap`, the bytes of each block that the function allocated "
        "(own-bytes), or that it or what it called allocated (bytes). A recording of all functions has, of the run, "
        "the cycles of each function without what it called (own-cycles; of gnomon record --clock EVENT "
        "own-EVENT).\n\nRuns of several inputs, scenarios, builds "
        "and "
        "boards can be added. Each program, build, scenario, size and kind of board keeps rows of its own. The result "
        "does "
        "not depend on the order, or on what was added first: the same runs make the same file. A number that is "
        "larger than 64 bits (squares: 128) stays at its largest value, and is shown as \"at least\".\n\nThe file "
        "appears when it is whole: an error leaves an earlier one as it was.",
    .examples = "gnomon merge -o small.gnp --scenario small run1.gnt run2.gnt\tTwo runs of the scenario small.\n"
                "gnomon merge -o all.gnp small.gnp large.gnp\tAdd two profiles.\n"
                "gnomon merge -o all.gnp all.gnp new.gnt\tAdd a run to a profile.\n",
    .common = CLI_OUTPUT,
    .options = options,
    .values_size = sizeof(struct values),
    .min_operands = 1,
    .max_operands = -1,
    .run = run_merge,
};
