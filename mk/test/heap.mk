# SPDX-License-Identifier: Apache-2.0
# The heap of recorded programs.

##@ Heap
HEAP := $(HOST_TEST)/heap
HEAP_CALLS := 400
HEAP_OTHERS := $(HEAP)/zlib.gnt $(HEAP)/threads.gnt
HEAP_RECORDINGS := $(foreach name,random mistakes plain lossy freed,$(HEAP)/$(name).gnt) $(HEAP_OTHERS)
HEAP_RECORD = gnomon record -q --events -d sim:full $1 -o $@ $2 >$@.log || test -s $@

$(HEAP_RECORDINGS): export GNOMON_SIM_DIR := $(BUILD)/sim
$(HEAP)/%.elf: tests/host/heap/%.c $(FW_FILES) | $(BUILD)/bin/gnomon
	@mkdir -p $(@D)
	gnomon cc -O2 -g -Wall -Wextra -Werror -fno-optimize-sibling-calls --gnomon-heap -o $@ $<
$(HEAP)/plain.elf: tests/host/heap/freed.c $(FW_FILES) | $(BUILD)/bin/gnomon
	@mkdir -p $(@D)
	gnomon cc -O2 -g -o $@ $<
$(HEAP)/zlib.elf: firmware/apps/roundtrip.c $(ZLIB)/libz.a
	@mkdir -p $(@D)
	gnomon cc -O2 -g -ffp-contract=off -isystem $(ZLIB) --gnomon-heap -o $@ $^
# Locks and heap together: both wrap free.
$(HEAP)/threads.elf: tests/host/heap/threads.c $(FW_FILES) | $(BUILD)/bin/gnomon
	@mkdir -p $(@D)
	gnomon cc -O2 -g --gnomon-locks --gnomon-heap -o $@ $<
$(HEAP)/random.gnt: $(HEAP)/random_heap.elf $(E2E_SIM)
	$(call HEAP_RECORD,,$< -- $(HEAP_CALLS))
$(HEAP)/lossy.gnt: $(HEAP)/random_heap.elf $(E2E_SIM)
	$(call HEAP_RECORD,--sim-option --rate-divisor --sim-option 40,$< -- 4000)
$(HEAP)/freed.gnt: $(HEAP)/freed.elf $(E2E_SIM)
	$(call HEAP_RECORD,--sim-option --rate-divisor --sim-option 40,$< -- 4000)
$(HEAP)/mistakes.gnt $(HEAP)/threads.gnt: $(HEAP)/%.gnt: $(HEAP)/%.elf $(E2E_SIM)
	$(call HEAP_RECORD,,$<)
$(HEAP)/plain.gnt: $(E2E)/storm-O2 $(E2E_SIM)
	@mkdir -p $(@D)
	$(call HEAP_RECORD,,$< -- 3)
$(HEAP)/zlib.gnt: $(HEAP)/zlib.elf $(E2E)/text $(E2E_SIM)
	$(call HEAP_RECORD,,$< -- $(E2E)/text $(@D)/text.z)

.PHONY: test-heap
TESTS += test-heap
test-heap: export GNOMON_SIM_DIR := $(BUILD)/sim
test-heap: $(GNOMON_ASAN) $(HEAP_RECORDINGS) $(HEAP)/plain.elf ## gnomon heap: every figure equals an account of the events, and what the program knows
	python3 tests/host/heap/test_heap.py --gnomon $(GNOMON_ASAN) --out $(HEAP) --random $(HEAP)/random.gnt --calls $(HEAP_CALLS) --mistakes $(HEAP)/mistakes.gnt --plain $(HEAP)/plain.gnt \
	  --lossy $(HEAP)/lossy.gnt --freed $(HEAP)/freed.gnt --programs $(HEAP)/plain.elf,$(HEAP)/freed.elf --others $(HEAP_OTHERS)

# The leak check.
HEAP_BLOCKS := 2000
HEAP_REACH := $(foreach how,exit _exit abort,$(HEAP)/reach-$(how).gnt)
HEAP_LEAKS := $(HEAP_REACH) $(foreach name,reach_cxx many unasked stopped endless,$(HEAP)/$(name).gnt)
$(HEAP_LEAKS) $(HEAP)/thousands.gnt: export GNOMON_SIM_DIR := $(BUILD)/sim
$(HEAP)/%.elf: tests/host/heap/%.cc $(FW_FILES) | $(BUILD)/bin/gnomon
	@mkdir -p $(@D)
	gnomon c++ -O2 -g -Wall -Wextra -Werror -fno-optimize-sibling-calls --gnomon-heap -o $@ $<
$(HEAP_REACH): $(HEAP)/reach-%.gnt: $(HEAP)/reach.elf $(E2E_SIM)
	$(call HEAP_RECORD,--leak-check,$< -- $*)
$(HEAP)/reach_cxx.gnt: $(HEAP)/reach_cxx.elf $(E2E_SIM)
	$(call HEAP_RECORD,--leak-check,$<)
$(HEAP)/unasked.gnt: $(HEAP)/reach.elf $(E2E_SIM)
	$(call HEAP_RECORD,,$<)
$(HEAP)/stopped.gnt: $(HEAP)/reach.elf $(E2E_SIM)
	$(call HEAP_RECORD,--leak-check --duration 20000c,$<)
$(HEAP)/endless.gnt: $(HEAP)/freed.elf $(E2E_SIM)
	$(call HEAP_RECORD,--duration 100000c,$< -- 10 on)
$(HEAP)/many.gnt: $(HEAP)/many.elf $(E2E_SIM)
	$(call HEAP_RECORD,,$< -- $(HEAP_BLOCKS))
$(HEAP)/thousands.gnt: $(HEAP)/many.elf $(E2E_SIM)
	$(call HEAP_RECORD,,$< -- 100000)

.PHONY: test-leaks test-leaks-deep
DEEP_TESTS += test-leaks-deep
test-leaks-deep: $(GNOMON_ASAN) $(HEAP)/thousands.gnt ## the same with 200,000 blocks
	python3 tests/host/heap/test_leaks.py --gnomon $(GNOMON_ASAN) --out $(HEAP) --many $(HEAP)/thousands.gnt --blocks 100000
TESTS += test-leaks
test-leaks: $(GNOMON_ASAN) $(HEAP_LEAKS) $(HEAP)/freed.gnt $(HEAP_OTHERS) ## gnomon heap --mode: finds exactly the blocks that a program has lost, in each mode of gperftools' heap checker
	python3 tests/host/heap/test_leaks.py --gnomon $(GNOMON_ASAN) --out $(HEAP) --reach $(HEAP_REACH) --cxx $(HEAP)/reach_cxx.gnt --many $(HEAP)/many.gnt --blocks $(HEAP_BLOCKS) \
	  --unasked $(HEAP)/unasked.gnt --stopped $(HEAP)/stopped.gnt --endless $(HEAP)/endless.gnt --lossy $(HEAP)/freed.gnt --others $(HEAP_OTHERS)

# Guards around blocks.
HEAP_GUARDED := $(foreach name,zlib threads random,$(HEAP)/guard-$(name).gnt)
$(HEAP)/wrong.gnt $(HEAP)/right.gnt $(HEAP_GUARDED): export GNOMON_SIM_DIR := $(BUILD)/sim
$(HEAP)/guard-zlib.elf: firmware/apps/roundtrip.c $(ZLIB)/libz.a $(FW_FILES)
	@mkdir -p $(@D)
	gnomon cc -O2 -g -ffp-contract=off -isystem $(ZLIB) --gnomon-heap=guard -o $@ $< $(ZLIB)/libz.a
$(HEAP)/guard-%.elf: tests/host/heap/%.c $(FW_FILES) | $(BUILD)/bin/gnomon
	@mkdir -p $(@D)
	gnomon cc -O2 -g -Wall -Wextra -Werror -fno-optimize-sibling-calls --gnomon-locks --gnomon-heap=guard -o $@ $<
$(HEAP)/wrong.gnt: $(HEAP)/guard-overrun.elf $(E2E_SIM)
	$(call HEAP_RECORD,,$<)
	grep -qx "0 wrong" $@.log
$(HEAP)/right.gnt: $(HEAP)/guard-overrun.elf $(E2E_SIM)
	$(call HEAP_RECORD,,$< -- 2000 right)
	grep -qx "0 wrong" $@.log
$(HEAP)/guard-zlib.gnt: $(HEAP)/guard-zlib.elf $(E2E)/text $(E2E_SIM)
	$(call HEAP_RECORD,,$< -- $(E2E)/text $(@D)/guard-text.z)
$(HEAP)/guard-threads.gnt: $(HEAP)/guard-threads.elf $(E2E_SIM)
	$(call HEAP_RECORD,,$<)
$(HEAP)/guard-random.gnt: $(HEAP)/guard-random_heap.elf $(E2E_SIM)
	$(call HEAP_RECORD,,$< -- 1000)

.PHONY: test-heap-guard
TESTS += test-heap-guard
test-heap-guard: $(GNOMON_ASAN) $(HEAP)/wrong.gnt $(HEAP)/right.gnt $(HEAP_GUARDED) ## gnomon cc --gnomon-heap=guard: writes beyond a block and after its free are found, and nothing else is
	python3 tests/host/heap/test_guard.py --gnomon $(GNOMON_ASAN) --out $(HEAP) --wrong $(HEAP)/wrong.gnt --right $(HEAP)/right.gnt $(HEAP_GUARDED)
	python3 tests/host/heap/test_heap.py --gnomon $(GNOMON_ASAN) --out $(HEAP) --others $(HEAP)/right.gnt $(HEAP_GUARDED)

# Accesses of freed blocks, as the device sees them.
HEAP_USES := 200
HEAP_USES_OTHERS := $(foreach name,zlib threads random,$(HEAP)/uses-$(name).gnt)
$(foreach name,wrong right lossy,$(HEAP)/uses-$(name).gnt) $(HEAP_USES_OTHERS): export GNOMON_SIM_DIR := $(BUILD)/sim
$(HEAP)/uses-wrong.gnt: $(HEAP)/guard-uses.elf $(E2E_SIM)
	$(call HEAP_RECORD,--use-after-free,$< -- $(HEAP_USES))
$(HEAP)/uses-right.gnt: $(HEAP)/guard-uses.elf $(E2E_SIM)
	$(call HEAP_RECORD,--use-after-free,$< -- $(HEAP_USES) right)
$(HEAP)/uses-lossy.gnt: $(HEAP)/guard-uses.elf $(E2E_SIM)
	$(call HEAP_RECORD,--use-after-free --sim-option --rate-divisor --sim-option 40,$< -- $(HEAP_USES))
$(HEAP)/uses-zlib.gnt: $(HEAP)/guard-zlib.elf $(E2E)/text $(E2E_SIM)
	$(call HEAP_RECORD,--use-after-free,$< -- $(E2E)/text $(@D)/uses-text.z)
$(HEAP)/uses-threads.gnt: $(HEAP)/guard-threads.elf $(E2E_SIM)
	$(call HEAP_RECORD,--use-after-free,$<)
$(HEAP)/uses-random.gnt: $(HEAP)/guard-random_heap.elf $(E2E_SIM)
	$(call HEAP_RECORD,--use-after-free,$< -- 1000)

.PHONY: test-heap-uses
TESTS += test-heap-uses
test-heap-uses: export GNOMON_SIM_DIR := $(BUILD)/sim
test-heap-uses: $(GNOMON_ASAN) $(foreach name,wrong right lossy,$(HEAP)/uses-$(name).gnt) $(HEAP_USES_OTHERS) $(HEAP)/plain.elf $(HEAP)/freed.elf $(SIM)/small/gnomon-sim ## gnomon record --use-after-free: reads and writes of freed blocks are found, with who did it, and nothing else is
	python3 tests/host/heap/test_uses.py --gnomon $(GNOMON_ASAN) --out $(HEAP) --wrong $(HEAP)/uses-wrong.gnt --right $(HEAP)/uses-right.gnt --plain $(HEAP)/plain.elf --unguarded $(HEAP)/freed.elf \
	  --lossy $(HEAP)/uses-lossy.gnt --blocks $(HEAP_USES) $(HEAP_USES_OTHERS)
	python3 tests/host/heap/test_heap.py --gnomon $(GNOMON_ASAN) --out $(HEAP) --others $(HEAP)/uses-right.gnt $(HEAP_USES_OTHERS)
