/* SPDX-License-Identifier: Apache-2.0 */
/* gnomon list: devices on USB, at the local USB/IP server, and simulated ones. */
#include <jansson.h>

#include "cli/cli.h"
#include "cli/screen.h"
#include "lib/transport/transport.h"

struct listing {
    const struct cli_context *context;
    json_t *array; /* NULL: print the list as text */
    size_t count;
};

static void add(void *context, const struct gnomon_found *found) {
    struct listing *listing = context;
    listing->count++;
    if (listing->array)
        json_array_append_new(listing->array,
                              json_pack("{s:s, s:s}", "address", found->address, "about", found->about));
    else
        printf("%s%-28s%s %s\n", cli_style(listing->context, stdout, CLI_BOLD), found->address,
               cli_style(listing->context, stdout, CLI_PLAIN), found->about);
}

static int run_list(struct cli_context *context) {
    struct gnomon_error error;
    struct listing listing = {.context = context, .array = context->json ? json_array() : NULL};
    if (gnomon_libusb_list(add, &listing, &error) && context->verbose)
        cli_warn(context, "%s", error.what);
    if (gnomon_usbip_list("localhost", GNOMON_USBIP_PORT, add, &listing, &error) && context->verbose)
        cli_warn(context, "%s", error.what);
    gnomon_sim_list(add, &listing, &error);
    int result = listing.array ? cli_print_json(context, listing.array) : cli_pager_end(context, stdout);
    if (!listing.count)
        cli_note(context, "no device found; simulated boards are built with make");
    return result;
}

const struct command command_list = {
    .name = "list",
    .summary = "show the devices: on USB, at a USB/IP server on this machine, simulated",
    .synopsis = "[OPTION...]",
    .description =
        "Lists the addresses that -d takes: boards on USB, devices exported by a USB/IP server on this machine "
        "(port 3240), and the simulated boards that are built.",
    .common = CLI_JSON,
    .run = run_list,
};
