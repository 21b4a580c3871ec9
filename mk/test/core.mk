# SPDX-License-Identifier: Apache-2.0
# The core: lint, directed programs on two simulators, agreement of four simulations, area.

CORE := $(BUILD)/core
CORE_RTL := $(wildcard rtl/core/*.v)
CORE_HEADERS := $(wildcard rtl/core/*.vh)
CORE_BENCH := $(wildcard tests/rtl/core/*.v)
CORE_PROGRAMS := $(basename $(notdir $(wildcard tests/rtl/core/programs/*.S))) insns debug_cross debug_cross_user
# Programs for a core with ATOMIC and BITS; programs for a core without them; the rest are for every core.
CORE_OPTIONS_HEX := $(addprefix $(CORE)/,options.hex atomic.hex timing_options.hex)
CORE_PLAIN_HEX := $(CORE)/plain.hex
# Programs that need a core with the option; and those that a core with user mode, PMP and triggers shares with other cores.
CORE_PRIV := user pmp trigger debug_user timing_user debug_cross_user
CORE_PRIV_HEX := $(patsubst %,$(CORE)/%.hex,$(CORE_PRIV) bypass debug irq smc traps)
CORE_HEX := $(filter-out $(CORE)/predict.hex $(CORE)/late.hex $(CORE_OPTIONS_HEX) $(CORE_PRIV:%=$(CORE)/%.hex),$(patsubst %,$(CORE)/%.hex,$(CORE_PROGRAMS)))
CORE_DIRS := -Irtl/core -y rtl/core -y tests/rtl/core
CORE_RUN := tests/rtl/core/run.sh

# Keeps these intermediate files.
.PRECIOUS: $(CORE)/%.S

##@ Core
TESTS += test-core test-core-serial
DEEP_TESTS += test-core-netlist
CI_TESTS += test-core-agree
SIM_TESTS += test-core test-core-agree test-core-netlist test-core-serial
LINTS += lint-core

$(CORE)/insns.S: tests/rtl/core/insns.py
	@mkdir -p $(@D)
	python3 $< > $@
$(CORE)/options.S $(CORE)/plain.S: $(CORE)/%.S: tests/rtl/core/insns.py
	@mkdir -p $(@D)
	python3 $< $* > $@
$(CORE)/%.S: tests/rtl/core/programs/%.S
	@mkdir -p $(@D)
	cp $< $@
$(CORE)/%.hex: $(CORE)/%.S tests/rtl/core/programs/macros.h tests/rtl/core/link.ld
	riscv64-unknown-elf-gcc -march=rv32imac_zba_zbb_zbs -misa-spec=2.2 -mabi=ilp32 -nostdlib -Wl,--no-warn-rwx-segments -Itests/rtl/core/programs \
	  -T tests/rtl/core/link.ld $< -o $(@:.hex=.elf)
	riscv64-unknown-elf-objcopy -O binary --gap-fill 0 --pad-to 0x10010000 $(@:.hex=.elf) $(@:.hex=.bin)
	od -An -v -tx4 -w4 $(@:.hex=.bin) > $@
$(CORE)/%.debug: tests/rtl/core/debug_script.py
	@mkdir -p $(@D)
	python3 $< $* > $@
$(CORE)/debug_cross%S: tests/rtl/core/debug_cross.py tests/rtl/core/debug_script.py
	@mkdir -p $(@D)
	python3 $< $(if $(findstring user,$*),user-)program > $@
$(CORE)/debug_cross%debug: tests/rtl/core/debug_cross.py tests/rtl/core/debug_script.py
	@mkdir -p $(@D)
	python3 $< $(if $(findstring user,$*),user-)script > $@
$(CORE)/debug.hex: $(CORE)/debug.debug
$(CORE)/debug_user.hex: $(CORE)/debug_user.debug
$(CORE)/debug_cross.hex: $(CORE)/debug_cross.debug
$(CORE)/debug_cross_user.hex: $(CORE)/debug_cross_user.debug

# Icarus, and Verilator with different optimisations. slow: without the DSP multiplier; compact: also without the other fast units. slow and
# compact are plain, the other builds have the options.
CORE_OPTIONS := -DATOMIC=1 -DBITS=1
$(CORE)/icarus.vvp: $(CORE_RTL) $(CORE_HEADERS) $(CORE_BENCH)
	@mkdir -p $(@D)
	iverilog -g2005 -Wall -Wno-timescale $(CORE_OPTIONS) $(CORE_DIRS) -o $@ tests/rtl/core/tb.v
$(CORE)/icarus-predict.vvp: $(CORE_RTL) $(CORE_HEADERS) $(CORE_BENCH)
	@mkdir -p $(@D)
	iverilog -g2005 -Wall -Wno-timescale -DPREDICT=9 $(CORE_OPTIONS) $(CORE_DIRS) -o $@ tests/rtl/core/tb.v
$(CORE)/icarus-late.vvp: $(CORE_RTL) $(CORE_HEADERS) $(CORE_BENCH)
	@mkdir -p $(@D)
	iverilog -g2005 -Wall -Wno-timescale -DLATE=1 $(CORE_OPTIONS) $(CORE_DIRS) -o $@ tests/rtl/core/tb.v
$(CORE)/icarus-priv.vvp: $(CORE_RTL) $(CORE_HEADERS) $(CORE_BENCH)
	@mkdir -p $(@D)
	iverilog -g2005 -Wall -Wno-timescale $(CORE_PRIV_FLAGS) $(CORE_DIRS) -o $@ tests/rtl/core/tb.v
CORE_VERILATE = verilator --binary --timing -Wno-TIMESCALEMOD -Wno-WIDTH -Wno-UNUSED -j 1 --top-module tb $(CORE_DIRS) \
  -CFLAGS -O1 --Mdir $(@D) -o tb tests/rtl/core/tb.v
$(CORE)/v-default/tb: CORE_FLAGS := $(CORE_OPTIONS)
$(CORE)/v-nosplit/tb: CORE_FLAGS := -fno-split $(CORE_OPTIONS)
$(CORE)/v-O0/tb: CORE_FLAGS := -O0 $(CORE_OPTIONS)
$(CORE)/v-slow/tb: CORE_FLAGS := -DMUL_FAST=0
$(CORE)/v-predict/tb: CORE_FLAGS := -DPREDICT=9 -DLUTRAM=1 $(CORE_OPTIONS)
$(CORE)/v-late/tb: CORE_FLAGS := -DLATE=1 -DLUTRAM=1 $(CORE_OPTIONS)
$(CORE)/v-compact/tb: CORE_FLAGS := -DMUL_FAST=0 -DCOMPACT=1
$(CORE)/v-compact-options/tb: CORE_FLAGS := -DMUL_FAST=0 -DCOMPACT=1 $(CORE_OPTIONS)
# With user mode, PMP and triggers: one build with the largest numbers that full could have, one compact build with other numbers.
CORE_PRIV_FLAGS := -DUSER=1 -DPMP=4 -DTRIGGERS=2
$(CORE)/v-priv/tb: CORE_FLAGS := $(CORE_PRIV_FLAGS)
$(CORE)/v-priv-nosplit/tb: CORE_FLAGS := -fno-split $(CORE_PRIV_FLAGS)
$(CORE)/v-priv-O0/tb: CORE_FLAGS := -O0 $(CORE_PRIV_FLAGS)
$(CORE)/v-priv-compact/tb: CORE_FLAGS := -DUSER=1 -DPMP=16 -DPMP_GRAIN=4 -DTRIGGERS=4 -DMUL_FAST=0 -DCOMPACT=1
$(CORE)/v-%/tb: $(CORE_RTL) $(CORE_HEADERS) $(CORE_BENCH)
	@mkdir -p $(@D)
	$(CORE_VERILATE) $(CORE_FLAGS) > $(@D)/log 2>&1 || { cat $(@D)/log; exit 1; }

DEEP_TESTS += test-core-agree-deep
.PHONY: test-core test-core-agree test-core-agree-deep test-core-netlist test-core-serial lint-core core-area
# Icarus without predictor and second ALU runs in test-core-agree.
test-core: $(CORE_HEX) $(CORE_OPTIONS_HEX) $(CORE_PLAIN_HEX) $(CORE)/predict.hex $(CORE)/icarus-predict.vvp $(CORE)/v-default/tb $(CORE)/v-slow/tb \
  $(CORE)/v-predict/tb $(CORE)/v-compact/tb $(CORE)/v-compact-options/tb \
  $(CORE)/late.hex $(CORE)/icarus-late.vvp $(CORE)/v-late/tb $(CORE_PRIV_HEX) $(CORE)/v-priv/tb $(CORE)/v-priv-compact/tb
	$(CORE_RUN) $(CORE)/v-default/tb $(CORE_HEX) $(CORE_OPTIONS_HEX)
	$(CORE_RUN) "vvp -n $(CORE)/icarus-predict.vvp" $(CORE)/predict.hex $(filter-out %/timing.hex %/insns.hex,$(CORE_HEX)) $(CORE)/atomic.hex
	$(CORE_RUN) $(CORE)/v-predict/tb $(CORE)/predict.hex $(filter-out %/timing.hex,$(CORE_HEX)) $(CORE)/options.hex $(CORE)/atomic.hex
	$(CORE_RUN) "vvp -n $(CORE)/icarus-late.vvp" $(CORE)/late.hex $(CORE)/atomic.hex
	$(CORE_RUN) $(CORE)/v-late/tb $(CORE)/late.hex $(filter-out %/timing.hex,$(CORE_HEX)) $(CORE)/options.hex $(CORE)/atomic.hex
	$(CORE_RUN) $(CORE)/v-slow/tb $(filter-out %/timing.hex,$(CORE_HEX)) $(CORE_PLAIN_HEX)
	$(CORE_RUN) $(CORE)/v-compact/tb $(filter-out %/timing.hex,$(CORE_HEX)) $(CORE_PLAIN_HEX)
	$(CORE_RUN) $(CORE)/v-compact-options/tb $(filter-out %/timing.hex,$(CORE_HEX)) $(CORE)/options.hex $(CORE)/atomic.hex
	$(CORE_RUN) $(CORE)/v-priv/tb $(CORE_PRIV_HEX)
	$(CORE_RUN) $(CORE)/v-priv-compact/tb $(filter-out %/timing_user.hex,$(CORE_PRIV_HEX))

# The same programs on four simulations: retirements and stall causes must be equal, byte for byte.
AGREE_NEEDS := $(CORE_HEX) $(CORE_OPTIONS_HEX) $(CORE)/icarus.vvp $(CORE)/v-default/tb $(CORE)/v-nosplit/tb $(CORE)/v-O0/tb
test-core-agree: $(AGREE_NEEDS) ## Icarus and Verilator (default, -fno-split, -O0) agree, with a bus that waits
	STALLS=+stall tests/rtl/core/agree.sh --build $(CORE) --simulations "icarus v-default v-nosplit v-O0" $(CORE_HEX) $(CORE_OPTIONS_HEX)
test-core-agree-deep: $(AGREE_NEEDS) $(CORE_PRIV_HEX) $(CORE)/icarus-priv.vvp $(CORE)/v-priv/tb $(CORE)/v-priv-nosplit/tb $(CORE)/v-priv-O0/tb ## and without, and with user mode, PMP and triggers
	STALLS= tests/rtl/core/agree.sh --build $(CORE) --simulations "icarus v-default v-nosplit v-O0" $(CORE_HEX) $(CORE_OPTIONS_HEX)
	tests/rtl/core/agree.sh --build $(CORE) --simulations "icarus-priv v-priv v-priv-nosplit v-priv-O0" $(CORE_PRIV_HEX)

# Synthesis infers the multiplier's DSP blocks, and this inference has gone wrong before. So the result is checked.
test-core-netlist:
	@mkdir -p $(CORE)
	yosys -q -p "read_verilog rtl/core/gnomon_core_mul.v; synth_ice40 -dsp -top gnomon_core_mul; write_verilog -noattr $(CORE)/mul.v"
	iverilog -g2012 -DNO_ICE40_DEFAULT_ASSIGNMENTS -s mul_netlist -o $(CORE)/mul.vvp \
	  $$(dirname $$(readlink -f $$(command -v yosys)))/../share/yosys/ice40/cells_sim.v $(CORE)/mul.v tests/rtl/core/mul_netlist.v
	vvp -n $(CORE)/mul.vvp | tee $(CORE)/mul.log
	@grep -q pass $(CORE)/mul.log
	yosys -q -p "read_verilog rtl/core/gnomon_core_mul.v; chparam -set SIGNED 1 gnomon_core_mul; synth_ecp5 -nowidelut -top gnomon_core_mul; \
	  write_verilog -noattr $(CORE)/mul_ecp5.v"
	iverilog -g2012 -s mul_netlist -I $(YOSYS_SHARE)/ecp5 -I $(YOSYS_SHARE) -o $(CORE)/mul_ecp5.vvp -y tests/netlist/models $(YOSYS_SHARE)/ecp5/cells_sim.v \
	  $(CORE)/mul_ecp5.v tests/rtl/core/mul_netlist.v
	vvp -n $(CORE)/mul_ecp5.vvp | tee $(CORE)/mul_ecp5.log
	@grep -q pass $(CORE)/mul_ecp5.log

# The decoder's two forms: gates for synthesis, a table for simulation.
.PHONY: test-core-decode
TESTS += test-core-decode
SIM_TESTS += test-core-decode
test-core-decode: $(foreach o,0 1,$(CORE)/v-decode-$o/tb)
	@for tb in $^; do $$tb | tee $(CORE)/decode.log && grep -q 'decode: pass' $(CORE)/decode.log || exit 1; done
$(CORE)/v-decode-%/tb: tests/rtl/core/tb_decode.v rtl/core/gnomon_core_decode.v
	@mkdir -p $(@D)
	verilator --binary --timing -Wno-TIMESCALEMOD -Wno-WIDTH -j 1 --top-module tb_decode -GATOMIC=$* -GBITS=$* -CFLAGS -O1 \
	  --Mdir $(@D) -o tb $^ > $(@D)/log 2>&1 || { cat $(@D)/log; exit 1; }

# Tests the compact core's multiplier, divider and shifter alone.
test-core-serial:
	@mkdir -p $(CORE)
	iverilog -g2005 -Wall -Wno-timescale -y rtl/core -s serial -o $(CORE)/serial.vvp tests/rtl/core/serial.v
	vvp -n $(CORE)/serial.vvp | tee $(CORE)/serial.log
	@grep -q 'serial: pass' $(CORE)/serial.log

lint-core:
	verilator --lint-only -Wall -y rtl/core rtl/core/gnomon_core.v
	verilator --lint-only -Wall -GATOMIC=1 -y rtl/core rtl/core/gnomon_core.v
	verilator --lint-only -Wall -GBITS=1 -y rtl/core rtl/core/gnomon_core.v
	verilator --lint-only -Wall -GATOMIC=1 -GBITS=1 -GPREDICT=9 -GLATE=1 -GLUTRAM=1 -y rtl/core rtl/core/gnomon_core.v
	verilator --lint-only -Wall -GATOMIC=1 -GBITS=1 -GMUL_FAST=0 -GCOMPACT=1 -y rtl/core rtl/core/gnomon_core.v
	verilator --lint-only -Wall -GMUL_FAST=0 -y rtl/core rtl/core/gnomon_core.v
	verilator --lint-only -Wall -GMUL_FAST=0 -GCOMPACT=1 -y rtl/core rtl/core/gnomon_core.v
	verilator --lint-only -Wall -GMUL_FAST=0 -GCOMPACT=1 -GSTACK=16 -y rtl/core rtl/core/gnomon_core.v
	for options in -GUSER=1 -GPMP=4 -GTRIGGERS=2 '-GUSER=1 -GPMP=4 -GTRIGGERS=2 -GPREDICT=9' \
	  '-GUSER=1 -GPMP=16 -GPMP_GRAIN=5 -GTRIGGERS=4 -GMUL_FAST=0 -GCOMPACT=1'; do \
	  verilator --lint-only -Wall $$options -y rtl/core rtl/core/gnomon_core.v || exit 1; done

core-area: ## area of the core alone on UP5K, in three forms, and with each option (docs/internals/core.md quotes it)
	@mkdir -p $(CORE)
	@set -e; for form in "MUL_FAST 1" "MUL_FAST 0" "MUL_FAST 0 COMPACT 1" "USER 1" "USER 1 PMP 4" "TRIGGERS 2" "ATOMIC 1 BITS 1" "LATE 1"; do echo "$$form"; \
	  yosys -q -p "read_verilog $(CORE_RTL) tests/rtl/core/area.v; chparam $$(printf ' -set %s %s' $$form) area; \
	    synth_ice40 -dsp -top area -json $(CORE)/area.json; tee -o $(CORE)/area.log stat"; \
	  grep SB_ $(CORE)/area.log; \
	  nextpnr-ice40 --up5k --json $(CORE)/area.json --pack-only 2>&1 | grep -A3 'Device util'; done
