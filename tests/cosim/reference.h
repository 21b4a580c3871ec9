/* SPDX-License-Identifier: Apache-2.0 */
/* The reference's data about one executed instruction; the trace is a plain array of these, in host byte order. */
#ifndef COSIM_REFERENCE_H
#define COSIM_REFERENCE_H

#include <stdint.h>

struct reference_record {
    uint32_t pc;
    uint32_t insn;  /* compressed instructions in the low half */
    uint32_t rd;    /* changed register, 0 = none */
    uint32_t value; /* its new value */
};

#endif
