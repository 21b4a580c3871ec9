# SPDX-License-Identifier: Apache-2.0
# Exported recordings, read by the programs that the formats are for.

##@ Exports
EXPORTS := $(HOST_TEST)/exports
EXPORTED := $(foreach name,events loss cpi threads,$(EXPORTS)/$(name).gnt)
PPROF := $(BUILD)/go/bin/pprof
PPROF_VERSION := v0.0.0-20261016150608-1facf8f91b50

$(PPROF):
	GOBIN=$(abspath $(@D)) GOPATH=$(abspath $(BUILD)/go) GOFLAGS=-modcacherw go install github.com/google/pprof@$(PPROF_VERSION)
$(EXPORTED): export GNOMON_SIM_DIR := $(BUILD)/sim
$(EXPORTS)/events.gnt: $(E2E)/storm-O2 $(E2E_SIM)
	@mkdir -p $(@D)
	gnomon record -q --events -d sim:full -o $@ $< -- 40 >/dev/null || test -s $@
$(EXPORTS)/loss.gnt: $(E2E)/storm-O2 $(E2E_SIM)
	@mkdir -p $(@D)
	gnomon record -q --events -d sim:full --sim-option --rate-divisor --sim-option 10 -o $@ $< -- 40 >/dev/null || test -s $@
$(EXPORTS)/threads.gnt: $(E2E)/locks $(E2E_SIM)
	@mkdir -p $(@D)
	gnomon record -q --events -d sim:full -o $@ $< >/dev/null || test -s $@
$(EXPORTS)/cpi.gnt: $(DEMO)/zlib.elf $(E2E)/text $(E2E_SIM)
	@mkdir -p $(@D)
	gnomon record -q --cpi all -d sim:full -o $@ $< -- $(E2E)/text $(@D)/text.z >/dev/null

.PHONY: test-exports
DEEP_TESTS += test-exports
test-exports: $(GNOMON_ASAN) $(EXPORTED) ## gnomon export: callgrind_annotate, gprof, graphviz and pprof read the figures of gnomon report; needs Go for pprof
	tools/setup.sh exports
	$(MAKE) $(PPROF)
	python3 tests/host/export/test_export.py --gnomon $(GNOMON_ASAN) --out $(EXPORTS) --pprof $(PPROF) $(EXPORTED)
