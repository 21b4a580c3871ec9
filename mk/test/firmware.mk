# SPDX-License-Identifier: Apache-2.0
# Tests of plugin, compiler command and runtime.

##@ Firmware
.PHONY: test-plugin test-cc
TESTS += test-plugin test-cc
test-plugin: $(FW_FILES) $(BUILD)/bin/gnomon ## hooks in the disassembly, over a matrix of compiler flags
	python3 tests/firmware/test_plugin.py $(FW)/test-plugin
test-cc: $(FW_FILES) $(BUILD)/bin/gnomon $(BUILD)/demo/zlib/source/libz.a ## gnomon cc under configure, CMake and make
	tests/firmware/test_cc.sh $(FW)/test-cc $(BUILD)/demo/zlib/source

# A second firmware folder for tests: its hooks send the events that they saw.
FW_TRACED := $(BUILD)/firmware-traced
FW_TRACED_FILES := $(FW_RECORDS_KINDS:%=$(FW_TRACED)/lib/records-%.o)
$(FW_TRACED_FILES): $(FW_TRACED)/lib/records-%.o: $(RECORDS_SOURCES) $(FW_FILES)
	@mkdir -p $(@D) && ln -sfn ../firmware/plugin ../firmware/include ../firmware/freertos $(FW_TRACED) && cp $(FW)/lib/crt0.o $(FW)/lib/libgnomon.a $(FW)/lib/gnomon.ld $(FW_SPECS) $(@D)
	$(call records,$@,$*,-DGNOMON_RECORDS_TRACE=1)
.PHONY: test-memory-records test-memory-records-deep
CI_TESTS += test-memory-records
DEEP_TESTS += test-memory-records-deep
MEMORY_RECORDS_NEEDS := $(FW_FILES) $(FW_TRACED_FILES) $(BUILD)/bin/gnomon $(BUILD)/sim/full/gnomon-sim $(BUILD)/demo/zlib/source/libz.a
MEMORY_RECORDS_RUN = python3 tests/firmware/test_records.py --out $(FW)/$@ --traced $(FW_TRACED) --zlib $(BUILD)/demo/zlib/source --text $(GPL3)
test-memory-records: $(MEMORY_RECORDS_NEEDS) ## records in memory: against a model and the oracle, to the cycle; their cost
	$(MEMORY_RECORDS_RUN)
test-memory-records-deep: $(MEMORY_RECORDS_NEEDS) ## the same, each program with each kind of record
	$(MEMORY_RECORDS_RUN) --deep

.PHONY: test-overlays
DEEP_TESTS += test-overlays
test-overlays: $(FW_FILES) $(BUILD)/bin/gnomon $(BUILD)/sim/full/gnomon-sim $(BUILD)/sim/small/gnomon-sim ## functions that share addresses: each by its own name, equal to the oracle
	python3 tests/firmware/test_overlays.py $(FW)/test-overlays

# The sources of zlib, compiled at each level of optimisation.
CALLERS_NEEDS := $(FW_FILES) $(BUILD)/bin/gnomon $(BUILD)/sim/full/gnomon-sim $(BUILD)/sim/mid/gnomon-sim $(BUILD)/demo/zlib/source/libz.a
CALLERS_RUN := python3 tests/firmware/test_callers.py
.PHONY: test-walks test-callers test-callers-deep
CI_TESTS += test-callers
DEEP_TESTS += test-walks test-callers-deep
test-walks: $(CALLERS_NEEDS) ## stacks walked from interrupts at random cycles of zlib: equal to the oracle
	$(CALLERS_RUN) walks --out $(FW)/test-walks --zlib $(BUILD)/demo/zlib/source --text $(GPL3)
test-callers: $(CALLERS_NEEDS) ## callers found on the target: equal to the oracle; what the monitor costs when it is off
	$(CALLERS_RUN) callers --out $(FW)/test-callers --zlib $(BUILD)/demo/zlib/source --text $(GPL3)
test-callers-deep: $(CALLERS_NEEDS) ## the same two at thousands of cycles
	$(CALLERS_RUN) walks --out $(FW)/test-callers-deep --zlib $(BUILD)/demo/zlib/source --text $(GPL3) --deep
	$(CALLERS_RUN) callers --out $(FW)/test-callers-deep --zlib $(BUILD)/demo/zlib/source --text $(GPL3) --deep

CI_TESTS += test-runtime
.PHONY: test-runtime
FW_BOARDS := $(BUILD)/sim/full/gnomon-sim $(BUILD)/sim/small/gnomon-sim
test-runtime: $(FW_FILES) $(BUILD)/bin/gnomon $(FW_BOARDS) $(BUILD)/demo/zlib/source/libz.a ## the runtime on the simulated board
	tests/firmware/test_runtime.sh $(FW)/test-runtime $(BUILD)/demo/zlib/source

THREADS_NEEDS := $(FW_FILES) $(BUILD)/bin/gnomon $(BUILD)/sim/full/gnomon-sim $(BUILD)/sim/mid/gnomon-sim $(BUILD)/sim/small/gnomon-sim
TESTS += test-threads
DEEP_TESTS += test-threads-deep
.PHONY: test-threads test-threads-deep
test-threads: $(THREADS_NEEDS) ## POSIX and C11 threads: each function, preemption, priorities, ends; recorded exactly
	python3 tests/firmware/test_threads.py $(FW)/test-threads
test-threads-deep: $(THREADS_NEEDS) ## the same, each program on each device; 300 threads
	python3 tests/firmware/test_threads.py $(FW)/test-threads-deep --deep
DEEP_TESTS += test-threads-harts
.PHONY: test-threads-harts
test-threads-harts: $(THREADS_NEEDS) $(BUILD)/sim/duo/gnomon-sim ## threads on two harts: locks under load from both, wake-ups, affinity, priorities, what both traces say
	python3 tests/firmware/test_threads_harts.py $(FW)/test-threads-harts
# Needs the sources of the Linux Test Project, which no registry of this build has: make test-threads-posix LTP=FOLDER
.PHONY: test-threads-posix
test-threads-posix: $(THREADS_NEEDS) ## conformance tests of POSIX threads that others wrote (LTP=FOLDER: sources of the Linux Test Project)
	@test -n "$(LTP)" || { echo "LTP=FOLDER is missing: the sources of the Linux Test Project"; exit 1; }
	python3 tests/firmware/test_posix.py $(FW)/test-threads-posix $(LTP)

TESTS += test-lock-messages
.PHONY: test-lock-messages
test-lock-messages: $(FW_FILES) $(BUILD)/bin/gnomon $(foreach b,full mid small,$(BUILD)/sim/$b/gnomon-sim) ## messages of locks: each call's in order, tables, too many locks and threads, cost
	python3 tests/firmware/test_locks.py $(FW)/test-lock-messages

DEEP_TESTS += test-zephyr
.PHONY: test-zephyr
test-zephyr: $(FW_FILES) $(BUILD)/bin/gnomon $(BUILD)/sim/full/gnomon-sim ## Zephyr's tracing callbacks, called by a tiny kernel: messages, names, orders, an exact profile
	python3 tests/firmware/test_zephyr.py $(FW)/test-zephyr $(FW)/zephyr

.PHONY: lint-firmware format-firmware
LINTS += lint-firmware
FORMATS += format-firmware
FW_FORMATTED := $(wildcard firmware/*/*.c firmware/*/*.h firmware/runtime/*/*.c firmware/runtime/*/*.cc firmware/apps/kernels/*.c firmware/apps/kernels/*.h firmware/apps/freertos/*.c firmware/apps/freertos/*.h firmware/*/*.cc firmware/runtime/*/*.h firmware/runtime/libc/posix/*.h firmware/runtime/libc/posix/*/*.h firmware/runtime/libc/c++/bits/*.h tests/firmware/*/*.c \
  tests/firmware/*/*.h tests/firmware/*/*.cc $(wildcard tests/firmware/zephyr/zephyr/*.h tests/firmware/zephyr/zephyr/*/*.h))
lint-firmware: ## style of firmware and its tests
	clang-format --dry-run -Werror $(FW_FORMATTED)
format-firmware:
	clang-format -i $(FW_FORMATTED)
