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

# Recordings for time lines: also two harts, programs that are not ours (zlib, and a pool of threads around it), a run that the
# user ended, and one that crashed.
EXPORTED_LINES := $(foreach name,events loss threads harts zlib pool ended crashed,$(EXPORTS)/$(name).gnt)
PERFETTO := $(BUILD)/perfetto
PERFETTO_VERSION := 0.59.1
EXPORTS_LOSSLESS := $(foreach word,--usb-speedup 64 --usb-rate lossless,--sim-option $(word))
$(EXPORTED_LINES): export GNOMON_SIM_DIR := $(BUILD)/sim
$(EXPORTS)/harts.gnt: $(E2E)/hart_locks $(SIM)/duo/gnomon-sim
	@mkdir -p $(@D)
	gnomon record -q --events -d sim:duo -o $@ $< >/dev/null
$(EXPORTS)/text: README.md
	@mkdir -p $(@D)
	head -c 6000 $< >$@
$(EXPORTS)/zlib.gnt: $(DEMO)/zlib.elf $(EXPORTS)/text $(E2E_SIM)
	gnomon record -q --events -d sim:full $(EXPORTS_LOSSLESS) -o $@ $< -- $(EXPORTS)/text $(@D)/text.z >/dev/null
$(EXPORTS)/pool.gnt: $(DEMO)/locks/block_pool $(EXPORTS)/text $(SIM)/duo/gnomon-sim
	gnomon record -q --events -d sim:duo -o $@ $< -- $(EXPORTS)/text $(@D)/text.blocks >/dev/null
$(EXPORTS)/ended.gnt: $(DEMO)/zlib.elf $(E2E_SIM)
	@mkdir -p $(@D)
	timeout -s INT 6 gnomon record -q --events -d sim:full -o $@ $< -- /usr/share/common-licenses/GPL-3 $(@D)/text.z >/dev/null || test -s $@
$(EXPORTS)/crashed.gnt: $(E2E)/endless-O2 $(E2E_SIM)
	@mkdir -p $(@D)
	gnomon record -q --events -d sim:full -o $@ $< >/dev/null || test -s $@
$(PERFETTO)/version: mk/test/exports.mk
	python3 -m venv $(PERFETTO)
	$(PERFETTO)/bin/pip install --quiet --disable-pip-version-check perfetto==$(PERFETTO_VERSION)
	echo $(PERFETTO_VERSION) >$@

.PHONY: test-exports test-exports-lines test-exports-lines-random
DEEP_TESTS += test-exports-lines
test-exports-lines: $(GNOMON_ASAN) $(BUILD)/bin/gnomon $(EXPORTED_LINES) $(HTB)/program.elf $(TRACE_PY) $(PERFETTO)/version ## time lines of gnomon export: calls, cycles, threads, locks, losses as in report, locks and dump, difference 0; a million events
	$(HT_PYTHON:python3=$(PERFETTO)/bin/python) tests/host/export/test_export_events.py --gnomon $(GNOMON_ASAN) --fast $(BUILD)/bin/gnomon --elf $(HTB)/program.elf --out $(EXPORTS)/lines --seeds 12 --formats chrome,perfetto,speedscope $(EXPORTED_LINES)
CI_TESTS += test-exports-lines-random
test-exports-lines-random: $(GNOMON_ASAN) $(BUILD)/bin/gnomon $(HTB)/program.elf $(TRACE_PY) ## the same without Perfetto, and with made-up events only
	$(HT_PYTHON) tests/host/export/test_export_events.py --gnomon $(GNOMON_ASAN) --fast $(BUILD)/bin/gnomon --elf $(HTB)/program.elf --out $(EXPORTS)/lines-random --seeds 3 --formats chrome,speedscope
DEEP_TESTS += test-exports
test-exports: $(GNOMON_ASAN) $(EXPORTED) $(HEAP)/threads.gnt ## gnomon export: callgrind_annotate, gprof, graphviz and pprof read the figures of gnomon report; needs Go for pprof
	tools/setup.sh exports
	$(MAKE) $(PPROF)
	python3 tests/host/export/test_export.py --gnomon $(GNOMON_ASAN) --out $(EXPORTS) --pprof $(PPROF) --heap $(HEAP)/threads.gnt $(EXPORTED)

# Formats of all events, and google-pprof's; and what goes wrong, in all formats.
EXPORTED_ODD := $(foreach name,harts interrupts modules nothing,$(EXPORTS)/$(name).gnt)
$(EXPORTED_ODD): export GNOMON_SIM_DIR := $(BUILD)/sim
$(EXPORTS)/interrupts.gnt: $(E2E)/interrupts-O2 $(E2E_SIM)
	@mkdir -p $(@D)
	gnomon record -q --events -d sim:full -o $@ $< -- 1009 >/dev/null || test -s $@
$(EXPORTS)/modules.gnt: tests/firmware/modules/main.c $(MODULES)/m0.so $(MODULES)/m1.so $(E2E_SIM)
	@mkdir -p $(@D)
	gnomon cc -O2 -g -o $(@D)/modules.elf $<
	gnomon record -q --events -d sim:full -o $@ $(@D)/modules.elf -- rounds 2 $(MODULES)/m0.so $(MODULES)/m1.so >/dev/null
$(EXPORTS)/nothing.gnt: tests/host/export/nothing.c $(E2E_SIM)
	@mkdir -p $(@D)
	gnomon cc -O2 -o $(@D)/nothing.elf $<
	gnomon record -q --events -d sim:full -o $@ $(@D)/nothing.elf
$(EXPORTED_ODD): $(FW_FILES) $(BUILD)/bin/gnomon

$(HOST_TEST)/test_decimal: tests/host/export/test_decimal.c host/lib/util/decimal.h host/lib/util/text_buffer.h host/lib/export/timeline.h $(LIBGNOMON_ASAN)
	@mkdir -p $(@D)
	$(CC) $(HOST_CFLAGS) $(SANITIZE) -o $@ $< $(LIBGNOMON_ASAN) $$(pkg-config --cflags --libs cmocka) $(HOST_LIBS)
.PHONY: test-exports-text
TESTS += test-exports-text
test-exports-text: $(HOST_TEST)/test_decimal ## digits, times and buffered text of the writers of events, compared with printf
	$<

# Programs with windows.
SCREENS := $(BUILD)/screens
SCREENS_PACKAGES := playwright-core@1.65.1 speedscope@1.25.0
$(SCREENS)/version: mk/test/exports.mk
	tools/setup.sh screens
	@mkdir -p $(@D)
	npm install --silent --ignore-scripts --no-audit --no-fund --prefix $(@D) $(SCREENS_PACKAGES)
	echo $(SCREENS_PACKAGES) >$@
.PHONY: test-exports-screens
DEEP_TESTS += test-exports-screens
test-exports-screens: $(BUILD)/bin/gnomon $(SCREENS)/version $(EXPORTS)/events.gnt $(EXPORTS)/zlib.gnt ## kcachegrind and speedscope, in their windows, show the figures of gnomon report
	python3 tests/host/export/test_export_screens.py --out $(EXPORTS)/screens --modules $(SCREENS)/node_modules $(EXPORTS)/events.gnt $(EXPORTS)/zlib.gnt

.PHONY: test-exports-traces test-exports-robust
DEEP_TESTS += test-exports-traces test-exports-robust
test-exports-traces: $(GNOMON_ASAN) $(EXPORTED) $(EXPORTED_ODD) $(HTB)/corpus/.made ## gnomon export to ctf, vcd, pprof-legacy: babeltrace2, gtkwave's converters and google-pprof read the figures of gnomon report, also of damaged and cut recordings
	tools/setup.sh exports
	python3 tests/host/export/test_export_traces.py --gnomon $(GNOMON_ASAN) --out $(EXPORTS)/traces $(EXPORTED) $(EXPORTED_ODD) $(wildcard $(HTB)/corpus/corpus-[0-9].gnt $(HTB)/corpus/corpus-harts-*.gnt $(HTB)/corpus/corpus-locks-*.gnt)
test-exports-robust: $(GNOMON_ASAN) $(GNOMON) $(EXPORTED) $(EXPORTED_ODD) ## gnomon export, every format: full disk, Ctrl-C, closed pipe, damaged and empty recordings, long names: an error, no half file
	python3 tests/host/export/test_export_robust.py --gnomon $(GNOMON_ASAN) --out $(EXPORTS)/robust --modules $(EXPORTS)/modules.gnt $(foreach name,events harts nothing,$(EXPORTS)/$(name).gnt)
	for to in ctf vcd pprof-legacy; do valgrind -q --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=definite,possible \
	  $(GNOMON) export --to $$to -q -o $(EXPORTS)/robust/valgrind.$$to $(EXPORTS)/harts.gnt || exit 1; done
