# SPDX-License-Identifier: Apache-2.0
# Two recordings compared, and the gate.

##@ Comparison
COMPARE := $(HOST_TEST)/compare
COMPARE_STORMS := $(foreach n,40 43 41 61 66 63,$(COMPARE)/storm-$n.gnt)
COMPARE_ZLIB := $(COMPARE)/zlib-text.gnt $(COMPARE)/zlib-program.gnt
# Some classes of events are left out.
COMPARE_CLASSES := $(foreach name,waits-all waits-no-traps waits-no-functions waits-no-channels pool-all pool-no-channels,$(COMPARE)/classes/$(name).gnt)
COMPARED := $(COMPARE_STORMS) $(COMPARE)/old.gnt $(COMPARE)/new.gnt $(COMPARE)/lossy.gnt $(COMPARE_ZLIB) $(COMPARE_CLASSES)
COMPARE_RECORD = @mkdir -p $(@D); gnomon record -q -d sim:full $1 -o $@ $2 >$@.log || test -s $@

$(COMPARED): export GNOMON_SIM_DIR := $(BUILD)/sim
# The more steps, the further down are all lines of the first file.
$(COMPARE)/twins-%: tests/host/compare/twins.c tests/host/compare/twins_other.c $(FW_FILES) | $(BUILD)/bin/gnomon
	@mkdir -p $@.source
	{ seq $* | tr -d 0-9; cat $<; } >$@.source/twins.c
	gnomon cc -O2 -g -Wall -Wextra -Werror -DSTEPS=$* -o $@ $@.source/twins.c tests/host/compare/twins_other.c
$(COMPARE_STORMS): $(COMPARE)/storm-%.gnt: $(E2E)/storm-O2 $(E2E_SIM)
	$(call COMPARE_RECORD,,$< -- $*)
$(COMPARE)/old.gnt: $(COMPARE)/twins-10 $(E2E_SIM)
	$(call COMPARE_RECORD,--cpi all,$<)
$(COMPARE)/new.gnt: $(COMPARE)/twins-13 $(E2E_SIM)
	$(call COMPARE_RECORD,--cpi all,$< -- 25)
$(COMPARE)/lossy.gnt: $(E2E)/storm-O2 $(E2E_SIM)
	$(call COMPARE_RECORD,--events --sim-option --rate-divisor --sim-option 10,$< -- 40)
$(COMPARE)/zlib-text.gnt: $(DEMO)/zlib.elf $(E2E)/text $(E2E_SIM)
	$(call COMPARE_RECORD,,$< -- $(E2E)/text $(@D)/out.z)
$(COMPARE)/zlib-program.gnt: $(DEMO)/zlib.elf $(E2E_SIM)
	$(call COMPARE_RECORD,,$< -- tests/host/compare/test_compare.py $(@D)/out.z)
$(COMPARE)/classes/waits-%.gnt: $(E2E)/waits-O2 $(E2E_SIM)
	$(call COMPARE_RECORD,--events $(patsubst --all,,--$*),$<)
$(COMPARE)/classes/pool-%.gnt: $(E2E)/pool $(E2E_SIM)
	$(call COMPARE_RECORD,--events $(patsubst --all,,--$*),$<)

.PHONY: test-compare
TESTS += test-compare
test-compare: $(GNOMON_ASAN) $(COMPARED) ## gnomon diff and gnomon check: every change and verdict is what the two reports say
	python3 tests/host/compare/test_compare.py --gnomon $(GNOMON_ASAN) --out $(COMPARE) --few $(wordlist 1,3,$(COMPARE_STORMS)) --many $(wordlist 4,6,$(COMPARE_STORMS)) \
	  --old $(COMPARE)/old.gnt --new $(COMPARE)/new.gnt --lossy $(COMPARE)/lossy.gnt --cut $(COMPARE)/cut.gnt --classes $(COMPARE)/classes --others $(COMPARE_ZLIB)

$(COMPARE)/late: tests/host/compare/late.c $(FW_FILES) | $(BUILD)/bin/gnomon
	@mkdir -p $(@D)
	gnomon cc -O2 -g -Wall -Wextra -Werror -o $@ $<
.PHONY: test-series
TESTS += test-series
test-series: $(GNOMON_ASAN) $(COMPARE_STORMS) $(COMPARE)/lossy.gnt $(COMPARE)/twins-10 $(COMPARE)/late ## gnomon record -r: several runs, which gnomon diff and gnomon check take together
	GNOMON_SIM_DIR=$(BUILD)/sim python3 tests/host/compare/test_series.py --gnomon $(GNOMON_ASAN) --out $(COMPARE)/series --program $(COMPARE)/twins-10 --late $(COMPARE)/late --lossy $(COMPARE)/lossy.gnt \
	  --few $(wordlist 1,3,$(COMPARE_STORMS)) --many $(wordlist 4,6,$(COMPARE_STORMS))
