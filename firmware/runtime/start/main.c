/* SPDX-License-Identifier: Apache-2.0 */
/* From start.S to main, and from exit to the host. */
#include <stdlib.h>
#include <unistd.h>

#include "internal.h"

uintptr_t __gnomon_stack_top;

extern char **environ;
extern int main(int argc, char **argv, char **envp);
extern void __libc_init_array(void);

_Noreturn void __gnomon_main(uintptr_t stack_top);

/* picolibc calls these around the constructor tables. */
void _init(void);
void _fini(void);
void _init(void) {
}
void _fini(void) {
}

struct gnomon_param *__gnomon_param(void) {
    struct gnomon_param *param = (struct gnomon_param *)(uintptr_t)GNOMON_REG(GNOMON_SYSCTL_PARAM);
    if (!param || param->magic != GNOMON_PARAM_MAGIC || param->version != GNOMON_PARAM_VERSION)
        return NULL;
    return param;
}

_Noreturn void __gnomon_main(uintptr_t stack_top) {
    static char name[] = "program";
    static char *no_arguments[] = {name, NULL};
    int argc = 1;
    char **argv = no_arguments;

    __gnomon_stack_top = stack_top;
    __gnomon_guard_stack((uintptr_t)__heap_start);
    const struct gnomon_param *param = __gnomon_param();
    if (param && param->argc > 0) {
        argc = (int)param->argc;
        argv = (char **)(uintptr_t)param->argv;
    }
    __libc_init_array();
    exit(main(argc, argv, environ));
}

void _exit(int status) {
    if (__gnomon_records_write)
        __gnomon_records_write();
    if (__gnomon_files_publish)
        __gnomon_files_publish();
    __gnomon_exit((uint32_t)status);
}
