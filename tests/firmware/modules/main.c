/* SPDX-License-Identifier: Apache-2.0 */
/* Loads modules and calls them. Arguments:
 *   rounds N FILE...   each of the files in turn, N times over, from memory
 *   busy N FILE...     as rounds, with 50 calls each time
 *   fetch FILE...      each once, by name: a file here, or the host's
 *   both FILE FILE [N] two at the same time, which call each other through the program, N times
 *   interrupt FILE     while a timer interrupt calls the module, too
 *   try FILE...        prints the result of loading each
 *   jump FILE          out of the module by longjmp, and into it */
#include <gnomon.h>
#include <gnomon_module.h>

#include <fcntl.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int (*other)(int);
jmp_buf way_out;
int program_variable = 7;

__attribute__((noinline)) int call_back(int x) {
    return other ? other(x) : x + 1;
}

GNOMON_EXPORT(call_back);
GNOMON_EXPORT(way_out);
GNOMON_EXPORT(program_variable);
GNOMON_EXPORT(longjmp);
GNOMON_EXPORT(setjmp);
GNOMON_EXPORT_ARITHMETIC;

struct bytes {
    void *data;
    size_t size;
};

static struct bytes read_file(const char *name) {
    struct stat about;
    struct bytes file = {NULL, 0};
    const int fd = open(name, O_RDONLY);
    if (fd < 0 || fstat(fd, &about) != 0) {
        printf("cannot read %s\n", name);
        exit(1);
    }
    file.data = malloc((size_t)about.st_size + 1);
    if (file.data)
        file.size = (size_t)read(fd, file.data, (size_t)about.st_size);
    close(fd);
    return file;
}

static struct gnomon_module *loaded(struct gnomon_module *module, const char *name) {
    if (!module) {
        printf("%s: %s\n", name, gnomon_module_error());
        exit(1);
    }
    return module;
}

/* ISO C cannot convert an object's address to a function's. */
static int (*function_of(struct gnomon_module *module, const char *name))(int) {
    void *address = gnomon_module_symbol(module, name);
    int (*function)(int);
    if (!address) {
        printf("%s\n", gnomon_module_error());
        exit(1);
    }
    memcpy(&function, &address, sizeof function);
    return function;
}

static int rounds(int count, char **names, unsigned times, unsigned calls) {
    struct bytes files[16];
    char *after_first = NULL;
    int sum = 0;
    for (int i = 0; i < count; i++)
        files[i] = read_file(names[i]);
    for (unsigned round = 0; round < times; round++) {
        for (int i = 0; i < count; i++) {
            struct gnomon_module *module = loaded(gnomon_module_load(files[i].data, files[i].size), names[i]);
            int (*const run)(int) = function_of(module, "run");
            for (unsigned call = 0; call < calls; call++)
                sum += run((int)round);
            gnomon_module_unload(module);
        }
        if (round == 1)
            after_first = sbrk(0);
    }
    printf("sum %d, leaked %d\n", sum, times > 1 ? (int)((char *)sbrk(0) - after_first) : 0);
    return 0;
}

static int fetch(int count, char **names) {
    for (int i = 0; i < count; i++) {
        struct gnomon_module *module = gnomon_module_open(names[i]);
        if (!module) {
            printf("%s\n", gnomon_module_error());
            continue;
        }
        printf("%s: %d\n", names[i], function_of(module, "run")(i));
        gnomon_module_unload(module);
    }
    return 0;
}

static int both(char **names, unsigned calls) {
    struct gnomon_module *first = loaded(gnomon_module_open(names[0]), names[0]);
    struct gnomon_module *second = loaded(gnomon_module_open(names[1]), names[1]);
    other = function_of(second, "run");
    int sum = 0;
    for (unsigned call = 0; call < calls; call++)
        sum += function_of(first, "calls_back")(5);
    other = NULL;
    gnomon_module_unload(first);
    const int again = function_of(second, "run")(1);
    gnomon_module_unload(second);
    printf("sum %d\n", sum + again);
    return 0;
}

static int (*in_interrupt)(int);
static volatile unsigned interrupts;
enum { PERIOD = 1500 };

GNOMON_INTERRUPT void gnomon_timer_interrupt(void) {
    interrupts++;
    in_interrupt((int)interrupts);
    gnomon_timer_alarm(gnomon_timer_now() + PERIOD);
}

static int interrupt(char **names) {
    struct gnomon_module *module = loaded(gnomon_module_open(names[0]), names[0]);
    in_interrupt = function_of(module, "run");
    gnomon_timer_alarm(gnomon_timer_now() + PERIOD);
    gnomon_irq_enable(GNOMON_IRQ_TIMER);
    gnomon_interrupts_on();
    int calls = 0;
    for (; interrupts < 40; calls++)
        in_interrupt(calls);
    gnomon_interrupts_off();
    printf("calls %d, interrupts %u\n", calls, interrupts);
    gnomon_module_unload(module);
    return 0;
}

static int attempt(int count, char **names) {
    for (int i = 0; i < count; i++) {
        struct gnomon_module *module = gnomon_module_open(names[i]);
        printf("%s: %s\n", names[i], module ? "loaded" : gnomon_module_error());
        if (module)
            gnomon_module_unload(module);
    }
    return 0;
}

static int jump(char **names) {
    struct gnomon_module *module = loaded(gnomon_module_open(names[0]), names[0]);
    if (setjmp(way_out) == 0)
        function_of(module, "jumps_out")(3);
    printf("back %d\n", function_of(module, "lands")(4));
    gnomon_module_unload(module);
    return 0;
}

int main(int argc, char **argv) {
    const char *what = argc > 2 ? argv[1] : "";
    if (!strcmp(what, "rounds"))
        return rounds(argc - 3, argv + 3, (unsigned)atoi(argv[2]), 1);
    if (!strcmp(what, "busy"))
        return rounds(argc - 3, argv + 3, (unsigned)atoi(argv[2]), 50);
    if (!strcmp(what, "fetch"))
        return fetch(argc - 2, argv + 2);
    if (!strcmp(what, "both"))
        return both(argv + 2, argc > 4 ? (unsigned)atoi(argv[4]) : 1);
    if (!strcmp(what, "interrupt"))
        return interrupt(argv + 2);
    if (!strcmp(what, "try"))
        return attempt(argc - 2, argv + 2);
    if (!strcmp(what, "jump"))
        return jump(argv + 2);
    return 2;
}
