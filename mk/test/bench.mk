# SPDX-License-Identifier: Apache-2.0
# Benchmarks of the simulator and of the hart.

##@ The simulated board
# Speed: the boards and the bare hart, compiled with the same options.
BENCH := $(BUILD)/bench
$(BENCH)/%.bin: tests/bench/%.S
	@mkdir -p $(@D)
	riscv64-unknown-elf-gcc -march=rv32imc_zicsr -mabi=ilp32 -nostdlib -nostartfiles -Wl,-Ttext=0x10000000 \
	  -Wl,-N,--no-warn-rwx-segments -o $(@:.bin=.elf) $<
	riscv64-unknown-elf-objcopy -O binary $(@:.bin=.elf) $@
# $(call bench-core,NAME,PARAMETERS): the hart with those parameters
define bench-core
$(BENCH)/$1: tests/bench/bench_core.v tests/bench/bench_core.cpp $(wildcard rtl/core/*.v) $(REGISTERS_VH) mk/test/bench.mk
	@mkdir -p $$(@D)
	verilator --cc --exe --build -O3 --x-assign 0 --x-initial 0 -Wno-PINMISSING --top-module bench_core $2 \
	  -Mdir $$@.obj -o ../$1 -CFLAGS "-std=c++17 -O2" -MAKEFLAGS $(SIM_MAKEFLAGS) -I$(GEN) -y rtl/core tests/bench/bench_core.v \
	  $(CURDIR)/tests/bench/bench_core.cpp >$$@.log 2>&1 || { tail -n 40 $$@.log; exit 1; }
endef
$(eval $(call bench-core,bench_core))
$(eval $(call bench-core,bench_core_static,-GPREDICT=0))
$(eval $(call bench-core,bench_core_late,-GPREDICT=0 -GLATE=1))
$(eval $(call bench-core,bench_core_compact,-GCOMPACT=1))
BENCH_CORES := static=$(BENCH)/bench_core_static late=$(BENCH)/bench_core_late full=$(BENCH)/bench_core compact=$(BENCH)/bench_core_compact
BENCH_CORE_FILES := $(foreach c,$(BENCH_CORES),$(lastword $(subst =, ,$c)))
.PHONY: bench-sim
# Boards with a UART link have no USB/IP server.
BENCH_SIMS := $(SIM_BOARDS) $(foreach b,$(BOARDS),$(if $(call board-serial-line,$b),,$(SIM)/$b/gnomon-sim))
bench-sim: $(BENCH)/loop.bin $(BENCH)/bench_core $(BENCH_SIMS) ## speed of the simulation, and the host's instructions for a cycle; also in build/bench-sim.json
	python3 tests/bench/bench_sim.py --program $(BENCH)/loop.bin --reference $(BENCH)/bench_core $(BENCH_SIMS)

BENCH_DCACHE := $(foreach b,. cached far far-cached,$(SIM)/$b)
.PHONY: bench-dcache
bench-dcache: $(addsuffix /full/gnomon-sim,$(SIM) $(SIM)/cached $(SIM)/far $(SIM)/far-cached) $(BUILD)/demo/zlib.elf ## what the data cache is worth, with a memory near and far; also in build/bench-dcache.json
	python3 tests/bench/bench_dcache.py $(DEMO)/zlib.elf $(GPL3) $(BENCH)/GPL-3.z -- $(BENCH_DCACHE)

.PHONY: bench-coremark
bench-coremark: setup $(BENCH_CORE_FILES) $(BUILD)/bin/gnomon firmware ## CoreMark/MHz and where its cycles go (COREMARK=folder of its sources)
	PATH=$(CURDIR)/$(BUILD)/bin:$$PATH python3 tests/bench/bench_coremark.py "$(COREMARK)" $(BENCH_CORES)

# The boards whose main memory holds CoreMark.
COREMARK_BOARDS := fomu orangecrab ulx3s-25f ulx3s-85f
.PHONY: bench-coremark-boards
bench-coremark-boards: setup $(COREMARK_BOARDS:%=$(SIM)/%/gnomon-sim) $(BUILD)/bin/gnomon firmware ## CoreMark a second of the boards, simulated, at their clocks (COREMARK=folder of its sources)
	PATH=$(CURDIR)/$(BUILD)/bin:$$PATH GNOMON_SIM_DIR=$(SIM) python3 tests/bench/bench_coremark_boards.py "$(COREMARK)" $(COREMARK_BOARDS)

# Our own benchmark: kernels that check themselves, and the two demo programs with their demo input.
KERNELS := $(basename $(notdir $(wildcard firmware/apps/kernels/*.c)))
$(BENCH)/kernels/%.elf: firmware/apps/kernels/%.c firmware/apps/kernels/kernel.h $(FW_FILES) mk/test/bench.mk | $(BUILD)/bin/gnomon
	@mkdir -p $(@D)
	gnomon cc --gnomon-off -std=c11 -O2 -Wall -Wextra -Werror -o $@ $<
##@ Benchmarks
.PHONY: bench-core
bench-core: setup $(BENCH_CORE_FILES) $(KERNELS:%=$(BENCH)/kernels/%.elf) $(DEMO)/logo.elf $(DEMO)/zlib.elf ## cycles per instruction of our own programs, and where they go; also in build/bench-core.json
	python3 tests/bench/bench_programs.py $(KERNELS:%=$(BENCH)/kernels/%.elf) "$(DEMO)/zlib.elf $(GPL3) GPL-3.z" \
	  "$(DEMO)/logo.elf $(LOGO) $(FONT) logo.png" -- $(BENCH_CORES)

# The program of docs/guide/locks.md.
LOCKS_PEERS_PROGRAM := tests/docs/programs/pool.c
.PHONY: bench-locks-peers
bench-locks-peers: $(FW_FILES) $(BUILD)/bin/gnomon $(BUILD)/sim/full/gnomon-sim ## what mutrace, perf and valgrind show of the locks of the same program; also in build/bench-locks-peers.json
	tools/setup.sh peers
	python3 tests/bench/bench_locks_peers.py $(BENCH)/locks-peers $(LOCKS_PEERS_PROGRAM) $(BUILD)/bench-locks-peers.json

.PHONY: bench-threads
bench-threads: $(FW_FILES) $(BUILD)/bin/gnomon $(foreach d,full mid small duo,$(SIM)/$d/gnomon-sim) ## cycles of the threads layer's calls, with one hart and with two; also in build/bench-threads.json
	PATH=$(CURDIR)/$(BUILD)/bin:$$PATH GNOMON_SIM_DIR=$(SIM) python3 tests/bench/bench_threads.py $(BUILD)/bench-threads.json

# Recordings of made-up calls, of any length, with known totals: for gnomon and for other profilers.
EVENTS := $(BENCH)/events
EVENTS_SOURCES := $(wildcard tests/bench/events/*.c)
$(EVENTS)/make_events: $(EVENTS_SOURCES) tests/bench/events/events.h host/lib/trace/gnt_internal.h host/lib/util/bytes.h $(REGISTERS_H)
	@mkdir -p $(@D)
	$(CC) -std=c11 -D_GNU_SOURCE -Wall -Wextra -Wshadow -Wstrict-prototypes $(WERROR) -O2 -g -Iinclude -Ihost -I$(GEN) -o $@ $(EVENTS_SOURCES) -lz
$(EVENTS)/functions.elf: tests/bench/events/functions.S tests/bench/events/events.h
	@mkdir -p $(@D)
	riscv64-unknown-elf-gcc -march=rv32imac -misa-spec=2.2 -mabi=ilp32 -nostdlib -nostartfiles -Wl,-Ttext=0x10000000 -Wl,--build-id=sha1 -o $@ $<
.PHONY: bench-host soak test-events
# BENCH_EVENTS: sizes of the recordings; 100000000 takes 6 GB under build/, and some minutes.
BENCH_EVENTS ?= 1000000 10000000
BENCH_RUNS ?= 5
bench-host: $(GNOMON) $(EVENTS)/make_events $(EVENTS)/functions.elf ## events a second and memory of report, dump and export beside uftrace, babeltrace2 and perf; also in build/bench-host.json
	tools/setup.sh peers
	python3 tests/bench/bench_host.py --gnomon $(GNOMON) --generator $(EVENTS)/make_events --elf $(EVENTS)/functions.elf --out $(BENCH)/host \
	  --json $(BUILD)/bench-host.json --runs $(BENCH_RUNS) --events $(BENCH_EVENTS)
SOAK_SECONDS ?= 240
SOAK_BYTES ?= 128000000000
soak: $(GNOMON) $(EVENTS)/make_events $(EVENTS)/functions.elf ## an endless trace through a pipe into report and export: memory flat, totals right (SOAK_SECONDS, SOAK_BYTES); also in build/soak.json
	python3 tests/bench/soak.py --gnomon $(GNOMON) --generator $(EVENTS)/make_events --elf $(EVENTS)/functions.elf --out $(BENCH)/soak \
	  --json $(BUILD)/soak.json --seconds $(SOAK_SECONDS) --bytes $(SOAK_BYTES)
CI_TESTS += test-events
test-events: $(GNOMON_ASAN) $(EVENTS)/make_events $(EVENTS)/functions.elf ## the generator of the benchmarks: report, and through a pipe, with frames missing, finds its totals
	python3 tests/bench/test_events.py --gnomon $(GNOMON_ASAN) --generator $(EVENTS)/make_events --elf $(EVENTS)/functions.elf --out $(EVENTS)/test
