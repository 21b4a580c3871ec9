/* SPDX-License-Identifier: Apache-2.0 */
/* Vendor requests that the simulated board's USB/IP server answers itself: they take no simulated time
 * (docs/usb-protocol.md, "Simulated time"). */
#ifndef GNOMON_SIM_TIME_H
#define GNOMON_SIM_TIME_H

/* IN, 8 bytes: cycles of the hart since it left its reset, little endian, as of the simulator's last look (every 1024
 * ticks or more often). */
#define GNOMON_SIM_REQUEST_CYCLES 0xC1
/* OUT, no data, wValue and wIndex (the upper half): from the hart's next reset on time stands still after so many times
 * GNOMON_SIM_LIMIT_CYCLES cycles, except for 2 ms after a transfer to the device; 0: never. */
#define GNOMON_SIM_REQUEST_LIMIT 0xC2
#define GNOMON_SIM_LIMIT_CYCLES 1024

#endif
