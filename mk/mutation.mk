# SPDX-License-Identifier: Apache-2.0
# How much the tests of core and cache notice: single changes of the Verilog text (docs/mutation.md).

# The cause of each cycle, for the table of docs/core.md.
.PHONY: test-core-causes
TESTS += test-core-causes
SIM_TESTS += test-core-causes
$(CORE)/causes.S: tests/rtl/core/causes.py
	@mkdir -p $(@D)
	python3 $< program > $@
test-core-causes: $(CORE)/causes.hex $(CORE)/v-default/tb $(CORE)/v-compact/tb ## every cycle's cause, as docs/core.md lists them
	python3 tests/rtl/core/causes.py check static $(CORE)/v-default/tb $< $(CORE)
	python3 tests/rtl/core/causes.py check compact $(CORE)/v-compact/tb $< $(CORE)

MUTATION_PROGRAMS = $(CORE_HEX) $(CORE)/predict.hex $(CORE)/causes.hex
MUTATION_NEEDS = $(MUTATION_PROGRAMS) $(COSIM)/qemu_trace.so $(COSIM)/cosim_gen $(COSIM_OBJECTS)
MUTATION_RUN = PYTHONDONTWRITEBYTECODE=1 tests/mutation/mutation.py --cosim $(COSIM) --core $(CORE) --seed $(or $(SEED),1)

##@ Tests of the tests
.PHONY: test-mutation test-mutation-short
DEEP_TESTS += test-mutation
test-mutation: $(MUTATION_NEEDS) ## single changes of core and cache (MUTATIONS=400, SEED=): do the tests notice?
	$(MUTATION_RUN) --build $(BUILD)/mutation --json $(BUILD)/mutation.json --mutations $(or $(MUTATIONS),400) --least 90
# Directed programs only, a weaker judge: that switches, models, tests and proofs work.
test-mutation-short: $(MUTATION_PROGRAMS) ## the same in about two minutes: 30 changes, directed programs only
	$(MUTATION_RUN) --build $(BUILD)/mutation-short --json $(BUILD)/mutation-short.json --mutations $(or $(MUTATIONS),30) \
	  --tests directed --forms compact,cache-compact --least 80

COVERAGE_RUN = PYTHONDONTWRITEBYTECODE=1 tests/coverage/coverage.py --build $(BUILD)/coverage --cosim $(COSIM) --core $(CORE) \
  --json $(BUILD)/coverage.json
.PHONY: coverage
DEEP_TESTS += coverage
coverage: $(MUTATION_NEEDS) ## conditions and cross events of the core that the tests reach (SEED=, PROGRAMS=1 of each set-up)
	$(COVERAGE_RUN) --seed $(or $(SEED),1) --programs $(or $(PROGRAMS),1)
