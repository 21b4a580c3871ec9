# SPDX-License-Identifier: Apache-2.0
# The profiler: lint, benches, proofs.

PROFILE_V := $(wildcard $(patsubst %,rtl/%/*.v,$(PROFILE_ROOMS)))
PROFILE_I := -Irtl/core $(patsubst %,-Irtl/%,$(PROFILE_ROOMS))
PROFILE_OUT := $(BUILD)/profile

##@ Profiler
LINTS += lint-profile
.PHONY: lint-profile
lint-profile: $(REGISTERS_VH) ## lint of rtl/profile in the parameters of small, mid and full
	@for p in "8 0 0 0 0 0 0 0 0 16" "8 2 1 0 0 0 0 0 0 16" "8 2 1 9 0 0 0 0 0 16" "10 6 1 9 0 6 0 0 0 20" "10 6 1 9 0 0 1 0 0 16" "8 2 1 9 0 0 0 1 0 16" "10 6 1 11 1 11 1 1 12 20" "8 2 1 0 0 0 0 0 8 16" "8 0 2 9 0 0 0 0 0 16 1" "8 2 1 8 0 0 0 0 0 16 1" "10 6 1 11 1 11 1 1 12 20 0 1"; do set -- $$p; \
	  verilator --lint-only -Wall -I$(GEN) $(PROFILE_I) -GFIFO_LOG2=$$1 -GHPM=$$2 -GLOCKS=$$3 -GRECORDS_LOG2=$$4 -GARCS=$$5 -GBUCKETS_LOG2=$$6 -GEPOCHS=$$7 -GLOSSES=$$8 -GWATCH_LOG2=$$9 -GNUMBER_BITS=$${10} \
	  -GCOMPACT=$${11:-0} -GPMU=$${12:-0} -GLATENCY=$${12:-0} -GFRAMES_LOG2=$$(($${11:-0} ? 7 : 9)) -GTHREADS_LOG2=$$(($$4 == 11 ? 6 : 3)) --top-module gnomon_profile $(PROFILE_V) || exit 1; done
	@verilator --lint-only -Wall -I$(GEN) $(PROFILE_I) -GFIFO_LOG2=9 -GLOCKS=1 -GTRAFFIC=1 -GLOCK_WORDS_LOG2=6 -GINTERRUPTS=1 -GMEMORY_LOG2=15 -GBORDER=1 -GRECORDS_LOG2=8 -GWATCH_LOG2=8 --top-module gnomon_profile $(PROFILE_V)
	@for p in "" -GTRAFFIC=1 "-GTRAFFIC=1 -GLOCK_WORDS_LOG2=10 -GINTERRUPTS=1" "-GHPM=6 -GPMU=1 -GEVENT_CLOCK=1" "-GHPM=6 -GPMU=1 -GEVENT_CLOCK=1 -GINTERRUPTS=1 -GEPOCHS=1"; do \
	  verilator --lint-only -Wall -I$(GEN) $(PROFILE_I) -GFIFO_LOG2=10 -GNUMBER_BITS=20 -GLOCKS=1 -GLOCK_DATA=1 -GBORDER=1 -GRECORDS_LOG2=9 -GWATCH_LOG2=8 -GWATCH_VALUES=1 $$p --top-module gnomon_profile $(PROFILE_V) || exit 1; done
	@for p in "1 0" "1 6" "1 10"; do set -- $$p; \
	  verilator --lint-only -Wall -I$(GEN) $(PROFILE_I) -GCAUSES=$$1 -GCODE_WINDOW_LOG2=$$2 --top-module gnomon_profile $(PROFILE_V) || exit 1; done
	@for p in "-GTAGS_LOG2=18 -GHPM=6 -GPMU=1 -GLATENCY=1" "-GTAGS_LOG2=12" "-GTAGS_LOG2=14 -GTAG_CACHE=1 -GMEMORY_LOG2=24"; do \
	  verilator --lint-only -Wall -I$(GEN) $(PROFILE_I) $$p --top-module gnomon_profile $(PROFILE_V) || exit 1; done
	@for p in "tags -GLOG2=6" "tags -GPER_ADDRESS_LOG2=2" "tags -GPER_ADDRESS_LOG2=0" sampler "hpm -GTAG_DELAY=1" "hpm -GTAG_DELAY=12"; do \
	  verilator --lint-only -Wall -I$(GEN) $(PROFILE_I) --top-module gnomon_$$p $(PROFILE_V) || exit 1; done

# The benches: random and directed event sequences, checked by an independent decoder. Verilator with the parameters of each
# configuration, Icarus for the directed cases of small and full.
PROFILE_PARAMS_small := FIFO_LOG2=8 HPM=0 LOCKS=2
PROFILE_PARAMS_mid := FIFO_LOG2=8 HPM=2 LOCKS=1
PROFILE_PARAMS_full := FIFO_LOG2=10 HPM=6 PMU=1 LOCKS=1 NUMBER_BITS=20 BORDER=1
# full as it is simulated: with the data of lock accesses and the bus filter.
PROFILE_PARAMS_bus := $(PROFILE_PARAMS_full) LOCK_DATA=1 TRAFFIC=1 LOCK_WORDS_LOG2=10 INTERRUPTS=1
# The same in narrow entries, as on a 25F: without the data.
PROFILE_PARAMS_bus-narrow := FIFO_LOG2=9 HPM=2 LOCKS=1 TRAFFIC=1 LOCK_WORDS_LOG2=6 INTERRUPTS=1 BORDER=1
PROFILE_PARAMS_bus-watch := $(PROFILE_PARAMS_bus) WATCH_LOG2=8 WATCH_FRAMES_LOG2=5
# Too few records and frames, so that overflow is tested.
PROFILE_PARAMS_records := FIFO_LOG2=10 HPM=6 LOCKS=1 NUMBER_BITS=20 RECORDS_LOG2=9 FRAMES_LOG2=7 THREADS_LOG2=6 ARCS=1 BUCKETS_LOG2=9 EPOCHS=1 LOSSES=1 BORDER=1
PROFILE_PARAMS_records-narrow := FIFO_LOG2=8 HPM=2 LOCKS=1 RECORDS_LOG2=8 FRAMES_LOG2=5 ARCS=1 BUCKETS_LOG2=6 LOSSES=1
PROFILE_PARAMS_records-compact := FIFO_LOG2=8 HPM=0 LOCKS=2 RECORDS_LOG2=9 FRAMES_LOG2=5 COMPACT=1
PROFILE_PARAMS_records-compact-locks := FIFO_LOG2=8 HPM=2 LOCKS=1 RECORDS_LOG2=8 FRAMES_LOG2=5 COMPACT=1
# Few places for frames, so that they run out. The benches of full run through this queue, too.
PROFILE_PARAMS_watch := FIFO_LOG2=12 HPM=6 LOCKS=1 NUMBER_BITS=20 WATCH_LOG2=10 WATCH_FRAMES_LOG2=5 WATCH_VALUES=1 BORDER=1
# The sizes of a board.
PROFILE_PARAMS_watch-small := FIFO_LOG2=12 LOCKS=1 NUMBER_BITS=20 WATCH_LOG2=8 WATCH_FRAMES_LOG2=6 BORDER=1
# Time that can count an event: the trace, with calls without hooks; the records.
PROFILE_PARAMS_clock := $(PROFILE_PARAMS_bus) WATCH_LOG2=8 WATCH_FRAMES_LOG2=5 EVENT_CLOCK=1
PROFILE_PARAMS_clock-records := $(PROFILE_PARAMS_records) PMU=1 WATCH_LOG2=8 EVENT_CLOCK=1
PROFILE_TB := tests/rtl/profile/tb_profile.v rtl/soc/gnomon_program_end.v
PROFILE_PY := $(wildcard tests/rtl/profile/*.py) $(TRACE_PY)

$(PROFILE_OUT)/vl_%/tb: $(PROFILE_TB) $(PROFILE_V) $(wildcard $(patsubst %,rtl/%/*.vh,$(PROFILE_ROOMS))) $(REGISTERS_VH)
	@mkdir -p $(@D)
	verilator --binary --timing -Wno-WIDTH -Wno-MULTIDRIVEN -I$(GEN) $(PROFILE_I) $(addprefix -G,$(PROFILE_PARAMS_$*)) -Mdir $(@D) -o tb \
	  --top-module tb_profile $(PROFILE_TB) $(PROFILE_V) > $(@D)/verilator.log 2>&1 || { cat $(@D)/verilator.log; exit 1; }
$(PROFILE_OUT)/%.vvp: $(PROFILE_TB) $(PROFILE_V) $(wildcard $(patsubst %,rtl/%/*.vh,$(PROFILE_ROOMS))) $(REGISTERS_VH)
	@mkdir -p $(@D)
	iverilog -g2005 -Wall -Wno-timescale -I$(GEN) $(PROFILE_I) -s tb_profile $(addprefix -Ptb_profile.,$(PROFILE_PARAMS_$*)) -o $@ $(PROFILE_TB) $(PROFILE_V)

PROFILE_TESTS := $(addprefix test-profile-,small mid full bus bus-narrow)
TESTS += $(PROFILE_TESTS)
CI_TESTS += test-profile-icarus
SIM_TESTS += $(PROFILE_TESTS) test-profile-icarus
.PHONY: $(PROFILE_TESTS) test-profile-icarus test-profile
test-profile: $(PROFILE_TESTS) test-profile-icarus ## every bench of the profiler
$(PROFILE_TESTS): test-profile-%: $(PROFILE_OUT)/vl_%/tb $(PROFILE_PY)
	python3 tests/rtl/profile/run.py --simulation $< --out $(PROFILE_OUT)/$* --config $* $(if $(filter bus-narrow,$*),coincide traffic classes words interrupts)
test-profile-icarus: $(PROFILE_OUT)/small.vvp $(PROFILE_OUT)/full.vvp $(PROFILE_OUT)/bus.vvp $(PROFILE_PY)
	python3 tests/rtl/profile/run.py --simulation $(PROFILE_OUT)/small.vvp --out $(PROFILE_OUT)/icarus_small --config small traps coincide flushes counters counts_read classes
	python3 tests/rtl/profile/run.py --simulation $(PROFILE_OUT)/full.vvp --out $(PROFILE_OUT)/icarus_full --config full traps coincide flushes counters counts_read classes
	python3 tests/rtl/profile/run.py --simulation $(PROFILE_OUT)/bus.vvp --out $(PROFILE_OUT)/icarus_bus --config bus coincide traffic interrupts

# Hookless call tracing; and the benches of full through the queue, except those in which several events count at once.
WATCHED_RUN := python3 tests/rtl/profile/watched.py --places-log2 10 --frames-log2 5 --marks 1
TESTS += test-profile-watch
CI_TESTS += test-profile-watch-icarus
SIM_TESTS += test-profile-watch test-profile-watch-icarus
.PHONY: test-profile-watch test-profile-watch-icarus
test-profile-watch: $(PROFILE_OUT)/vl_watch/tb $(PROFILE_OUT)/vl_watch-small/tb $(PROFILE_OUT)/vl_bus-watch/tb $(PROFILE_PY) ## calls and returns recognised from the instructions, against a machine that knows
	$(WATCHED_RUN) --simulation $< --out $(PROFILE_OUT)/watch
	python3 tests/rtl/profile/watched.py --places-log2 8 --frames-log2 6 --marks 0 --simulation $(PROFILE_OUT)/vl_watch-small/tb --out $(PROFILE_OUT)/watch-small \
	  plain0 jumps0 tails0 deep0 deep1 threads0 threads-traps0 hidden overrun
	python3 tests/rtl/profile/run.py --simulation $< --out $(PROFILE_OUT)/watch-full --config full edges deep traps coincide ends overflows classes resets flushes threads unbalanced random_runs
	python3 tests/rtl/profile/run.py --simulation $(PROFILE_OUT)/vl_bus-watch/tb --out $(PROFILE_OUT)/bus-watch --config bus coincide traffic classes resets random_runs words interrupts
test-profile-watch-icarus: $(PROFILE_OUT)/watch.vvp $(PROFILE_PY)
	$(WATCHED_RUN) --simulation $< --out $(PROFILE_OUT)/icarus_watch plain0 traps1 jumps2 deep1 threads0 message-first0 lossy2 again

CI_TESTS += test-profile-clock
DEEP_TESTS += test-profile-clock-icarus
SIM_TESTS += test-profile-clock
.PHONY: test-profile-clock test-profile-clock-icarus
test-profile-clock: $(PROFILE_OUT)/vl_clock/tb $(PROFILE_OUT)/vl_clock-records/tb $(PROFILE_PY) ## time that counts an event, in the trace and in the records
	python3 tests/rtl/profile/clocks.py --simulation $< --records $(PROFILE_OUT)/vl_clock-records/tb --out $(PROFILE_OUT)/clock
test-profile-clock-icarus: $(PROFILE_OUT)/clock.vvp $(PROFILE_OUT)/clock-records.vvp $(PROFILE_PY)
	python3 tests/rtl/profile/clocks.py --simulation $< --records $(PROFILE_OUT)/clock-records.vvp --out $(PROFILE_OUT)/icarus_clock 60

TESTS += test-records
DEEP_TESTS += test-records-icarus
SIM_TESTS += test-records test-records-icarus
RECORDS_RUN := python3 tests/rtl/profile/records.py
# Sizes of the benches' hardware (PROFILE_PARAMS above), as options of the model.
RECORDS_SIZES_records := --records-log2 9 --frames-log2 7 --buckets-log2 9 --epochs 1 --threads-log2 6 --number-bits 20
RECORDS_SIZES_records-narrow := --records-log2 8 --frames-log2 5 --buckets-log2 6 --epochs 0 --threads-log2 3 --number-bits 16
RECORDS_SIZES_records-compact := --records-log2 9 --frames-log2 5 --buckets-log2 0 --epochs 0 --threads-log2 3 --number-bits 16
RECORDS_SIZES_records-compact-locks := --records-log2 8 --frames-log2 5 --buckets-log2 0 --epochs 0 --threads-log2 3 --number-bits 16
.PHONY: test-records test-records-icarus
test-records: $(PROFILE_OUT)/vl_records/tb $(PROFILE_OUT)/vl_records-narrow/tb $(PROFILE_PY) ## the records that the hardware keeps, against a model
	$(RECORDS_RUN) --simulation $< --out $(PROFILE_OUT)/records $(RECORDS_SIZES_records)
	$(RECORDS_RUN) --simulation $(PROFILE_OUT)/vl_records-narrow/tb --out $(PROFILE_OUT)/records-narrow $(RECORDS_SIZES_records-narrow)
TESTS += test-records-compact
SIM_TESTS += test-records-compact
.PHONY: test-records-compact
test-records-compact: $(PROFILE_OUT)/vl_records-compact/tb $(PROFILE_OUT)/vl_records-compact-locks/tb $(PROFILE_PY) ## the same in the compact form
	$(RECORDS_RUN) --simulation $< --out $(PROFILE_OUT)/records-compact $(RECORDS_SIZES_records-compact) \
	  calls traps threads beyond deep fast back stalled others long recursion astray untracked again
	$(RECORDS_RUN) --simulation $(PROFILE_OUT)/vl_records-compact-locks/tb --out $(PROFILE_OUT)/records-compact-locks $(RECORDS_SIZES_records-compact-locks)
.PHONY: bench-records-compact
bench-records-compact: $(PROFILE_OUT)/vl_records-compact/tb $(PROFILE_PY) ## cycles that each event takes there; also build/records-compact.json
	python3 tests/rtl/profile/bench_compact.py --simulation $< --out $(PROFILE_OUT)/bench-compact --json $(BUILD)/records-compact.json
TESTS += test-buckets
.PHONY: test-buckets
$(PROFILE_OUT)/buckets.vvp: tests/rtl/profile/tb_buckets.v rtl/profile/records/gnomon_buckets.v rtl/profile/records/gnomon_record_sum.v
	@mkdir -p $(@D)
	iverilog -g2005 -Wall -Wno-timescale -s tb_buckets -o $@ $^
test-buckets: $(PROFILE_OUT)/buckets.vvp ## the buckets of lengths of calls, as far as they go
	vvp -n $<
TESTS += test-record-counts
.PHONY: test-record-counts
$(PROFILE_OUT)/record-counts.vvp: tests/rtl/profile/tb_record_counts.v rtl/profile/records/gnomon_record_counts.v
	@mkdir -p $(@D)
	iverilog -g2005 -Wall -Wno-timescale -s tb_record_counts -o $@ $^
test-record-counts: $(PROFILE_OUT)/record-counts.vvp ## the counts of the call aggregator, with reads in any cycle
	vvp -n $<
test-records-icarus: $(PROFILE_OUT)/records-narrow.vvp $(PROFILE_OUT)/records.vvp $(PROFILE_OUT)/records-compact-locks.vvp $(PROFILE_PY)
	$(RECORDS_RUN) --simulation $< --out $(PROFILE_OUT)/icarus_records $(RECORDS_SIZES_records-narrow) threads others again stalled
	$(RECORDS_RUN) --simulation $(PROFILE_OUT)/records.vvp --out $(PROFILE_OUT)/icarus_records $(RECORDS_SIZES_records) epochs-others
	$(RECORDS_RUN) --simulation $(PROFILE_OUT)/records-compact-locks.vvp --out $(PROFILE_OUT)/icarus_records-compact $(RECORDS_SIZES_records-compact-locks) again

# The counters by cause, and the counters by instruction of a code window: once with a list that is large enough, once with one that is too short.
TESTS += test-causes
SIM_TESTS += test-causes
CAUSES_V := tests/rtl/profile/tb_stall_causes.v rtl/profile/causes/gnomon_stall_causes.v rtl/profile/causes/gnomon_code_window.v
CAUSES_CROWDED := QUEUE_LOG2=3 LENGTH=6 CROWDED=1
$(PROFILE_OUT)/vl_causes/tb $(PROFILE_OUT)/vl_causes-crowded/tb $(PROFILE_OUT)/vl_causes-memory/tb: $(CAUSES_V) $(REGISTERS_VH)
	@mkdir -p $(@D)
	verilator --binary --timing -Wno-WIDTH -I$(GEN) -GRUNS=60 $(if $(findstring crowded,$@),$(addprefix -G,$(CAUSES_CROWDED)))$(if $(findstring memory,$@),-GMEMORY=1) -Mdir $(@D) -o tb \
	  --top-module tb_stall_causes $(CAUSES_V) > $(@D)/verilator.log 2>&1 || { cat $(@D)/verilator.log; exit 1; }
$(PROFILE_OUT)/causes.vvp $(PROFILE_OUT)/causes-crowded.vvp: $(CAUSES_V) $(REGISTERS_VH)
	@mkdir -p $(@D)
	iverilog -g2009 -Wall -Wno-timescale -I$(GEN) -s tb_stall_causes $(if $(findstring crowded,$@),$(addprefix -Ptb_stall_causes.,$(CAUSES_CROWDED))) -o $@ $(CAUSES_V)
.PHONY: test-causes
test-causes: $(PROFILE_OUT)/vl_causes/tb $(PROFILE_OUT)/vl_causes-crowded/tb $(PROFILE_OUT)/vl_causes-memory/tb $(PROFILE_OUT)/causes.vvp $(PROFILE_OUT)/causes-crowded.vvp ## cycles by cause and instruction, against an account by the book
	$(PROFILE_OUT)/vl_causes/tb
	$(PROFILE_OUT)/vl_causes-crowded/tb
	$(PROFILE_OUT)/vl_causes-memory/tb
	vvp -n $(PROFILE_OUT)/causes.vvp
	vvp -n $(PROFILE_OUT)/causes-crowded.vvp

# The tags at the limits of their registers, and the sampler. Verilator in three settings, and Icarus.
TAGS_RTL := $(wildcard rtl/profile/tags/*.v)
TAG_ACTIONS_V := tests/rtl/profile/tb_tag_actions.v $(TAGS_RTL)
SAMPLER_V := tests/rtl/profile/tb_sampler.v rtl/profile/tags/gnomon_sampler.v
TAGS_BENCHES := $(foreach b,tag_actions sampler,$(foreach v,plain nosplit O0,$(PROFILE_OUT)/vl_$b-$v/tb) $(PROFILE_OUT)/$b.vvp)
TAGS_FLAGS_nosplit := -fno-split
TAGS_FLAGS_O0 := -O0
TAGS_ICARUS_tags := -Ptb_tags.CYCLES=8000
BENCH_HEADERS := $(wildcard tests/rtl/profile/*.vh)
define tags_bench
$$(PROFILE_OUT)/vl_$1-%/tb: $2 $$(REGISTERS_VH) $(BENCH_HEADERS)
	@mkdir -p $$(@D)
	verilator --binary --timing -Wno-WIDTH $$(TAGS_FLAGS_$$*) -I$$(GEN) -Itests/rtl/profile $(PROFILE_I) -Mdir $$(@D) -o tb --top-module tb_$1 $2 > $$(@D)/verilator.log 2>&1 || { cat $$(@D)/verilator.log; exit 1; }
$$(PROFILE_OUT)/$1.vvp: $2 $$(REGISTERS_VH) $(BENCH_HEADERS)
	@mkdir -p $$(@D)
	iverilog -g2009 -Wall -Wno-timescale -I$$(GEN) -Itests/rtl/profile $(PROFILE_I) -s tb_$1 $(TAGS_ICARUS_$1) -o $$@ $2
endef
$(eval $(call tags_bench,tag_actions,$(TAG_ACTIONS_V)))
$(eval $(call tags_bench,sampler,$(SAMPLER_V)))
# The whole block TAGS: with per-address counters, and without.
TAGS_V := tests/rtl/profile/tb_tags.v $(TAGS_RTL)
TAGS_FLAGS_none := -GPER_ADDRESS_LOG2=0
TAGS_FLAGS_long := -GCYCLES=400000
$(eval $(call tags_bench,tags,$(TAGS_V)))
# The tag caches.
TAG_CACHE_V := tests/rtl/profile/tb_tag_cache.v $(addprefix rtl/profile/tags/gnomon_tag_,cache.v lines.v shadow.v)
$(eval $(call tags_bench,tag_cache,$(TAG_CACHE_V)))
DEEP_TESTS += test-tag-cache
SIM_TESTS += test-tag-cache
.PHONY: test-tag-cache
test-tag-cache: $(PROFILE_OUT)/vl_tag_cache-plain/tb $(PROFILE_OUT)/tag_cache.vvp ## the tag caches against a model of the last lines
	$<
	vvp -n $(PROFILE_OUT)/tag_cache.vvp
CI_TESTS += test-tag-actions
SIM_TESTS += test-tag-actions
.PHONY: test-tag-actions
test-tag-actions: $(TAGS_BENCHES) ## tags at the limits of their registers, by directed cases; the sampler against a model
	for tb in $(filter %/tb,$^); do $$tb || exit 1; done
	for tb in $(filter %.vvp,$^); do vvp -n $$tb || exit 1; done
TESTS += test-tags
SIM_TESTS += test-tags
.PHONY: test-tags
test-tags: $(patsubst %,$(PROFILE_OUT)/vl_tags-%/tb,plain none) ## whose tag comes out, and when, and what it does, against a model
	for tb in $^; do $$tb || exit 1; done
DEEP_TESTS += test-tags-deep
.PHONY: test-tags-deep
test-tags-deep: $(patsubst %,$(PROFILE_OUT)/vl_tags-%/tb,nosplit O0 long) $(PROFILE_OUT)/tags.vvp ## the same for longer, in Verilator without its optimisations, and in Icarus
	for tb in $(filter %/tb,$^); do $$tb || exit 1; done
	for tb in $(filter %.vvp,$^); do vvp -n $$tb || exit 1; done

# The reduced form of tags, for the UP5K. Verilator with and without its optimisations, and Icarus.
TAGS_ICARUS_reduced_tags := -Ptb_reduced_tags.CYCLES=20000
$(eval $(call tags_bench,reduced_tags,tests/rtl/profile/tb_reduced_tags.v $(wildcard rtl/profile/reduced/*.v) rtl/up5k/gnomon_up5k_adder.v))
TESTS += test-reduced-tags
SIM_TESTS += test-reduced-tags
.PHONY: test-reduced-tags
test-reduced-tags: $(foreach v,plain O0,$(PROFILE_OUT)/vl_reduced_tags-$v/tb) $(PROFILE_OUT)/reduced_tags.vvp ## the reduced form of tags against plain arrays, and at its limits
	for tb in $(filter %/tb,$^); do $$tb || exit 1; done
	vvp -n $(PROFILE_OUT)/reduced_tags.vvp
# The reduced form of the selectable counters, in the same three simulators.
TAGS_ICARUS_reduced_counters := -Ptb_reduced_counters.CYCLES=50000
$(eval $(call tags_bench,reduced_counters,tests/rtl/profile/tb_reduced_counters.v $(wildcard rtl/profile/reduced/*.v) rtl/up5k/gnomon_up5k_adder.v))
TESTS += test-reduced-counters
SIM_TESTS += test-reduced-counters
.PHONY: test-reduced-counters
test-reduced-counters: $(foreach v,plain O0,$(PROFILE_OUT)/vl_reduced_counters-$v/tb) $(PROFILE_OUT)/reduced_counters.vvp ## the reduced form of the selectable counters against plain ones, to the cycle, and at its limits
	for tb in $(filter %/tb,$^); do $$tb || exit 1; done
	vvp -n $(PROFILE_OUT)/reduced_counters.vvp

# The selectable counters and the ranges against plain counters, with every hard case of the counter store; without tags and with them.
COUNTERS_V := tests/rtl/profile/tb_counters.v $(addprefix rtl/profile/counters/gnomon_,counters.v hpm.v hpm_counter.v thread.v ranges.v counter_store.v)
COUNTERS_SEEDS := 1 2 3 4
$(PROFILE_OUT)/vl_counters-%/tb: $(COUNTERS_V) $(REGISTERS_VH)
	@mkdir -p $(@D)
	verilator --binary --timing -Wno-WIDTH -GTAG_DELAY=$* -I$(GEN) $(PROFILE_I) -Mdir $(@D) -o tb --top-module tb_counters $(COUNTERS_V) > $(@D)/verilator.log 2>&1 || { cat $(@D)/verilator.log; exit 1; }
$(PROFILE_OUT)/counters-%.vvp: $(COUNTERS_V) $(REGISTERS_VH)
	@mkdir -p $(@D)
	iverilog -g2009 -Wall -Wno-timescale -I$(GEN) $(PROFILE_I) -s tb_counters -Ptb_counters.TAG_DELAY=$* -Ptb_counters.CYCLES=60000 -o $@ $(COUNTERS_V)
TESTS += test-counter-store
CI_TESTS += test-counter-store-icarus
SIM_TESTS += test-counter-store test-counter-store-icarus
.PHONY: test-counter-store test-counter-store-icarus
test-counter-store: $(patsubst %,$(PROFILE_OUT)/vl_counters-%/tb,0 8) ## selectable counters and ranges, as CSRs and as registers, against plain counters in every cycle
	for tb in $^; do for seed in $(COUNTERS_SEEDS); do $$tb +seed=$$seed || exit 1; done; done
test-counter-store-icarus: $(patsubst %,$(PROFILE_OUT)/counters-%.vvp,0 8) ## the same in Icarus
	for tb in $^; do vvp -n $$tb || exit 1; done

# mcycle, minstret and time while the hart accesses counters without a pause, without selectable counters and with them.
PMU_V := tests/rtl/profile/tb_pmu.v $(addprefix rtl/profile/counters/gnomon_,pmu.v cycle.v)
$(PROFILE_OUT)/vl_pmu-%/tb: $(PMU_V)
	@mkdir -p $(@D)
	verilator --binary --timing -Wno-WIDTH -GHPM=$* -Mdir $(@D) -o tb --top-module tb_pmu $(PMU_V) > $(@D)/verilator.log 2>&1 || { cat $(@D)/verilator.log; exit 1; }
TESTS += test-counter-sweep
SIM_TESTS += test-counter-sweep
.PHONY: test-counter-sweep
test-counter-sweep: $(patsubst %,$(PROFILE_OUT)/vl_pmu-%/tb,0 6) ## CSR accesses without a pause lose no count of mcycle, minstret and time
	for tb in $^; do $$tb || exit 1; done

# The latency filter, without tags and with them.
LATENCY_V := tests/rtl/profile/tb_latency.v rtl/profile/counters/gnomon_latency.v
$(PROFILE_OUT)/vl_latency-%/tb: $(LATENCY_V) $(REGISTERS_VH)
	@mkdir -p $(@D)
	verilator --binary --timing -Wno-WIDTH -GTAG_DELAY=$* -I$(GEN) -Mdir $(@D) -o tb --top-module tb_latency $(LATENCY_V) > $(@D)/verilator.log 2>&1 || { cat $(@D)/verilator.log; exit 1; }
$(PROFILE_OUT)/latency-%.vvp: $(LATENCY_V) $(REGISTERS_VH)
	@mkdir -p $(@D)
	iverilog -g2009 -Wall -Wno-timescale -I$(GEN) -s tb_latency -Ptb_latency.TAG_DELAY=$* -Ptb_latency.CYCLES=300000 -o $@ $(LATENCY_V)
CI_TESTS += test-instruction-latency
SIM_TESTS += test-instruction-latency
.PHONY: test-instruction-latency
test-instruction-latency: $(foreach d,0 4,$(PROFILE_OUT)/vl_latency-$d/tb $(PROFILE_OUT)/latency-$d.vvp) ## the distribution of latencies, and the first one at a threshold, against a model in every cycle
	for tb in $(filter %/tb,$^); do $$tb || exit 1; done
	for tb in $(filter %.vvp,$^); do vvp -n $$tb || exit 1; done

# Proofs: the FIFO alone (order, content, no overflow, no underflow); capture with its FIFO (there is always room for exits of admitted frames).
.PHONY: test-formal-profile test-cone
CI_TESTS += test-cone
CI_TESTS += test-formal-profile
# The store's memory is small enough for gates and yosys' own solver, which is much faster here than the SMT solver. -q keeps only errors; an unproved assertion is one (-verify).
prove_store = yosys -q -p "read_verilog -formal tests/formal/counter_store.v rtl/profile/counters/gnomon_counter_store.v; $1; prep -top counter_store -flatten -nordff; memory -nordff; opt -full; techmap; opt -fast; dffunmap; sat -verify -tempinduct -prove-asserts -set-assumes -seq 1 -maxsteps 4"
test-formal-profile: $(REGISTERS_VH) ## prove the capture FIFO, the loss rule and the counters by k-induction
	tests/formal/prove.sh --out $(PROFILE_OUT)/formal/fifo.smt2 --top gnomon_trace_fifo --depth 4 "read_verilog -formal -DFORMAL_ALONE rtl/profile/trace/gnomon_trace_fifo.v; chparam -set LOG2 4 -set WIDTH 8 gnomon_trace_fifo"
	tests/formal/prove.sh --out $(PROFILE_OUT)/formal/capture.smt2 --top capture_fifo --depth 6 "read_verilog -formal -I$(GEN) $(PROFILE_I) tests/formal/capture_fifo.v rtl/profile/trace/gnomon_capture.v rtl/profile/trace/gnomon_trace_fifo.v"
	tests/formal/prove.sh --out $(PROFILE_OUT)/formal/capture-data.smt2 --top capture_fifo --depth 6 "read_verilog -formal -I$(GEN) $(PROFILE_I) tests/formal/capture_fifo.v rtl/profile/trace/gnomon_capture.v rtl/profile/trace/gnomon_trace_fifo.v; chparam -set DATA 1 capture_fifo"
	tests/formal/prove.sh --out $(PROFILE_OUT)/formal/capture-timed.smt2 --top capture_fifo --depth 6 "read_verilog -formal -I$(GEN) $(PROFILE_I) tests/formal/capture_fifo.v rtl/profile/trace/gnomon_capture.v rtl/profile/trace/gnomon_trace_fifo.v; chparam -set TIMED 1 capture_fifo"
	tests/formal/prove.sh --out $(PROFILE_OUT)/formal/capture-keeps-up.smt2 --top capture_fifo --depth 6 "read_verilog -formal -I$(GEN) $(PROFILE_I) tests/formal/capture_fifo.v rtl/profile/trace/gnomon_capture.v rtl/profile/trace/gnomon_trace_fifo.v; chparam -set KEEPS_UP 1 -set LOG2 6 capture_fifo"
	$(call prove_store,)
	$(call prove_store,chparam -set N 2 -set INDEX 1 -set LOW 4 -set WIDTH 6 -set PATIENCE 4 counter_store)
	$(call prove_store,chparam -set WAITS 2 -set WRITES 1 counter_store)
	tests/formal/prove.sh --out $(PROFILE_OUT)/formal/hpm-counter.smt2 --top hpm_counter --depth 4 "read_verilog -formal -I$(GEN) tests/formal/hpm_counter.v tests/formal/counter_plain.v rtl/profile/counters/gnomon_hpm_counter.v"
	tests/formal/prove.sh --out $(PROFILE_OUT)/formal/tag-filters.smt2 --top tag_filters --depth 5 "read_verilog -formal -I$(GEN) tests/formal/tag_filters.v tests/formal/counter_plain.v rtl/profile/counters/gnomon_hpm_counter.v"
	tests/formal/prove.sh --out $(PROFILE_OUT)/formal/tag-low.smt2 --top gnomon_tag_low --depth 3 "read_verilog -formal rtl/profile/tags/gnomon_tag_low.v; chparam -set WIDTH 5 -set AMOUNT 3 gnomon_tag_low"
	tests/formal/prove.sh --out $(PROFILE_OUT)/formal/tag-gates.smt2 --top gnomon_tag_gates --depth 3 "read_verilog -formal rtl/profile/tags/gnomon_tag_gates.v rtl/profile/tags/gnomon_tag_queue.v"
	tests/formal/prove.sh --out $(PROFILE_OUT)/formal/tag-per-address.smt2 --top gnomon_tag_per_address_segment --depth 4 "read_verilog -formal rtl/profile/tags/gnomon_tag_per_address_segment.v; chparam -set LOG2 3 gnomon_tag_per_address_segment"
test-cone: $(REGISTERS_VH) ## show that nothing but read data and the interrupt leads from the profiler back into the core
	tests/formal/cone.sh $(PROFILE_OUT)/cone $(GEN)

DEEP_TESTS += test-cone-netlist
.PHONY: test-cone-netlist
test-cone-netlist: $(REGISTERS_VH) ## the same of the netlists after synthesis for iCE40 and ECP5
	tests/formal/cone_netlist.sh $(PROFILE_OUT)/cone-netlist $(GEN)

# For small and full; the deep tests are for mid, for two harts, and for mutants of the SoC.
.PHONY: prove-noninterference test-noninterference test-noninterference-deep test-noninterference-harts
CI_TESTS += test-noninterference
DEEP_TESTS += test-noninterference-deep test-noninterference-harts
PROVE_EQUAL := tests/formal/noninterference/prove.sh --out $(PROFILE_OUT)/noninterference --include $(GEN)
prove-noninterference: test-noninterference test-noninterference-deep test-noninterference-harts ## prove that whatever the profiler is set to and contains, everything else is the same in every cycle
# Proves the assumption of the proof: registers that are not selected read as 0.
UNSELECTED_small := LOCKS=2 RECORDS_LOG2=9 COMPACT=1 FRAMES_LOG2=8
UNSELECTED_counters := LOCKS=2 COMPACT=1 REDUCED=1
UNSELECTED_tags := LOCKS=2 COMPACT=1 REDUCED=2
UNSELECTED_bus := LOCKS=3 TRAFFIC=1 COMPACT=1
UNSELECTED_second := FIFO_LOG2=10 NUMBER_BITS=20 HPM=6 LOCKS=1 LOCK_DATA=1 TRAFFIC=1 LOCK_WORDS_LOG2=10 BORDER=1 RECORDS_LOG2=11 THREADS_LOG2=6 ARCS=1 BUCKETS_LOG2=11 EPOCHS=1 LOSSES=1 SWITCHES=1 WATCH_LOG2=12 WATCH_VALUES=1 EVENT_CLOCK=1 PMU=1 CAUSES=1 CODE_WINDOW_LOG2=10
UNSELECTED_full := FIFO_LOG2=10 NUMBER_BITS=20 HPM=6 LOCKS=1 LOCK_DATA=1 TRAFFIC=1 LOCK_WORDS_LOG2=10 INTERRUPTS=1 BORDER=1 RECORDS_LOG2=11 THREADS_LOG2=6 ARCS=1 BUCKETS_LOG2=11 EPOCHS=1 LOSSES=1 SWITCHES=1 WATCH_LOG2=12 WATCH_VALUES=1 EVENT_CLOCK=1 PMU=1 LATENCY=1 CAUSES=1 CODE_WINDOW_LOG2=10 TAGS_LOG2=12
prove_unselected = tests/formal/prove.sh --out $(PROFILE_OUT)/noninterference/unselected-$1.smt2 --top gnomon_profile --depth 2 "read_verilog -sv -DFORMAL_UNSELECTED -I$(GEN) $(PROFILE_I) $(PROFILE_V); chparam $(foreach p,$(UNSELECTED_$1),-set $(subst =, ,$p)) gnomon_profile"
test-noninterference: $(REGISTERS_VH) ## the same for small and full
	$(PROVE_EQUAL) 0 2
	$(call prove_unselected,small)
	$(call prove_unselected,full)
test-noninterference-deep: $(REGISTERS_VH) ## the same for mid, without and with a data cache, for small with flash memory, with reduced counters, tags, and the bus filter; mutants that the proof must find
	$(PROVE_EQUAL) 1 cached flash counters tags bus mutants
	$(call prove_unselected,counters)
	$(call prove_unselected,tags)
	$(call prove_unselected,bus)
test-noninterference-harts: $(REGISTERS_VH) ## the same for two harts, whose profilers differ both at once; mutants that the proof must find
	$(PROVE_EQUAL) duo duo-mutants
	$(call prove_unselected,second)

.PHONY: profile-area
profile-area: $(REGISTERS_VH) ## area of the profiler on iCE40 in the parameters of small, by module
	@mkdir -p $(PROFILE_OUT)/area
	yosys -q -p "read_verilog -I$(GEN) $(PROFILE_I) $(PROFILE_V) rtl/up5k/gnomon_up5k_adder.v; chparam -set FIFO_LOG2 8 -set HPM 0 -set LOCKS 2 -set RECORDS_LOG2 9 -set COMPACT 1 -set FRAMES_LOG2 8 -set UP5K 1 gnomon_profile; synth_ice40 -noflatten -top gnomon_profile; tee -q -o $(PROFILE_OUT)/area/modules stat"
	@awk '/=== /{name = $$2} /SB_LUT4|SB_RAM/{print name, $$1, $$2}' $(PROFILE_OUT)/area/modules
	yosys -q -p "read_verilog -I$(GEN) $(PROFILE_I) $(PROFILE_V) rtl/up5k/gnomon_up5k_adder.v; chparam -set FIFO_LOG2 8 -set HPM 0 -set LOCKS 2 -set RECORDS_LOG2 9 -set COMPACT 1 -set FRAMES_LOG2 8 -set UP5K 1 gnomon_profile; synth_ice40 -top gnomon_profile -json $(PROFILE_OUT)/area/profile.json"
	$(NEXTPNR_ICE40) --up5k --pack-only --json $(PROFILE_OUT)/area/profile.json 2>&1 | grep -E 'ICESTORM_(LC|RAM|DSP|SPRAM):'
