# SPDX-License-Identifier: Apache-2.0
# Measures the cost of hooks, for several kinds of hooks (docs/internals/hooks.md).

HOOKS := $(BUILD)/bench/hooks
# The methods of hooks_find.S to find a record, each for 2^N functions. Each has its own firmware folder.
HOOKS_LOG2 := 4 8 12 16
HOOKS_FINDS := open chained search tree
HOOKS_OBJECTS := $(foreach n,$(HOOKS_LOG2),$(foreach m,$(HOOKS_FINDS),$(HOOKS)/firmware/$m-$n/lib/records-array.o))
$(HOOKS_OBJECTS): $(HOOKS)/firmware/%/lib/records-array.o: $(RECORDS_SOURCES) tests/bench/hooks_find.S $(FW_FILES)
	@mkdir -p $(@D) && ln -sfn $(CURDIR)/$(FW)/plugin $(CURDIR)/$(FW)/include $(@D)/.. && cp $(FW)/lib/crt0.o $(FW)/lib/libgnomon.a $(FW)/lib/gnomon.ld $(@D)
	$(call records,$@,array,-DHOOKS_METHOD_$(firstword $(subst -, ,$*))=1 -DHOOKS_LOG2=$(lastword $(subst -, ,$*)) \
	  -DGNOMON_RECORDS_FIND='"$(CURDIR)/tests/bench/hooks_find.S"')

# NAME=FOLDER. Caches as in full; as in small; and both caches with a memory that is eight cycles slower, as SDRAM is.
HOOKS_BOARDS := full=$(SIM)/full small=$(SIM)/roomy/small sdram=$(SIM)/far-cached/full
##@ Benchmarks
.PHONY: bench-hooks
bench-hooks: $(HOOKS_OBJECTS) $(FW_FILES) $(BUILD)/bin/gnomon $(BENCH)/bench_core
bench-hooks: $(foreach b,$(HOOKS_BOARDS),$(lastword $(subst =, ,$b))/gnomon-sim) ## what a hook costs, by how it finds its record; also in build/hooks.json and docs/internals/hooks.svg
	python3 tests/bench/bench_hooks.py --firmware $(HOOKS)/firmware --log2 "$(HOOKS_LOG2)" near=$(BENCH)/bench_core $(subst =,=board:,$(HOOKS_BOARDS))
