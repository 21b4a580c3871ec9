# SPDX-License-Identifier: Apache-2.0
# Tests of the SoC and of the simulated board as a server.

##@ The simulated board
.PHONY: lint-soc
LINTS += lint-soc
lint-soc: $(REGISTERS_VH) ## lint the whole SoC in each configuration
	for config in 0 1 2 "2 -GDCACHE_BYTES=8192 -GMEM_DELAY=2" "2 -GSDRAM=1" "2 -GSDRAM=1 -GTAG_CACHE=1 -GRAM_BYTES=16777216" \
	  "2 -GSDRAM=1 -GDCACHE_BYTES=0 -GICACHE_BYTES=0" "2 -GHARTS=2" "0 -GFLASH=524288 -GICACHE_BYTES=65536 -GRECORDS_LOG2=0"; do for functional in 0 1; do \
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

# Two harts: on the bus, through the host's protocol, and with programs of the runtime.
HARTS_PROGRAMS := atomics litmus interrupts
.PHONY: test-harts
TESTS += test-harts
SIM_TESTS += test-harts
test-harts: $(SIM)/duo/gnomon-sim $(SOC_TEST)/smoke.bin $(SOC_TEST)/harts.bin $(TRACE_PY) $(FW_FILES) $(BUILD)/bin/gnomon ## two harts: atomic instructions, memory order, interrupts, debug, traces
	python3 tests/rtl/soc/test_soc.py $< $(SOC_TEST)/smoke.bin
	python3 tests/rtl/soc/test_harts.py $< $(SOC_TEST)/harts.bin
	tests/firmware/test_harts.sh $(FW)/test-harts $(HARTS_PROGRAMS)
.PHONY: test-litmus-deep
DEEP_TESTS += test-litmus-deep
test-litmus-deep: $(SIM)/duo/gnomon-sim $(FW_FILES) $(BUILD)/bin/gnomon ## litmus tests of two harts, from 40 cycles early to 40 cycles late, three times
	@mkdir -p $(FW)/test-harts
	gnomon cc -march=rv32imac -O2 -Itests/firmware/runtime -o $(FW)/test-harts/litmus-deep.elf tests/firmware/harts/litmus.c
	gnomon run -d sim:duo $(FW)/test-harts/litmus-deep.elf -- 40 3

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
  BYTES=512$(comma)LINE_WORDS=4$(comma)CYCLES=100000 BYTES=2048$(comma)LINE_WORDS=8$(comma)CYCLES=100000 \
  BYTES=512$(comma)LINE_WORDS=4$(comma)CYCLES=100000$(comma)SHADOW=1 BYTES=2048$(comma)LINE_WORDS=8$(comma)CYCLES=100000$(comma)SHADOW=2 BYTES=0$(comma)CYCLES=50000 \
  BYTES=512$(comma)LINE_WORDS=4$(comma)CYCLES=100000$(comma)COMPACT=1 BYTES=2048$(comma)LINE_WORDS=8$(comma)CYCLES=100000$(comma)COMPACT=1))
$(eval $(call soc-bench,dcache,tb_dcache,tests/rtl/cache/tb_dcache.v $(wildcard rtl/cache/gnomon_dcache*.v),\
  BYTES=512$(comma)LINE_WORDS=4$(comma)CYCLES=60000 BYTES=2048$(comma)LINE_WORDS=8$(comma)CYCLES=60000$(comma)SEED=2 \
  BYTES=512$(comma)LINE_WORDS=4$(comma)BUFFER_LOG2=1$(comma)CYCLES=60000$(comma)SEED=3 \
  BYTES=2048$(comma)LINE_WORDS=8$(comma)SHADOW=1$(comma)CYCLES=60000$(comma)SEED=4 BYTES=512$(comma)LINE_WORDS=4$(comma)SHADOW=2$(comma)SHADOW_AT=1$(comma)CYCLES=60000$(comma)SEED=5))
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

SIM_FORMATTED := $(wildcard sim/*.cpp sim/*.h sim/serial/*.cpp sim/serial/*.h tests/bench/*.cpp)
.PHONY: lint-sim format-sim
LINTS += lint-sim
lint-sim:
	clang-format --dry-run -Werror $(SIM_FORMATTED)
FORMATS += format-sim
format-sim:
	clang-format -i $(SIM_FORMATTED)
