# SPDX-License-Identifier: Apache-2.0
# FreeRTOS, with and without --gnomon-freertos. The kernel: mk/build/freertos.mk.

FREERTOS_TEST := tests/firmware/freertos
FREERTOS_CC = gnomon cc -O2 -g -w -I$(FREERTOS_TEST) -I$(FREERTOS_APP) $(FREERTOS_INCLUDES)
FREERTOS_HANDLERS := $(FREERTOS_APP)/handlers.c
FREERTOS_NEEDS := $(FREERTOS)/fetched $(FREERTOS_TEST)/FreeRTOSConfig.h $(FREERTOS_APP)/handlers.h $(FREERTOS_HANDLERS) $(FW_FILES)

# A kernel that has no support for the profiler.
DEEP_TESTS += test-freertos
.PHONY: test-freertos
$(FREERTOS)/told: FREERTOS_FLAGS := -DTOLD
$(FREERTOS)/told $(FREERTOS)/untold: $(FREERTOS_NEEDS) $(FREERTOS_TEST)/two.c | $(BUILD)/bin/gnomon
	$(FREERTOS_CC) $(FREERTOS_FLAGS) -o $@ $(FREERTOS_TEST)/two.c $(FREERTOS_HANDLERS) $(FREERTOS_SOURCES)
test-freertos: $(FREERTOS)/untold $(FREERTOS)/told $(E2E_SIM) ## FreeRTOS without hooks: its switches of threads are seen
	GNOMON_SIM_DIR=$(BUILD)/sim python3 tests/e2e/freertos.py $(FREERTOS)/untold $(FREERTOS)/told

DEEP_TESTS += test-freertos-locks test-freertos-records test-freertos-many
.PHONY: test-freertos-locks test-freertos-records test-freertos-many
$(FREERTOS)/locks: $(FREERTOS_NEEDS) $(FREERTOS_TEST)/locks.c | $(BUILD)/bin/gnomon
	$(FREERTOS_CC) --gnomon-freertos -DLOCKS -o $@ $(FREERTOS_TEST)/locks.c $(FREERTOS_HANDLERS) $(FREERTOS_SOURCES) $(addprefix $(FREERTOS_KERNEL)/,stream_buffer.c event_groups.c)
# The same program for a kernel that does not say which task runs, for one that does, and for one that sends messages.
$(FREERTOS)/calls-told: FREERTOS_FLAGS := -DTOLD
$(FREERTOS)/calls-messages: FREERTOS_FLAGS := --gnomon-freertos
$(foreach kind,untold told messages,$(FREERTOS)/calls-$(kind)): $(FREERTOS_NEEDS) $(FREERTOS_TEST)/calls.c | $(BUILD)/bin/gnomon
	$(FREERTOS_CC) $(FREERTOS_FLAGS) -DLOCKS -o $@ $(FREERTOS_TEST)/calls.c $(FREERTOS_HANDLERS) $(FREERTOS_SOURCES)
test-freertos-locks: $(FREERTOS)/locks $(foreach kind,untold told messages,$(FREERTOS)/calls-$(kind)) $(E2E_SIM) ## FreeRTOS without a change to it: threads, names, queues, mutexes and so on, as its program logs them; mutexes and semaphores by hookless call tracing
	GNOMON_SIM_DIR=$(BUILD)/sim python3 tests/e2e/freertos_locks.py $<
	@mkdir -p $(E2E)/thread-times $(E2E)/freertos-calls
	$(THREAD_TIMES) full $<
	GNOMON_SIM_DIR=$(BUILD)/sim python3 tests/e2e/freertos_lock_calls.py --out $(E2E)/freertos-calls $(foreach kind,untold told messages,$(FREERTOS)/calls-$(kind))
test-freertos-records: $(FREERTOS_NEEDS) $(FREERTOS_TEST)/records.c $(FW_TRACED_FILES) $(BUILD)/bin/gnomon $(E2E_SIM) ## FreeRTOS with records in memory: against a model, to the cycle
	GNOMON_SIM_DIR=$(BUILD)/sim python3 tests/firmware/test_freertos_records.py --out $(FREERTOS)/records --traced $(FW_TRACED) --kernel $(FREERTOS_KERNEL)
$(FREERTOS)/many: $(FREERTOS_NEEDS) $(FREERTOS_TEST)/many.c | $(BUILD)/bin/gnomon
	$(FREERTOS_CC) --gnomon-freertos -DLOCKS -DTICK_HZ=5000 -o $@ $(FREERTOS_TEST)/many.c $(FREERTOS_HANDLERS) $(FREERTOS_SOURCES)
test-freertos-many: $(FREERTOS)/many $(E2E_SIM) ## FreeRTOS with 300 tasks: what is counted, and what the reports say of tasks without a place
	GNOMON_SIM_DIR=$(BUILD)/sim python3 tests/e2e/freertos_many.py $<
$(FREERTOS)/wrong: $(FREERTOS_NEEDS) $(FREERTOS_TEST)/wrong.c | $(BUILD)/bin/gnomon
	$(FREERTOS_CC) --gnomon-freertos -DLOCKS -DWRONG -DMOST_PRIORITIES=4 -o $@ $(FREERTOS_TEST)/wrong.c $(FREERTOS_HANDLERS) $(FREERTOS_SOURCES)
DEEP_TESTS += test-freertos-wrong
.PHONY: test-freertos-wrong
test-freertos-wrong: $(FREERTOS)/wrong $(E2E_SIM) ## FreeRTOS's mutexes used wrongly, tasks that block with one, priority inversion: named with exact cycles
	GNOMON_SIM_DIR=$(BUILD)/sim python3 tests/e2e/freertos_wrong.py $<
$(FREERTOS)/sampled: $(FREERTOS_NEEDS) $(FREERTOS_TEST)/sampled.c | $(BUILD)/bin/gnomon
	$(FREERTOS_CC) --gnomon-freertos -DLOCKS -DTICK_HZ=5000 -o $@ $(FREERTOS_TEST)/sampled.c $(FREERTOS_HANDLERS) $(FREERTOS_SOURCES)
DEEP_TESTS += test-freertos-samples
.PHONY: test-freertos-samples
test-freertos-samples: $(FREERTOS)/sampled $(E2E_SIM) ## record --sample and -g of FreeRTOS's tasks: each task's functions are near the counted ones, --thread keeps one task's samples, no stack is of two tasks
	GNOMON_SIM_DIR=$(BUILD)/sim python3 tests/e2e/freertos_samples.py --out $(FREERTOS)/samples $<
# FreeRTOS's own heap, and the one that calls malloc.
DEEP_TESTS += test-freertos-heap
.PHONY: test-freertos-heap
$(FREERTOS)/heap_4: FREERTOS_FLAGS := -DCALLOC
$(FREERTOS)/heap_3 $(FREERTOS)/heap_4: $(FREERTOS)/heap_%: $(FREERTOS_NEEDS) $(FREERTOS_TEST)/heap.c | $(BUILD)/bin/gnomon
	$(FREERTOS_CC) --gnomon-freertos --gnomon-heap -DDYNAMIC $(FREERTOS_FLAGS) -o $@ $(FREERTOS_TEST)/heap.c $(FREERTOS_HANDLERS) $(FREERTOS_SOURCES) $(FREERTOS_KERNEL)/portable/MemMang/heap_$*.c
$(FREERTOS)/heap_%.gnt: $(FREERTOS)/heap_% $(E2E_SIM)
	GNOMON_SIM_DIR=$(BUILD)/sim gnomon record -q --events -d sim:full -o $@ $<
test-freertos-heap: $(GNOMON_ASAN) $(FREERTOS)/heap_3.gnt $(FREERTOS)/heap_4.gnt ## gnomon heap of FreeRTOS's tasks: every figure equals an account of the events
	python3 tests/host/heap/test_heap.py --gnomon $(GNOMON_ASAN) --out $(FREERTOS) --others $(FREERTOS)/heap_3.gnt $(FREERTOS)/heap_4.gnt
	python3 tests/host/heap/test_leaks.py --gnomon $(GNOMON_ASAN) --out $(FREERTOS) --forgetful $(FREERTOS)/heap_3.gnt $(FREERTOS)/heap_4.gnt
# The same with guards.
DEEP_TESTS += test-freertos-guard
.PHONY: test-freertos-guard
FREERTOS_GUARDED := $(foreach name,right events heap,$(FREERTOS)/guard-$(name).gnt)
FREERTOS_GUARD_CC = $(FREERTOS_CC) -fno-optimize-sibling-calls --gnomon-freertos --gnomon-heap=guard -DDYNAMIC -DCALLOC -DLOCKS
$(FREERTOS)/guard-right: FREERTOS_FLAGS := -DRIGHT
$(FREERTOS)/guard-right $(FREERTOS)/guard-wrong: $(FREERTOS_NEEDS) $(FREERTOS_TEST)/guarded.c | $(BUILD)/bin/gnomon
	$(FREERTOS_GUARD_CC) $(FREERTOS_FLAGS) -o $@ $(FREERTOS_TEST)/guarded.c $(FREERTOS_HANDLERS) $(FREERTOS_SOURCES) $(FREERTOS_KERNEL)/portable/MemMang/heap_4.c
$(FREERTOS)/guard-heap: $(FREERTOS_NEEDS) $(FREERTOS_TEST)/heap.c | $(BUILD)/bin/gnomon
	$(FREERTOS_GUARD_CC) -o $@ $(FREERTOS_TEST)/heap.c $(FREERTOS_HANDLERS) $(FREERTOS_SOURCES) $(FREERTOS_KERNEL)/portable/MemMang/heap_4.c
$(FREERTOS)/guard-events.gnt: $(FREERTOS)/guard-right $(E2E_SIM)
	GNOMON_SIM_DIR=$(BUILD)/sim gnomon record -q --events -d sim:full -o $@ $<
$(FREERTOS)/guard-%.gnt: $(FREERTOS)/guard-% $(E2E_SIM)
	GNOMON_SIM_DIR=$(BUILD)/sim gnomon record -q --events --use-after-free -d sim:full -o $@ $<
test-freertos-guard: $(GNOMON_ASAN) $(FREERTOS)/guard-wrong.gnt $(FREERTOS_GUARDED) ## gnomon cc --gnomon-heap=guard with FreeRTOS's heap_4: wrong use of blocks is found, with who did it, and nothing else is
	python3 tests/host/heap/test_port.py --gnomon $(GNOMON_ASAN) --wrong $(FREERTOS)/guard-wrong.gnt $(FREERTOS_GUARDED)
	python3 tests/host/heap/test_heap.py --gnomon $(GNOMON_ASAN) --out $(FREERTOS) --others $(FREERTOS_GUARDED)
# The demonstration, with a part of its text.
$(FREERTOS)/text: $(DEMO_TEXT)
	head -c 12000 $< >$@
DEEP_TESTS += test-freertos-demo
.PHONY: test-freertos-demo
test-freertos-demo: $(DEMO_LOCKS).elf $(FREERTOS)/text $(E2E_SIM) ## gnomon locks of the demonstration on FreeRTOS: each figure equals the reference model and an account of the messages, difference 0
	@mkdir -p $(E2E)/freertos-demo
	python3 tests/e2e/locks_others.py --simulators $(SIM) --out $(E2E)/freertos-demo --native none --input /dev/null -- $< full $(FREERTOS)/text
DEEP_TESTS += test-interrupts-off
.PHONY: test-interrupts-off
$(E2E)/pool: tests/docs/programs/pool.c $(FW_FILES) | $(BUILD)/bin/gnomon
	@mkdir -p $(@D)
	gnomon cc --gnomon-locks -O2 -g -o $@ $<
test-interrupts-off: $(E2E)/pool $(E2E)/waits-O2 $(FREERTOS)/locks $(E2E_SIM) $(SIM)/mid/gnomon-sim ## interrupts that threads and FreeRTOS switch off: gnomon locks equals the reference model of MIE, difference 0
	python3 tests/e2e/interrupts_off.py --out $(E2E)/interrupts_off --without mid $(E2E)/pool $(FREERTOS)/locks
	python3 tests/e2e/interrupt_waits.py --out $(E2E)/interrupt_waits --waits $(E2E)/waits-O2 --without mid $(E2E)/pool $(FREERTOS)/locks
