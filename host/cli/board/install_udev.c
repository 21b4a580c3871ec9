/* SPDX-License-Identifier: Apache-2.0 */
/* gnomon install-udev: installs the udev rule that gives a user access to boards on USB. The rule's text is
 * host/udev/70-gnomon.rules. */
#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/cli.h"
#include "gnomon/udev_rules.h"

#define FOLDER "/etc/udev/rules.d"
#define RULES "70-gnomon.rules"

struct values {
    const char *root;
    bool dry_run;
};

struct paths {
    char folder[4096], file[4160], fresh[4176]; /* `fresh` is renamed to `file` when it is complete */
};

static enum gnomon_status no_write(const char *path, struct gnomon_error *error) {
    int reason = errno;
    enum gnomon_status status = reason == EACCES || reason == EPERM ? GNOMON_ERR_PERMISSION : GNOMON_ERR_SYSTEM;
    gnomon_fail_errno(error, status, "cannot write %s", path);
    if (status == GNOMON_ERR_PERMISSION)
        return gnomon_remedy(error, status, "run it as root: sudo gnomon install-udev");
    if (reason == ENOENT)
        return gnomon_remedy(error, status, "this system has no udev; name another root folder with --root");
    return status;
}

static enum gnomon_status write_rules(const struct paths *paths, struct gnomon_error *error) {
    FILE *file = fopen(paths->fresh, "w");
    if (!file)
        return no_write(paths->file, error);
    bool good = fputs(GNOMON_UDEV_RULES, file) >= 0 && fchmod(fileno(file), 0644) == 0;
    good = fclose(file) == 0 && good;
    if (good && rename(paths->fresh, paths->file) == 0)
        return GNOMON_OK;
    enum gnomon_status status = no_write(paths->file, error);
    unlink(paths->fresh);
    return status;
}

static bool is_there(const char *path) {
    char text[sizeof GNOMON_UDEV_RULES + 1];
    FILE *file = fopen(path, "r");
    if (!file)
        return false;
    size_t size = fread(text, 1, sizeof text, file);
    fclose(file);
    return size == sizeof GNOMON_UDEV_RULES - 1 && !memcmp(text, GNOMON_UDEV_RULES, size);
}

static bool udevadm(const char *action, const char *subsystem) {
    char *arguments[] = {"udevadm", (char *)action, (char *)subsystem, NULL};
    pid_t child;
    int state = 0;
    if (posix_spawnp(&child, "udevadm", NULL, NULL, arguments, environ))
        return false;
    while (waitpid(child, &state, 0) < 0 && errno == EINTR)
        ;
    return WIFEXITED(state) && WEXITSTATUS(state) == 0;
}

/* Reloads the rules, but not if they were installed under another root: the running system does not use those. */
static void activate(const struct cli_context *context, bool other_root) {
    if (other_root)
        return;
    if (udevadm("control", "--reload") && udevadm("trigger", "--subsystem-match=usb"))
        cli_note(context, "boards that are plugged in are accessible now");
    else
        cli_warn(context, "udev did not take it at once: unplug the board and plug it in again");
}

static int run_install_udev(struct cli_context *context) {
    const struct values *values = context->values;
    const char *root = values->root ? values->root : "";
    struct paths paths;
    if (strlen(root) > 2048)
        return cli_usage(context, "--root is too long");
    snprintf(paths.folder, sizeof paths.folder, "%s" FOLDER, root);
    snprintf(paths.file, sizeof paths.file, "%s/" RULES, paths.folder);
    snprintf(paths.fresh, sizeof paths.fresh, "%s.new", paths.file);
    if (values->dry_run) {
        printf("# %s, then: udevadm control --reload && udevadm trigger --subsystem-match=usb\n%s", paths.file,
               GNOMON_UDEV_RULES);
        return cli_pager_end(context, stdout);
    }
    if (is_there(paths.file)) {
        cli_note(context, "%s is there already", paths.file);
        return CLI_OK;
    }
    struct gnomon_error error;
    if (write_rules(&paths, &error))
        return cli_error(context, &error);
    cli_note(context, "wrote %s", paths.file);
    activate(context, values->root != NULL);
    return CLI_OK;
}

static const struct cli_option options[] = {
    {0, "dry-run", NULL, "write nothing; print the file and what would be done", CLI_FLAG,
     offsetof(struct values, dry_run)},
    {0, "root", "DIR", "install into the system whose root folder is DIR, and do not change the running system",
     CLI_STRING, offsetof(struct values, root)},
    {0},
};

const struct command command_install_udev = {
    .name = "install-udev",
    .summary = "give users access to boards on USB (once, as root)",
    .synopsis = "[OPTION...]",
    .description = "Writes " FOLDER "/" RULES " and makes udev read it. The rule gives the user at the machine's "
                   "console, and members of the group plugdev, access to Gnomon boards and their loaders.",
    .examples = "sudo gnomon install-udev\tInstall the rule.\ngnomon install-udev --dry-run\tShow what it does.\n",
    .options = options,
    .values_size = sizeof(struct values),
    .run = run_install_udev,
};
