/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/run/target_code.h"

enum gnomon_status target_code_open(struct target_code *code, const struct target *target, struct gnomon_error *error) {
    *code = (struct target_code){0};
    const enum gnomon_status status = gnomon_symbols_load_any(&code->symbols, target->image->path, error);
    return status ? status : target_code_begin(code, target, error);
}

void target_code_close(struct target_code *code) {
    gnomon_modules_free(code->modules);
    gnomon_symbols_free(code->symbols);
    *code = (struct target_code){0};
}

/* Makes the files known that are modules: the program may load them. */
static void know_files(struct gnomon_modules *modules, const struct gnomon_files *files) {
    struct gnomon_error ignored;
    for (size_t i = 0; i < files->count; i++)
        (void)gnomon_modules_add(modules, files->files[i].path, &ignored);
}

enum gnomon_status target_code_begin(struct target_code *code, const struct target *target,
                                     struct gnomon_error *error) {
    gnomon_modules_free(code->modules);
    code->modules = gnomon_modules_new(gnomon_symbols_total(code->symbols));
    if (!code->modules)
        return gnomon_fail_memory(error);
    know_files(code->modules, &target->inputs);
    know_files(code->modules, &target->offers);
    return GNOMON_OK;
}
