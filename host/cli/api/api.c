/* SPDX-License-Identifier: Apache-2.0 */
/* gnomon api: what the functions of a library cost. Each action has a file. */
#include "cli/api/api.h"

#include <string.h>

static const struct cli_option options[] = {
    {0, "function", "NAME", "only functions of this name, or of a pattern such as 'png_*'", CLI_STRING,
     offsetof(struct api_values, function)},
    {0, "cost", "COST", "only this cost: cycles, bytes, own-bytes", CLI_STRING, offsetof(struct api_values, cost)},
    {0, "scenario", "NAME", "only runs of this scenario", CLI_STRING, offsetof(struct api_values, scenario)},
    {0, "device", "NAME", "only runs on this kind of device", CLI_STRING, offsetof(struct api_values, device)},
    {0, "build", "ID", "only runs of programs whose build id begins with ID", CLI_STRING,
     offsetof(struct api_values, build)},
    {0, "histogram", NULL, "the buckets of each row below it", CLI_FLAG, offsetof(struct api_values, histogram)},
    {'s', "sort", "KEY", "order of the rows: sum, mean, calls, most or name (default: sum)", CLI_STRING,
     offsetof(struct api_values, sort)},
    {'n', "limit", "N", "show the first N rows", CLI_NUMBER, offsetof(struct api_values, limit)},
    {0},
};

static int run_api(struct cli_context *context) {
    if (strcmp(context->argv[0], "list") != 0)
        return cli_usage(context, "unknown action %s: the action is list", context->argv[0]);
    return api_list(context, context->argv[1]);
}

const struct command command_api = {
    .name = "api",
    .summary = "show what the functions of an API profile cost",
    .synopsis = "list [OPTION...] PROFILE.gnp",
    .description =
        "Reads an API profile of `gnomon merge`, and prints a row for each function and cost: calls, mean, standard "
        "deviation, least and most of one call, and the sum. Runs of all scenarios and devices are added, unless "
        "--scenario or --device choose some; builds are not. Of the costs bytes and own-bytes, a \"call\" is a block "
        "that was allocated.",
    .examples = "gnomon api list all.gnp\tAll functions, most cycles first.\n"
                "gnomon api list --function 'png_*' --histogram all.gnp\tHow the costs of some are distributed.\n",
    .common = CLI_JSON | CLI_NAMES,
    .options = options,
    .values_size = sizeof(struct api_values),
    .min_operands = 2,
    .max_operands = 2,
    .run = run_api,
};
