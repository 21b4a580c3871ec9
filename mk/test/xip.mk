# SPDX-License-Identifier: Apache-2.0
# Programs in flash memory (docs/internals/flash.md): the controller with the bus, the instruction cache and the chip's model; whole programs on a simulated Fomu.

XIP_TEST := $(BUILD)/test/xip
# The pad cell for PINS=1.
ICE40_CELLS := -DNO_ICE40_DEFAULT_ASSIGNMENTS -l $(dir $(shell readlink -f "$$(command -v yosys)"))../share/yosys/ice40/cells_sim.v
XIP_SOURCES := tests/rtl/flash/tb_flash.v rtl/soc/gnomon_memory.v $(patsubst %,rtl/bus/gnomon_%.v,bus_delay flash interconnect ram) $(wildcard rtl/cache/*.v) $(SIM_FLASH)

##@ Flash memory
.PHONY: test-flash-memory test-flash-memory-mutants
TESTS += test-flash-memory
SIM_TESTS += test-flash-memory
DEEP_TESTS += test-flash-memory-mutants
$(eval $(call soc-bench,flash-memory,tb_flash,$(XIP_SOURCES) $(ICE40_CELLS),SEED=1 CONTINUOUS=1$(comma)SEED=2 PINS=1$(comma)SEED=3))
test-flash-memory-mutants: ## changes in controller, bus and instruction cache that the bench of the flash memory must find
	python3 tests/rtl/flash/mutants.py $(XIP_TEST)/mutants

$(XIP_TEST)/%.elf: tests/xip/%.c $(FW_FILES) | $(GNOMON)
	@mkdir -p $(@D)
	gnomon cc --gnomon-flash -O2 -g -o $@ $<
$(XIP_TEST)/%.elf: tests/e2e/programs/%.c $(FW_FILES) | $(GNOMON)
	@mkdir -p $(@D)
	gnomon cc --gnomon-flash -O2 -g -o $@ $<
$(XIP_TEST)/large.c: tests/xip/make_large.py
	@mkdir -p $(@D)
	python3 $< 450 $@ $(@:.c=.expected)
$(XIP_TEST)/large.elf: $(XIP_TEST)/large.c $(FW_FILES) | $(GNOMON)
	gnomon cc --gnomon-flash -O1 -o $@ $<
XIP_PROGRAMS := $(XIP_TEST)/interrupts.elf=211 $(XIP_TEST)/storm.elf=40
XIP_NEEDS := $(XIP_TEST)/constant.elf $(XIP_TEST)/interrupts.elf $(XIP_TEST)/storm.elf $(SIM)/fomu-flash/gnomon-sim $(SIM)/small/gnomon-sim
XIP_RUN = GNOMON_SIM_DIR=$(SIM) python3 tests/xip/test_xip.py --out $(XIP_TEST) --constant $(XIP_TEST)/constant.elf
.PHONY: test-xip test-xip-large
CI_TESTS += test-xip
DEEP_TESTS += test-xip-large
test-xip: $(XIP_NEEDS) ## programs in the flash memory of a Fomu, simulated: reports equal the oracle, flash memory is written where it differs
	$(XIP_RUN) --large "" $(XIP_PROGRAMS)
test-xip-large: $(XIP_NEEDS) $(XIP_TEST)/large.elf ## the same with a program of more than 500 KB
	$(XIP_RUN) --large $(XIP_TEST)/large.elf=$(XIP_TEST)/large.expected $(XIP_PROGRAMS)
