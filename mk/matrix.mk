# SPDX-License-Identifier: Apache-2.0
# Hard programs under a matrix of compiler flags, on the simulated board; many functions; profiles of former runs.

MATRIX := $(BUILD)/matrix
MATRIX_NEEDS := $(FW_FILES) $(BUILD)/bin/gnomon $(BUILD)/sim/full/gnomon-sim

.PHONY: test-matrix test-matrix-deep
TESTS += test-matrix
DEEP_TESTS += test-matrix-deep
test-matrix: $(MATRIX_NEEDS) ## statics, templates, tail calls, unwinding, interrupts ... under the main compiler flags: calls, tree, oracle
	python3 tests/firmware/test_matrix.py $(MATRIX)
test-matrix-deep: $(MATRIX_NEEDS) ## the same under all of them
	python3 tests/firmware/test_matrix.py $(MATRIX) --deep
