# SPDX-License-Identifier: Apache-2.0
# Gnomon. `make help` lists the targets; each room's rules are in mk/ROOM.mk.

.DEFAULT_GOAL := help
MAKEFLAGS += --no-builtin-rules
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DELETE_ON_ERROR:

BUILD := build
GEN := $(BUILD)/gen
export PATH := $(CURDIR)/$(BUILD)/bin:$(PATH)

# Generated, by the rules at the end: from the register map and the list of events, and headers of Verilog from anything.
REGISTERS_VH := $(GEN)/gnomon_registers.vh $(GEN)/gnomon_events.vh $(GEN)/gnomon_fold_program.vh
REGISTERS_H := $(GEN)/gnomon/registers.h $(GEN)/gnomon/events.h

# Filled by mk/*.mk with names of phony targets.
TESTS :=        # run by `make test`
SIM_TESTS :=    # Verilog tests among them, run by `make sim`
DEEP_TESTS :=   # longer ones, run by `make test-deep` as well
LINTS :=        # run by `make lint`
FORMATS :=      # run by `make format`

# In the order in which they use each other's variables.
include $(patsubst %,mk/%.mk,setup core cosim formal mutation profile usb sim host trace firmware matrix modules demo e2e tags fpga netlist hooks)

##@ The two commands
# `make demo` is defined in mk/demo.mk.
.PHONY: test
test: setup ## set up, build and run every check and test (under 25 minutes on 2 cores)
	@tools/run_tests.sh $(LINTS) $(TESTS)

##@ Development
.PHONY: sim test-deep lint format clean help
sim: setup ## run the Verilog tests
	@tools/run_tests.sh $(SIM_TESTS)
test-deep: setup ## run the tests that take longer, too
	@tools/run_tests.sh $(LINTS) $(TESTS) $(DEEP_TESTS)
lint: setup ## check style and lint of Verilog, C and scripts
	@tools/run_tests.sh $(LINTS)
format: setup $(FORMATS) ## format C and C++ in place
clean: ## remove everything that was built, except the set-up tools
	find $(BUILD) -mindepth 1 -maxdepth 1 ! -name venv ! -name '.setup*' -exec rm -rf {} +
help: ## list the targets
	@awk 'BEGIN {FS = ":.*## "} /^##@ / {printf "\n%s\n", substr($$0, 5)} \
	  /^[a-zA-Z0-9_-]+:.*## / {printf "  %-22s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

$(GEN)/gnomon_registers.vh: rtl/soc/registers.json tools/gen_registers.py
	@mkdir -p $(@D) && python3 tools/gen_registers.py $< --verilog > $@
$(GEN)/gnomon_fold_program.vh: rtl/profile/gnomon_fold_compact.prog tools/assemble_fold.py
	@mkdir -p $(@D) && python3 tools/assemble_fold.py $< > $@
$(GEN)/gnomon/registers.h: rtl/soc/registers.json tools/gen_registers.py
	@mkdir -p $(@D) && python3 tools/gen_registers.py $< --c > $@
docs/registers.md: rtl/soc/registers.json tools/gen_registers.py
	python3 tools/gen_registers.py $< --markdown > $@
$(GEN)/gnomon_events.vh: rtl/soc/events.json tools/gen_events.py
	@mkdir -p $(@D) && python3 tools/gen_events.py $< --verilog > $@
$(GEN)/gnomon/events.h: rtl/soc/events.json tools/gen_events.py
	@mkdir -p $(@D) && python3 tools/gen_events.py $< --c > $@
docs/events.md: rtl/soc/events.json tools/gen_events.py
	python3 tools/gen_events.py $< --markdown > $@
.PHONY: lint-registers
LINTS += lint-registers
lint-registers:
	python3 tools/gen_registers.py rtl/soc/registers.json --markdown | diff - docs/registers.md
	python3 tools/gen_events.py rtl/soc/events.json --markdown | diff - docs/events.md
