# SPDX-License-Identifier: Apache-2.0
# Programs followed while they run: gnomon top, gnomon serve.

##@ Live
LIVE := $(BUILD)/e2e
$(LIVE)/rounds-small: tests/e2e/programs/rounds.c $(FW_FILES) | $(BUILD)/bin/gnomon
	@mkdir -p $(@D)
	gnomon cc -march=rv32imc_zicsr -Os -g -Wall -Wextra -Werror -o $@ $<
TOP := GNOMON_SIM_DIR=$(BUILD)/sim python3 tests/e2e/top.py --endless $(LIVE)/rounds-O2 --small $(LIVE)/rounds-small --mutexes $(E2E)/pool --kinds $(E2E)/lock_cases --harts $(E2E)/hart_threads --hart-locks $(E2E)/hart_locks
$(LIVE)/modules: tests/firmware/modules/main.c $(FW_FILES) | $(BUILD)/bin/gnomon
	@mkdir -p $(@D)
	gnomon cc -O2 -g -Wall -Wextra -Werror -o $@ $<
CI_TESTS += test-top
.PHONY: test-top
test-top: $(DEMO)/zlib.elf $(foreach p,rounds storm interrupts,$(LIVE)/$p-O2) $(LIVE)/rounds-small $(foreach p,pool lock_cases hart_threads hart_locks modules,$(E2E)/$p) $(BUILD)/modules-fuzz/m0.so $(foreach d,full small duo,$(SIM)/$d/gnomon-sim) ## gnomon top: figures of every interval are exact and add up to those of gnomon report, and waits and holds to those of gnomon locks, from records and events, of one hart and of two; its screen in tmux, from 40x10 to 200x50; exit statuses
	$(TOP) --out $(LIVE)/top $(DEMO)/zlib.elf=$(GPL3)=$(LIVE)/top/zlib.z $(LIVE)/storm-O2=200 $(LIVE)/interrupts-O2=1009 $(LIVE)/modules=rounds=20=$(BUILD)/modules-fuzz/m0.so
	$(TOP) --out $(LIVE)/top --screen $(DEMO)/zlib.elf=$(GPL3)=$(LIVE)/top/zlib.z

DEEP_TESTS += test-http
.PHONY: test-http
test-http: $(GNOMON_ASAN) $(LIVE)/rounds-O2 $(LIVE)/burst-O2 $(SIM)/full/gnomon-sim ## gnomon serve --http, under ASan: both pprofs fetch exact profiles unchanged; 100 clients at once, slow and hostile ones; needs Go for pprof
	tools/setup.sh exports
	$(MAKE) $(PPROF)
	GNOMON_SIM_DIR=$(BUILD)/sim python3 tests/e2e/serve_http.py --gnomon $(GNOMON_ASAN) --pprof $(PPROF) --out $(LIVE)/http --endless $(LIVE)/rounds-O2 --whole $(LIVE)/rounds-O2 --lossy $(LIVE)/burst-O2

CI_TESTS += test-http-cycles
.PHONY: test-http-cycles
test-http-cycles: $(GNOMON_ASAN) $(LIVE)/http-events/random-small $(foreach p,interrupts burst,$(LIVE)/$p-O2) $(E2E)/pool $(E2E)/hart_locks $(DEMO)/zlib.elf $(foreach d,full small duo,$(SIM)/$d/gnomon-sim) ## gnomon serve --http --events, under ASan: each profile of a running program is the account of the events between its two cycles, path by path, of one hart and of two, on devices with epochs and without; at the end it is that of gnomon report
	GNOMON_SIM_DIR=$(BUILD)/sim python3 tests/e2e/serve_cycles.py --gnomon $(GNOMON_ASAN) --out $(LIVE)/http-cycles --small $(LIVE)/http-events/random-small --interrupts $(LIVE)/interrupts-O2 --threads $(E2E)/pool --harts $(E2E)/hart_locks --lossy $(LIVE)/burst-O2 --other $(DEMO)/zlib.elf --arguments $(GPL3),$(LIVE)/http-cycles/text.z

CI_TESTS += test-live-harts
.PHONY: test-live-harts
$(LIVE)/harts-whole.gnt: $(E2E)/hart_locks $(SIM)/duo/gnomon-sim
	gnomon record -q --events -d sim:duo --sim-option --usb-speedup --sim-option 64 --sim-option --usb-rate --sim-option lossless -o $@ $< -- 400 1
$(LIVE)/harts-lossy.gnt: $(E2E)/hart_locks $(SIM)/duo/gnomon-sim
	gnomon record -q --events -d sim:duo -o $@ $< -- 1000 2
$(HOST_TEST)/live_harts_test: tests/host/trace/live_harts_test.c $(LIBGNOMON_ASAN)
	@mkdir -p $(@D)
	$(CC) $(HOST_CFLAGS) -O1 $(SANITIZE) -o $@ $< $(LIBGNOMON_ASAN) $(HOST_LIBS)
test-live-harts: $(HOST_TEST)/live_harts_test $(LIVE)/harts-whole.gnt $(LIVE)/harts-lossy.gnt ## frames of two harts from a running device, in any order that it can send them, under ASan: the events of a file, in the same order; late and damaged frames
	$< $(filter %.gnt,$^)

HEAP_HTTP := $(LIVE)/http-events
$(HEAP_HTTP)/random-small: tests/host/heap/random_heap.c $(FW_FILES) | $(BUILD)/bin/gnomon
	@mkdir -p $(@D)
	gnomon cc -march=rv32imc_zicsr -Os -g -fno-optimize-sibling-calls --gnomon-heap -o $@ $<
DEEP_TESTS += test-http-events
.PHONY: test-http-events
test-http-events: $(GNOMON_ASAN) $(HEAP)/random_heap.elf $(HEAP)/zlib.elf $(HEAP_HTTP)/random-small $(E2E)/text $(LIVE)/rounds-O2 $(E2E)/pool $(E2E)/lock_cases $(SIM)/full/gnomon-sim $(SIM)/small/gnomon-sim ## gnomon serve --http --events, under ASan: both pprofs fetch heap, growth and contention; each profile of the heap is that of the events up to its cycle, and at the end all are those of gnomon heap and gnomon locks
	tools/setup.sh exports
	$(MAKE) $(PPROF)
	GNOMON_SIM_DIR=$(BUILD)/sim python3 tests/e2e/serve_events.py --gnomon $(GNOMON_ASAN) --pprof $(PPROF) --out $(HEAP_HTTP) --random $(HEAP)/random_heap.elf --small $(HEAP_HTTP)/random-small --other $(HEAP)/zlib.elf --arguments $(E2E)/text,$(HEAP_HTTP)/text.z --without $(LIVE)/rounds-O2 --mutexes $(E2E)/pool --kinds $(E2E)/lock_cases

CI_TESTS += test-serve-usbip
.PHONY: test-serve-usbip
test-serve-usbip: $(GNOMON) $(GNOMON_ASAN) $(UMOCKDEV_BRIDGE) $(FAKE_LOADER) $(SIM)/full/gnomon-sim $(FW_FILES) ## gnomon serve --usbip: a board behind libusb, used from another gnomon, gives the same recording; clients that go, or make no sense; none restarts the board into its loader without leave
	tests/host/test_serve_usbip.sh --gnomon $(GNOMON) --server $(GNOMON_ASAN) --bridge $(UMOCKDEV_BRIDGE) --simulator $(SIM)/full/gnomon-sim --loader $(FAKE_LOADER) --out $(HOST_TEST)/serve-usbip
