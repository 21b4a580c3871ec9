# SPDX-License-Identifier: Apache-2.0
# Programs followed while they run: gnomon top, gnomon serve.

##@ Live
LIVE := $(BUILD)/e2e
$(LIVE)/rounds-small: tests/e2e/programs/rounds.c $(FW_FILES) | $(BUILD)/bin/gnomon
	@mkdir -p $(@D)
	gnomon cc -march=rv32imc_zicsr -Os -g -Wall -Wextra -Werror -o $@ $<
TOP := GNOMON_SIM_DIR=$(BUILD)/sim python3 tests/e2e/top.py --endless $(LIVE)/rounds-O2 --small $(LIVE)/rounds-small
CI_TESTS += test-top
.PHONY: test-top
test-top: $(DEMO)/zlib.elf $(foreach p,rounds storm interrupts,$(LIVE)/$p-O2) $(LIVE)/rounds-small $(SIM)/full/gnomon-sim $(SIM)/small/gnomon-sim ## gnomon top: figures of every interval are exact and add up to those of gnomon report; its screen in tmux, 80x24 and 200x50; exit statuses
	$(TOP) --out $(LIVE)/top $(DEMO)/zlib.elf=$(GPL3)=$(LIVE)/top/zlib.z $(LIVE)/storm-O2=200 $(LIVE)/interrupts-O2=1009
	$(TOP) --out $(LIVE)/top --screen $(DEMO)/zlib.elf=$(GPL3)=$(LIVE)/top/zlib.z

CI_TESTS += test-http
.PHONY: test-http
test-http: $(GNOMON_ASAN) $(LIVE)/rounds-O2 $(SIM)/full/gnomon-sim ## gnomon serve --http, under ASan: both pprofs fetch exact profiles unchanged; 100 clients at once, slow and hostile ones; needs Go for pprof
	tools/setup.sh exports
	$(MAKE) $(PPROF)
	GNOMON_SIM_DIR=$(BUILD)/sim python3 tests/e2e/serve_http.py --gnomon $(GNOMON_ASAN) --pprof $(PPROF) --out $(LIVE)/http --endless $(LIVE)/rounds-O2 --whole $(LIVE)/rounds-O2

CI_TESTS += test-serve-usbip
.PHONY: test-serve-usbip
test-serve-usbip: $(GNOMON) $(GNOMON_ASAN) $(UMOCKDEV_BRIDGE) $(SIM)/full/gnomon-sim $(FW_FILES) ## gnomon serve --usbip: a board behind libusb, used from another gnomon, gives the same recording; clients that go, or make no sense
	tests/host/test_serve_usbip.sh --gnomon $(GNOMON) --server $(GNOMON_ASAN) --bridge $(UMOCKDEV_BRIDGE) --simulator $(SIM)/full/gnomon-sim --out $(HOST_TEST)/serve-usbip
