/* SPDX-License-Identifier: Apache-2.0 */
#include "fake_usbip.h"

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "lib/transport/usbip_wire.h"

bool fake_once;
jmp_buf fake_next_connection;
static int client = -1;

int fake_listen(void) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    if (bind(listener, (struct sockaddr *)&address, sizeof address) || listen(listener, 4) ||
        getsockname(listener, (struct sockaddr *)&address, &size))
        exit(1);
    printf("listening on 127.0.0.1:%u\n", ntohs(address.sin_port));
    fflush(stdout);
    return listener;
}

void fake_accept(int listener) {
    int on = 1;
    client = accept(listener, NULL, NULL);
    if (client < 0)
        exit(1);
    setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

void fake_hang_up(void) {
    close(client);
}

void fake_end(int status) {
    if (fake_once)
        exit(status);
    longjmp(fake_next_connection, 1);
}

void fake_send(const void *data, size_t size) {
    const uint8_t *from = data;
    while (size) {
        ssize_t sent = send(client, from, size, MSG_NOSIGNAL);
        if (sent <= 0)
            fake_end(0);
        from += sent;
        size -= (size_t)sent;
    }
}

void fake_receive(void *data, size_t size) {
    uint8_t *to = data;
    while (size) {
        ssize_t got = recv(client, to, size, 0);
        if (got <= 0)
            fake_end(0);
        to += got;
        size -= (size_t)got;
    }
}

void fake_answer(uint32_t seqnum, int32_t status, const void *data, uint32_t size, uint32_t claimed) {
    uint8_t header[USBIP_HEADER_BYTES] = {0};
    put_be32(header + USBIP_COMMAND, USBIP_RET_SUBMIT);
    put_be32(header + USBIP_SEQNUM, seqnum);
    put_be32(header + USBIP_STATUS, (uint32_t)status);
    put_be32(header + USBIP_ACTUAL, claimed);
    fake_send(header, sizeof header);
    fake_send(data, size);
}

void fake_put_device(uint8_t *device, uint16_t vendor, uint16_t product) {
    memset(device, 0, USBIP_DEVICE_BYTES);
    memcpy(device + USBIP_DEVICE_BUSID, "1-1", 4);
    put_be32(device + USBIP_DEVICE_BUSNUM, 1);
    put_be32(device + USBIP_DEVICE_DEVNUM, 2);
    put_be16(device + USBIP_DEVICE_VENDOR, vendor);
    put_be16(device + USBIP_DEVICE_PRODUCT, product);
    device[USBIP_DEVICE_INTERFACES] = 1;
}

uint32_t fake_put_string(uint8_t *data, const char *text) {
    size_t length = strlen(text);
    for (size_t i = 0; i < length; i++) {
        data[2 + 2 * i] = (uint8_t)text[i];
        data[3 + 2 * i] = 0;
    }
    data[0] = (uint8_t)(2 + 2 * length);
    data[1] = 3;
    return data[0];
}
