/* SPDX-License-Identifier: Apache-2.0 */
/* Vendor requests that the simulated board's USB/IP server answers itself: they take no simulated time
 * (docs/reference/usb-protocol.md, "Simulated time"). */
#ifndef GNOMON_SIM_TIME_H
#define GNOMON_SIM_TIME_H

/* IN, 8 bytes, little endian: cycles of the hart since it left reset. The simulator updates the value every 1024 ticks
 * or more often. */
#define GNOMON_SIM_REQUEST_CYCLES 0xC1
/* OUT, no data; the value is in wValue (lower half) and wIndex (upper half). After the hart's next reset, time stands
 * still when value times GNOMON_SIM_LIMIT_CYCLES cycles have passed. Time then runs only for GNOMON_SIM_LIMIT_ANSWER_MS
 * after each transfer to the device. Value 0: no limit. */
#define GNOMON_SIM_REQUEST_LIMIT 0xC2
#define GNOMON_SIM_LIMIT_CYCLES 1024
#define GNOMON_SIM_LIMIT_ANSWER_MS 2

#endif
