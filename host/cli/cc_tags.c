/* SPDX-License-Identifier: Apache-2.0 */
#include "cc_tags.h"

#include <gelf.h>
#include <limits.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../lib/load.h"
#include "../lib/tag_section.h"
#include "names.h"

#define OBJCOPY "riscv64-unknown-elf-objcopy"

/* The strings that the compiler left, of all objects; NULL: there are none. */
static const Elf_Data *find_source(const struct gnomon_tag_program *program) {
    size_t names;
    if (elf_getshdrstrndx(program->elf, &names) != 0)
        return NULL;
    for (Elf_Scn *section = NULL; (section = elf_nextscn(program->elf, section));) {
        GElf_Shdr header;
        const char *name = gelf_getshdr(section, &header) ? elf_strptr(program->elf, names, header.sh_name) : NULL;
        if (name && strcmp(name, GNOMON_TAG_SOURCE_SECTION) == 0)
            return elf_rawdata(section, NULL);
    }
    return NULL;
}

/* The next string; NULL: there is no more. */
static const char *next(const Elf_Data *data, size_t *at) {
    const char *text = (const char *)data->d_buf + *at;
    size_t length = strnlen(text, data->d_size - *at);
    if (length == data->d_size - *at)
        return NULL;
    *at += length + 1;
    return text;
}

/* Did an earlier pair say the same? A header's comes with each object. */
static bool is_known(const Elf_Data *data, size_t before, const char *what, const char *actions) {
    const char *earlier, *with;
    for (size_t at = 0; at < before && (earlier = next(data, &at)) && (with = next(data, &at));)
        if (earlier != what && at <= before && strcmp(earlier, what) == 0 && strcmp(with, actions) == 0)
            return true;
    return false;
}

/* What is shown of a target: its file without folders. */
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
                                  const struct gnomon_tag_program *program, const Elf_Data *data,
                                  struct gnomon_error *error) {
    enum gnomon_status status = GNOMON_OK;
    for (size_t at = 0; at < data->d_size && !status;) {
        size_t before = at;
        const char *what = next(data, &at), *actions = what ? next(data, &at) : NULL;
        if (!actions)
            return gnomon_fail(error, GNOMON_ERR_FORMAT, "%s: what the sources say of tags is cut short",
                               program->path);
        if (!is_known(data, before, what, actions))
            status = add(context, list, program, what, actions, error);
    }
    return status;
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

/* Puts the section in the place of the other one. */
static enum gnomon_status replace(const char *path, const struct gnomon_tag_list *list, struct gnomon_error *error) {
    char file[PATH_MAX], option[PATH_MAX + 64];
    struct gnomon_image *image = NULL;
    uint8_t *bytes = NULL;
    size_t size = 0;
    if (snprintf(file, sizeof file, "%s.gnomon-tags", path) >= (int)sizeof file)
        return gnomon_fail(error, GNOMON_ERR_ARGUMENT, "the name %s is too long", path);
    enum gnomon_status status = gnomon_image_open(path, &image, error);
    if (!status)
        status = gnomon_tag_section_make(list, image->build_id, &bytes, &size, error);
    if (!status)
        status = gnomon_write_file(file, bytes, size, error);
    snprintf(option, sizeof option, "%s=%s", GNOMON_TAG_SECTION, file);
    const char *arguments[] = {OBJCOPY, "-R", GNOMON_TAG_SOURCE_SECTION, "--add-section", option, "--", path, NULL};
    if (!status) {
        status = run_objcopy(arguments, error);
        unlink(file);
    }
    free(bytes);
    gnomon_image_close(image);
    return status;
}

enum gnomon_status cc_tags(const struct cli_context *context, const char *path, struct gnomon_error *error) {
    struct gnomon_tag_program program;
    struct gnomon_tag_list list = {0};
    /* What is no program for us is none to look at: a linker makes other files, too. */
    const Elf_Data *data = gnomon_tag_program_open(&program, path, NULL) ? NULL : find_source(&program);
    enum gnomon_status status = GNOMON_OK;
    if (data && data->d_buf) {
        status = collect(context, &list, &program, data, error);
        if (!status)
            status = replace(path, &list, error);
    }
    gnomon_tag_list_free(&list);
    gnomon_tag_program_close(&program);
    return status;
}
