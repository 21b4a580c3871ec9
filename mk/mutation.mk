# SPDX-License-Identifier: Apache-2.0
# How much the tests of core and cache notice: single changes of the Verilog text (docs/mutation.md).

MUTATION_NEEDS = $(CORE_HEX) $(CORE)/predict.hex $(COSIM)/qemu_trace.so $(COSIM)/cosim_gen $(COSIM_OBJECTS)
MUTATION_RUN = PYTHONDONTWRITEBYTECODE=1 tests/mutation/mutation.py --cosim $(COSIM) --core $(CORE) --seed $(or $(SEED),1)

##@ Tests of the tests
.PHONY: test-mutation test-mutation-short
DEEP_TESTS += test-mutation
test-mutation: $(MUTATION_NEEDS) ## single changes of core and cache (MUTATIONS=400, SEED=): do the tests notice?
	$(MUTATION_RUN) --build $(BUILD)/mutation --json $(BUILD)/mutation.json --mutations $(or $(MUTATIONS),400) --least 90
# Directed programs only, a weaker judge: that switches, models, tests and proofs work.
test-mutation-short: $(CORE_HEX) $(CORE)/predict.hex ## the same in about two minutes: 30 changes, directed programs only
	$(MUTATION_RUN) --build $(BUILD)/mutation-short --json $(BUILD)/mutation-short.json --mutations $(or $(MUTATIONS),30) \
	  --tests directed --forms compact,cache-compact --least 80
