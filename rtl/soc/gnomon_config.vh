// SPDX-License-Identifier: Apache-2.0
// The named configurations: every size and option of the SoC, selected by the parameter CONFIG of the including module
// (0 small, 1 mid, 2 full).

localparam [31:0] CFG_RAM_BASE = 32'h1000_0000;
// Quad SPI flash, if the board has one for programs: its first byte; log2 of its bytes; line length of the instruction
// cache, in words.
localparam [31:0] CFG_FLASH_BASE = 32'h2000_0000;
localparam integer CFG_FLASH_LOG2 = 21;
localparam integer CFG_FLASH_ICACHE_LINE_WORDS = 8;

//                                          full           mid            small
localparam integer CFG_CLOCK_HZ = CONFIG == 2 ? 60_000_000 : CONFIG == 1 ? 24_000_000 : 12_000_000;
localparam integer CFG_RAM_BYTES = CONFIG == 2 ? 33_554_432 : CONFIG == 1 ? 131_072 : 65_536;
// Multiplier: 1 = one cycle with DSP blocks, 0 = shares the iterative divider. Compact: smaller core and instruction
// cache for a slow clock.
localparam integer CFG_MUL_FAST = CONFIG == 2 ? 1 : 0;
localparam integer CFG_COMPACT = CONFIG == 0 ? 1 : 0;
// Branch predictor: log2 of its entries (0: static prediction only).
localparam integer CFG_PREDICT = CONFIG == 2 ? 9 : 0;
// Second ALU, for operands that a load or a product delivers.
localparam integer CFG_LATE = CONFIG == 2 ? 1 : 0;
// Atomic instructions (A); bit manipulation (Zba, Zbb, Zbs).
localparam integer CFG_ATOMIC = CONFIG == 2 ? 1 : 0;
localparam integer CFG_BITS = CONFIG == 2 ? 1 : 0;
// User mode; entries of physical memory protection; triggers.
localparam integer CFG_USER = CONFIG == 2 ? 1 : 0;
localparam integer CFG_PMP = 0;
// Halts the hart when it leaves its stack. 1: gnomon_stack_guard detects it; 0: the core does, with less logic.
localparam integer CFG_STACK_GUARD = CONFIG == 0 ? 0 : 1;
// Counts traps that end on another stack than they began on.
localparam integer CFG_SWITCHES = CONFIG == 0 ? 0 : 1;
localparam integer CFG_TRIGGERS = CONFIG == 2 ? 2 : 0;
// The part has distributed RAM (ECP5).
localparam integer CFG_LUTRAM = CONFIG == 2 ? 1 : 0;
// Instruction cache: bytes (0 = none) and line length in words.
localparam integer CFG_ICACHE_BYTES = CONFIG == 2 ? 8_192 : 1_024;
localparam integer CFG_ICACHE_LINE_WORDS = CONFIG == 2 ? 8 : 4;
// Data cache: bytes (0 = none), line length in words, and log2 of the stores in its write buffer. A memory that answers
// in the next cycle needs no data cache.
localparam integer CFG_DCACHE_BYTES = 0;
localparam integer CFG_SDRAM_DCACHE_BYTES = 8_192;  // with an SDRAM
localparam integer CFG_DCACHE_LINE_WORDS = 8;  // where there are tags, as many as in the instruction cache
localparam integer CFG_DCACHE_BUFFER_LOG2 = 2;
// Profiler: log2 of the capture FIFO's entries; log2 of the encoder's stack; bits of a function number (16 or 20); log2
// of the records (0: none); records for pairs of caller and callee; log2 of the followed threads; log2 of the records
// with buckets; epochs; counts of dropped calls; number of selectable counters; lock accesses (1: a snooper of the bus,
// 2: found when they retire, 3: a snooper whose segments are fixed); log2 of the watched functions (0: none, 12 at
// most), and of their calls open at a time in a thread (9 at most), and of its events that wait; counters of cycles by
// stall cause; log2 of the code window's parcels with such counters for each instruction (0: none); log2 of the words
// that can have tags (0: no tags).
localparam integer CFG_FIFO_LOG2 = CONFIG == 2 ? 10 : 8;
localparam integer CFG_STACK_LOG2 = 8;
localparam integer CFG_NUMBER_BITS = CONFIG == 2 ? 20 : 16;
// A landing of longjmp frees the room reserved for skipped exits. This takes 20 logic cells, which the UP5K does not
// have.
localparam integer CFG_LANDINGS = CONFIG == 0 ? 0 : 1;
localparam integer CFG_RECORDS_LOG2 = CONFIG == 2 ? 11 : CONFIG == 0 ? 9 : 0;
localparam integer CFG_ARCS = CONFIG == 2 ? 1 : 0;
localparam integer CFG_THREADS_LOG2 = CONFIG == 2 ? 6 : 3;
localparam integer CFG_BUCKETS_LOG2 = CONFIG == 2 ? 11 : 0;
localparam integer CFG_EPOCHS = CONFIG == 2 ? 1 : 0;
localparam integer CFG_LOSSES = CONFIG == 2 ? 1 : 0;
localparam integer CFG_HPM = CONFIG == 2 ? 6 : CONFIG == 1 ? 2 : 0;
// Counters with filters and an interrupt, and address ranges.
localparam integer CFG_PMU = CONFIG == 2 ? 1 : 0;
// Latencies of single instructions.
localparam integer CFG_LATENCY = CONFIG == 2 ? 1 : 0;
localparam integer CFG_LOCKS = CONFIG == 0 ? 2 : 1;
localparam integer CFG_LOCK_DATA = CONFIG == 2 ? 1 : 0;
localparam integer CFG_TRAFFIC = CONFIG == 2 ? 1 : 0;
// log2 of the lock words, exact addresses whose accesses are events (0: none); interrupts switched off and on as
// events.
localparam integer CFG_LOCK_WORDS_LOG2 = CONFIG == 2 ? 10 : 0;
localparam integer CFG_INTERRUPTS = CONFIG == 2 ? 1 : 0;
// The time of trace and records can count an event; with CFG_PMU and CFG_WATCH_LOG2.
localparam integer CFG_EVENT_CLOCK = CONFIG == 2 ? 1 : 0;
localparam integer CFG_WATCH_LOG2 = CONFIG == 2 ? 12 : 0;
localparam integer CFG_WATCH_FRAMES_LOG2 = 9;
localparam integer CFG_WATCH_QUEUE_LOG2 = 9;
localparam integer CFG_WATCH_VALUES = CONFIG == 2 ? 1 : 0;
localparam integer CFG_CAUSES = CONFIG == 2 ? 1 : 0;
localparam integer CFG_CODE_WINDOW_LOG2 = CONFIG == 2 ? 10 : 0;
localparam integer CFG_TAGS_LOG2 = CONFIG == 2 ? 18 : 0;
// With tags: log2 of the per-address counters of instructions; half as many of words.
localparam integer CFG_PER_ADDRESS_LOG2 = 12;
// The profiler observes one cycle later, behind registers that the UP5K has no room for (gnomon_profile_border).
localparam integer CFG_BORDER = CONFIG == 2 ? 1 : 0;
