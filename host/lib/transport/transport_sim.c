/* SPDX-License-Identifier: Apache-2.0 */
/* sim:CONFIG, sim:BOARD: a simulated board of our own. It is started for one connection and ends with it. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "gnomon/boards.h"
#include "gnomon/sim.h"
#include "lib/transport/serial_port.h"
#include "lib/transport/transport_serial.h"
#include "lib/transport/usbip.h"

#define START_TIMEOUT 60000 /* ms until the simulator must be listening */
#define END_TIMEOUT 20000   /* ms for the simulator to end by itself after its connection was closed */
#define SIM_BUSID "1-1"
#define END_TEXT 128

/* The SoC's configurations and the real boards, each of which can be simulated. */
static const char *const configs[] = {GNOMON_SIMULATORS};

/* Finds the simulators: in $GNOMON_SIM_DIR, or in build/sim relative to the executable, which is build/bin/gnomon or
 * build/VARIANT/bin/gnomon. */
static bool find_simulator(const char *config, char path[PATH_MAX]) {
    const char *directory = getenv("GNOMON_SIM_DIR");
    if (directory && *directory) {
        int length = snprintf(path, PATH_MAX, "%s/%s/gnomon-sim", directory, config);
        return length < PATH_MAX && access(path, X_OK) == 0;
    }
    char executable[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", executable, sizeof executable - 1);
    if (length <= 0)
        return false;
    executable[length] = '\0';
    char *slash = strrchr(executable, '/');
    if (!slash)
        return false;
    *slash = '\0';
    static const char *const ways[] = {"../sim", "../../sim"};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if (snprintf(path, PATH_MAX, "%s/%s/%s/gnomon-sim", executable, ways[i], config) < PATH_MAX &&
            access(path, X_OK) == 0)
            return true;
    return false;
}

/* Finds a lean model if it is sufficient: the same board with the same cycles and bytes, in less time. Additional
 * options need the full model; $GNOMON_SIM_MODEL=full requests it. */
static bool find_lean(const char *config, const struct gnomon_transport_options *options, char path[PATH_MAX]) {
    char lean[64];
    const char *model = getenv("GNOMON_SIM_MODEL");
    if (!options || !options->lean || options->sim_option_count || (model && !strcmp(model, "full")))
        return false;
    return snprintf(lean, sizeof lean, "%s-lean", config) < (int)sizeof lean && find_simulator(lean, path);
}

/* In the child: makes its own process group, so that the parent handles Ctrl-C; it ends when the parent ends. */
static void become_simulator(const char *path, const struct gnomon_transport_options *options, int output,
                             pid_t parent) {
    size_t more = options ? options->sim_option_count : 0, count = 0;
    const char **arguments = calloc(5 + more, sizeof *arguments);
    if (!arguments)
        _exit(127);
    arguments[count++] = path;
    arguments[count++] = "--port";
    arguments[count++] = "0";
    arguments[count++] = "--once";
    for (size_t i = 0; i < more; i++)
        arguments[count++] = options->sim_options[i];
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) /* the parent died before prctl */
        _exit(127);
    dup2(output, STDOUT_FILENO);
    signal(SIGINT, SIG_DFL);
    execv(path, (char *const *)arguments);
    _exit(127);
}

/* Reads the simulator's first line, which gives its address. */
static enum gnomon_status read_line(int output, const char *address, char line[256], struct gnomon_error *error) {
    size_t used = 0;
    struct pollfd wait = {.fd = output, .events = POLLIN};
    while (used < 255) {
        int ready = poll(&wait, 1, START_TIMEOUT);
        if (ready < 0 && errno == EINTR)
            continue;
        ssize_t got = ready > 0 ? read(output, line + used, 1) : 0;
        if (got <= 0)
            break;
        if (line[used++] == '\n')
            break;
    }
    line[used] = '\0';
    if (used && line[used - 1] == '\n')
        return GNOMON_OK;
    gnomon_fail(error, GNOMON_ERR_SYSTEM, "the simulator of %s did not start", address);
    return gnomon_remedy(error, GNOMON_ERR_SYSTEM, "run it by hand to see why, or build it again: make sim-boards");
}

/* The unit that a lean simulator left out, by its exit status. */
static const char *left_out(int status) {
    static const char *const units[] = {"hookless call tracing", "the selectable counters or the code ranges",
                                        "the counters of stall causes", "tags"};
    for (unsigned i = 0; i < sizeof units / sizeof *units; i++)
        if (status >> GNOMON_SIM_LEFT_OUT_LOG2 == 1 && status >> i & 1)
            return units[i];
    return NULL;
}

/* Describes the simulator's end as text. False: it still runs. */
static bool reap(pid_t *child, unsigned patience, char text[END_TEXT]) {
    int status = 0;
    for (unsigned waited = 0;; waited++) {
        pid_t ended = waitpid(*child, &status, WNOHANG);
        if (ended == *child || (ended < 0 && errno == ECHILD))
            break;
        if (waited >= patience)
            return false;
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    *child = 0;
    if (WIFSIGNALED(status))
        snprintf(text, END_TEXT, "the simulator was ended by signal %d", WTERMSIG(status));
    else if (left_out(WEXITSTATUS(status)))
        snprintf(text, END_TEXT, "the program uses %s, which the lean model leaves out", left_out(WEXITSTATUS(status)));
    else
        snprintf(text, END_TEXT, "the simulator ended with status %d", WEXITSTATUS(status));
    return true;
}

static void sim_post_mortem(struct usbip *usbip, struct gnomon_error *error) {
    char text[END_TEXT];
    if (!usbip->child || !reap(&usbip->child, 500, text))
        return;
    gnomon_fail(error, GNOMON_ERR_DISCONNECTED, "the connection to %s is lost: %s", usbip->base.address, text);
    if (strstr(text, "lean model"))
        gnomon_remedy(error, GNOMON_ERR_DISCONNECTED, "set GNOMON_SIM_MODEL=full in the environment, and run it again");
    else
        gnomon_remedy(error, GNOMON_ERR_DISCONNECTED, "try again; if it happens again, run gnomon -v and report it");
}

/* Ends the simulator, which was started with --once: it ends after its connection was closed. */
static void end_simulator(pid_t *child, int output) {
    char text[END_TEXT];
    if (*child && !reap(child, END_TIMEOUT, text)) {
        kill(*child, SIGKILL);
        waitpid(*child, NULL, 0);
    }
    close(output);
}

static void end_child(struct usbip *usbip) {
    end_simulator(&usbip->child, usbip->child_output);
}

/* A simulated board with a UART link: its terminal, and the simulator that ends with it. */
struct sim_line {
    struct serial_io port;
    pid_t child;
    int output;
    char end[END_TEXT]; /* how the simulator ended, as text */
};

static const char *why(struct sim_line *line, const char *wrong) {
    return wrong && line->child && reap(&line->child, 500, line->end) ? line->end : wrong;
}

static const char *line_send(void *context, const uint8_t *data, size_t size) {
    struct sim_line *line = context;
    return why(line, line->port.send(line->port.context, data, size));
}

static const char *line_receive(void *context, uint8_t *data, size_t size, uint64_t end, size_t *got,
                                bool *interrupted) {
    struct sim_line *line = context;
    return why(line, line->port.receive(line->port.context, data, size, end, got, interrupted));
}

static uint64_t line_now(void *context) {
    struct sim_line *line = context;
    return line->port.now(line->port.context);
}

static void line_close(void *context) {
    struct sim_line *line = context;
    line->port.close(line->port.context);
    end_simulator(&line->child, line->output);
    free(line);
}

/* Connects to the terminal of a simulated line. On failure *child is 0 if no process is left to end. */
static enum gnomon_status attach_line(const char *address, const char *path, unsigned baud, pid_t *child, int output,
                                      struct gnomon_transport **transport, struct gnomon_error *error) {
    struct sim_line *line = calloc(1, sizeof *line);
    if (!line)
        return gnomon_fail_memory(error);
    enum gnomon_status status = serial_port_open(path, baud, &line->port, error);
    if (status) {
        free(line);
        return status;
    }
    line->child = *child;
    line->output = output;
    *child = 0;
    const struct serial_io io = {line, line_send, line_receive, line_now, line_close};
    return gnomon_serial_over(&io, address, transport, error);
}

static enum gnomon_status start(const char *path, const char *address, const struct gnomon_transport_options *options,
                                pid_t *child, int *output, struct gnomon_error *error) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC))
        return gnomon_fail_errno(error, GNOMON_ERR_SYSTEM, "cannot start the simulator of %s", address);
    pid_t parent = getpid();
    *child = fork();
    if (*child == 0)
        become_simulator(path, options, ends[1], parent);
    close(ends[1]);
    *output = ends[0];
    if (*child > 0)
        return GNOMON_OK;
    close(ends[0]);
    return gnomon_fail_errno(error, GNOMON_ERR_SYSTEM, "cannot start the simulator of %s", address);
}

static enum gnomon_status no_simulator(const char *config, struct gnomon_error *error) {
    bool known = false;
    for (size_t i = 0; i < sizeof configs / sizeof *configs; i++)
        known |= !strcmp(config, configs[i]);
    if (!known) {
        char names[256] = "";
        size_t used = 0;
        for (size_t i = 0; i < sizeof configs / sizeof *configs && used < sizeof names; i++)
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", i ? ", " : "", configs[i]);
        gnomon_fail(error, GNOMON_ERR_ARGUMENT, "there is no configuration or board \"%s\"", config);
        return gnomon_remedy(error, GNOMON_ERR_ARGUMENT, "write sim: and one of %s", names);
    }
    gnomon_fail(error, GNOMON_ERR_NOT_FOUND, "the simulated board sim:%s is not built", config);
    return gnomon_remedy(error, GNOMON_ERR_NOT_FOUND,
                         "make build/sim/%s/gnomon-sim, or set GNOMON_SIM_DIR to the folder that holds %s/gnomon-sim",
                         config, config);
}

/* Connects to the simulator that was started. On failure the caller ends it if *child is not 0. */
static enum gnomon_status attach(const char *address, pid_t *child, int output, struct gnomon_transport **transport,
                                 struct gnomon_error *error) {
    char line[256], port[8], path[128];
    unsigned baud;
    enum gnomon_status status = read_line(output, address, line, error);
    if (status)
        return status;
    if (sscanf(line, "serial line %127s %u", path, &baud) == 2)
        return attach_line(address, path, baud, child, output, transport, error);
    if (sscanf(line, "listening on 127.0.0.1:%5[0-9]", port) != 1)
        return gnomon_fail(error, GNOMON_ERR_PROTOCOL, "the simulator of %s says something else than where it is",
                           address);
    struct usbip *usbip;
    status = usbip_connect(&usbip, "127.0.0.1", port, address, error);
    if (status)
        return status;
    usbip->child = *child;
    usbip->child_output = output;
    usbip->post_mortem = sim_post_mortem;
    usbip->release = end_child;
    *child = 0;
    status = usbip_import(usbip, SIM_BUSID, error);
    if (status)
        usbip_free(usbip);
    else
        *transport = &usbip->base;
    return status;
}

enum gnomon_status gnomon_sim_open(const char *address, const struct gnomon_transport_options *options,
                                   struct gnomon_transport **transport, struct gnomon_error *error) {
    const char *config = address + strlen("sim:");
    char path[PATH_MAX];
    if (strchr(config, '/') || (!find_lean(config, options, path) && !find_simulator(config, path)))
        return no_simulator(config, error);
    pid_t child = 0;
    int output = -1;
    enum gnomon_status status = start(path, address, options, &child, &output, error);
    if (status)
        return status;
    status = attach(address, &child, output, transport, error);
    if (!status)
        (*transport)->own_simulator = true;
    if (status && child) {
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        close(output);
    }
    return status;
}

enum gnomon_status gnomon_sim_list(gnomon_found_callback *callback, void *context, struct gnomon_error *error) {
    (void)error;
    for (size_t i = 0; i < sizeof configs / sizeof *configs; i++) {
        char path[PATH_MAX];
        if (!find_simulator(configs[i], path))
            continue;
        struct gnomon_found found;
        snprintf(found.address, sizeof found.address, "sim:%s", configs[i]);
        snprintf(found.about, sizeof found.about, "simulated board, started when used");
        callback(context, &found);
    }
    return GNOMON_OK;
}
