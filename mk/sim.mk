# SPDX-License-Identifier: Apache-2.0
# The SoC's tests and the simulated board: build/sim/CONFIG/gnomon-sim (packet level) and build/sim/CONFIG-line (bit level).

SIM := $(BUILD)/sim
SIM_RTL := $(wildcard $(foreach d,$(RTL_ROOMS),rtl/$d/*.v rtl/$d/*.vh)) $(REGISTERS_VH)
SIM_SEARCH := -I$(GEN) -Irtl/soc $(patsubst %,-y rtl/%,$(RTL_ROOMS))
SIM_CXX := $(wildcard sim/*.cpp sim/usb/*.cpp sim/serial/*.cpp)
SIM_CXX_HEADERS := $(wildcard include/gnomon/sim*.h) $(wildcard sim/*.h sim/usb/*.h sim/serial/*.h)
# Clang's code is a little faster than GCC's, and Clang compiles faster (docs/guide/sim.md).
SIM_COMPILER := $(if $(shell command -v clang++),clang++,g++)
# Verilator's code has (a && 3) as condition, | and ~ of truth values, and unused parameters. The warnings about these are not errors.
SIM_NO_ERRORS := $(if $(filter clang++,$(SIM_COMPILER)),unused-parameter unused-but-set-variable bitwise-instead-of-logical bool-operation,int-in-bool-context)
# Models have no debug information: it would add an eighth to the build time.
SIM_CXXFLAGS := -std=c++17 -O2 -Wall -Wextra $(WERROR) $(addprefix -Wno-error=,$(SIM_NO_ERRORS)) -I$(CURDIR)/sim -I$(CURDIR)/$(GEN)
SIM_MAKEFLAGS := "OPT_FAST=-O2 CXX=$(SIM_COMPILER) LINK=$(SIM_COMPILER)"
SIM_LIBS := -lelf -ljansson

# The first 32 bits of the SHA-256 of the RTL, which the device reports in RTL_HASH. Comments, indents and empty lines do not count.
RTL_HASH := $(GEN)/rtl_hash
$(RTL_HASH): $(SIM_RTL)
	@mkdir -p $(@D) && cat $(sort $^) | sed "s,//.*,,; s/^ *//; s/ *$$//; /^$$/d" | sha256sum | cut -c1-8 > $@

# The simulator without the model, built once for each kind of line. Only sim/simulated_board.cpp needs the model's headers.
SIM_AROUND := $(filter-out sim/simulated_board.cpp,$(SIM_CXX))
SIM_KINDS := packet line serial
SIM_KIND_packet := -DSIM_LINE=0 -DSIM_SERIAL=0
SIM_KIND_line := -DSIM_LINE=1 -DSIM_SERIAL=0
SIM_KIND_serial := -DSIM_LINE=0 -DSIM_SERIAL=1
define sim-around
$(SIM)/around/$1/%.o: sim/%.cpp $(SIM_CXX_HEADERS) mk/sim.mk $(REGISTERS_H)
	@mkdir -p $$(@D)
	$(SIM_COMPILER) -g $(SIM_CXXFLAGS) $(SIM_KIND_$1) -c -o $$@ $$<
$(SIM)/around/$1.a: $(patsubst sim/%.cpp,$(SIM)/around/$1/%.o,$(SIM_AROUND))
	@rm -f $$@ && ar rcs $$@ $$^
endef
$(foreach kind,$(SIM_KINDS),$(eval $(call sim-around,$(kind))))

# $(call sim-kind,FUNCTIONAL,VERILATOR OPTIONS)
sim-kind = $(if $(filter 1,$1),packet,$(if $(findstring -GLINE=1,$2),serial,line))
# $(call sim-board,NAME,CONFIG,FUNCTIONAL,VERILATOR OPTIONS). MAKEFLAGS is cleared: with that of a `make -j` Verilator would compile one file at a time.
define sim-board
$(SIM)/$1/gnomon-sim: $(SIM_RTL) $(wildcard sim/*.v) sim/public.vlt sim/simulated_board.cpp $(SIM_CXX_HEADERS) $(SIM)/around/$(call sim-kind,$3,$4).a $(RTL_HASH) mk/sim.mk
	@mkdir -p $$(@D) && rm -f $$@ # else it is not linked again when only what is around the model has changed
	env -u MAKEFLAGS verilator --cc --exe --build -j 2 -O3 --x-assign 0 --x-initial 0 -Wall -Wno-PINCONNECTEMPTY -Wno-UNUSEDPARAM --top-module gnomon_sim_top \
	  -GCONFIG=$2 -GFUNCTIONAL=$3 -GRTL_HASH="32'h$$$$(cat $(RTL_HASH))" -Mdir $$(@D)/obj -o ../gnomon-sim $4 \
	  -CFLAGS "$(SIM_CXXFLAGS) $(SIM_KIND_$(call sim-kind,$3,$4))" -LDFLAGS "$(CURDIR)/$(SIM)/around/$(call sim-kind,$3,$4).a $(SIM_LIBS)" \
	  -MAKEFLAGS $(SIM_MAKEFLAGS) $(SIM_SEARCH) sim/public.vlt sim/gnomon_sim_top.v $(CURDIR)/sim/simulated_board.cpp >$$(@D)/build.log 2>&1 \
	  || { tail -n 40 $$(@D)/build.log; exit 1; }
	@touch $$@
endef
$(eval $(call sim-board,full,2,1))
# A model without the parts that most runs do not use (docs/guide/sim.md, "Lean models"): the same cycles in less time.
$(eval $(call sim-board,full-lean,2,1,-GLEAN=1))
$(SIM)/full/gnomon-sim: | $(SIM)/full-lean/gnomon-sim # which the command takes where it can: never an old one
$(eval $(call sim-board,mid,1,1))
$(eval $(call sim-board,small,0,1))
$(eval $(call sim-board,full-line,2,0))
$(eval $(call sim-board,full-vcd,2,1,--trace))
$(eval $(call sim-board,small-serial,0,0,-GLINE=1))
$(eval $(call sim-board,slow/small-serial,0,0,-GLINE=1 -GSERIAL_DIVIDER=12))
# With the data cache, and with a memory that is eight cycles slower: each is the board full in its own GNOMON_SIM_DIR.
$(eval $(call sim-board,cached/full,2,1,-GDCACHE_BYTES=8192))
$(eval $(call sim-board,far/full,2,1,-GMEM_DELAY=8))
$(eval $(call sim-board,far-cached/full,2,1,-GMEM_DELAY=8 -GDCACHE_BYTES=8192))
# Main memory in an SDRAM (docs/internals/sdram.md); the chip's model checks its rules. With both caches as on boards, and without.
SIM_SDRAM := sim/gnomon_sdram_chip.v
$(eval $(call sim-board,sdram/full,2,1,-GSDRAM=1 $(SIM_SDRAM)))
$(eval $(call sim-board,sdram-icache/full,2,1,-GSDRAM=1 -GDCACHE_BYTES=0 $(SIM_SDRAM)))
$(eval $(call sim-board,sdram-bare/full,2,1,-GSDRAM=1 -GDCACHE_BYTES=0 -GICACHE_BYTES=0 $(SIM_SDRAM)))
# Real boards: the SoC of their bitstreams, with the same header of parameters; also with USB at bit level. A UART link is always
# at bit level.
define sim-real-board
$(call sim-board,$1,0,$(if $(call board-serial-line,$1),0,1),$(call board-header,$1))
$(if $(call board-serial-line,$1),,$(call sim-board,$1-line,0,0,$(call board-header,$1)))
endef
board-serial-line = $(findstring .LINE(1),$(board-text))
board-text = $(file <$(BOARD_DIR)/$1.vh)
board-header = -DBOARD_VH='"$1.vh"' -I$(BOARD_DIR) \
  $(if $(board-serial-line),-GLINE=1) \
  $(if $(findstring .SDRAM(1),$(board-text)),-GSDRAM=1 -GRAM_BYTES=$(shell sed -n 's/^\.RAM_BYTES(\([0-9]*\)).*/\1/p' $(BOARD_DIR)/$1.vh) $(SIM_SDRAM))
$(foreach board,$(BOARDS),$(eval $(call sim-real-board,$(board))) \
  $(foreach level,$(board) $(if $(call board-serial-line,$(board)),,$(board)-line),$(eval $(SIM)/$(level)/gnomon-sim: $(BOARD_DIR)/$(board).vh)))
# small with memory for large programs, to measure the effect of its instruction cache (bench-hooks).
$(eval $(call sim-board,roomy/small,0,1,-GRAM_BYTES=33554432))
SIM_BOARDS := $(foreach b,full small mid full-line full-lean,$(SIM)/$b/gnomon-sim)

##@ The simulated board
.PHONY: sim-boards sim-vcd
sim-boards: $(SIM_BOARDS) ## build the simulated boards
sim-vcd: $(SIM)/full-vcd/gnomon-sim ## one that can write waveforms (--trace-vcd)

.PHONY: lint-soc
LINTS += lint-soc
lint-soc: $(REGISTERS_VH) ## lint the whole SoC in each configuration
	for config in 0 1 2 "2 -GDCACHE_BYTES=8192 -GMEM_DELAY=2" "2 -GSDRAM=1" "2 -GSDRAM=1 -GDCACHE_BYTES=0 -GICACHE_BYTES=0"; do for functional in 0 1; do \
	  verilator --lint-only -Wall -GCONFIG=$$config -GFUNCTIONAL=$$functional --top-module gnomon_soc $(SIM_SEARCH) \
	    rtl/soc/gnomon_soc.v; done; done

SOC_TEST := $(BUILD)/test/soc
$(SOC_TEST)/%.bin: tests/rtl/soc/%.S
	@mkdir -p $(@D)
	riscv64-unknown-elf-gcc -march=rv32imc_zicsr_zifencei -mabi=ilp32 -nostdlib -nostartfiles -Wl,-Ttext=0x10000000 -Wl,-N,--no-warn-rwx-segments \
	  -o $(@:.bin=.elf) $<
	riscv64-unknown-elf-objcopy -O binary $(@:.bin=.elf) $@

.PHONY: test-soc test-soc-line
TESTS += test-soc test-soc-line
SIM_TESTS += test-soc test-soc-line
test-soc: $(SIM)/full/gnomon-sim $(SIM)/small/gnomon-sim $(SIM)/mid/gnomon-sim $(SIM)/cached/full/gnomon-sim $(SOC_TEST)/smoke.bin $(SOC_TEST)/misses.bin ## a program on the whole board, loaded and run over USB
	python3 tests/rtl/soc/test_soc.py $< $(SOC_TEST)/smoke.bin
	python3 tests/rtl/soc/test_soc.py $(SIM)/small/gnomon-sim $(SOC_TEST)/smoke.bin
	python3 tests/rtl/soc/test_soc.py $(SIM)/mid/gnomon-sim $(SOC_TEST)/smoke.bin
	python3 tests/rtl/soc/test_soc.py $(SIM)/cached/full/gnomon-sim $(SOC_TEST)/smoke.bin
	python3 tests/rtl/soc/test_terminal.py $< $(SOC_TEST)/smoke.bin
	python3 tests/rtl/soc/test_misses.py $< $(SOC_TEST)/misses.bin
	python3 tests/rtl/soc/test_misses.py --data-cache $(SIM)/cached/full/gnomon-sim $(SOC_TEST)/misses.bin
test-soc-line: $(SIM)/full-line/gnomon-sim $(SOC_TEST)/smoke.bin ## the same with USB at bit level
	python3 tests/rtl/soc/test_soc.py $< $(SOC_TEST)/smoke.bin

# Benches of single blocks on Icarus: $(call soc-bench,TEST,TOP,SOURCES,PARAMETER SETS) runs TOP once for each set "A=1,B=2".
soc-set = $(foreach p,$(subst $(comma), ,$2),-P$1.$p)
define soc-bench
.PHONY: test-$1
TESTS += test-$1
SIM_TESTS += test-$1
test-$1: $(REGISTERS_VH)
	@mkdir -p $(SOC_TEST)
	@$(foreach set,$4,iverilog -g2005-sv -Wall -Wno-timescale -I$(GEN) -s $2 $(call soc-set,$2,$(set)) -o $(SOC_TEST)/$1.vvp $3 \
	  && timeout 300 vvp -n $(SOC_TEST)/$1.vvp &&) true
endef
$(eval $(call soc-bench,core-predict,tb_predict,tests/rtl/core/tb_predict.v rtl/core/gnomon_core_predict.v,\
  CYCLES=40000 ENTRIES_LOG2=4$(comma)HISTORY=5$(comma)STACK_LOG2=3$(comma)CYCLES=40000$(comma)SEED=2 \
  ENTRIES_LOG2=9$(comma)TAG_BITS=8$(comma)NEAR=25$(comma)HISTORY=10$(comma)COUNTERS_LOG2=13$(comma)STACK_LOG2=3))
$(eval $(call soc-bench,core-stack,tb_stack,tests/rtl/core/tb_stack.v rtl/core/gnomon_core_stack.v,RAM_LOG2=12 RAM_LOG2=16))
$(eval $(call soc-bench,icache,tb_icache,tests/rtl/cache/tb_icache.v $(wildcard rtl/cache/*.v),\
  BYTES=512$(comma)LINE_WORDS=4$(comma)CYCLES=100000 BYTES=2048$(comma)LINE_WORDS=8$(comma)CYCLES=100000 BYTES=0$(comma)CYCLES=50000 \
  BYTES=512$(comma)LINE_WORDS=4$(comma)CYCLES=100000$(comma)COMPACT=1 BYTES=2048$(comma)LINE_WORDS=8$(comma)CYCLES=100000$(comma)COMPACT=1))
$(eval $(call soc-bench,dcache,tb_dcache,tests/rtl/cache/tb_dcache.v $(wildcard rtl/cache/gnomon_dcache*.v),\
  BYTES=512$(comma)LINE_WORDS=4$(comma)CYCLES=60000 BYTES=2048$(comma)LINE_WORDS=8$(comma)CYCLES=60000$(comma)SEED=2 \
  BYTES=512$(comma)LINE_WORDS=4$(comma)BUFFER_LOG2=1$(comma)CYCLES=60000$(comma)SEED=3))
# The data cache's bench on Verilator, with many seeds.
$(SOC_TEST)/v-dcache/tb: tests/rtl/cache/tb_dcache.v $(wildcard rtl/cache/gnomon_dcache*.v)
	@mkdir -p $(@D)
	verilator --binary --timing -Wno-WIDTH -Wno-TIMESCALEMOD -Mdir $(@D) -o tb --top-module tb_dcache $^ > $(@D)/log 2>&1 || { cat $(@D)/log; exit 1; }
test-dcache: test-dcache-seeds
.PHONY: test-dcache-seeds
test-dcache-seeds: $(SOC_TEST)/v-dcache/tb
	@for seed in $$(seq 1 20); do timeout 300 $< +seed=$$seed | grep good || exit 1; done
# The data cache's proof, with 2 lines of 2 words, 2 stores in the buffer, 8 words of memory and a bus with at most 4 open requests.
.PHONY: test-formal-dcache
TESTS += test-formal-dcache
test-formal-dcache: ## prove that a load gives the last value, no store is lost and each request gets one answer, by k-induction
	tests/formal/prove.sh --out $(SOC_TEST)/formal/dcache.smt2 --top gnomon_dcache --depth 6 "read_verilog -formal -Itests/formal \
	  rtl/cache/gnomon_dcache.v rtl/cache/gnomon_dcache_buffer.v; chparam -set BYTES 16 -set LINE_WORDS 2 -set SIZE_LOG2 5 -set BUFFER_LOG2 1 gnomon_dcache"
$(eval $(call soc-bench,bus,tb_interconnect,tests/rtl/soc/tb_interconnect.v rtl/bus/gnomon_interconnect.v rtl/bus/gnomon_ram.v,CYCLES=100000))
$(eval $(call soc-bench,hostport,tb_hostport,tests/rtl/soc/tb_hostport.v rtl/soc/gnomon_hostport.v rtl/periph/gnomon_uart.v \
  rtl/periph/gnomon_byte_fifo.v,ROUNDS=6))
$(eval $(call soc-bench,terminal,tb_terminal,tests/rtl/soc/tb_terminal.v rtl/soc/gnomon_terminal.v rtl/periph/gnomon_byte_fifo.v,ROUNDS=20))
$(eval $(call soc-bench,timer,tb_timer,tests/rtl/soc/tb_timer.v rtl/periph/gnomon_timer.v rtl/soc/gnomon_sysctl.v,WRITABLE=1 WRITABLE=0))

.PHONY: test-sim-server
TESTS += test-sim-server
test-sim-server: $(SIM_BOARDS) $(SOC_TEST)/events.bin $(TRACE_PY) ## the simulated board as a server: bad input, vanishing hosts, lockstep, parts skipped
	python3 tests/rtl/soc/test_server.py --program $(SOC_TEST)/events.bin $(SIM_BOARDS)

# Speed: the boards and the bare hart, compiled with the same options.
BENCH := $(BUILD)/bench
$(BENCH)/%.bin: tests/bench/%.S
	@mkdir -p $(@D)
	riscv64-unknown-elf-gcc -march=rv32imc_zicsr -mabi=ilp32 -nostdlib -nostartfiles -Wl,-Ttext=0x10000000 \
	  -Wl,-N,--no-warn-rwx-segments -o $(@:.bin=.elf) $<
	riscv64-unknown-elf-objcopy -O binary $(@:.bin=.elf) $@
# $(call bench-core,NAME,PARAMETERS): the hart with those parameters
define bench-core
$(BENCH)/$1: tests/bench/bench_core.v tests/bench/bench_core.cpp $(wildcard rtl/core/*.v) $(REGISTERS_VH) mk/sim.mk
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

SIM_FORMATTED := $(wildcard sim/*.cpp sim/*.h sim/serial/*.cpp sim/serial/*.h tests/bench/*.cpp)
.PHONY: lint-sim format-sim
LINTS += lint-sim
lint-sim:
	clang-format --dry-run -Werror $(SIM_FORMATTED)
FORMATS += format-sim
format-sim:
	clang-format -i $(SIM_FORMATTED)
