# SPDX-License-Identifier: Apache-2.0
# Difficult programs with a matrix of compiler flags, on the simulated board; many functions; profiles of earlier runs.

MATRIX := $(BUILD)/matrix
MATRIX_NEEDS := $(FW_FILES) $(BUILD)/bin/gnomon $(BUILD)/sim/full/gnomon-sim
MANY_NEEDS := $(MATRIX_NEEDS) $(BUILD)/sim/small/gnomon-sim

##@ Firmware
.PHONY: test-matrix test-matrix-deep
TESTS += test-matrix
DEEP_TESTS += test-matrix-deep
test-matrix: $(MATRIX_NEEDS) ## statics, templates, tail calls, unwinding, interrupts ... under the main compiler flags: calls, tree, oracle
	python3 tests/firmware/test_matrix.py $(MATRIX)
test-matrix-deep: $(MATRIX_NEEDS) ## the same under all of them
	python3 tests/firmware/test_matrix.py $(MATRIX) --deep

.PHONY: test-many test-many-deep
TESTS += test-many
DEEP_TESTS += test-many-deep
test-many: $(MANY_NEEDS) ## 3000 functions in an image: numbers, hooks, calls; one more than fit is refused
	python3 tests/firmware/test_many.py $(BUILD)/many 3000
test-many-deep: $(MANY_NEEDS) ## 70,000 and 200,000 functions in an image, and many under link time optimisation
	python3 tests/firmware/test_many.py $(BUILD)/many-70000 70000
	python3 tests/firmware/test_many.py $(BUILD)/many-200000 200000
	python3 tests/firmware/test_many.py $(BUILD)/many-lto 10000 -flto -ffunction-sections

.PHONY: test-order
TESTS += test-order
test-order: $(MATRIX_NEEDS) ## gnomon cc --gnomon-profile: the most-called functions get the one-store form
	python3 tests/firmware/test_order.py $(BUILD)/order

.PHONY: test-foreign
TESTS += test-foreign
test-foreign: $(MATRIX_NEEDS) ## objects with -finstrument-functions, -pg, -fpatchable-function-entry: calls in the report, and how they were measured
	python3 tests/firmware/test_foreign.py $(BUILD)/foreign
