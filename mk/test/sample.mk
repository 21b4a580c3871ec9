# SPDX-License-Identifier: Apache-2.0
# Tests of samples: gnomon record --sample.

##@ Samples
SAMPLES := $(BUILD)/samples
$(SAMPLES)/text: $(GPL3)
	@mkdir -p $(@D) && head -c 4000 $< > $@
$(SAMPLES)/zlib-monitor: firmware/apps/roundtrip.c $(ZLIB)/configure $(FW_FILES) | $(BUILD)/bin/gnomon
	@mkdir -p $(@D)
	gnomon cc --gnomon-monitor -O2 -g -isystem $(ZLIB) -o $@ $< $(addprefix $(ZLIB)/,adler32.c compress.c crc32.c deflate.c inffast.c inflate.c inftrees.c trees.c uncompr.c zutil.c)
$(SAMPLES)/sampled-monitor: tests/e2e/programs/sampled.c $(FW_FILES) | $(BUILD)/bin/gnomon
	@mkdir -p $(@D)
	gnomon cc --gnomon-monitor -O2 -g -o $@ $<
$(SAMPLES)/twins-monitor: tests/e2e/programs/twins.c $(FW_FILES) | $(BUILD)/bin/gnomon
	@mkdir -p $(@D)
	gnomon cc --gnomon-monitor -O2 -g -o $@ $<
CI_TESTS += test-samples
.PHONY: test-samples
test-samples: $(E2E)/counted-O2 $(DEMO)/zlib.elf $(SAMPLES)/text $(SAMPLES)/zlib-monitor $(SAMPLES)/sampled-monitor $(SAMPLES)/twins-monitor $(foreach b,full mid,$(SIM)/$b/gnomon-sim) $(GNOMON) ## record --sample: samples are the reference model's, whole stacks the oracle's with any table, losses and evictions counted; sampled beside counted
	GNOMON_SIM_DIR=$(BUILD)/sim env --default-signal=INT python3 tests/e2e/samples.py --out $(SAMPLES)/out --counted $(E2E)/counted-O2 --zlib $(DEMO)/zlib.elf \
	  --monitored $(SAMPLES)/zlib-monitor --threads $(SAMPLES)/sampled-monitor --twins $(SAMPLES)/twins-monitor --text $(SAMPLES)/text

CI_TESTS += test-samples-open
.PHONY: test-samples-open
$(SAMPLES)/zlib-bare: firmware/apps/roundtrip.c $(ZLIB)/configure $(FW_FILES) | $(BUILD)/bin/gnomon
	@mkdir -p $(@D)
	gnomon cc '--gnomon-exclude=*' -O2 -g -isystem $(ZLIB) -o $@ $< $(addprefix $(ZLIB)/,adler32.c compress.c crc32.c deflate.c inffast.c inflate.c inftrees.c trees.c uncompr.c zutil.c)
test-samples-open: $(DEMO)/zlib.elf $(SAMPLES)/zlib-bare $(E2E)/epochs-O2 $(SAMPLES)/text $(foreach b,full mid,$(SIM)/$b/gnomon-sim) $(GNOMON) ## record -g without the monitor: only stacks that the run has, not a cycle more, sampled beside counted, with and without hooks
	GNOMON_SIM_DIR=$(BUILD)/sim env --default-signal=INT python3 tests/e2e/open_stacks.py --out $(SAMPLES)/open --zlib $(DEMO)/zlib.elf --bare $(SAMPLES)/zlib-bare \
	  --traps $(E2E)/epochs-O2 --text $(SAMPLES)/text

# The demo as a user starts it; that it notices figures that differ, test-samples shows.
DEEP_TESTS += test-samples-demo
.PHONY: test-samples-demo
test-samples-demo: ## make demo-sample: of the logo program's functions, the counted value is within three standard errors in 99 %
	$(MAKE) --no-print-directory demo-sample

CI_TESTS += test-samples-hostile
.PHONY: test-samples-hostile
$(SAMPLES)/zlib.gnt: $(DEMO)/zlib.elf $(E2E)/text $(GNOMON) $(E2E_SIM)
	@mkdir -p $(@D) && rm -f $(@D)/short.z
	GNOMON_SIM_DIR=$(BUILD)/sim $(GNOMON) record -q -c 499 -d sim:full -o $@ $< -- $(E2E)/text $(@D)/short.z
test-samples-hostile: $(SAMPLES)/zlib.gnt $(GNOMON_ASAN) ## samples in a trace file that make no sense, with sanitizers: refused or shown, by every command
	python3 tests/host/trace/hostile_samples.py $(GNOMON_ASAN) $< $(SAMPLES)/hostile

TESTS += test-samples-stacks
.PHONY: test-samples-stacks
$(HOST_TEST)/test_stack_sampler: tests/host/device/test_stack_sampler.c host/lib/run/stack_sampler.h $(LIBGNOMON_ASAN)
	@mkdir -p $(@D)
	$(CC) $(HOST_CFLAGS) $(SANITIZE) -o $@ $< $(LIBGNOMON_ASAN) $$(pkg-config --cflags --libs cmocka) $(HOST_LIBS)
test-samples-stacks: $(HOST_TEST)/test_stack_sampler ## stacks that a program's monitor sends: whole ones count, others do not; the time of its interrupts
	$<
