# SPDX-License-Identifier: Apache-2.0
# The whole chain on the simulated board: reports against the oracle, loss, determinism.

E2E := $(BUILD)/e2e
E2E_SIM := $(BUILD)/sim/full/gnomon-sim
LOGO := /usr/share/pixmaps/debian-logo.png
FONT := /usr/share/fonts/truetype/dejavu/DejaVuSans.ttf
GPL3 := /usr/share/common-licenses/GPL-3
E2E_RUN := python3 tests/e2e/e2e.py

$(E2E)/%-O0: tests/e2e/programs/%.c $(FW_FILES) | $(BUILD)/bin/gnomon
	@mkdir -p $(@D)
	gnomon cc -O0 -g -Wall -Wextra -Werror -o $@ $<
$(E2E)/%-O2: tests/e2e/programs/%.c $(FW_FILES) | $(BUILD)/bin/gnomon
	@mkdir -p $(@D)
	gnomon cc -O2 -g -Wall -Wextra -Werror -o $@ $<

PREBUILD_ROOMS += $(E2E)/interrupts-O0 $(E2E)/interrupts-O2 $(E2E)/storm-O2 $(DEMO)/logo.elf $(DEMO)/zlib.elf
.PHONY: test-exact test-loss test-demo-exact test-one-instruction
TESTS += test-exact test-loss test-demo-exact test-one-instruction
test-exact: $(E2E)/interrupts-O0 $(E2E)/interrupts-O2 $(E2E)/storm-O2 $(E2E_SIM) ## reports equal the oracle, interrupts on and off
	$(E2E_RUN) exact $(E2E)/interrupts-O2 --lossy-too 0
	$(E2E_RUN) exact $(E2E)/interrupts-O2 --lossy-too 1009
	$(E2E_RUN) exact $(E2E)/interrupts-O0 607
	$(E2E_RUN) exact $(E2E)/storm-O2 --lossy-too 40
test-loss: $(E2E)/interrupts-O2 $(E2E)/storm-O2 $(E2E_SIM) ## lost + received = produced, whatever the rate; cycles do not change
	$(E2E_RUN) loss $(E2E)/storm-O2 40
	$(E2E_RUN) loss $(E2E)/interrupts-O2 1009
test-one-instruction: $(BUILD)/demo/logo.elf $(BUILD)/demo/zlib.elf ## each event of the demo is one instruction
	$(E2E_RUN) one-instruction $(BUILD)/demo/logo.elf
	$(E2E_RUN) one-instruction $(BUILD)/demo/zlib.elf
test-demo-exact: demo-build ## both demo programs: reports equal the oracle, pictures and files equal the native ones
	$(E2E_RUN) exact $(DEMO)/zlib.elf --lossy-too $(GPL3) $(E2E)/GPL-3.z
	$(DEMO)/native/zlib $(GPL3) $(E2E)/GPL-3.native.z
	cmp $(E2E)/GPL-3.z $(E2E)/GPL-3.native.z
	$(E2E_RUN) exact $(DEMO)/logo.elf --lossy-too $(LOGO) $(FONT) $(E2E)/logo.png
	$(DEMO)/native/logo $(LOGO) $(FONT) $(E2E)/logo.native.png
	cmp $(E2E)/logo.png $(E2E)/logo.native.png
