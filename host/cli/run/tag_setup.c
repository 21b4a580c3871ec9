/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/run/tag_setup.h"

#include "cli/print_names.h"
#include "lib/tag/tag_section.h"

static void warn_of(const struct cli_context *context, const struct gnomon_tag_target *target) {
    if (target->tail_calls)
        cli_warn(context, "%s: the function also ends in %u jump%s to other functions, which %s no tag", target->what,
                 target->tail_calls, target->tail_calls == 1 ? "" : "s", target->tail_calls == 1 ? "has" : "have");
    if (target->shares_words)
        cli_warn(context,
                 "%s: does not begin and end with a word of four bytes; accesses to the rest of its words are also "
                 "counted",
                 target->what);
}

/* Collects the tags in the modules among the files. */
static enum gnomon_status collect_of_files(struct tag_setup *setup, const struct gnomon_files *files,
                                           struct gnomon_error *error) {
    enum gnomon_status status = GNOMON_OK;
    for (size_t i = 0; i < files->count && !status; i++) {
        const struct gnomon_file *file = &files->files[i];
        status = gnomon_tag_modules_add(&setup->modules, &setup->list, file->path, cli_basename(file->name), file->data,
                                        file->size, error);
    }
    return status;
}

/* Collects the tags in the program and its modules, then those of the command line. */
static enum gnomon_status collect(struct tag_setup *setup, const struct cli_context *context,
                                  const struct target *target, const struct cli_list *names,
                                  const struct cli_list *thresholds, bool metadata, struct gnomon_error *error) {
    enum gnomon_status status = gnomon_tag_program_open(&setup->program, target->image->path, error);
    if (!status && metadata)
        status = gnomon_tag_section_load(&setup->list, &setup->program, error);
    if (!status && metadata)
        status = collect_of_files(setup, &target->inputs, error);
    if (!status && metadata)
        status = collect_of_files(setup, &target->offers, error);
    for (size_t i = 0; i < names->count && !status; i++)
        status = gnomon_tag_list_add(&setup->list, &setup->program, names->items[i], error);
    for (size_t i = 0; i < thresholds->count && !status; i++)
        status = gnomon_tag_list_threshold(&setup->list, thresholds->items[i], error);
    if (status)
        return status;
    if (setup->list.count == 0) {
        gnomon_fail(error, GNOMON_ERR_ARGUMENT, "there is nothing to tag");
        return gnomon_remedy(
            error, GNOMON_ERR_ARGUMENT,
            "name a function, FILE:LINE or a variable with -t, or add tags to the source (gnomon_tag.h)");
    }
    for (size_t i = 0; i < setup->list.count; i++)
        warn_of(context, &setup->list.specs[i].target);
    return GNOMON_OK;
}

static enum gnomon_status check_interrupt(const struct tag_setup *setup, const struct cli_context *context,
                                          struct gnomon_error *error) {
    bool doubt = false;
    enum gnomon_status status = gnomon_tag_check_interrupt(&setup->list, &setup->program, &doubt, error);
    if (doubt)
        cli_warn(context,
                 "the symbols of %s do not say whether it handles the profile interrupt (" GNOMON_TAG_HANDLER
                 "): if it does not, the interrupt ends it",
                 setup->program.path);
    return status;
}

enum gnomon_status tag_setup_open(struct tag_setup *setup, const struct cli_context *context, struct target *target,
                                  const struct cli_list *names, const struct cli_list *thresholds, bool metadata,
                                  enum gnomon_tag_shadow shadow, struct gnomon_error *error) {
    *setup = (struct tag_setup){.program.fd = -1};
    const struct gnomon_board *board = &target->board;
    enum gnomon_status status = collect(setup, context, target, names, thresholds, metadata, error);
    if (!status && !board->profiler) {
        gnomon_fail(error, GNOMON_ERR_UNSUPPORTED, "%s has no profiler", board->address);
        return gnomon_remedy(error, GNOMON_ERR_UNSUPPORTED,
                             "take a device with a profiler, for example -d sim:full; gnomon list shows the devices");
    }
    if (!status)
        status = gnomon_tags_open(&setup->tags, target->device, board, error);
    setup->tags.sizes.shadow = shadow;
    if (!status)
        status = gnomon_tag_plan_make(&setup->plan, &setup->list, &setup->tags.sizes, board->address, error);
    if (!status)
        status = gnomon_tags_check(&setup->plan, board, error);
    if (!status)
        status = gnomon_tag_modules_number(&setup->modules, &setup->plan, error);
    if (!status)
        gnomon_param_put_files(&target->param, &target->inputs);
    return status ? status : check_interrupt(setup, context, error);
}

void tag_setup_close(struct tag_setup *setup) {
    gnomon_tag_plan_free(&setup->plan);
    gnomon_tag_list_free(&setup->list);
    gnomon_tag_modules_free(&setup->modules);
    gnomon_tag_program_close(&setup->program);
}
