/* SPDX-License-Identifier: Apache-2.0 */
/* sim:CONFIG, sim:BOARD: a simulated board of our own, started for one connection and ended with it. */
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
#include "usbip.h"

#define START_TIMEOUT 60000 /* ms until the simulator must listen */
#define END_TIMEOUT 20000   /* ms that it has to end by itself, once its connection is closed */
#define SIM_BUSID "1-1"

/* The SoC's configurations and the real boards, each of which can be simulated. */
static const char *const configs[] = {GNOMON_SIMULATORS};

/* The simulators: $GNOMON_SIM_DIR, or build/sim as seen from the executable, build/bin/gnomon or
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

/* In the child: its own process group, so that Ctrl-C is the parent's to handle; gone when the parent is. */
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
    if (getppid() != parent) /* it died before prctl */
        _exit(127);
    dup2(output, STDOUT_FILENO);
    signal(SIGINT, SIG_DFL);
    execv(path, (char *const *)arguments);
    _exit(127);
}

/* Reads the line "listening on 127.0.0.1:PORT". */
static enum gnomon_status read_port(int output, const char *address, char port[8], struct gnomon_error *error) {
    char line[128];
    size_t used = 0;
    struct pollfd wait = {.fd = output, .events = POLLIN};
    while (used < sizeof line - 1) {
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
    if (sscanf(line, "listening on 127.0.0.1:%5[0-9]", port) == 1)
        return GNOMON_OK;
    gnomon_fail(error, GNOMON_ERR_SYSTEM, "the simulator of %s did not start", address);
    return gnomon_remedy(error, GNOMON_ERR_SYSTEM, "run it by hand to see why, or build it again: make sim-boards");
}

/* The simulator's end in words. False: it still runs. */
static bool reap(struct usbip *usbip, unsigned patience, char text[64]) {
    int status = 0;
    for (unsigned waited = 0;; waited++) {
        pid_t ended = waitpid(usbip->child, &status, WNOHANG);
        if (ended == usbip->child || (ended < 0 && errno == ECHILD))
            break;
        if (waited >= patience)
            return false;
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    usbip->child = 0;
    if (WIFSIGNALED(status))
        snprintf(text, 64, "the simulator was ended by signal %d", WTERMSIG(status));
    else
        snprintf(text, 64, "the simulator ended with status %d", WEXITSTATUS(status));
    return true;
}

static void sim_post_mortem(struct usbip *usbip, struct gnomon_error *error) {
    char text[64];
    if (!usbip->child || !reap(usbip, 500, text))
        return;
    gnomon_fail(error, GNOMON_ERR_DISCONNECTED, "lost %s: %s", usbip->base.address, text);
    gnomon_remedy(error, GNOMON_ERR_DISCONNECTED, "try again; if it happens again, run gnomon -v and report it");
}

/* The simulator, started with --once, ends with its connection, which has just been closed. */
static void end_child(struct usbip *usbip) {
    char text[64];
    if (usbip->child && !reap(usbip, END_TIMEOUT, text)) {
        kill(usbip->child, SIGKILL);
        waitpid(usbip->child, NULL, 0);
    }
    close(usbip->child_output);
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

/* Connects to the simulator that has been started; on failure the caller ends it. */
static enum gnomon_status attach(const char *address, pid_t child, int output, struct usbip **usbip,
                                 struct gnomon_error *error) {
    char port[8];
    enum gnomon_status status = read_port(output, address, port, error);
    if (!status)
        status = usbip_connect(usbip, "127.0.0.1", port, address, error);
    if (status)
        return status;
    (*usbip)->child = child;
    (*usbip)->child_output = output;
    (*usbip)->post_mortem = sim_post_mortem;
    (*usbip)->release = end_child;
    return usbip_import(*usbip, SIM_BUSID, error);
}

enum gnomon_status gnomon_sim_open(const char *address, const struct gnomon_transport_options *options,
                                   struct gnomon_transport **transport, struct gnomon_error *error) {
    const char *config = address + strlen("sim:");
    char path[PATH_MAX];
    if (strchr(config, '/') || !find_simulator(config, path))
        return no_simulator(config, error);
    pid_t child = 0;
    int output = -1;
    struct usbip *usbip = NULL;
    enum gnomon_status status = start(path, address, options, &child, &output, error);
    if (status)
        return status;
    status = attach(address, child, output, &usbip, error);
    if (status && usbip) {
        usbip_free(usbip);
    } else if (status) {
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        close(output);
    } else {
        *transport = &usbip->base;
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
