# SPDX-License-Identifier: Apache-2.0
# Main memory in an SDRAM (docs/internals/sdram.md): its controller, the bus that waits for it, the chip's model. mk/build/sim.mk makes the boards sdram/full (with
# both caches), sdram-icache/full and sdram-bare/full.

SDRAM_TEST := $(BUILD)/test/sdram
SDRAM_RTL := rtl/bus/gnomon_sdram.v rtl/bus/gnomon_sdram_queue.v
SDRAM_SOURCES := tests/rtl/sdram/tb_sdram.v $(SDRAM_RTL) $(SIM_SDRAM)
# Parameter sets: clock, CAS latency, phase of the chip's clock, and the chip's times in cycles. Each set is one word, "A=1,B=2".
SDRAM_SETS := CYCLES=40000 CLOCK_HZ=24000000,RCD=1,RP=1,RFC=2,CYCLES=15000,SEED=2 CLOCK_HZ=60000000,RFC=5,CAPTURE=1,CYCLES=15000,SEED=3 \
  CLOCK_HZ=37500000,RCD=1,RP=1,RFC=3,CYCLES=15000,SEED=4 CLOCK_HZ=100000000,RCD=3,RP=3,RFC=7,CYCLES=15000,SEED=5 \
  CLOCK_HZ=133000000,CAS=3,RCD=3,RP=3,RFC=10,CAPTURE=1,CYCLES=15000,SEED=6

##@ SDRAM
.PHONY: test-sdram test-sdram-mutants
TESTS += test-sdram
DEEP_TESTS += test-sdram-mutants
SIM_TESTS += test-sdram test-sdram-mutants
test-sdram: $(SDRAM_TEST)/v/tb ## exact cycles of the SDRAM's controller, random traffic at six clocks, Icarus and Verilator; the bus that waits for it
	@$(foreach set,$(SDRAM_SETS),iverilog -g2005-sv -Wall -Wno-timescale -Irtl/bus -s tb_sdram $(addprefix -Ptb_sdram.,$(subst $(comma), ,$(set))) \
	  -o $(SDRAM_TEST)/tb.vvp $(SDRAM_SOURCES) && timeout 300 vvp -n $(SDRAM_TEST)/tb.vvp &&) true
	@$(foreach set,LATE=4 LATE=2 SHADOW=1,iverilog -g2005-sv -Wall -Wno-timescale -s tb_interconnect_wait -Ptb_interconnect_wait.CYCLES=30000 \
	  -Ptb_interconnect_wait.$(set) -o $(SDRAM_TEST)/wait.vvp $(WAIT_SOURCES) && timeout 300 vvp -n $(SDRAM_TEST)/wait.vvp &&) true
	timeout 300 $(SDRAM_TEST)/v/tb
test-sdram-mutants: ## changes in controller and bus that they must find, and each rule of the chip's model broken once
	python3 tests/rtl/sdram/mutants.py $(SDRAM_TEST)/mutants
WAIT_SOURCES := tests/rtl/sdram/tb_interconnect_wait.v rtl/bus/gnomon_interconnect.v
$(SDRAM_TEST)/v/tb: $(SDRAM_SOURCES) rtl/bus/gnomon_sdram_chip.vh
	@mkdir -p $(@D)
	verilator --binary --timing -Wno-WIDTH -Wno-TIMESCALEMOD -Irtl/bus -Mdir $(@D) -o tb --top-module tb_sdram $(SDRAM_SOURCES) > $(@D)/log 2>&1 || { cat $(@D)/log; exit 1; }

.PHONY: test-formal-sdram
TESTS += test-formal-sdram
test-formal-sdram: ## prove that no command breaks the chip's times, no refresh is late, and requests are taken once and in order, by k-induction
	tests/formal/prove.sh --out $(SDRAM_TEST)/formal/sdram.smt2 --top gnomon_sdram --depth 4 "read_verilog -formal -Itests/formal -Irtl/bus $(SDRAM_RTL); \
	  chparam -set BYTES 16384 -set POWER_UP 40000 gnomon_sdram"

.PHONY: test-sdram-board test-sdram-board-deep
TESTS += test-sdram-board
SIM_TESTS += test-sdram-board
DEEP_TESTS += test-sdram-board-deep
SDRAM_BOARD := $(SIM)/sdram/full/gnomon-sim
test-sdram-board: $(SDRAM_BOARD) $(SOC_TEST)/smoke.bin $(SOC_TEST)/misses.bin $(BUILD)/bin/gnomon $(E2E)/interrupts-O2 $(DEMO)/zlib.elf $(E2E)/text ## programs on the board with an SDRAM: the same cycles whatever the host does, each cycle's cause as in the simulator's reference model
	python3 tests/rtl/soc/test_soc.py $< $(SOC_TEST)/smoke.bin
	python3 tests/rtl/soc/test_sdram.py $< $(SOC_TEST)/misses.bin
	$(CPI_RUN) --simulators $(SIM)/sdram --out $(E2E)/cpi-sdram interrupts=main=$(E2E)/interrupts-O2=211 zlib=deflate_slow=$(DEMO)/zlib.elf=$(E2E)/text=$(E2E)/cpi-sdram/text.z
test-sdram-board-deep: $(SDRAM_BOARD) $(SIM)/sdram-bare/full/gnomon-sim $(BUILD)/bin/gnomon $(DEMO)/zlib.elf $(E2E)/interrupts-O2 ## the demo's zlib whole, and by instruction in repeated runs, with caches and without
	$(CPI_RUN) --simulators $(SIM)/sdram --out $(E2E)/cpi-sdram-deep interrupts=all=$(E2E)/interrupts-O2=211 zlib=all=$(DEMO)/zlib.elf=$(E2E)/text=$(E2E)/cpi-sdram-deep/text.z
	$(CPI_RUN) --simulators $(SIM)/sdram-bare --out $(E2E)/cpi-sdram-bare zlib=deflate_slow=$(DEMO)/zlib.elf=$(E2E)/text=$(E2E)/cpi-sdram-bare/text.z

BENCH_SDRAM := $(foreach b,. sdram sdram-icache sdram-bare,$(SIM)/$b)
$(BENCH)/sdram.txt: $(GPL3)
	@mkdir -p $(@D) && head -c 4000 $< > $@
.PHONY: bench-sdram
bench-sdram: $(addsuffix /full/gnomon-sim,$(SIM) $(SIM)/sdram $(SIM)/sdram-icache $(SIM)/sdram-bare) $(BUILD)/bin/gnomon $(DEMO)/zlib.elf $(BENCH)/sdram.txt ## what main memory in an SDRAM costs, with caches and without: cycles an instruction, by cause; also in build/bench-sdram.json
	python3 tests/bench/bench_sdram.py $(DEMO)/zlib.elf $(BENCH)/sdram.txt $(BENCH)/sdram.z -- $(BENCH_SDRAM)

# The controller alone, between registers, on the ECP5.
$(FPGA)/sdram.json: tests/bench/place_sdram.v $(SDRAM_RTL) rtl/bus/gnomon_sdram_chip.vh
	@mkdir -p $(@D)
	$(YOSYS) -q -l $(@:.json=.synth.log) -p 'read_verilog -Irtl/bus $(filter %.v,$^); synth_ecp5 -top place_sdram -json $@'
$(FPGA)/sdram.report.json: $(FPGA)/sdram.json
	$(NEXTPNR_ECP5) -q -l $(@:.report.json=.place.log) --25k --package CABGA381 --speed 6 --json $< --freq 100 --timing-allow-fail \
	  --lpf-allow-unconstrained --textcfg $(FPGA)/sdram.config --report $@
.PHONY: area-sdram
area-sdram: setup $(FPGA)/sdram.report.json ## the SDRAM's controller alone on the ECP5: area and clock; also in build/area-sdram.json
	python3 tools/area_table.py $(BUILD)/area-sdram.json sdram:ECP5-25F=$(FPGA)/sdram.report.json
