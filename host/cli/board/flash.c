/* SPDX-License-Identifier: Apache-2.0 */
/* gnomon flash: writes a bitstream to a board with native USB. It uses the board's loader; no programmer is needed. */
#include <errno.h>
#include <jansson.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "cli/cli.h"
#include "cli/screen.h"
#include "lib/flash/boot_loader.h"
#include "lib/transport/transport.h"

#define DEFAULT_WAIT 10
#define MOST_WAIT 600
#define TINYPROG "tinyprog"

struct values {
    const char *board;
    uint64_t alternate, wait;
    bool list, dry_run, no_return;
};

/* State of one call of gnomon flash. */
struct flashing {
    struct cli_context *context;
    const struct values *values;
    const char *path;
    unsigned wait;
    struct gnomon_bitstream bitstream;
    struct gnomon_flash_list before; /* devices found at the beginning */
    struct gnomon_flash_device device;
    struct cli_progress progress;
};

static int list_loaders(struct cli_context *context) {
    json_t *array = context->json ? json_array() : NULL;
    for (const struct gnomon_loader *loader = gnomon_loaders; loader->board; loader++) {
        char ids[16];
        snprintf(ids, sizeof ids, "%04x:%04x", loader->vendor, loader->product);
        const char *fpga = gnomon_fpga_name(loader->fpga), *how = loader->dfu ? "DFU 1.1" : TINYPROG;
        if (array)
            json_array_append_new(array, json_pack("{s:s, s:s, s:s, s:s, s:s}", "board", loader->board, "title",
                                                   loader->title, "loader", ids, "fpga", fpga, "how", how));
        else
            printf("%-18s %s  %-14s %-9s %s\n", loader->board, ids, fpga, how, loader->title);
    }
    return array ? cli_print_json(context, array) : cli_pager_end(context, stdout);
}

static void on_progress(void *context, size_t done, size_t size) {
    struct flashing *flashing = context;
    if (cli_progress_due(&flashing->progress))
        cli_progress_draw(&flashing->progress, "  writing %3zu %%", size ? done * 100 / size : 100);
}

/* ---- Which device ---- */

static enum gnomon_status not_one(const struct gnomon_flash_list *list, const char *asked, struct gnomon_error *error) {
    if (list->count > 1) {
        gnomon_fail(error, GNOMON_ERR_ARGUMENT, "there are %zu boards that could be written", list->count);
        return gnomon_remedy(error, GNOMON_ERR_ARGUMENT, "name one, as in -d %s", list->devices[0].address);
    }
    gnomon_fail(error, GNOMON_ERR_NOT_FOUND, "there is no board to write to%s%s", asked ? ": no " : "",
                asked ? asked : "");
    return gnomon_remedy(error, GNOMON_ERR_NOT_FOUND,
                         "plug it in; gnomon list shows the Gnomons, gnomon flash --list the known loaders");
}

static enum gnomon_status choose(struct flashing *flashing, struct gnomon_error *error) {
    struct gnomon_flash_list list;
    const char *asked = flashing->context->device;
    enum gnomon_status status = gnomon_flash_scan(asked, &list, error);
    if (!status)
        status = gnomon_flash_scan(NULL, &flashing->before, error);
    if (status)
        return status;
    flashing->device = list.devices[0];
    return list.count == 1 ? GNOMON_OK : not_one(&list, asked, error);
}

/* ---- Writing ---- */

/* For a user who wants to flash by hand, or to see what gnomon flash would do. */
static int print_plan(const struct flashing *flashing, const struct gnomon_loader *loader) {
    const struct gnomon_flash_device *device = &flashing->device;
    if (device->kind == GNOMON_FLASH_RUNTIME)
        printf("dfu-util -e -d %04x:%04x\n", device->vendor, device->product);
    if (device->kind == GNOMON_FLASH_GNOMON)
        printf("# no tool but gnomon sends %s into its loader (vendor request %d)\n", device->address,
               GNOMON_USB_REQUEST_BOOT);
    if (loader && !loader->dfu)
        printf(TINYPROG " -p %s\n", flashing->path);
    else if (loader || device->kind == GNOMON_FLASH_DFU)
        printf("dfu-util -d %04x:%04x -a %u -D %s -R\n", loader ? loader->vendor : device->vendor,
               loader ? loader->product : device->product, (unsigned)flashing->values->alternate, flashing->path);
    else
        printf("dfu-util -a %u -D %s -R\n", (unsigned)flashing->values->alternate, flashing->path);
    return cli_pager_end(flashing->context, stdout);
}

static enum gnomon_status run_tinyprog(const struct flashing *flashing, struct gnomon_error *error) {
    char *arguments[] = {TINYPROG, "-p", (char *)flashing->path, NULL};
    pid_t child;
    int state = 0, wrong = posix_spawnp(&child, TINYPROG, NULL, NULL, arguments, environ);
    if (wrong) {
        gnomon_fail(error, GNOMON_ERR_NOT_FOUND, "the loader of a TinyFPGA BX needs the program " TINYPROG ": %s",
                    strerror(wrong));
        return gnomon_remedy(error, GNOMON_ERR_NOT_FOUND,
                             "install it: pipx install tinyprog; the board waits in its "
                             "loader meanwhile");
    }
    while (waitpid(child, &state, 0) < 0 && errno == EINTR)
        ;
    if (WIFEXITED(state) && WEXITSTATUS(state) == 0)
        return GNOMON_OK;
    gnomon_fail(error, GNOMON_ERR_SYSTEM, TINYPROG " failed (status %d)", WIFEXITED(state) ? WEXITSTATUS(state) : 128);
    return gnomon_remedy(error, GNOMON_ERR_SYSTEM, "see its message above");
}

static enum gnomon_status to_loader(struct flashing *flashing, struct gnomon_error *error) {
    if (flashing->device.kind > GNOMON_FLASH_RUNTIME) /* the board is already in its loader */
        return GNOMON_OK;
    cli_note(flashing->context, "%s: restarting into its loader", flashing->device.address);
    enum gnomon_status status = gnomon_flash_detach(&flashing->device, error);
    if (!status)
        status = gnomon_flash_wait(&flashing->before, false, flashing->wait, &flashing->device, error);
    return status;
}

static enum gnomon_status write_it(struct flashing *flashing, struct gnomon_error *error) {
    const struct gnomon_loader *loader = flashing->device.loader;
    enum gnomon_status status =
        loader ? gnomon_flash_check(loader, flashing->path, &flashing->bitstream, error) : GNOMON_OK;
    if (status)
        return status;
    cli_note(flashing->context, "%s: writing %s (%zu bytes, for an %s)", flashing->device.address, flashing->path,
             flashing->bitstream.size, flashing->bitstream.part);
    if (flashing->device.kind == GNOMON_FLASH_TINYPROG)
        return run_tinyprog(flashing, error);
    struct gnomon_flash_options options = {(unsigned)flashing->values->alternate, flashing->wait, on_progress,
                                           flashing};
    cli_progress_begin(&flashing->progress, flashing->context);
    status = gnomon_flash_write(&flashing->device, &flashing->bitstream, &options, error);
    cli_progress_end(&flashing->progress);
    return status;
}

/* The board's loader was there at the beginning, or appeared later; a device that appears now is the written
 * bitstream. */
static enum gnomon_status await_return(struct flashing *flashing, struct gnomon_error *error) {
    if (flashing->values->no_return)
        return GNOMON_OK;
    struct gnomon_flash_device back;
    enum gnomon_status status = gnomon_flash_wait(&flashing->before, true, flashing->wait, &back, error);
    if (!status)
        cli_note(flashing->context, "written; back as %s", back.address);
    return status;
}

static int flash(struct flashing *flashing, const struct gnomon_loader *loader) {
    struct gnomon_error error;
    enum gnomon_status status = gnomon_bitstream_read(flashing->path, &flashing->bitstream, &error);
    if (!status && loader)
        status = gnomon_flash_check(loader, flashing->path, &flashing->bitstream, &error);
    if (!status)
        status = choose(flashing, &error);
    if (!status && flashing->values->dry_run)
        return print_plan(flashing, flashing->device.loader ? flashing->device.loader : loader);
    if (!status)
        status = to_loader(flashing, &error);
    if (!status)
        status = write_it(flashing, &error);
    if (!status)
        status = await_return(flashing, &error);
    return status ? cli_error(flashing->context, &error) : CLI_OK;
}

static int run_flash(struct cli_context *context) {
    const struct values *values = context->values;
    if (values->list)
        return context->argc ? cli_usage(context, "--list takes no file") : list_loaders(context);
    if (!context->argc)
        return cli_missing_operand(context);
    if (values->wait > MOST_WAIT || values->alternate > 255)
        return cli_usage(context, "--wait is at most %d, --alt at most 255", MOST_WAIT);
    const struct gnomon_loader *loader = values->board ? gnomon_loader_of_board(values->board) : NULL;
    if (values->board && !loader)
        return cli_usage(context, "no board %s has a loader on USB; --list shows the boards with a loader",
                         values->board);
    struct flashing flashing = {.context = context,
                                .values = values,
                                .path = context->argv[0],
                                .wait = values->wait ? (unsigned)values->wait : DEFAULT_WAIT};
    int result = flash(&flashing, loader);
    gnomon_bitstream_free(&flashing.bitstream);
    return result;
}

static const struct cli_option options[] = {
    {'b', "board", "NAME", "check, before anything is written, that FILE is for the board NAME", CLI_STRING,
     offsetof(struct values, board)},
    {0, "alt", "N", "write to place N of the loader (DFU alternate setting; default 0, the bitstream)", CLI_NUMBER,
     offsetof(struct values, alternate)},
    {0, "wait", "SECONDS",
     "wait up to SECONDS for the board to come back, and for each block to be written (default 10)", CLI_NUMBER,
     offsetof(struct values, wait)},
    {0, "no-return", NULL, "do not wait for a Gnomon to appear afterwards (FILE is not a Gnomon)", CLI_FLAG,
     offsetof(struct values, no_return)},
    {0, "dry-run", NULL, "write nothing; print the commands that do the same by hand", CLI_FLAG,
     offsetof(struct values, dry_run)},
    {0, "list", NULL, "list the boards whose loaders are known", CLI_FLAG, offsetof(struct values, list)},
    {0},
};

const struct command command_flash = {
    .name = "flash",
    .summary = "write a bitstream to a board with native USB, without a programmer",
    .synopsis = "[OPTION...] FILE",
    .description = "Asks the board to restart into its loader (DFU detach, or a vendor request), waits for the "
                   "loader, writes FILE to it and waits for the board to come back. If the loader of a board already "
                   "runs, the board is written at once. A board with any other DFU 1.1 loader is also written, if it "
                   "is named with -d or is the only one.\n\nFILE is a bitstream for iCE40 or ECP5, with or without a "
                   "DFU suffix. A bitstream for another part than the board's is refused. The loader of a TinyFPGA BX "
                   "does not use DFU: gnomon runs tinyprog.\n\nBoards with a USB bridge (iCEBreaker, ULX3S) are "
                   "written by make flash BOARD=...",
    .examples = "gnomon flash build/boards/orangecrab.bit\tUpdate the board that is attached.\n"
                "gnomon flash --dry-run fomu.bin\tShow the commands of dfu-util that do the same.\n",
    .common = CLI_DEVICE | CLI_JSON,
    .options = options,
    .values_size = sizeof(struct values),
    .max_operands = 1,
    .run = run_flash,
};
