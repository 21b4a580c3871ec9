# SPDX-License-Identifier: Apache-2.0
# End-to-end tests on the simulated board: reports against the oracle, loss, determinism.

E2E := $(BUILD)/e2e
E2E_SIM := $(BUILD)/sim/full/gnomon-sim
LOGO := /usr/share/pixmaps/debian-logo.png
FONT := /usr/share/fonts/truetype/dejavu/DejaVuSans.ttf
GPL3 := /usr/share/common-licenses/GPL-3
E2E_RUN := python3 tests/e2e/e2e.py

$(E2E)/%-O0: tests/e2e/programs/%.c $(FW_FILES) | $(BUILD)/bin/gnomon
	@mkdir -p $(@D)
	gnomon cc -O0 -g -Wall -Wextra -Werror -o $@ $<
$(E2E)/%-O2: tests/e2e/programs/%.c $(FW_FILES) | $(BUILD)/bin/gnomon
	@mkdir -p $(@D)
	gnomon cc -O2 -g -Wall -Wextra -Werror -o $@ $<

##@ The whole chain
CI_TESTS += test-zlib-ticking
DEEP_TESTS += test-logo-exact
DEEP_TESTS += test-logo-ticking
.PHONY: test-zlib-ticking test-exact test-exact-small test-loss test-logo-exact test-logo-ticking test-zlib-exact test-one-instruction
# The longest tests come first, so that they run in parallel with the others.
TESTS := test-zlib-exact $(TESTS) test-exact test-exact-small test-loss test-one-instruction
test-exact: $(E2E)/interrupts-O0 $(E2E)/interrupts-O2 $(E2E)/storm-O2 $(E2E_SIM) $(BUILD)/sim/cached/full/gnomon-sim ## reports equal the oracle, interrupts on and off
	$(E2E_RUN) exact $(E2E)/interrupts-O2 --twice --lossy-too 0
	$(E2E_RUN) exact $(E2E)/interrupts-O2 --twice --lossy-too 1009
	$(E2E_RUN) exact $(E2E)/interrupts-O0 607
	$(E2E_RUN) exact $(E2E)/storm-O2 --lossy-too 40
	GNOMON_SIM_DIR=$(BUILD)/sim/cached $(E2E_RUN) exact $(E2E)/interrupts-O2 --twice 1009
test-exact-small: $(E2E)/interrupts-O0 $(E2E)/interrupts-O2 $(E2E)/storm-O2 $(SIM)/small/gnomon-sim $(SIM)/mid/gnomon-sim ## the same on the boards small and mid, with and without loss
	$(E2E_RUN) small $(E2E)/storm-O2 40
	$(E2E_RUN) small $(E2E)/interrupts-O0 607
	$(E2E_RUN) small $(E2E)/interrupts-O2 --lossy 1009
	$(E2E_RUN) mid $(E2E)/storm-O2 --lossy 40
	$(E2E_RUN) mid $(E2E)/interrupts-O0 607
TESTS += test-sim-rate
.PHONY: test-sim-rate
test-sim-rate: $(E2E)/dense-O2 $(E2E)/burst-O2 $(E2E_SIM) $(SIM)/small/gnomon-sim $(SIM)/mid/gnomon-sim ## loading at once and a trace that takes no time change no recording; nothing is lost where no cable is
	python3 tests/e2e/rate.py $(E2E)/dense-O2 $(E2E)/burst-O2
TESTS += test-sim-lean
.PHONY: test-sim-lean
$(E2E)/left_out-open-O2: tests/e2e/programs/left_out.c $(FW_FILES) | $(BUILD)/bin/gnomon
	@mkdir -p $(@D)
	gnomon cc -O2 -g -Wall -Wextra -Werror -DOPEN -o $@ $<
test-sim-lean: $(foreach p,left_out left_out-open dense interrupts storm,$(E2E)/$p-O2) $(SIM)/full-lean/gnomon-sim $(E2E_SIM) ## the lean model gives the same bytes as the whole one, and says when it does not suffice
	python3 tests/e2e/lean.py --out $(E2E)/lean --left-out $(E2E)/left_out-O2 --left-out-open $(E2E)/left_out-open-O2 \
	  $(E2E)/dense-O2=2000 $(E2E)/interrupts-O2=1009 $(E2E)/storm-O2=40
CI_TESTS += test-interrupt-waits
.PHONY: test-interrupt-waits
test-interrupt-waits: $(E2E)/waits-O2 $(E2E)/interrupts-O2 $(E2E_SIM) $(SIM)/mid/gnomon-sim ## how long interrupts wait: report, dump and check equal the reference model, difference 0
	python3 tests/e2e/interrupt_waits.py --out $(E2E)/interrupt_waits --waits $(E2E)/waits-O2 --without mid $(E2E)/interrupts-O2=1009
# Cycles of each instruction by stall cause: the device's counts against the reference model's, with interrupts, caches, and a slow memory.
TESTS := test-cpi $(TESTS)
DEEP_TESTS += test-cpi-deep
CPI_RUN := python3 tests/e2e/cpi.py
.PHONY: test-cpi test-cpi-deep
$(E2E)/text: $(GPL3)
	@mkdir -p $(@D) && head -c 600 $< > $@
test-cpi: $(E2E)/interrupts-O2 $(E2E)/storm-O2 $(E2E)/unsteady-O2 $(E2E)/exceptions-O2 $(DEMO)/zlib.elf $(E2E)/text $(foreach b,full small cached/full,$(SIM)/$b/gnomon-sim) ## stat, record --cpi and annotate: every cycle of every instruction equals the simulator's reference model
	$(CPI_RUN) --simulators $(SIM) --out $(E2E)/cpi interrupts=all,main=$(E2E)/interrupts-O2=211 storm=main=$(E2E)/storm-O2=40 unsteady==$(E2E)/unsteady-O2 exceptions=main=$(E2E)/exceptions-O2 \
	  zlib=deflate_slow,inflate_fast=$(DEMO)/zlib.elf=$(E2E)/text=$(E2E)/cpi/text.z
	$(CPI_RUN) --simulators $(SIM)/cached --out $(E2E)/cpi-cached zlib=deflate_slow=$(DEMO)/zlib.elf=$(E2E)/text=$(E2E)/cpi-cached/text.z
test-cpi-deep: $(E2E)/interrupts-O2 $(DEMO)/zlib.elf $(DEMO)/logo.elf $(foreach b,full small cached/full far-cached/full,$(SIM)/$b/gnomon-sim) ## the same on the two programs of the demo, whole, and all their code in repeated runs
	$(CPI_RUN) --simulators $(SIM) --out $(E2E)/cpi-deep logo=stbi_zlib_compress=$(DEMO)/logo.elf=$(LOGO)=$(FONT)=$(E2E)/cpi-deep/logo.png
	$(CPI_RUN) --simulators $(SIM)/far-cached --out $(E2E)/cpi-far interrupts=all=$(E2E)/interrupts-O2=211
	for board in . cached far-cached; do \
	  $(CPI_RUN) --simulators $(SIM)/$$board --out $(E2E)/cpi-deep zlib=all=$(DEMO)/zlib.elf=$(E2E)/text=$(E2E)/cpi-deep/text.z || exit 1; done
CI_TESTS += test-exact-records
.PHONY: test-exact-records
# Programs that leave and switch stacks in unusual ways. The oracle does not follow all of them.
RECORDS_MATRIX := jumps coroutines recursion handlers tails ends
$(E2E)/matrix-%: tests/firmware/matrix/%.c $(FW_FILES) | $(BUILD)/bin/gnomon
	@mkdir -p $(@D)
	gnomon cc -O2 -g -Wall -Wextra -Werror -o $@ $<
test-exact-records: $(addprefix $(E2E)/matrix-,$(RECORDS_MATRIX)) $(E2E)/interrupts-O0 $(E2E)/interrupts-O2 $(E2E)/storm-O2 $(DEMO)/zlib.elf $(E2E_SIM) ## the device's own records equal the oracle and the event stream
	$(E2E_RUN) records $(E2E)/interrupts-O2 1009
	$(E2E_RUN) records $(E2E)/interrupts-O0 607
	$(E2E_RUN) records $(E2E)/storm-O2 400
	for p in $(RECORDS_MATRIX); do $(E2E_RUN) records $(E2E)/matrix-$$p --events-only || exit 1; done
	$(E2E_RUN) records $(DEMO)/zlib.elf $(GPL3) $(E2E)/GPL-3.records.z
TESTS += test-exact-records-small
.PHONY: test-exact-records-small
test-exact-records-small: $(addprefix $(E2E)/matrix-,$(RECORDS_MATRIX)) $(E2E)/interrupts-O0 $(E2E)/interrupts-O2 $(E2E)/storm-O2 $(SIM)/small/gnomon-sim ## the same on the board small
	$(E2E_RUN) records $(E2E)/interrupts-O0 --small 607
	$(E2E_RUN) records $(E2E)/interrupts-O2 --small --lossy 1009
	$(E2E_RUN) records $(E2E)/storm-O2 --small --lossy 40
	for p in $(filter-out recursion,$(RECORDS_MATRIX)); do $(E2E_RUN) records $(E2E)/matrix-$$p --small --events-only || exit 1; done
TESTS += test-deep-calls
DEEP_TESTS += test-deep-calls-long
.PHONY: test-deep-calls test-deep-calls-long
test-deep-calls: $(E2E)/deep-O2 $(E2E_SIM) $(SIM)/small/gnomon-sim ## records of calls nested deeper than the device's memory for them
	GNOMON_SIM_DIR=$(BUILD)/sim python3 tests/e2e/deep.py $< 3000
test-deep-calls-long: $(E2E)/deep-O2 $(E2E_SIM) $(SIM)/small/gnomon-sim ## the same, 100,000 deep
	GNOMON_SIM_DIR=$(BUILD)/sim python3 tests/e2e/deep.py $< 100000
TESTS += test-lock-accesses
.PHONY: test-lock-accesses
test-lock-accesses: $(E2E)/lock_accesses-O2 $(foreach b,small mid full full-lean,$(SIM)/$b/gnomon-sim) ## every access of the lock segments is in the trace, snooped or found when it retires; in full with what it wrote
	python3 tests/e2e/lock_accesses.py $< small mid full
TESTS += test-bus-trace
DEEP_TESTS += test-lock-storm
.PHONY: test-bus-trace test-lock-storm
test-bus-trace: $(E2E)/bus_traffic-O2 $(foreach b,small mid full full-lean,$(SIM)/$b/gnomon-sim) ## gnomon trace --bus: accesses known one by one, counters of the bus, exact losses, no cycle more
	python3 tests/e2e/bus_trace.py --out $(E2E)/bus_trace --boards full --storm 50000 $<
test-lock-storm: $(E2E)/bus_traffic-O2 $(foreach b,small mid full full-lean fomu-bus,$(SIM)/$b/gnomon-sim) ## the same with 10,000,000 lock messages; and the filter of a Fomu
	python3 tests/e2e/bus_trace.py --out $(E2E)/lock_storm --boards full+fomu-bus --storm 10000000 $<
DEEP_TESTS += test-lock-words
.PHONY: test-lock-words
$(E2E)/lock_words: tests/e2e/programs/lock_words.c $(FW_FILES) | $(BUILD)/bin/gnomon
	@mkdir -p $(@D)
	gnomon cc -march=rv32imac -O2 -g -Wall -Wextra -Werror -o $@ $<
test-lock-words: $(E2E)/lock_words $(E2E)/pool $(foreach b,mid full full-lean,$(SIM)/$b/gnomon-sim) ## gnomon trace --word: each access of a word, with its value; words that the program adds; a full table; no cycle more
	python3 tests/e2e/lock_words.py --out $(E2E)/lock_words.out --plain $(E2E)/pool $< full mid
TESTS += test-locks-exact
.PHONY: test-locks-exact
$(E2E)/locks: tests/e2e/programs/locks.c include/gnomon/locks.h $(FW_FILES) | $(BUILD)/bin/gnomon
	@mkdir -p $(@D)
	gnomon cc -O2 -g -Wall -Wextra -Werror -Iinclude -o $@ $<
test-locks-exact: $(E2E)/locks $(SIM)/full/gnomon-sim ## gnomon locks equals the reference model of retired stores, difference 0; names from the program's tables, and tables that make no sense
	@mkdir -p $(E2E)/locks-exact
	python3 tests/e2e/locks.py --simulators $(SIM) --out $(E2E)/locks-exact $< full
# The program of docs/guide/locks.md, with one hart and with two.
DEEP_TESTS += test-locks-memory
.PHONY: test-locks-memory
$(E2E)/pool-memory $(E2E)/pool-memory-harts: tests/docs/programs/pool.c $(FW_FILES) | $(BUILD)/bin/gnomon
	@mkdir -p $(@D)
	gnomon cc --gnomon-locks $(if $(findstring harts,$@),--gnomon-harts) -O2 -g -o $@ $<
test-locks-memory: $(E2E)/pool-memory $(E2E)/pool-memory-harts $(SIM)/duo/gnomon-sim ## gnomon locks against the owners in the memory of mutexes: acquisitions, and who had to wait
	@mkdir -p $(E2E)/locks-memory
	for program in $(wordlist 1,2,$^); do python3 tests/e2e/lock_memory.py --simulators $(SIM) --out $(E2E)/locks-memory $$program || exit 1; done
# Lock functions that the device watches.
DEEP_TESTS += test-lock-calls
.PHONY: test-lock-calls
$(E2E)/lock_calls $(E2E)/lock_calls-messages: tests/e2e/programs/lock_calls.c $(FW_FILES) | $(BUILD)/bin/gnomon
	@mkdir -p $(@D)
	gnomon cc $(if $(findstring messages,$@),--gnomon-locks) -O2 -g -Wall -Wextra -Werror -o $@ $<
test-lock-calls: $(E2E)/lock_calls $(E2E)/lock_calls-messages $(E2E_SIM) ## locks of a program without messages, by hookless call tracing: equal to those with messages, stripped too; no cycle more
	@mkdir -p $(E2E)/lock-calls
	GNOMON_SIM_DIR=$(SIM) python3 tests/e2e/lock_calls.py --out $(E2E)/lock-calls -- $(E2E)/lock_calls $(E2E)/lock_calls-messages
DEEP_TESTS += test-lock-calls-harts
.PHONY: test-lock-calls-harts
$(E2E)/pool-calls $(E2E)/pool-calls-harts: tests/docs/programs/pool.c $(FW_FILES) | $(BUILD)/bin/gnomon
	@mkdir -p $(@D)
	gnomon cc $(if $(findstring harts,$@),--gnomon-harts) -O2 -g -o $@ $<
test-lock-calls-harts: $(E2E)/pool-calls $(E2E)/pool-calls-harts $(SIM)/duo/gnomon-sim ## the same on two harts: exact with threads on one hart; with threads that move it says so
	@mkdir -p $(E2E)/lock-calls-harts
	python3 tests/e2e/hart_lock_calls.py --simulators $(SIM) --out $(E2E)/lock-calls-harts $(wordlist 1,2,$^)
TESTS += test-lock-inversion
.PHONY: test-lock-inversion
$(E2E)/inversion: tests/e2e/programs/inversion.c $(FW_FILES) | $(BUILD)/bin/gnomon
	@mkdir -p $(@D)
	gnomon cc --gnomon-locks -O2 -g -Wall -Wextra -Werror -o $@ $<
test-lock-inversion: $(E2E)/inversion $(SIM)/full/gnomon-sim $(SIM)/small/gnomon-sim ## priority inversion is named with its cycles, difference 0, and not where there is none
	@mkdir -p $(E2E)/lock-inversion
	python3 tests/e2e/lock_inversion.py --simulators $(SIM) --out $(E2E)/lock-inversion $< full small
# Two harts.
CI_TESTS += test-harts-records
DEEP_TESTS += test-harts-exact test-harts-words
.PHONY: test-harts-exact test-harts-records test-harts-words
$(E2E)/hart_words: tests/e2e/programs/hart_words.c $(FW_FILES) | $(BUILD)/bin/gnomon
	@mkdir -p $(@D)
	gnomon cc -march=rv32imac -O2 -g -Wall -Wextra -Werror -o $@ $<
test-harts-words: $(E2E)/hart_words $(SIM)/duo/gnomon-sim ## gnomon trace of two harts: each access of words that both access, with its hart, in the order of time
	@mkdir -p $(E2E)/harts-words
	GNOMON_SIM_DIR=$(SIM) python3 tests/e2e/hart_words.py --out $(E2E)/harts-words $<
$(E2E)/hart_locks: tests/e2e/programs/hart_locks.c include/gnomon/locks.h $(FW_FILES) | $(BUILD)/bin/gnomon
	@mkdir -p $(@D)
	gnomon cc -march=rv32imac -O2 -g -Wall -Wextra -Werror -Iinclude -o $@ $<
test-harts-exact: $(E2E)/hart_locks $(SIM)/duo/gnomon-sim $(GNOMON) ## two harts: every figure of gnomon locks, report and stat equals the reference models, difference 0; no two lock messages in one cycle
	@mkdir -p $(E2E)/harts-exact
	python3 tests/e2e/hart_locks.py --simulators $(SIM) --out $(E2E)/harts-exact $<
$(E2E)/hart_locks-watched: tests/e2e/programs/hart_locks.c include/gnomon/locks.h $(FW_FILES) | $(BUILD)/bin/gnomon
	@mkdir -p $(@D)
	gnomon cc --gnomon-off -march=rv32imac -O2 -g -Wall -Wextra -Werror -Iinclude -o $@ $<
$(E2E)/hart_threads: tests/e2e/programs/hart_threads.c $(FW_FILES) | $(BUILD)/bin/gnomon
	@mkdir -p $(@D)
	gnomon cc --gnomon-harts -O2 -g -Wall -Wextra -Werror -o $@ $<
test-harts-records: $(E2E)/hart_locks $(E2E)/hart_locks-watched $(E2E)/hart_threads $(SIM)/duo/gnomon-sim $(GNOMON) ## two harts: function records and watched functions of both equal the reference models and the events, difference 0; threads that move
	@mkdir -p $(E2E)/harts-records
	python3 tests/e2e/hart_records.py --simulators $(SIM) --out $(E2E)/harts-records $(E2E)/hart_locks $(E2E)/hart_locks-watched $(E2E)/hart_threads
TESTS += test-lock-misuse
DEEP_TESTS += test-lock-misuse-deep
.PHONY: test-lock-misuse test-lock-misuse-deep
$(E2E)/lock_misuse: tests/e2e/programs/lock_misuse.c $(FW_FILES) | $(BUILD)/bin/gnomon
	@mkdir -p $(@D)
	gnomon cc --gnomon-locks -O2 -g -Wall -Wextra -Werror -o $@ $<
LOCK_MISUSE := python3 tests/e2e/lock_misuse.py --simulators $(SIM) --out $(E2E)/lock-misuse $(E2E)/lock_misuse
test-lock-misuse: $(E2E)/lock_misuse $(SIM)/full/gnomon-sim $(SIM)/mid/gnomon-sim ## wrong use of locks: each in a sentence of gnomon locks
	@mkdir -p $(E2E)/lock-misuse
	$(LOCK_MISUSE) full
	$(LOCK_MISUSE) mid
test-lock-misuse-deep: $(E2E)/lock_misuse $(SIM)/full/gnomon-sim $(SIM)/small/gnomon-sim $(SIM)/fomu/gnomon-sim ## the same on small and the Fomu; 10,000 locks, 300 threads
	@mkdir -p $(E2E)/lock-misuse
	$(LOCK_MISUSE) full many
	$(LOCK_MISUSE) small
	$(LOCK_MISUSE) fomu
TESTS += test-lock-cases
.PHONY: test-lock-cases
$(E2E)/lock_cases: tests/e2e/programs/lock_cases.c $(FW_FILES) | $(BUILD)/bin/gnomon
	@mkdir -p $(@D)
	gnomon cc --gnomon-locks -O2 -g -Wall -Wextra -Werror -o $@ $<
test-lock-cases: $(E2E)/lock_cases $(SIM)/full/gnomon-sim ## a deadlock, a mutex held while its thread waits, a convoy, a thread that ends with a mutex: what gnomon locks says of each program
	@mkdir -p $(E2E)/lock-cases
	python3 tests/e2e/lock_cases.py --simulators $(SIM) --out $(E2E)/lock-cases $<
TESTS += test-thread-times
.PHONY: test-thread-times
THREAD_TIMES := python3 tests/e2e/thread_times.py --simulators $(SIM) --out $(E2E)/thread-times
test-thread-times: $(E2E)/inversion $(E2E)/locks $(SIM)/full/gnomon-sim $(SIM)/small/gnomon-sim ## threads in gnomon stat and at the end of gnomon record: equal to gnomon report --threads
	@mkdir -p $(E2E)/thread-times
	$(THREAD_TIMES) full $(E2E)/inversion plain 8
	$(THREAD_TIMES) small $(E2E)/inversion plain 1
	$(THREAD_TIMES) full $(E2E)/locks 50 1
TESTS += test-stacks
.PHONY: test-stacks
$(E2E)/endless-small-O2: tests/e2e/programs/endless.c $(FW_FILES) | $(BUILD)/bin/gnomon
	@mkdir -p $(@D)
	gnomon cc -O2 -g -Wall -Wextra -Werror -DROOM=1024 -o $@ $<
$(E2E)/%-watched: tests/e2e/programs/%.c $(FW_FILES) | $(BUILD)/bin/gnomon
	@mkdir -p $(@D)
	gnomon cc --gnomon-off -O2 -g -Wall -Wextra -Werror -o $@ $<
test-stacks: $(E2E)/endless-O2 $(E2E)/endless-small-O2 $(E2E)/endless-watched $(E2E)/switches-O2 $(E2E)/coroutine-O2 $(E2E)/landings-O2 $(E2E)/landings-watched $(E2E_SIM) $(SIM)/mid/gnomon-sim $(SIM)/small/gnomon-sim ## a stack that is left, stacks that are switched without a word
	GNOMON_SIM_DIR=$(BUILD)/sim python3 tests/e2e/stacks.py --endless $(E2E)/endless-O2 --endless-small $(E2E)/endless-small-O2 --endless-watched $(E2E)/endless-watched \
	  --switches $(E2E)/switches-O2 --coroutine $(E2E)/coroutine-O2 --landings $(E2E)/landings-O2 --landings-watched $(E2E)/landings-watched
DEEP_TESTS += test-choice
.PHONY: test-choice
test-choice: $(E2E)/storm-O2 $(SIM)/graphless/full/gnomon-sim $(GNOMON) ## on a board whose records have no call graph, record takes what loses nothing, and says so with -v
	GNOMON_SIM_DIR=$(BUILD)/sim/graphless python3 tests/e2e/choice.py --out $(E2E)/choice --board full $< 40
TESTS += test-graph
DEEP_TESTS += test-graph-large
.PHONY: test-graph test-graph-large
test-graph: $(E2E_SIM) $(GNOMON) $(FW_FILES) ## more pairs of caller and callee than have a place: every call has its caller after several runs, or record says how many have none
	GNOMON_SIM_DIR=$(BUILD)/sim python3 tests/e2e/graph.py --out $(E2E)/graph --callers 24 --leaves 50
test-graph-large: $(E2E_SIM) $(GNOMON) $(FW_FILES) ## the same with more pairs than the device has places in all
	GNOMON_SIM_DIR=$(BUILD)/sim python3 tests/e2e/graph.py --out $(E2E)/graph-large --callers 60 --leaves 50
TESTS += test-settings
DEEP_TESTS += test-settings-demo
.PHONY: test-settings test-settings-demo
SETTINGS_RUN := python3 tests/e2e/settings.py --out $(E2E)/settings
test-settings: $(E2E)/interrupts-O2 $(E2E)/storm-O2 $(E2E_SIM) $(SIM)/small/gnomon-sim ## whatever the profiler is set to: the same cycles, instructions and causes
	$(SETTINGS_RUN) --board full $(E2E)/interrupts-O2 1009
	$(SETTINGS_RUN) --board small $(E2E)/storm-O2 40
DEEP_TESTS += test-settings-cached
.PHONY: test-settings-cached
test-settings-cached: $(E2E)/interrupts-O2 $(SIM)/cached/full/gnomon-sim ## the same with a data cache, which the proof of non-interference leaves out
	GNOMON_SIM_DIR=$(SIM)/cached $(SETTINGS_RUN)-cached --board full $< 1009
test-settings-demo: $(DEMO)/zlib.elf $(DEMO)/logo.elf $(E2E_SIM) ## the same for zlib and the logo
	$(SETTINGS_RUN) --board full $(DEMO)/zlib.elf $(GPL3) $(E2E)/settings/GPL-3.z
	$(SETTINGS_RUN) --board full $(DEMO)/logo.elf $(LOGO) $(FONT) $(E2E)/settings/logo.png
TESTS += test-watch test-watch-others
DEEP_TESTS += test-watch-demo test-watch-board
.PHONY: test-watch test-watch-others test-watch-demo test-watch-board
WATCH_NEEDS := $(FW_FILES) $(BUILD)/bin/gnomon $(E2E_SIM)
test-watch: $(WATCH_NEEDS) ## functions without hooks, from calls and returns: equal to the oracle, alone and beside hooks
	python3 tests/e2e/watch.py $(BUILD)/watch exact
test-watch-others: $(WATCH_NEEDS) $(BUILD)/sim/mid/gnomon-sim ## objects of another compiler; too many functions, too many open; what is refused
	python3 tests/e2e/watch.py $(BUILD)/watch others
test-watch-demo: $(WATCH_NEEDS) ## the demo's picture without hooks
	python3 tests/e2e/watch.py $(BUILD)/watch demo
test-watch-board: $(WATCH_NEEDS) $(SIM)/ulx3s-25f/gnomon-sim ## the same calls in the sizes of the ULX3S-25F, and what these cannot follow
	python3 tests/e2e/watch.py $(BUILD)/watch board
# Records that are read while the program runs.
TESTS += test-epochs
.PHONY: test-epochs
$(E2E)/epochs: tests/e2e/epochs.c $(LIBGNOMON)
	@mkdir -p $(@D)
	$(CC) $(HOST_CFLAGS) -Ihost -O2 -o $@ $< $(LIBGNOMON) $(HOST_LIBS)
test-epochs: $(E2E)/epochs $(E2E)/epochs-O2 $(TRACE_PY) $(E2E_SIM) $(GNOMON) ## records while the program runs, epoch for epoch, are what its events say
	GNOMON_SIM_DIR=$(BUILD)/sim python3 tests/e2e/epochs.py --reader $< $(E2E)/epochs-O2 600
DEEP_TESTS += test-records-long
.PHONY: test-records-long
test-records-long: $(E2E)/storm-O2 $(E2E_SIM) ## a thousand million cycles of calls without a pause
	$(E2E_RUN) records $(E2E)/storm-O2 --oracle-only 300000
test-loss: $(E2E)/interrupts-O2 $(E2E)/storm-O2 $(E2E_SIM) ## lost + received = produced, whatever the rate; cycles do not change
	$(E2E_RUN) loss $(E2E)/storm-O2 40
	$(E2E_RUN) loss $(E2E)/interrupts-O2 1009
test-one-instruction: $(BUILD)/demo/logo.elf $(BUILD)/demo/zlib.elf ## each event of the demo is one instruction
	$(E2E_RUN) one-instruction $(BUILD)/demo/logo.elf
	$(E2E_RUN) one-instruction $(BUILD)/demo/zlib.elf

# The demo programs with a timer interrupt.
$(E2E)/ticker.o: tests/e2e/programs/ticker.c $(FW_FILES) | $(BUILD)/bin/gnomon
	@mkdir -p $(@D)
	gnomon cc -O2 -g -Wall -Wextra -Werror -c -o $@ $<
$(E2E)/logo-ticking.elf: firmware/apps/logo.c $(E2E)/ticker.o $(FW_FILES) | $(BUILD)/bin/gnomon
	gnomon cc $(DEMO_CFLAGS) -isystem /usr/include/stb -o $@ $< $(E2E)/ticker.o -lm
$(E2E)/zlib-ticking.elf: firmware/apps/roundtrip.c $(E2E)/ticker.o $(ZLIB)/libz.a
	gnomon cc $(DEMO_CFLAGS) -isystem $(ZLIB) -o $@ $< $(E2E)/ticker.o $(ZLIB)/libz.a

test-zlib-exact: $(DEMO)/zlib.elf $(DEMO)/native/zlib $(E2E_SIM) ## zlib: report equals the oracle; bytes per event
	$(E2E_RUN) exact $(DEMO)/zlib.elf --twice --lossy-too --bytes $(GPL3) $(E2E)/GPL-3.z
	$(DEMO)/native/zlib $(GPL3) $(E2E)/GPL-3.native.z
	cmp $(E2E)/GPL-3.z $(E2E)/GPL-3.native.z
test-zlib-ticking: $(DEMO)/zlib.elf $(E2E)/zlib-ticking.elf $(DEMO)/native/zlib $(E2E_SIM) ## the same with interrupts, and with loss
	$(DEMO)/native/zlib $(GPL3) $(E2E)/GPL-3.native.z
	$(E2E_RUN) exact $(E2E)/zlib-ticking.elf $(GPL3) $(E2E)/GPL-3.ticking.z
	cmp $(E2E)/GPL-3.ticking.z $(E2E)/GPL-3.native.z
	$(E2E_RUN) loss $(DEMO)/zlib.elf $(GPL3) $(E2E)/GPL-3.loss.z
test-logo-exact: $(DEMO)/logo.elf $(DEMO)/native/logo $(E2E_SIM) ## logo: report equals the oracle; bytes per event; the picture
	$(E2E_RUN) exact $(DEMO)/logo.elf --lossy-too --bytes $(LOGO) $(FONT) $(E2E)/logo.png
	$(DEMO)/native/logo $(LOGO) $(FONT) $(E2E)/logo.native.png
	cmp $(E2E)/logo.png $(E2E)/logo.native.png
test-logo-ticking: $(E2E)/logo-ticking.elf $(DEMO)/native/logo $(E2E_SIM) ## the same with interrupts
	$(DEMO)/native/logo $(LOGO) $(FONT) $(E2E)/logo.native.png
	$(E2E_RUN) exact $(E2E)/logo-ticking.elf $(LOGO) $(FONT) $(E2E)/logo.ticking.png
	cmp $(E2E)/logo.ticking.png $(E2E)/logo.native.png

# Counters and ranges.
CI_TESTS += test-counts
DEEP_TESTS += test-counts-zlib test-counts-logo
.PHONY: test-counts test-counts-zlib test-counts-logo
test-counts test-counts-zlib test-counts-logo: $(TRACE_PY)
COUNTS_RUN = python3 tests/e2e/counts.py --reader $(E2E)/counts
$(E2E)/counts: tests/e2e/counts.c $(LIBGNOMON)
	@mkdir -p $(@D)
	$(CC) $(HOST_CFLAGS) -Ihost -O2 -Wl,--wrap=gnomon_device_get -o $@ $< $(LIBGNOMON) $(HOST_LIBS)
test-counts: $(E2E)/counts $(GNOMON) $(E2E)/counted-O2 $(E2E)/traced-O2 $(E2E)/busy-O2 $(E2E)/csr_reads-O2 $(E2E_SIM) $(foreach b,cached sdram,$(SIM)/$b/full/gnomon-sim) $(SIM)/mid/gnomon-sim $(SIM)/small/gnomon-sim ## counters and ranges: every event, every filter, overflow to the cycle, against the simulator's count
	GNOMON_SIM_DIR=$(BUILD)/sim $(COUNTS_RUN) refuse
	GNOMON_SIM_DIR=$(BUILD)/sim $(COUNTS_RUN) overflow $(E2E)/counted-O2
	GNOMON_SIM_DIR=$(BUILD)/sim $(COUNTS_RUN) trace $(E2E)/traced-O2
	GNOMON_SIM_DIR=$(BUILD)/sim $(COUNTS_RUN) busy $(E2E)/busy-O2
	GNOMON_SIM_DIR=$(BUILD)/sim $(COUNTS_RUN) together $(E2E)/csr_reads-O2
	GNOMON_SIM_DIR=$(BUILD)/sim $(COUNTS_RUN) events $(E2E)/counted-O2 700
	GNOMON_SIM_DIR=$(BUILD)/sim/cached $(COUNTS_RUN) events $(E2E)/counted-O2 701
	GNOMON_SIM_DIR=$(BUILD)/sim/sdram $(COUNTS_RUN) events $(E2E)/counted-O2 701
test-counts-zlib: $(E2E)/counts $(DEMO)/zlib.elf $(E2E_SIM) ## the same on zlib
	GNOMON_SIM_DIR=$(BUILD)/sim $(COUNTS_RUN) some $(DEMO)/zlib.elf $(GPL3) $(E2E)/GPL-3.counts.z
test-counts-logo: $(E2E)/counts $(DEMO)/logo.elf $(E2E_SIM) ## the same on the demo's picture
	GNOMON_SIM_DIR=$(BUILD)/sim $(COUNTS_RUN) some $(DEMO)/logo.elf $(LOGO) $(FONT) $(E2E)/logo.counts.png
TESTS += test-stat
.PHONY: test-stat
test-stat: $(E2E)/counted-O2 $(E2E)/unsteady-O2 $(DEMO)/zlib.elf $(E2E)/text $(GNOMON) $(foreach b,full mid small,$(SIM)/$b/gnomon-sim) ## stat's events and ranges, in as many runs as they take, equal the simulator's count
	GNOMON_SIM_DIR=$(BUILD)/sim python3 tests/e2e/stat.py --out $(E2E)/stat --counted $(E2E)/counted-O2 --unsteady $(E2E)/unsteady-O2 --zlib $(DEMO)/zlib.elf --text $(E2E)/text
DEEP_TESTS += test-latencies
.PHONY: test-latencies
LATENCIES := python3 tests/e2e/latencies.py --counted $(E2E)/counted-O2 --slow $(E2E)/slow-O2 --zlib $(DEMO)/zlib.elf --text $(E2E)/text
test-latencies: $(E2E)/counted-O2 $(E2E)/slow-O2 $(DEMO)/zlib.elf $(E2E)/text $(GNOMON) $(foreach b,full mid small cached/full,$(SIM)/$b/gnomon-sim) ## latencies of single instructions, and what reaches a threshold, equal the simulator's reference model; with the data cache and without
	GNOMON_SIM_DIR=$(BUILD)/sim $(LATENCIES) --out $(E2E)/latencies
	GNOMON_SIM_DIR=$(BUILD)/sim/cached $(LATENCIES) --out $(E2E)/latencies-cached

# Tags, and searches that use tags.
CI_TESTS += test-tag-oracle
DEEP_TESTS += test-hotspots test-tag-oracle-demo test-hotspots-demo
.PHONY: test-tag-oracle test-tag-oracle-demo test-hotspots test-hotspots-demo
TAGS_RUN := python3 tests/e2e/tag_oracle.py
HOTSPOTS_RUN := python3 tests/e2e/hotspots.py --out $(E2E)/hotspots --board
# $(call tags_on,BOARD)
define tags_on
export GNOMON_SIM_DIR=$(BUILD)/sim/$1; \
  for what in self hints groups thresholds; do $(TAGS_RUN) --board full --out $(E2E)/tag-oracle/$1 $$what $(E2E)/tagged-O2 || exit 1; done; \
  for what in functions each timers lines; do \
    $(TAGS_RUN) --board full --out $(E2E)/tag-oracle/$1 $$what $(DEMO)/zlib.elf $(E2E)/text $(E2E)/tag-oracle/$1/text.z || exit 1; done
endef
test-tag-oracle: $(E2E)/tagged-O2 $(DEMO)/zlib.elf $(E2E)/text $(foreach b,full cached/full,$(SIM)/$b/gnomon-sim) ## what tags count equals the simulator's reference model: functions, lines, words, timers, hints, a program's own tags; with the data cache and without
	$(call tags_on,.)
	$(call tags_on,cached)
test-tag-oracle-demo: $(E2E)/tagged-O2 $(DEMO)/zlib.elf $(E2E)/text $(DEMO)/logo.elf $(E2E_SIM) $(SIM)/far-cached/full/gnomon-sim ## the same with a slow memory, and on the two programs of the demo, whole
	$(call tags_on,far-cached)
	for what in functions each timers lines; do \
	  $(TAGS_RUN) --board full --out $(E2E)/tag-oracle/demo $$what $(DEMO)/zlib.elf $(GPL3) $(E2E)/tag-oracle/demo/GPL-3.z && \
	  $(TAGS_RUN) --board full --out $(E2E)/tag-oracle/demo $$what $(DEMO)/logo.elf $(LOGO) $(FONT) $(E2E)/tag-oracle/demo/logo.png || exit 1; done
TESTS += test-reduced
.PHONY: test-reduced
test-reduced: $(E2E)/reduced-O2 $(GNOMON) $(foreach b,tags counters,$(SIM)/fomu-$b/gnomon-sim) ## reduced tags and counters, on the simulated Fomus: what they count equals the simulator's reference models; what they cannot do is refused
	for what in tags counters; do GNOMON_SIM_DIR=$(BUILD)/sim python3 tests/e2e/reduced.py --out $(E2E)/reduced $$what $< || exit 1; done
CI_TESTS += test-tagged-fills
.PHONY: test-tagged-fills
test-tagged-fills: $(E2E)/fills-O2 $(GNOMON) $(foreach b,full cached/full,$(SIM)/$b/gnomon-sim) ## fills of lines with tags: as often as a program makes its caches fill them; with the data cache and without
	GNOMON_SIM_DIR=$(BUILD)/sim python3 tests/e2e/fills.py --fills $< --cached 0 --shadow auto
	GNOMON_SIM_DIR=$(BUILD)/sim/cached python3 tests/e2e/fills.py --fills $< --cached 1 --shadow auto
# Tags in main memory: the board full with tag caches in its own GNOMON_SIM_DIR.
CI_TESTS += test-tag-memory
DEEP_TESTS += test-tag-memory-boards
.PHONY: test-tag-memory test-tag-memory-boards
test-tag-memory: $(E2E)/fills-O2 $(DEMO)/zlib.elf $(E2E)/text $(SIM)/sdram-tags/full/gnomon-sim ## tags that come with the line: as the simulator's reference model, with the cycles of a run without tags; what is not known is counted; fills of lines with them
	GNOMON_SIM_DIR=$(BUILD)/sim/sdram-tags $(TAGS_RUN) --board full --out $(E2E)/tag-oracle/sdram-tags memory $(DEMO)/zlib.elf $(E2E)/text $(E2E)/tag-oracle/sdram-tags/text.z
	GNOMON_SIM_DIR=$(BUILD)/sim/sdram-tags python3 tests/e2e/fills.py --fills $< --cached 1 --shadow memory
	GNOMON_SIM_DIR=$(BUILD)/sim/sdram-tags python3 tests/e2e/fills.py --fills $< --cached 1 --shadow auto
test-tag-memory-boards: $(DEMO)/zlib.elf $(E2E)/text $(SIM)/ulx3s-85f/gnomon-sim ## the same on the board that has tag caches
	$(TAGS_RUN) --board ulx3s-85f --out $(E2E)/tag-oracle/ulx3s-85f memory $(DEMO)/zlib.elf $(E2E)/text $(E2E)/tag-oracle/ulx3s-85f/memory.z
$(E2E)/dying: tests/e2e/programs/dying.cpp $(FW_FILES) | $(GNOMON)
	@mkdir -p $(@D)
	gnomon c++ -O2 -g -Wall -Wextra -Werror -o $@ $<
.PHONY: test-names
CI_TESTS += test-names
test-names: $(E2E)/dying $(GNOMON) $(E2E_SIM) $(SIM)/small/gnomon-sim ## a program in C++ that dies in every way: why, functions, lines, open calls; names readable and as the linker has them; no symbols; another ISA
	python3 tests/e2e/names.py $(E2E)/names $(E2E)/dying
test-hotspots: $(E2E)/locked-O2 $(E2E)/scanned-O2 $(DEMO)/zlib.elf $(E2E)/text $(E2E_SIM) ## hot and scan: the five hottest are the simulator's, each function's cycles too; what samples cannot see is found
	$(HOTSPOTS_RUN) full locked $(E2E)/locked-O2
	$(HOTSPOTS_RUN) full scanned $(E2E)/scanned-O2
	$(HOTSPOTS_RUN) full whole $(DEMO)/zlib.elf $(E2E)/text $(E2E)/hotspots/text.z
	$(HOTSPOTS_RUN) full hot $(DEMO)/zlib.elf 1000 $(GPL3) $(E2E)/hotspots/GPL-3.z
TESTS += test-event-samples
.PHONY: test-event-samples
test-event-samples: $(E2E)/counted-O2 $(DEMO)/zlib.elf $(E2E)/text $(GNOMON) $(foreach b,full small,$(SIM)/$b/gnomon-sim) ## hot --event: samples of events by function, thread and data are those of the simulator's reference model
	GNOMON_SIM_DIR=$(BUILD)/sim python3 tests/e2e/event_samples.py --out $(E2E)/event-samples --counted $(E2E)/counted-O2 --zlib $(DEMO)/zlib.elf --text $(E2E)/text
# The boards with an ECP5. The OrangeCrab has no room for the larger programs, and no counters by address.
BOARDS_WITH_TAGS := ulx3s-85f ulx3s-25f orangecrab
DEEP_TESTS += test-tags-boards
.PHONY: test-tags-boards
test-tags-boards: $(E2E)/tagged-O2 $(E2E)/locked-O2 $(E2E)/scanned-O2 $(DEMO)/zlib.elf $(E2E)/text $(BOARDS_WITH_TAGS:%=$(SIM)/%/gnomon-sim) ## tag, hot and scan on each board with an ECP5, simulated: figures equal the simulator's reference model
	for board in $(BOARDS_WITH_TAGS); do \
	  for what in hints groups thresholds; do $(TAGS_RUN) --board $$board --out $(E2E)/tag-oracle/$$board $$what $(E2E)/tagged-O2 || exit 1; done; \
	  $(HOTSPOTS_RUN) $$board locked $(E2E)/locked-O2 || exit 1; done
	for board in $(filter ulx3s%,$(BOARDS_WITH_TAGS)); do \
	  $(HOTSPOTS_RUN) $$board scanned $(E2E)/scanned-O2 || exit 1; \
	  $(TAGS_RUN) --board $$board --out $(E2E)/tag-oracle/$$board self $(E2E)/tagged-O2 || exit 1; \
	  for what in each timers lines; do $(TAGS_RUN) --board $$board --out $(E2E)/tag-oracle/$$board $$what $(DEMO)/zlib.elf $(E2E)/text $(E2E)/tag-oracle/$$board/text.z || exit 1; done; \
	  $(HOTSPOTS_RUN) $$board hot $(DEMO)/zlib.elf 1000 $(GPL3) $(E2E)/hotspots/GPL-3.z || exit 1; done
test-hotspots-demo: $(DEMO)/logo.elf $(E2E_SIM) ## the same on the demo's picture
	$(HOTSPOTS_RUN) full hot $(DEMO)/logo.elf 5000 $(LOGO) $(FONT) $(E2E)/hotspots/logo.png
TESTS += test-cable
.PHONY: test-cable
test-cable: $(E2E)/interrupts-O2 $(TRACE_PY) $(E2E_SIM) $(SIM)/full-line/gnomon-sim ## gnomon record over a faulty USB cable: the same file; pulled out: a clear error, and the board can be used again
	python3 tests/e2e/cable.py --simulators $(SIM) --out $(E2E)/cable $(E2E)/interrupts-O2 1009
TESTS += test-latency
.PHONY: test-latency
test-latency: $(E2E)/paced-O2 $(TRACE_PY) $(SIM)/full-line/gnomon-sim $(SIM)/small/gnomon-sim ## from an event to the last bit of its frame on the wire: under 2 ms, to the cycle
	python3 tests/e2e/latency.py --simulators $(SIM) --out $(E2E)/latency --program $(E2E)/paced-O2 full-line=60000000=49152 small=12000000=8192
.PHONY: bench-events
bench-events: $(E2E)/paced-O2 $(TRACE_PY) $(SIM)/full-line/gnomon-sim ## profile events a second through the whole chain, bit by bit; also in build/bench-events.json
	python3 tests/bench/bench_events.py $(SIM) $<

# The UART link.
TESTS += test-serial test-serial-wrong
.PHONY: test-serial test-serial-wrong
SERIAL_NEEDS := $(E2E)/calm-O2 $(SIM)/small-serial/gnomon-sim $(SIM)/small/gnomon-sim $(GNOMON)
test-serial: $(SERIAL_NEEDS) $(E2E)/storm-O2 ## over a UART link: the same trace as over USB, whatever goes wrong on it; loss counted
	python3 tests/e2e/serial.py same $(E2E)/calm-O2 $(E2E)/storm-O2
test-serial-wrong: $(SERIAL_NEEDS) ## serial ports that are absent, busy, silent, unplugged, none: messages
	python3 tests/e2e/serial.py wrong $(E2E)/calm-O2
