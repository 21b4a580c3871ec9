# SPDX-License-Identifier: Apache-2.0
# Mutation tests of core and cache: which single changes of the Verilog text the tests detect (docs/verification/mutation.md).

# Counts the cause of each cycle, for the table of docs/internals/core.md.
##@ Core
.PHONY: test-core-causes
TESTS += test-core-causes
SIM_TESTS += test-core-causes
$(CORE)/causes.S: tests/rtl/core/causes.py
	@mkdir -p $(@D)
	python3 $< program > $@
test-core-causes: $(CORE)/causes.hex $(CORE)/v-default/tb $(CORE)/v-late/tb $(CORE)/v-compact/tb ## every cycle's cause, as docs/internals/core.md lists them
	python3 tests/rtl/core/causes.py check --form static --bench $(CORE)/v-default/tb --program $< --out $(CORE)
	python3 tests/rtl/core/causes.py check --form late --bench $(CORE)/v-late/tb --program $< --out $(CORE)
	python3 tests/rtl/core/causes.py check --form compact --bench $(CORE)/v-compact/tb --program $< --out $(CORE)

# A second reset in the middle of a program.
.PHONY: test-core-again
TESTS += test-core-again
SIM_TESTS += test-core-again
test-core-again: $(CORE)/csr.hex $(CORE)/irq.hex $(CORE)/debug.hex $(CORE)/v-predict/tb $(CORE)/v-compact/tb ## reset in the middle of a program
	@for tb in $(CORE)/v-predict/tb $(CORE)/v-compact/tb; do for program in csr irq debug; do for cycle in 131 333 1000; do \
	  more=; [ $$program != debug ] || more="+debug=$(CORE)/debug.debug +halt"; \
	  $$tb +hex=$(CORE)/$$program.hex +again=$$cycle $$more | grep 'tb: pass' || { echo "$$tb $$program $$cycle: FAIL"; exit 1; }; \
	done; done; done

MUTATION_PROGRAMS = $(CORE_HEX) $(CORE_OPTIONS_HEX) $(CORE)/predict.hex $(CORE)/late.hex $(CORE)/causes.hex $(CORE_PRIV_HEX)
MUTATION_NEEDS = $(MUTATION_PROGRAMS) $(COSIM)/qemu_trace.so $(COSIM)/cosim_gen $(COSIM_OBJECTS)
MUTATION_RUN = tests/mutation/mutation.py --cosim $(COSIM) --core $(CORE) --seed $(or $(SEED),1)

##@ Tests of the tests
.PHONY: test-mutation test-mutation-short
DEEP_TESTS += test-mutation-short
DEEP_TESTS += test-mutation
test-mutation: $(MUTATION_NEEDS) ## single changes of core and cache (MUTATIONS=400, SEED=): do the tests notice?
	$(MUTATION_RUN) --build $(BUILD)/mutation --json $(BUILD)/mutation.json --mutations $(or $(MUTATIONS),400) --least 95
# Runs directed programs only, so it detects less. It shows that switches, models, tests and proofs work.
test-mutation-short: $(MUTATION_PROGRAMS) ## the same in about two minutes: 30 changes, directed programs only
	$(MUTATION_RUN) --build $(BUILD)/mutation-short --json $(BUILD)/mutation-short.json --mutations $(or $(MUTATIONS),30) \
	  --tests directed --forms compact,cache-compact --least 80

COVERAGE_RUN = tests/coverage/coverage.py --build $(BUILD)/coverage --cosim $(COSIM) --core $(CORE) \
  --json $(BUILD)/coverage.json
.PHONY: coverage
DEEP_TESTS += coverage
coverage: $(MUTATION_NEEDS) ## conditions and cross events of the core that the tests reach (SEED=, PROGRAMS=1 of each set-up)
	$(COVERAGE_RUN) --seed $(or $(SEED),1) --programs $(or $(PROGRAMS),1) --least-conditions 100 --least-events 99
