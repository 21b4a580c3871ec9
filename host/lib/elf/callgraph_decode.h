/* SPDX-License-Identifier: Apache-2.0 */
/* The RV32IMC instructions that matter to a call graph. */
#ifndef GNOMON_LIB_CALLGRAPH_DECODE_H
#define GNOMON_LIB_CALLGRAPH_DECODE_H

#include <stdint.h>

enum flow_kind {
    FLOW_NONE,
    FLOW_JUMP,     /* jump, call or branch by a distance */
    FLOW_REGISTER, /* jump or call to register + distance; returns are FLOW_NONE */
    FLOW_UPPER,    /* lui: register = distance */
    FLOW_UPPER_PC, /* auipc: register = pc + distance */
    FLOW_ADD,      /* addi: register = source + distance */
};

struct flow {
    enum flow_kind kind;
    unsigned bytes; /* length of the instruction */
    unsigned rd, rs1;
    int32_t distance;
};

/* `insn` holds the next four bytes of code. */
struct flow callgraph_decode(uint32_t insn);

#endif
