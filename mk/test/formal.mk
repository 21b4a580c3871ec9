# SPDX-License-Identifier: Apache-2.0
# Formal verification of the core over its observation bundle, and of instruction cache and bus (docs/verification/formal.md).

##@ Formal verification
.PHONY: test-formal-core test-formal-core-deep formal-mutants
CI_TESTS += test-formal-core
DEEP_TESTS += test-formal-core-deep
test-formal-core: ## bounded proofs of the core against the manual, the short ones
	tests/formal/core/run.py --short --out $(BUILD)/formal-core
test-formal-core-deep: ## all of them (SELECT=configuration.check,...)
	tests/formal/core/run.py --select "$(SELECT)" --out $(BUILD)/formal-core
formal-mutants: ## show that they find defects (SELECT=number,...)
	tests/formal/core/mutants.py --select "$(SELECT)"

.PHONY: test-formal-soc test-formal-soc-deep formal-soc-mutants
CI_TESTS += test-formal-soc
DEEP_TESTS += test-formal-soc-deep
test-formal-soc: ## proofs of the instruction cache and the bus, the short ones
	tests/formal/soc/prove.py --short --out $(BUILD)/formal-soc
test-formal-soc-deep: ## all of them (SELECT=configuration.check,...)
	tests/formal/soc/prove.py --select "$(SELECT)" --out $(BUILD)/formal-soc
formal-soc-mutants: ## show that they find defects (SELECT=number,...)
	tests/formal/soc/mutants.py --select "$(SELECT)"

.PHONY: lint-formal
LINTS += lint-formal
lint-formal:
	verilator --lint-only -Wall -Irtl/core rtl/core/gnomon_core_rvfi.v
	verilator --lint-only -Wall -Irtl/core -GUSER=1 rtl/core/gnomon_core_rvfi.v
	python3 -c "import ast,sys; [ast.parse(open(f).read(), f) for f in sys.argv[1:]]" tests/formal/{core,soc}/*.py
