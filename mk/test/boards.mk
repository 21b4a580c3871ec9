# SPDX-License-Identifier: Apache-2.0
# Tests of real boards: placement, lint, make flash, and each board simulated.

##@ Boards
# Placement tests: one board of each family. The one in CI takes longest there, so it begins first. `make boards` places all other boards.
.PHONY: test-place-small test-place-ecp5
CI_TESTS := test-place-small $(CI_TESTS)
DEEP_TESTS += boards test-place-ecp5
test-place-small: $(FPGA)/fomu.dfu ## `small` fits the UP5K and meets its clocks: a Fomu's bitstream
	python3 tools/area_table.py $(BUILD)/area-small.json small:UP5K:timed=$(FPGA)/fomu.report.json
test-place-ecp5: $(FPGA)/ulx3s-25f.bit ## `full` fits the ECP5-25F and meets its clocks: a ULX3S's bitstream
	python3 tools/area_table.py $(BUILD)/area-ecp5.json full:ECP5-25F:timed=$(FPGA)/ulx3s-25f.report.json
BOARDS_TEST := $(BUILD)/test/boards
.PHONY: lint-boards test-boards-make
LINTS += lint-boards
lint-boards: $(REGISTERS_VH) ## lint each board's top with its SoC
	tests/boards/lint.sh $(GEN) $(foreach board,$(BOARDS),$($(board).family):$(call board-top,$(board))$(addprefix :,$($(board).defines)))
TESTS += test-boards-make
test-boards-make: ## make flash's commands; unknown boards, missing loaders, missed clocks, bad serial numbers
	python3 tests/boards/test_make.py $(BOARDS_TEST)

$(BOARDS_TEST)/small: tests/boards/small.c $(FW_FILES) | $(GNOMON)
	@mkdir -p $(@D)
	gnomon cc -Os -o $@ $<
boards-sim = GNOMON_SIM_DIR=$(SIM) python3 tests/boards/test_sim.py --headers $(BOARD_DIR) --program $(BOARDS_TEST)/small --out $(BOARDS_TEST) $1
.PHONY: test-boards-sim test-boards-sim-deep
TESTS += test-boards-sim
test-boards-sim: $(BOARDS_TEST)/small $(SIM)/tinyfpga-bx/gnomon-sim ## the smallest board, simulated: says what its header says, and profiles a program
	$(call boards-sim,tinyfpga-bx)
DEEP_TESTS += test-boards-sim-deep
test-boards-sim-deep: $(BOARDS_TEST)/small $(foreach board,$(BOARDS),$(SIM)/$(board)/gnomon-sim) ## each board, simulated: says what its header says, and profiles a program
	$(call boards-sim,$(BOARDS))
