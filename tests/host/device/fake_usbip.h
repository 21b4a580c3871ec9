/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the fake devices: a USB/IP server with one client at a time. */
#ifndef TESTS_FAKE_USBIP_H
#define TESTS_FAKE_USBIP_H

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

extern bool fake_once;               /* end the process with the connection */
extern jmp_buf fake_next_connection; /* set before the first connection; a lost connection jumps here */

/* Listens on the loopback and prints its address on standard output, as the simulator does. */
int fake_listen(void);
void fake_accept(int listener);
void fake_hang_up(void);
/* Ends the connection; with fake_once also the process. */
void fake_end(int status) __attribute__((noreturn));

void fake_send(const void *data, size_t size);
void fake_receive(void *data, size_t size);
/* Sends a RET_SUBMIT that claims `claimed` bytes and carries `size`. */
void fake_answer(uint32_t seqnum, int32_t status, const void *data, uint32_t size, uint32_t claimed);
/* Writes a device description of USBIP_DEVICE_BYTES with bus id 1-1. */
void fake_put_device(uint8_t *device, uint16_t vendor, uint16_t product);
/* Writes a string descriptor of ASCII text; returns its length. */
uint32_t fake_put_string(uint8_t *data, const char *text);

#endif
