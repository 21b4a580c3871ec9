/* SPDX-License-Identifier: Apache-2.0 */
/* gnomon serve --usbip: the board for another machine. */
#include <unistd.h>

#include "cli/interrupt.h"
#include "cli/live/serve.h"
#include "lib/transport/usbip_server.h"

static void on_taken(void *context, const char *client, bool taken) {
    cli_note(context, "%s %s the board", client, taken ? "takes" : "gives back");
}

static void announce(const struct cli_context *context, const struct gnomon_usbip_server *server) {
    const struct gnomon_usb_identity *identity = &server->transport->identity;
    cli_note(context, "%s, serial %s: gnomon -d usbip:%s reaches it", identity->name, identity->serial,
             server->listener.address);
    if (server->listener.loopback)
        cli_note(context, "only from this machine, as through ssh -L; --usbip ADDRESS:PORT lets others reach it");
    else
        cli_warn(context, "other machines can use the board, and there is no password");
}

int serve_usbip(struct cli_context *context, const struct serve_values *values) {
    struct gnomon_error error;
    struct gnomon_usbip_server server = {
        .context = context, .stop = target_tick, .taken = on_taken, .allow_boot = values->allow_control};
    enum gnomon_status status = gnomon_listen(&server.listener, values->usbip, &error);
    if (status)
        return cli_error(context, &error);
    cli_watch_interrupts(true);
    status = gnomon_libusb_open(context->device ? context->device : "usb", &server.transport, &error);
    if (!status) {
        announce(context, &server);
        status = gnomon_usbip_serve(&server, &error);
        gnomon_transport_close(server.transport);
    }
    close(server.listener.socket);
    return status ? cli_error(context, &error) : CLI_OK;
}
