# SPDX-License-Identifier: Apache-2.0
# Tests of the trace decoder, the analyses, report and dump.

HT := tests/host/trace
HTB := $(BUILD)/host-trace
HT_SEEDS ?= 60
HT_FUZZ ?= 10000
HT_CFLAGS = $(HOST_CFLAGS) -Ihost
HT_RISCV := riscv64-unknown-elf-gcc -march=rv32imc -misa-spec=2.2 -mabi=ilp32 -Og -nostdlib -nostartfiles
HT_LINK := -Wl,-Ttext=0x10000000 -Wl,--build-id=sha1
HT_PROGRAMS := $(addprefix $(HTB)/,program.elf program-plain.elf program-bare.elf another.elf no-map.elf riscv64.o)
HT_SCRIPTS := $(wildcard $(HT)/*.py tests/host/locks/*.py) $(TRACE_PY)
# The tests of locks share the encoder of traces, and the corpus shares their histories.
HT_PYTHON := PYTHONPATH=$(HT):tests/host/locks:$(PYTHONPATH) python3

$(HTB)/program.elf: $(HT)/program.S $(HT)/other.c
	@mkdir -p $(@D)
	$(HT_RISCV) -g $(HT_LINK) -o $@ $^
$(HTB)/another.elf: $(HT)/program.S $(HT)/other.c
	@mkdir -p $(@D)
	$(HT_RISCV) -g -O2 $(HT_LINK) -o $@ $^
$(HTB)/program-plain.elf: $(HTB)/program.elf
	riscv64-unknown-elf-objcopy -R '.debug_*' $< $@
$(HTB)/program-bare.elf: $(HTB)/program.elf
	riscv64-unknown-elf-strip -s -o $@ $<
$(HTB)/no-map.elf: $(HT)/program.S $(HT)/other.c
	@mkdir -p $(@D)
	$(HT_RISCV) $(HT_LINK) -o $@ $^
	riscv64-unknown-elf-objcopy -R .gnomon.map -N __gnomon_func_total $@
$(HTB)/calls.elf $(HTB)/traps.elf: $(HT)/calls.c
	@mkdir -p $(@D)
	$(HT_RISCV) -O2 $(HT_LINK) -Wl,--section-start=.far=0x10800000 $(if $(findstring traps,$@),-DTRAPS) -o $@ $<
$(HTB)/riscv64.o:
	@mkdir -p $(@D)
	riscv64-unknown-elf-gcc -march=rv64gc -mabi=lp64d -c -x assembler -o $@ /dev/null

$(HTB)/fuzz_driver: $(HT)/fuzz_driver.c $(HT)/decode_twice.c $(HT)/decode_twice.h $(GNOMON_ASAN)
	@mkdir -p $(@D)
	$(CC) $(HT_CFLAGS) -O1 $(SANITIZE) -o $@ $(filter $(HT)/%.c,$^) \
	  $(filter-out %/main.o,$(HOST_CLI_SOURCES:host/%.c=$(HOST_ASAN)/%.o)) $(LIBGNOMON_ASAN) $(HOST_LIBS)
$(HTB)/gnt_writer_test: $(HT)/gnt_writer_test.c $(LIBGNOMON_ASAN)
	@mkdir -p $(@D)
	$(CC) $(HT_CFLAGS) -O1 $(SANITIZE) -o $@ $< $(LIBGNOMON_ASAN) $(HOST_LIBS)
$(HTB)/demangle_test: $(HT)/demangle_test.c $(LIBGNOMON_ASAN)
	@mkdir -p $(@D)
	$(CC) $(HT_CFLAGS) -O1 $(SANITIZE) -o $@ $< $(LIBGNOMON_ASAN) $(HOST_LIBS)
$(HTB)/bench_decode: $(HT)/bench_decode.c $(LIBGNOMON)
	@mkdir -p $(@D)
	$(CC) $(HT_CFLAGS) -O2 -o $@ $< $(LIBGNOMON) $(HOST_LIBS)
$(HTB)/bench.gnt: $(HT)/make_bench.py $(HT)/gnt_encoder.py $(TRACE_PY) $(HTB)/program.elf
	python3 $< $(HTB)/program.elf $@
$(HTB)/corpus/.made: $(HT_SCRIPTS) $(HTB)/program.elf
	@mkdir -p $(@D)
	$(HT_PYTHON) $(HT)/make_corpus.py --elf $(HTB)/program.elf --out $(@D) --count 24
	@touch $@

.PHONY: test-trace-decode test-trace-profile test-trace-symbols test-trace-files test-trace-writer test-trace-fuzz
.PHONY: test-demangle test-trace-valgrind test-trace-exact test-trace-memory bench-decode
TESTS += test-trace-decode test-trace-profile test-trace-symbols test-trace-files test-trace-writer
CI_TESTS += test-trace-fuzz
TESTS += test-trace-valgrind test-trace-exact test-demangle
CI_TESTS += test-trace-memory
test-trace-decode test-trace-profile test-trace-symbols test-trace-exact test-trace-files: $(TRACE_PY)
test-trace-decode: $(GNOMON_ASAN) $(HTB)/program.elf
	@mkdir -p $(HTB)/decode
	python3 $(HT)/test_decode.py --gnomon $(GNOMON_ASAN) --elf $(HTB)/program.elf --out $(HTB)/decode --seeds $(HT_SEEDS)
test-trace-profile: $(GNOMON_ASAN) $(HTB)/program.elf
	@mkdir -p $(HTB)/profile
	python3 $(HT)/test_profile.py --gnomon $(GNOMON_ASAN) --elf $(HTB)/program.elf --out $(HTB)/profile --seeds $(HT_SEEDS)
test-trace-symbols: $(GNOMON_ASAN) $(HT_PROGRAMS)
	python3 $(HT)/test_symbols.py $(GNOMON_ASAN) $(HTB)
test-trace-exact: $(GNOMON_ASAN) $(HTB)/calls.elf $(HTB)/traps.elf
	python3 $(HT)/test_exact.py $(GNOMON_ASAN) $(HTB)
.PHONY: test-trace-threads test-locks test-trace-harts test-locks-harts
TESTS += test-trace-threads test-locks test-trace-harts test-locks-harts
test-trace-threads: $(GNOMON_ASAN) $(HTB)/program.elf $(TRACE_PY) ## threads in reports: names, cycles, interrupts apart; the reports of all threads add up
	@mkdir -p $(HTB)/threads
	python3 $(HT)/test_threads.py --gnomon $(GNOMON_ASAN) --elf $(HTB)/program.elf --out $(HTB)/threads --seeds 12
test-locks: $(GNOMON_ASAN) $(HTB)/program.elf $(TRACE_PY) ## gnomon locks: random histories, whole and with losses, by definition; deadlocks, circles, misuse, damaged names; the same by hookless call tracing
	@mkdir -p $(HTB)/locks
	$(HT_PYTHON) tests/host/locks/test_locks.py --gnomon $(GNOMON_ASAN) --elf $(HTB)/program.elf --out $(HTB)/locks --seeds 12
	$(HT_PYTHON) tests/host/locks/test_inversion.py --gnomon $(GNOMON_ASAN) --elf $(HTB)/program.elf --out $(HTB)/locks
	$(HT_PYTHON) tests/host/locks/test_lock_calls.py --gnomon $(GNOMON_ASAN) --elf $(HTB)/program.elf --out $(HTB)/locks --seeds 6
	$(HT_PYTHON) tests/host/locks/test_sleeps.py --gnomon $(GNOMON_ASAN) --elf $(HTB)/program.elf --out $(HTB)/locks
test-trace-harts: $(GNOMON_ASAN) $(HTB)/program.elf $(TRACE_PY) ## two harts: threads that move from hart to hart within their calls; sums of both, and damage of either trace
	@mkdir -p $(HTB)/harts
	python3 $(HT)/test_harts.py --gnomon $(GNOMON_ASAN) --elf $(HTB)/program.elf --out $(HTB)/harts --seeds 6
test-locks-harts: $(GNOMON_ASAN) $(HTB)/program.elf $(TRACE_PY) ## gnomon locks of two harts: random histories, whole, with losses of one or both, and with a trace that ends early, by definition
	@mkdir -p $(HTB)/locks
	$(HT_PYTHON) tests/host/locks/test_hart_locks.py --gnomon $(GNOMON_ASAN) --elf $(HTB)/program.elf --out $(HTB)/locks --seeds 6
test-trace-files: $(GNOMON) $(HTB)/program.elf
	@mkdir -p $(HTB)/files
	$(HT_PYTHON) $(HT)/test_files.py --gnomon $(GNOMON) --elf $(HTB)/program.elf --out $(HTB)/files
test-trace-writer: $(HTB)/gnt_writer_test
	@mkdir -p $(HTB)/writer
	$(HTB)/gnt_writer_test $(HTB)/writer
test-demangle: $(HTB)/demangle_test ## names of C++ and Rust, and damaged ones
	$< 200000
# Damaged traces in one process with the sanitizers; then some of them with the commands themselves.
test-trace-fuzz: $(HTB)/fuzz_driver $(HTB)/corpus/.made $(GNOMON)
	@rm -rf $(HTB)/kept && mkdir -p $(HTB)/kept
	$(HTB)/fuzz_driver $(HT_FUZZ) 1 $(HTB)/fuzz.gnt $(HTB)/kept 300 $(HTB)/corpus/*.gnt
	tests/host/trace/run_kept.sh $(GNOMON) $(HTB)/kept
# The same traces through every writer of exports.
.PHONY: test-exports-fuzz
CI_TESTS += test-exports-fuzz
HT_FUZZ_EXPORTS ?= 1000
test-exports-fuzz: $(HTB)/fuzz_driver $(HTB)/corpus/.made ## damaged traces through gnomon export in every format, with the sanitizers
	@rm -rf $(HTB)/exports && mkdir -p $(HTB)/exports
	GNOMON_FUZZ_EXPORTS=1 $(HTB)/fuzz_driver $(HT_FUZZ_EXPORTS) 2 $(HTB)/exports/fuzz.gnt $(HTB)/exports 0 $(HTB)/corpus/*.gnt
# The same test for the files of programs that keep their records in memory.
test-trace-memory: $(HTB)/fuzz_driver $(GNOMON_ASAN) $(HTB)/program.elf $(HTB)/another.elf ## records in memory: what report makes of them, and of damaged ones
	@rm -rf $(HTB)/memory && mkdir -p $(HTB)/memory/kept
	python3 $(HT)/test_memory.py --gnomon $(GNOMON_ASAN) --elfs $(HTB) --out $(HTB)/memory
	GNOMON_FUZZ_ELF=$(HTB)/program.elf $(HTB)/fuzz_driver $(HT_FUZZ) 1 $(HTB)/memory/fuzz $(HTB)/memory/kept 0 $(HTB)/memory/*.records
test-trace-valgrind: $(GNOMON) $(HTB)/corpus/.made
	for command in "report corpus-1" "report --json corpus-1" "dump corpus-1" "dump --json corpus-1" "locks corpus-locks-1" "locks --json corpus-locks-1" \
	    "locks --lock=3 corpus-locks-1" "report --thread=0 corpus-locks-1"; do \
	  valgrind -q --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=definite,possible \
	    $(GNOMON) $${command% *} $(HTB)/corpus/$${command##* }.gnt >/dev/null; done

##@ Benchmarks
bench-decode: $(HTB)/bench_decode $(HTB)/bench.gnt ## events a second through the trace decoder; build/bench-decode.json
	$< $(HTB)/bench.gnt 50000000 $(BUILD)/bench-decode.json
