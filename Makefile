# SPDX-License-Identifier: Apache-2.0
# Gnomon. `make help` lists the targets; mk/ has the rules of each room (mk/README.md).

.DEFAULT_GOAL := help
MAKEFLAGS += --no-builtin-rules
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DELETE_ON_ERROR:

# With WERROR=-Werror a warning is an error, as in continuous integration. CFLAGS, CPPFLAGS and LDFLAGS apply to command and library.
WERROR ?=
BUILD := build
GEN := $(BUILD)/gen
export PATH := $(CURDIR)/$(BUILD)/bin:$(PATH)
# Python finds the modules that tests share and the generated ones, and leaves no files beside the sources.
export PYTHONPATH := $(CURDIR)/tests/lib:$(CURDIR)/$(GEN)$(addprefix :,$(PYTHONPATH))
export PYTHONDONTWRITEBYTECODE := 1
# Each build of Verilator compiles the Verilator runtime again. With ccache, equal files are compiled only once.
ifneq ($(shell command -v ccache),)
export OBJCACHE := ccache
export CCACHE_DIR := $(CURDIR)/$(BUILD)/ccache
endif

# The rooms of the SoC's RTL below rtl/. A room's headers are found by name.
PROFILE_ROOMS := profile $(addprefix profile/,trace records records/compact counters causes watch tags reduced)
RTL_ROOMS := up5k core cache $(PROFILE_ROOMS) usb bus periph soc

# Generated headers; their rules are at the end of this file.
REGISTERS_VH := $(addprefix $(GEN)/gnomon_,registers.vh events.vh trace.vh aggregator_program.vh encoder_codes.vh encoder_program.vh)
REGISTERS_H := $(addprefix $(GEN)/gnomon/,registers.h register_names.h events.h trace.h boards.h)
# The constants of the trace for Python tests: a test that imports gnomon_trace has TRACE_PY as a prerequisite.
TRACE_PY := $(GEN)/gnomon_trace.py

# A board is a header of parameters; mk/build/boards.mk has its other settings. CONFIGS are the SoC's own configurations.
BOARD_DIR := rtl/soc/boards
BOARDS := $(patsubst $(BOARD_DIR)/%.vh,%,$(sort $(wildcard $(BOARD_DIR)/*.vh)))
CONFIGS := small mid full
comma := ,
empty :=
space := $(empty) $(empty)

# mk/test/*.mk add names of phony targets to these variables.
TESTS :=        # run by `make test`
SIM_TESTS :=    # Verilog tests among them, run by `make sim`
CI_TESTS :=     # placements, proofs, longer comparisons, run by `make test-ci`
DEEP_TESTS :=   # the longest, run by `make test-deep` only
LINTS :=        # run by `make lint`
FORMATS :=      # run by `make format`

# What builds the product, then what tests it. The order matters: later files use variables of earlier ones.
include $(patsubst %,mk/build/%.mk,setup sim host firmware demo freertos fpga boards install)
include $(patsubst %,mk/test/%.mk,core cosim formal mutation profile usb usb_faults soc bench host style trace firmware matrix modules e2e heap sample exports live compare ui fleet freertos tags fpga boards xip \
  netlist hooks sdram docs programs editors install)

##@ The two commands
# `make demo` is defined in mk/build/demo.mk.
.PHONY: test
test: setup ## set up, build, lint and test everything (under 15 minutes on 2 cores; V=1: with all output)
	@tools/run_tests.sh $@ $(LINTS) $(TESTS)

##@ Development
.PHONY: sim test-ci test-deep lint format clean help
test-ci: setup ## placements, proofs and longer comparisons (with make test under an hour on 2 cores)
	@tools/run_tests.sh $@ $(CI_TESTS)
test-deep: setup ## all tests there are (many hours)
	@tools/run_tests.sh $@ $(LINTS) $(TESTS) $(CI_TESTS) $(DEEP_TESTS)
sim: setup ## run the Verilog tests
	@tools/run_tests.sh $@ $(SIM_TESTS)
lint: setup ## check style and lint of Verilog, C and scripts
	@tools/run_tests.sh $@ $(LINTS)
format: setup $(FORMATS) ## format C and C++ in place
clean: ## remove everything that was built, except the set-up tools
	find $(BUILD) -mindepth 1 -maxdepth 1 ! -name venv ! -name '.setup*' -exec rm -rf {} +
help: ## list the targets
	@awk 'BEGIN { FS = ":.*## " } /^##@ / { s = substr($$0, 5); if (!(s in is)) { is[s] = 1; section[++n] = s } } \
	  /^[a-zA-Z0-9_-]+:.*## / { text[s] = text[s] sprintf("  %-25s %s\n", $$1, $$2) } \
	  END { for (i = 1; i <= n; i++) if (text[section[i]]) printf "\n%s\n%s", section[i], text[section[i]] }' $(MAKEFILE_LIST)
	@echo; echo "Variables: V=1 shows what steps and tests print, JOBS=N runs N tests at a time, SEED=N repeats a random test."

$(GEN)/gnomon_registers.vh: rtl/soc/registers.json tools/gen_registers.py
	@mkdir -p $(@D) && python3 tools/gen_registers.py $< --verilog > $@
$(GEN)/gnomon_aggregator_program.vh: rtl/profile/records/compact/gnomon_aggregator_compact.prog tools/assemble_aggregator.py
	@mkdir -p $(@D) && python3 tools/assemble_aggregator.py $< > $@
$(GEN)/gnomon_encoder_codes.vh: rtl/profile/trace/gnomon_trace_encoder.prog tools/assemble_encoder.py
	@mkdir -p $(@D) && python3 tools/assemble_encoder.py codes $< > $@
$(GEN)/gnomon_encoder_program.vh: rtl/profile/trace/gnomon_trace_encoder.prog tools/assemble_encoder.py
	@mkdir -p $(@D) && python3 tools/assemble_encoder.py words $< > $@
$(GEN)/gnomon/registers.h: rtl/soc/registers.json tools/gen_registers.py
	@mkdir -p $(@D) && python3 tools/gen_registers.py $< --c > $@
$(GEN)/gnomon/register_names.h: rtl/soc/registers.json tools/gen_registers.py
	@mkdir -p $(@D) && python3 tools/gen_registers.py $< --names > $@
docs/reference/registers.md: rtl/soc/registers.json tools/gen_registers.py
	python3 tools/gen_registers.py $< --markdown > $@
$(GEN)/gnomon_events.vh: rtl/soc/events.json tools/gen_events.py
	@mkdir -p $(@D) && python3 tools/gen_events.py $< --verilog > $@
$(GEN)/gnomon/events.h: rtl/soc/events.json tools/gen_events.py
	@mkdir -p $(@D) && python3 tools/gen_events.py $< --c > $@
$(GEN)/gnomon/boards.h: $(wildcard $(BOARD_DIR)/*.vh) Makefile
	@mkdir -p $(@D) && printf '/* Generated by the Makefile; do not edit. */\n#define GNOMON_SIMULATORS %s\n' \
	  '$(subst $(space),$(comma) ,$(foreach name,$(CONFIGS) $(BOARDS),"$(name)"))' > $@
docs/reference/events.md: rtl/soc/events.json tools/gen_events.py
	python3 tools/gen_events.py $< --markdown > $@
$(GEN)/gnomon_trace.vh: rtl/soc/trace.json tools/gen_trace.py
	@mkdir -p $(@D) && python3 tools/gen_trace.py $< --verilog > $@
$(GEN)/gnomon/trace.h: rtl/soc/trace.json tools/gen_trace.py
	@mkdir -p $(@D) && python3 tools/gen_trace.py $< --c > $@
$(TRACE_PY): rtl/soc/trace.json tools/gen_trace.py
	@mkdir -p $(@D) && python3 tools/gen_trace.py $< --python > $@
docs/reference/trace-constants.md: rtl/soc/trace.json tools/gen_trace.py
	python3 tools/gen_trace.py $< --markdown > $@
tests/cosim/observation.hpp: rtl/core/gnomon_obs.vh tools/gen_observation.py
	python3 tools/gen_observation.py $< > $@
.PHONY: lint-registers
LINTS += lint-registers
lint-registers:
	python3 tools/gen_registers.py rtl/soc/registers.json --markdown | diff - docs/reference/registers.md
	python3 tools/gen_events.py rtl/soc/events.json --markdown | diff - docs/reference/events.md
	python3 tools/gen_trace.py rtl/soc/trace.json --markdown | diff - docs/reference/trace-constants.md
	python3 tools/gen_trace.py rtl/soc/trace.json --check docs/reference/trace-format.md docs/reference/address-map.md
	python3 tools/gen_observation.py rtl/core/gnomon_obs.vh | diff - tests/cosim/observation.hpp
