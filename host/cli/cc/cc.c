/* SPDX-License-Identifier: Apache-2.0 */
/* gnomon cc, gnomon c++: the cross compiler with everything that makes its output profiled firmware. The command
 * replaces CC: it passes its arguments on to the compiler unchanged, and takes only options that begin with --gnomon-
 * itself. */
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/cc/cc_locks.h"
#include "cli/cc/cc_order.h"
#include "cli/cc/cc_request.h"
#include "cli/cc/cc_tags.h"
#include "cli/cli.h"

static const char *const target_flags[] = {
    "-march=rv32imc",
    "-misa-spec=2.2",
    "-mabi=ilp32",
    "--specs=picolibc.specs",
    "--picolibc-buildtype=release", /* picolibc built for speed; its default build is for size */
    "-fno-pic",
    NULL,
};

/* The C++ library has the parts that need no operating system: headers, and in the runtime what these headers need from
 * a library. */
static const char *const cxx_flags[] = {
    "-fno-exceptions", "-fno-rtti", "-fno-threadsafe-statics", "-fno-use-cxa-atexit", NULL,
};

/* Locations of the plugin and the runtime, relative to the directory of the executable. */
static const char *const places[] = {"../firmware", "../../firmware", "../lib/gnomon/firmware"};

/* Returns the folder that holds plugin/, lib/ and include/, or NULL. */
static char *find_firmware(void) {
    const char *given = getenv("GNOMON_FIRMWARE");
    if (given && *given)
        return strdup(given);
    char self[PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length <= 0)
        return NULL;
    self[length] = 0;
    char *slash = strrchr(self, '/');
    if (!slash)
        return NULL;
    slash[1] = 0;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        char *candidate = cc_join(self, places[i], "");
        char *plugin = candidate ? cc_join(candidate, "/plugin/gnomon.so", "") : NULL;
        char *folder = plugin && access(plugin, R_OK) == 0 ? realpath(candidate, NULL) : NULL;
        free(plugin);
        free(candidate);
        if (folder)
            return folder;
    }
    return NULL;
}

/* The plugin must come before its options on the command line. */
static bool add_compile_flags(struct cc_request *request, const char *firmware) {
    return cc_push_joined(request, "-specs=", firmware, "/lib/gnomon.specs") &&
           cc_push_joined(request, "--gnomon-posix=", firmware, "/include/posix") &&
           cc_push_joined(request, "-fplugin=", firmware, "/plugin/gnomon.so") && cc_push(request, "-isystem") &&
           cc_push_joined(request, firmware, "/include", "");
}

/* The kernel's files, unchanged, find our trace macros and our form of the port's critical sections. */
static bool add_freertos(struct cc_request *request, const char *firmware) {
    return cc_push(request, "-include") && cc_push_joined(request, firmware, "/include/gnomon_freertos.h", "") &&
           cc_push(request, "-iquote") && cc_push_joined(request, firmware, "/freertos", "") &&
           cc_push_all(request, cc_freertos_flags) &&
           (!request->records || cc_push(request, "-Wl,--wrap=freertos_risc_v_trap_handler"));
}

/* The compiler finds the libraries only for plain names of instruction sets. For a name with extensions
 * ("rv32imac_zba_zbb") this function chooses them. */
static bool add_libraries(struct cc_request *request, const char *firmware) {
    const char *set = NULL;
    for (size_t i = 0; i < request->count; i++)
        if (cc_starts_with(request->args[i], "-march="))
            set = request->args[i] + strlen("-march=");
    if (!set || !strchr(set, '_'))
        return true;
    const bool atomic = memchr(set, 'a', strcspn(set, "_")), compressed = memchr(set, 'c', strcspn(set, "_"));
    return cc_push_joined(request, "-specs=", firmware,
                          atomic && compressed ? "/lib/rv32imac.specs" : "/lib/rv32im.specs");
}

static const char *script(const struct cc_request *request) {
    return request->flash      ? "/lib/flash.ld"
           : request->overlays ? "/lib/overlays.ld"
           : request->monitor  ? "/lib/monitor.ld"
                               : "/lib/gnomon.ld";
}

static bool add_link_flags(struct cc_request *request, const char *firmware) {
    bool good = cc_push(request, "-nostartfiles") && cc_push(request, "-nodefaultlibs") &&
                cc_push(request, "-static") && cc_push(request, "-Wl,--build-id=sha1");
    if (!request->own_script)
        good = good && cc_push_joined(request, "-T", firmware, script(request));
    if (request->monitor) /* the cross compiler's own linker writes no index; the linker for modules does */
        good = good && cc_push_joined(request, "-B", firmware, "/module") && cc_push(request, "-Wl,--eh-frame-hdr") &&
               cc_push(request, "-Wl,-u,gnomon_monitor_start");
    if (request->patchable)
        good = good && cc_push(request, "-Wl,-u,__gnomon_patch_entries");
    for (size_t i = 0; request->locks && cc_lock_functions[i]; i++)
        good = good && cc_push_joined(request, "-Wl,--wrap=", cc_lock_functions[i], "");
    for (size_t i = 0; request->heap && cc_heap_functions[i]; i++)
        good = good && cc_push_joined(request, "-Wl,--wrap=", cc_heap_functions[i], "");
    if (request->locks || request->heap)
        good = good && cc_push(request, "-Wl,--wrap=free");
    if (request->heap_guard)
        good = good && cc_push(request, "-Wl,--wrap=malloc_usable_size");
    if (request->heap && request->locks)
        good = good && cc_push(request, "-Wl,-u,__gnomon_locks_freed");
    if (request->expects_hooks)
        good = good && cc_push(request, "-Wl,--defsym=__gnomon_expect_functions=1");
    if (!request->own_start_files || !request->own_libraries)
        good = good && cc_push(request, "-x") && cc_push(request, "none");
    if (!request->own_start_files)
        good = good && cc_push_joined(request, firmware, "/lib/crt0.o", "");
    if (!request->own_libraries && request->heap)
        good = good && cc_push_joined(request, firmware, "/lib/heap.o", "");
    if (!request->own_libraries && request->heap_guard)
        good = good && cc_push_joined(request, firmware, "/lib/heap-guard.o", "");
    if (!request->own_libraries && request->records)
        good = good && cc_push_joined(request, firmware, request->records, "");
    if (!request->own_libraries) /* these libraries need each other */
        good = good && cc_push(request, "-Wl,--start-group") &&
               cc_push_joined(request, firmware, request->harts ? "/lib/libgnomon-harts.a" : "/lib/libgnomon.a", "") &&
               cc_push(request, "-lm") && cc_push(request, "-lc") && cc_push(request, "-lgcc") &&
               cc_push(request, "-Wl,--end-group");
    return good;
}

/* The cross compiler's own linker makes no shared objects; firmware/module/ has a linker that does. What the module
 * needs from libraries, it takes from the program when it is loaded. */
static bool add_module_flags(struct cc_request *request, const char *firmware) {
    static const char *const flags[] = {
        "-nostartfiles",  "-nodefaultlibs",        "-Wl,--build-id=sha1",     "-Wl,-shared",
        "-Wl,-Bsymbolic", "-Wl,--hash-style=sysv", "-Wl,-z,max-page-size=16", NULL};
    bool good = cc_push_all(request, flags) && cc_push_joined(request, "-B", firmware, "/module");
    if (!request->own_script)
        good = good && cc_push_joined(request, "-T", firmware, "/lib/module.ld");
    if (request->expects_hooks)
        good = good && cc_push(request, "-Wl,--defsym=__gnomon_expect_functions=1");
    if (request->records)
        good = good && cc_push(request, "-x") && cc_push(request, "none") &&
               cc_push_joined(request, firmware, "/lib/module-records.o", "");
    return good;
}

/* Adds the order of function numbers: a script that the linker reads before ours. */
static enum gnomon_status add_order(struct cli_context *context, struct cc_request *request,
                                    struct gnomon_error *error) {
    if (request->own_script) {
        cli_warn(context, "--gnomon-profile has no effect with a linker script of your own");
        return GNOMON_OK;
    }
    char *script = NULL;
    enum gnomon_status status = cc_order(request->profile, &script, error);
    if (status)
        return status;
    const bool good = cc_push(request, "-Xlinker") && cc_push(request, "-T") && cc_push(request, "-Xlinker");
    if (!good)
        free(script);
    return good && cc_push_owned(request, script) ? GNOMON_OK : gnomon_fail_memory(error);
}

static int no_memory(const struct cli_context *context) {
    struct gnomon_error error;
    gnomon_fail_memory(&error);
    return cli_error(context, &error);
}

static int no_firmware(const struct cli_context *context) {
    struct gnomon_error error;
    gnomon_fail(&error, GNOMON_ERR_NOT_FOUND, "the compiler plugin and the runtime are not where this program is");
    gnomon_remedy(&error, error.status, "build them (make firmware), or name their folder in GNOMON_FIRMWARE");
    return cli_error(context, &error);
}

static int cannot_run(const struct cli_context *context, const char *compiler) {
    struct gnomon_error error;
    gnomon_fail_errno(&error, GNOMON_ERR_SYSTEM, "cannot run %s", compiler);
    gnomon_remedy(&error, error.status, "install the Debian package gcc-riscv64-unknown-elf, or run tools/setup.sh");
    return cli_error(context, &error);
}

/* Returns the file that the linker writes. */
static const char *output_of(const struct cc_request *request) {
    const char *output = "a.out";
    for (size_t i = 0; i < request->count; i++) {
        const char *arg = request->args[i];
        if (strcmp(arg, "-o") == 0 && i + 1 < request->count)
            output = request->args[++i];
        else if (cc_starts_with(arg, "-o") && arg[2])
            output = arg + 2;
    }
    return output;
}

/* Runs the compiler to link, then processes the tags. Returns the exit status. */
static int link_program(struct cli_context *context, const struct cc_request *request, const char *compiler) {
    pid_t child;
    int result = 0;
    errno = posix_spawnp(&child, compiler, NULL, NULL, request->args, environ);
    if (errno)
        return cannot_run(context, compiler);
    while (waitpid(child, &result, 0) < 0 && errno == EINTR)
        ;
    if (WIFSIGNALED(result))
        raise(WTERMSIG(result));
    if (!WIFEXITED(result) || WEXITSTATUS(result))
        return WIFEXITED(result) ? WEXITSTATUS(result) : CLI_FAILED;
    struct gnomon_error error;
    struct stat about;
    const char *output = output_of(request);
    if ((!stat(output, &about) && !S_ISREG(about.st_mode)) || !cc_tags(context, output, &error)) /* /dev/null */
        return CLI_OK;
    unlink(output); /* a linker that fails leaves no output either */
    return cli_error(context, &error);
}

/* Makes the compiler's command line. Replaces this process by the compiler, or runs the compiler as a child if there is
 * work to do after it. Returns the exit status. */
static int become_compiler(struct cli_context *context, struct cc_request *request, const char *compiler,
                           const char *const *language_flags, const char *firmware) {
    bool good =
        cc_push(request, compiler) && cc_push_all(request, target_flags) && cc_push_all(request, language_flags);
    good = good && add_compile_flags(request, firmware);
    if (language_flags == cxx_flags)
        good = good && cc_push_joined(request, "--gnomon-cxx=", firmware, "/c++");
    if (!good)
        return no_memory(context);
    if (!cc_request_read(context, request))
        return CLI_USAGE;
    if (request->monitor && (request->overlays || request->module))
        return cli_usage(context, "--gnomon-monitor finds no callers in %s: leave one of the two out",
                         request->module ? "a module" : "overlays");
    if (request->flash && (request->overlays || request->module || request->monitor || request->patchable))
        return cli_usage(context, "--gnomon-flash does not go together with %s: leave one of the two out",
                         request->overlays  ? "--gnomon-overlays"
                         : request->module  ? "--gnomon-module"
                         : request->monitor ? "--gnomon-monitor"
                                            : "--gnomon-patchable");
    if (request->harts && (request->freertos || request->records))
        return cli_usage(context, "--gnomon-harts does not go together with %s: leave one of the two out",
                         request->freertos ? "--gnomon-freertos" : "--gnomon-records");
    if (!request->off)
        cc_request_drop_other_ways(context, request);
    good = add_libraries(request, firmware) && (!request->freertos || add_freertos(request, firmware));
    if (request->save_restore) {
        cli_warn(context, "-msave-restore is switched off: it would hide function exits");
        good = good && cc_push(request, "-mno-save-restore");
    }
    if (request->overlays && (request->module || request->own_script))
        cli_warn(context, "--gnomon-overlays has no effect %s",
                 request->module ? "on a module" : "with a linker script of your own");
    if (request->relocatable) /* leave out what picolibc.specs adds for images */
        good =
            good && cc_push(request, "-T") && cc_push(request, "/dev/null") && cc_push(request, "-Wl,--no-gc-sections");
    struct gnomon_error error;
    const bool links = request->links && request->inputs;
    if (good && links && request->profile && !request->module && add_order(context, request, &error))
        return cli_error(context, &error);
    if (good && links)
        good = request->module ? add_module_flags(request, firmware) : add_link_flags(request, firmware);
    if (!good)
        return no_memory(context);
    if (links)
        return link_program(context, request, compiler);
    execvp(compiler, request->args);
    return cannot_run(context, compiler);
}

static int run_compiler(struct cli_context *context, const char *default_compiler, const char *const *language_flags) {
    const char *given = getenv("GNOMON_CC_COMPILER");
    const char *compiler = given && *given ? given : default_compiler;
    char *firmware = find_firmware();
    if (!firmware)
        return no_firmware(context);
    struct cc_request request = {.links = true, .expects_hooks = true};
    const int status = become_compiler(context, &request, compiler, language_flags, firmware);
    cc_request_free(&request);
    free(firmware);
    return status;
}

static int run_cc(struct cli_context *context) {
    static const char *const no_flags[] = {NULL};
    return run_compiler(context, "riscv64-unknown-elf-gcc", no_flags);
}
static int run_cxx(struct cli_context *context) {
    return run_compiler(context, "riscv64-unknown-elf-g++", cxx_flags);
}

#define DESCRIPTION                                                                                                    \
    "Passes every option to the compiler. Adds the target (RV32IMC, picolibc) and the plugin that puts "               \
    "one-store hooks into each function. When it links, it also adds start-up code, linker script and "                \
    "runtime.\n\n"                                                                                                     \
    "--gnomon-exclude=GLOB, --gnomon-include=GLOB: leave out functions whose name matches GLOB, or "                   \
    "take only matching functions.\n\n"                                                                                \
    "--gnomon-exclude-file=GLOB, --gnomon-include-file=GLOB: the same by source file.\n\n"                             \
    "--gnomon-min-insns=N: leave out functions of fewer than N instructions.\n\n"                                      \
    "--gnomon-profile=FILE: when linking, number the functions so that one store reaches those that an "               \
    "earlier run called most. FILE is a recording, or the output of `gnomon report --json`; functions "                \
    "that no longer exist are ignored.\n\n"                                                                            \
    "--gnomon-patchable: when linking, count the calls of functions in objects that were compiled "                    \
    "elsewhere with -fpatchable-function-entry=N. Objects compiled elsewhere with "                                    \
    "-finstrument-functions or -pg need no option.\n\n"                                                                \
    "--gnomon-records=array, --gnomon-records=pointers: keep records in memory instead of storing "                    \
    "events, for other cores. With \",graph\" appended, the records also have callers, callees and the "               \
    "lengths of calls. `gnomon report` reads the file that the program writes.\n\n"                                    \
    "--gnomon-module, to compile and to link: build a module that a running program loads "                            \
    "(gnomon_module.h). --gnomon-module=near: with hooks of one instruction, if the program and its "                  \
    "modules have no more than 2048 functions together.\n\n"                                                           \
    "--gnomon-monitor, to compile and to link: add what gnomon record -g needs to sample stacks, and gnomon "          \
    "callers and gnomon_monitor.h to find the callers of a function.\n\n"                                              \
    "--gnomon-overlays: when linking, build a program with overlays (GNOMON_OVERLAY in gnomon.h).\n\n"                 \
    "--gnomon-flash: when linking, place code and constants in flash memory, for a board that runs programs from "     \
    "there (fomu-flash). Data stay in main memory.\n\n"                                                                \
    "--gnomon-heap: when linking, send a message for each call of malloc and its relatives, also FreeRTOS's, for "     \
    "`gnomon heap`. --gnomon-heap=guard also puts guards around each block and keeps freed blocks for a while, to "    \
    "find what is written beyond a block and after it was freed; the layout of the heap is another one then.\n\n"      \
    "--gnomon-locks: when linking, send a message for each call of a lock function of pthread.h or semaphore.h, with " \
    "its thread and its caller, for `gnomon locks`. The program's sources stay as they are.\n\n"                       \
    "--gnomon-harts: when linking, threads run on both harts of a device that has two. On other devices the program "  \
    "runs, too.\n\n"                                                                                                   \
    "--gnomon-freertos, to compile and to link: FreeRTOS tells of its tasks, their switches and names, and of its "    \
    "queues, mutexes, semaphores and critical sections. Kernel and program stay as they are. With --gnomon-records, "  \
    "the records follow the tasks.\n\n"                                                                                \
    "--gnomon-off: no hooks. --gnomon-allow-none: link an image even if nothing in it has hooks.\n\n"                  \
    "With -flto, give options about functions to the command that links as well."

const struct command command_cc = {
    .name = "cc",
    .summary = "the C compiler with hooks, runtime and linker script: a drop-in for CC",
    .synopsis = "[--gnomon-OPTION...] [COMPILER-OPTION...] FILE...",
    .description = DESCRIPTION,
    .examples = "gnomon cc -O2 -g -o hello.elf hello.c\tCompile and link.\n"
                "./configure CC=\"gnomon cc\" --host=riscv32\tLet a configure script use it.\n",
    .raw = true,
    .max_operands = -1,
    .run = run_cc,
};

const struct command command_cxx = {
    .name = "c++",
    .summary = "the C++ compiler with hooks, runtime and linker script (no exceptions, no iostreams)",
    .synopsis = "[--gnomon-OPTION...] [COMPILER-OPTION...] FILE...",
    .description = DESCRIPTION,
    .raw = true,
    .max_operands = -1,
    .run = run_cxx,
};
