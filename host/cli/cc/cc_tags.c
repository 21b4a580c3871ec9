/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/cc/cc_tags.h"

#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/print_names.h"
#include "gnomon/module_tags.h"
#include "lib/tag/tag_module.h"
#include "lib/tag/tag_section.h"
#include "lib/util/file.h"

#define OBJCOPY "riscv64-unknown-elf-objcopy"

#define THRESHOLD "--threshold" /* stands in place of what to tag; its value in place of the actions */

/* Tags that the compiler left, from all objects: pairs of strings, what and actions. */
struct source {
    const char *at, *end;
};

/* Returns false at the end of the pairs, or at a malformed pair (then `at` is not `end`). */
static bool next(struct source *source, const char **what, const char **actions) {
    const char **const strings[] = {what, actions};
    const char *at = source->at;
    for (size_t i = 0; i < 2; i++) {
        size_t left = (size_t)(source->end - at), length = strnlen(at, left);
        if (length == left)
            return false;
        *strings[i] = at;
        at += length + 1;
    }
    source->at = at;
    return true;
}

/* Was there an equal pair before? A tag in a header comes once with each object. */
static bool is_known(struct source all, const char *what, const char *actions) {
    const char *earlier, *with;
    while (next(&all, &earlier, &with) && earlier != what)
        if (strcmp(earlier, what) == 0 && strcmp(with, actions) == 0)
            return true;
    return false;
}

/* Shortens the name of a target: its file is shown without folders. */
static enum gnomon_status shorten(struct gnomon_tag_target *target, struct gnomon_error *error) {
    char *name = strdup(cli_basename(target->what));
    if (!name)
        return gnomon_fail_memory(error);
    free(target->what);
    target->what = name;
    return GNOMON_OK;
}

static enum gnomon_status add(const struct cli_context *context, struct gnomon_tag_list *list,
                              const struct gnomon_tag_program *program, const char *what, const char *actions,
                              struct gnomon_error *error) {
    uint32_t mode;
    struct gnomon_error why;
    if (strcmp(what, THRESHOLD) == 0)
        return gnomon_tag_list_threshold(list, actions, error);
    enum gnomon_status status = gnomon_tag_parse_actions(actions, &mode, &why);
    if (status) {
        gnomon_fail(error, status, "the tag of %s: %s", cli_basename(what), why.what);
        return gnomon_remedy(error, status, "%s", why.remedy);
    }
    size_t before = list->count;
    status = gnomon_tag_list_find(list, program, what, mode, error);
    if (!status)
        return shorten(&list->specs[before].target, error);
    if (status != GNOMON_ERR_NOT_FOUND)
        return status;
    cli_warn(context, "the tag of %s is left out: %s", cli_basename(what), error->what);
    gnomon_tag_target_free(&list->specs[before].target);
    list->count = before;
    return GNOMON_OK;
}

static enum gnomon_status collect(const struct cli_context *context, struct gnomon_tag_list *list,
                                  const struct gnomon_tag_program *program, const struct source *all,
                                  struct gnomon_error *error) {
    struct source source = *all;
    const char *what, *actions;
    enum gnomon_status status = GNOMON_OK;
    while (!status && next(&source, &what, &actions))
        if (!is_known(*all, what, actions))
            status = add(context, list, program, what, actions, error);
    if (status || source.at == source.end)
        return status;
    return gnomon_fail(error, GNOMON_ERR_FORMAT, "%s: what the sources say of tags is cut short", program->path);
}

static enum gnomon_status run_objcopy(const char *const *arguments, struct gnomon_error *error) {
    pid_t child;
    int result = -1;
    if (posix_spawnp(&child, OBJCOPY, NULL, NULL, (char **)arguments, environ) == 0)
        waitpid(child, &result, 0);
    if (WIFEXITED(result) && WEXITSTATUS(result) == 0)
        return GNOMON_OK;
    gnomon_fail(error, GNOMON_ERR_SYSTEM, "%s cannot put the tags into the program", OBJCOPY);
    return gnomon_remedy(error, GNOMON_ERR_SYSTEM, "install binutils for RISC-V, or run tools/setup.sh");
}

/* A section that objcopy adds: the file with its bytes, and the option. */
struct section {
    char *file, *option;
};

/* The caller calls remove_section whatever the status is. */
static enum gnomon_status write_section(struct section *section, const char *path, const char *name,
                                        const uint8_t *bytes, size_t size, struct gnomon_error *error) {
    if (asprintf(&section->file, "%s%s", path, name) < 0)
        section->file = NULL;
    if (!section->file || asprintf(&section->option, "%s=%s", name, section->file) < 0) {
        section->option = NULL;
        return gnomon_fail_memory(error);
    }
    return gnomon_write_file(section->file, bytes, size, error);
}

static void remove_section(struct section *section) {
    if (section->file)
        unlink(section->file);
    free(section->file);
    free(section->option);
}

/* Replaces the section that the compiler left by the section with the target list, in modules also by an empty one for
 * the loader. */
static enum gnomon_status replace(const struct gnomon_tag_program *program, const struct gnomon_tag_list *list,
                                  struct gnomon_error *error) {
    struct section known = {0}, loader = {0};
    uint8_t *bytes = NULL;
    size_t size = 0, room = program->module ? gnomon_tag_module_entries(list) * sizeof(struct gnomon_module_tag) : 0;
    uint8_t *entries = calloc(1, room + 1);
    enum gnomon_status status =
        entries ? gnomon_tag_section_make(list, program->build_id, &bytes, &size, error) : gnomon_fail_memory(error);
    if (!status)
        status = write_section(&known, program->path, GNOMON_TAG_SECTION, bytes, size, error);
    if (!status && room > 0)
        status = write_section(&loader, program->path, GNOMON_MODULE_TAGS_SECTION, entries, room, error);
    if (!status) {
        const char *arguments[10] = {OBJCOPY, "-R", GNOMON_TAG_SOURCE_SECTION, "--add-section", known.option};
        size_t count = 5;
        if (room > 0) {
            arguments[count++] = "--add-section";
            arguments[count++] = loader.option;
        }
        arguments[count++] = "--";
        arguments[count++] = program->path;
        status = run_objcopy(arguments, error);
    }
    remove_section(&known);
    remove_section(&loader);
    free(bytes);
    free(entries);
    return status;
}

enum gnomon_status cc_tags(const struct cli_context *context, const char *path, struct gnomon_error *error) {
    struct gnomon_tag_program program;
    struct gnomon_tag_list list = {0};
    size_t size = 0;
    /* A file that is not a program for the device is skipped: a linker also makes other files. */
    const uint8_t *bytes = gnomon_tag_program_open(&program, path, NULL)
                               ? NULL
                               : gnomon_tag_section_bytes(&program, GNOMON_TAG_SOURCE_SECTION, &size);
    const struct source source = {(const char *)bytes, (const char *)bytes + size};
    enum gnomon_status status = bytes ? collect(context, &list, &program, &source, error) : GNOMON_OK;
    for (size_t i = 0; i < list.count; i++)
        list.specs[i].module = program.module;
    if (!status)
        status = gnomon_tag_check_modules(&list, error);
    if (bytes && !status)
        status = replace(&program, &list, error);
    gnomon_tag_list_free(&list);
    gnomon_tag_program_close(&program);
    return status;
}
