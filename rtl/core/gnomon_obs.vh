// SPDX-License-Identifier: Apache-2.0
// Fields of the vector of the observation bundle (docs/internals/observation.md). Each field is a bit, or a first bit
// and a width. Words are at multiples of 32 bits. tools/gen_observation.py makes a C++ header from this file.
`ifndef GNOMON_OBS_VH
`define GNOMON_OBS_VH

`define GNOMON_OBS_CSR_RDATA 0 +: 32
`define GNOMON_OBS_CSR_WDATA 32 +: 32
`define GNOMON_OBS_ORDER 64 +: 64
`define GNOMON_OBS_CSR_STATE 128 +: 224

// The profiler's part. The fields before it can hold what the hart has read from the profiler's counters; only
// co-simulation and the proofs read them.
`define GNOMON_OBS_PROFILED `GNOMON_OBS_BITS-1:352
`define GNOMON_OBS_INSN 352 +: 32
`define GNOMON_OBS_PC_RDATA 384 +: 32
`define GNOMON_OBS_PC_WDATA 416 +: 32
`define GNOMON_OBS_RS1_RDATA 448 +: 32
`define GNOMON_OBS_RS2_RDATA 480 +: 32
`define GNOMON_OBS_RD_WDATA 512 +: 32
`define GNOMON_OBS_MEM_ADDR 544 +: 32
`define GNOMON_OBS_MEM_RDATA 576 +: 32
`define GNOMON_OBS_MEM_WDATA 608 +: 32
`define GNOMON_OBS_VALID 640
`define GNOMON_OBS_TRAP 641
`define GNOMON_OBS_HALT 642
`define GNOMON_OBS_INTR 643
`define GNOMON_OBS_MODE 644 +: 2
`define GNOMON_OBS_IXL 646 +: 2
`define GNOMON_OBS_RS1_ADDR 648 +: 5
`define GNOMON_OBS_RS2_ADDR 653 +: 5
`define GNOMON_OBS_RD_ADDR 658 +: 5
`define GNOMON_OBS_MEM_RMASK 663 +: 4
`define GNOMON_OBS_MEM_WMASK 667 +: 4
`define GNOMON_OBS_CSR_WRITE 671
`define GNOMON_OBS_CAUSE 672 +: 5
`define GNOMON_OBS_TRAP_CAUSE 677 +: 6
`define GNOMON_OBS_TRAP_ENTER 683
`define GNOMON_OBS_TRAP_LEAVE 684
`define GNOMON_OBS_IRQ_PENDING 685
`define GNOMON_OBS_DEBUG 686
`define GNOMON_OBS_WFI 687
`define GNOMON_OBS_MISPREDICT 688
`define GNOMON_OBS_IRQ_REQUESTS 689 +: 5
`define GNOMON_OBS_BITS 694

`endif
