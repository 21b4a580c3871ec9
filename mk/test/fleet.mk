# SPDX-License-Identifier: Apache-2.0
# API profiles, and what is made of them.

##@ API profiles
FLEET := $(HOST_TEST)/fleet
$(FLEET)/test_api_profile: tests/host/fleet/test_api_profile.c host/lib/fleet/api_file.h host/lib/fleet/api_profile.h $(LIBGNOMON_ASAN)
	@mkdir -p $(@D)
	$(CC) $(HOST_CFLAGS) $(SANITIZE) -o $@ $< $(LIBGNOMON_ASAN) $$(pkg-config --cflags --libs cmocka) $(HOST_LIBS)
.PHONY: test-api-profile
TESTS += test-api-profile
test-api-profile: $(FLEET)/test_api_profile ## API profiles add in any order to the same bytes, also at the largest values; damaged files
	$< 1
# Recordings with heap messages, of threads, of both harts, of function records, with losses, and of modules.
FLEET_RECORDINGS := $(addprefix $(HEAP)/,random.gnt threads.gnt zlib.gnt lossy.gnt) $(FLEET)/records.gnt $(FLEET)/deep.gnt
$(FLEET)/deep.gnt: tests/host/fleet/deep.c $(FW_FILES) $(E2E_SIM) | $(BUILD)/bin/gnomon
	@mkdir -p $(@D)
	gnomon cc --gnomon-heap -O1 -g -o $(@:.gnt=.elf) $<
	gnomon record -q --events -d sim:full -o $@ $(@:.gnt=.elf)
$(FLEET)/deep.gnt: export GNOMON_SIM_DIR := $(BUILD)/sim
$(FLEET)/records.gnt: $(HEAP)/zlib.elf $(E2E)/text $(E2E_SIM)
	@mkdir -p $(@D)
	gnomon record -q -d sim:full -o $@ $< -- $(E2E)/text $(@D)/text.z >$@.log
$(FLEET)/records.gnt: export GNOMON_SIM_DIR := $(BUILD)/sim
.PHONY: test-merge
TESTS += test-merge
test-merge: $(GNOMON_ASAN) $(FLEET_RECORDINGS) ## gnomon merge and api list: calls and blocks of report and heap, difference 0; the same bytes in any order; bad files
	python3 tests/host/fleet/test_merge.py --gnomon $(GNOMON_ASAN) --out $(FLEET)/merge $(FLEET_RECORDINGS)

$(FLEET)/toml_dump: tests/host/fleet/toml_dump.c host/lib/util/toml.h $(LIBGNOMON_ASAN)
	@mkdir -p $(@D)
	$(CC) $(HOST_CFLAGS) $(SANITIZE) -o $@ $< $(LIBGNOMON_ASAN) $(HOST_LIBS)
.PHONY: test-toml
CI_TESTS += test-toml
test-toml: $(FLEET)/toml_dump ## the reader of api.toml beside Python's, with files put together at random
	python3 tests/host/fleet/test_toml.py --dump $< --seeds 400

# Programs without hooks.
$(FLEET)/calls.elf: tests/host/fleet/calls.c $(FW_FILES) | $(BUILD)/bin/gnomon
	@mkdir -p $(@D)
	gnomon cc --gnomon-off -O2 -g -Wall -Wextra -Werror -o $@ $<
$(FLEET)/ends.elf: tests/host/fleet/ends.c $(FW_FILES) | $(BUILD)/bin/gnomon
	@mkdir -p $(@D)
	gnomon cc --gnomon-off -O2 -g -Wall -Wextra -Werror -o $@ $<
$(FLEET)/slower.elf: tests/host/fleet/calls.c $(FW_FILES) | $(BUILD)/bin/gnomon
	@mkdir -p $(@D)
	gnomon cc --gnomon-off -O2 -g -DSLOWER -o $@ $<
$(FLEET)/interrupts.elf: tests/e2e/programs/interrupts.c $(FW_FILES) | $(BUILD)/bin/gnomon
	@mkdir -p $(@D)
	gnomon cc --gnomon-off -O2 -g -o $@ $<
$(FLEET)/hooked.elf: tests/host/fleet/calls.c $(FW_FILES) | $(BUILD)/bin/gnomon
	@mkdir -p $(@D)
	gnomon cc -O2 -g -o $@ $<
$(FLEET)/zlib.elf: firmware/apps/roundtrip.c $(ZLIB)/libz.a
	@mkdir -p $(@D)
	for source in adler32 compress crc32 deflate inflate inftrees inffast trees uncompr zutil; do \
	  gnomon cc --gnomon-off -O2 -g -c -o $(@D)/$$source.o $(ZLIB)/$$source.c || exit 1; done
	gnomon cc --gnomon-off -O2 -g -isystem $(ZLIB) -o $@ $< $(foreach source,adler32 compress crc32 deflate inflate inftrees inffast trees uncompr zutil,$(@D)/$(source).o)
.PHONY: test-api-run
CI_TESTS += test-api-run
test-api-run: export GNOMON_SIM_DIR := $(CURDIR)/$(BUILD)/sim
test-api-run: $(GNOMON_ASAN) $(FLEET)/calls.elf $(FLEET)/slower.elf $(FLEET)/hooked.elf $(FLEET)/zlib.elf $(E2E)/text $(E2E_SIM) ## gnomon api plan and run: no two functions of a run share a stack; alone as beside all others, difference 0; a stopped one goes on; check --against finds 60 cycles more
	python3 tests/host/fleet/test_api_run.py --gnomon $(GNOMON_ASAN) --out $(FLEET)/run --calls $(FLEET)/calls.elf --slower $(FLEET)/slower.elf --hooked $(FLEET)/hooked.elf --zlib $(FLEET)/zlib.elf --text $(E2E)/text
.PHONY: test-record-clock
CI_TESTS += test-record-clock
test-record-clock: $(GNOMON_ASAN) $(FLEET)/calls.elf $(FLEET)/hooked.elf $(E2E)/matrix-recursion $(E2E)/interrupts-O2 $(BUILD)/demo/zlib.elf $(FREERTOS)/told $(E2E)/hart_locks $(E2E)/text $(E2E_SIM) $(SIM)/small/gnomon-sim $(SIM)/duo/gnomon-sim $(SIM)/cached/full/gnomon-sim ## calls measured in events: each function as in the reference model, each call in cycles as the sum of its stall causes, difference 0
	python3 tests/host/fleet/test_record_clock.py --gnomon $(GNOMON_ASAN) --out $(FLEET)/clock --sim $(SIM) --cached $(SIM)/cached --hooked $(FLEET)/hooked.elf --calls $(FLEET)/calls.elf \
	  --recursion $(E2E)/matrix-recursion --interrupts $(E2E)/interrupts-O2 --zlib $(BUILD)/demo/zlib.elf --text $(E2E)/text --freertos $(FREERTOS)/told --harts $(E2E)/hart_locks

.PHONY: test-clock-harts
CI_TESTS += test-clock-harts
test-clock-harts: export GNOMON_SIM_DIR := $(CURDIR)/$(BUILD)/sim
test-clock-harts: $(GNOMON_ASAN) $(E2E)/hart_locks $(SIM)/duo/gnomon-sim ## calls of two harts measured in events: in each function all stall causes add up to its cycles, difference 0
	python3 tests/host/fleet/test_clock_harts.py --gnomon $(GNOMON_ASAN) --out $(FLEET)/clock-harts --harts $(E2E)/hart_locks

.PHONY: test-api-hard
CI_TESTS += test-api-hard
test-api-hard: export GNOMON_SIM_DIR := $(CURDIR)/$(BUILD)/sim
test-api-hard: $(GNOMON_ASAN) $(FLEET)/calls.elf $(FLEET)/interrupts.elf $(FLEET)/ends.elf $(FLEET)/zlib.elf $(E2E)/text $(E2E_SIM) ## gnomon api plan and run where events are lost, with interrupts, and of programs that never end, fail, or die
	python3 tests/host/fleet/test_api_hard.py --gnomon $(GNOMON_ASAN) --out $(FLEET)/hard --calls $(FLEET)/calls.elf --interrupts $(FLEET)/interrupts.elf --ends $(FLEET)/ends.elf --zlib $(FLEET)/zlib.elf --text $(E2E)/text

.PHONY: test-api-exhaust
CI_TESTS += test-api-exhaust
test-api-exhaust: export GNOMON_SIM_DIR := $(CURDIR)/$(BUILD)/sim
test-api-exhaust: $(GNOMON_ASAN) $(DEMO)/api/libz.a $(addprefix tests/host/fleet/brittle,.c .h .toml _recipe.c) $(E2E_SIM) ## gnomon api exhaust: functions that crash, hang, end the program and write outside of their memory; recipes; all of zlib
	python3 tests/host/fleet/test_api_exhaust.py --gnomon $(GNOMON_ASAN) --out $(FLEET)/exhaust --source tests/host/fleet --zlib $(ZLIB) --libz $(DEMO)/api/libz.a

# The demonstration, with few repetitions.
.PHONY: test-demo-api
CI_TESTS += test-demo-api
test-demo-api: export GNOMON_SIM_DIR := $(CURDIR)/$(BUILD)/sim
test-demo-api: demo-api-program ## make demo-api: alone as all at once, difference 0; 3 % more in a function are found; the rates are in a file
	python3 tests/host/fleet/test_demo_api.py --gnomon $(GNOMON) --zlib $(ZLIB) --libz $(DEMO)/api/libz.a --program firmware/apps/pieces.c --out $(FLEET)/demo

$(FLEET)/test_api_verdict: tests/host/fleet/test_api_verdict.c host/lib/fleet/api_verdict.h host/lib/fleet/hypergeometric.h $(LIBGNOMON_ASAN)
	@mkdir -p $(@D)
	$(CC) $(HOST_CFLAGS) -O1 $(SANITIZE) -o $@ $< $(LIBGNOMON_ASAN) $$(pkg-config --cflags --libs cmocka) $(HOST_LIBS)
.PHONY: test-api-verdict
CI_TESTS += test-api-verdict
test-api-verdict: $(FLEET)/test_api_verdict ## the permutation test: its distribution, all permutations one by one, how often it is wrong without a change, 3 % more
	$< 1

$(FLEET)/test_api_json: tests/host/fleet/test_api_json.c host/lib/fleet/api_json.h host/lib/fleet/api_verdict_json.h host/lib/ui/ui_api.h host/lib/ui/ui_page.h $(LIBGNOMON_ASAN)
	@mkdir -p $(@D)
	$(CC) $(HOST_CFLAGS) $(SANITIZE) -o $@ $< $(LIBGNOMON_ASAN) $$(pkg-config --cflags --libs cmocka) $(HOST_LIBS)
.PHONY: test-api-json
TESTS += test-api-json
test-api-json: $(FLEET)/test_api_json ## API profiles and verdicts as JSON: every number, the largest values, any text; which files a page may have
	$<

$(FLEET)/test_growth: tests/host/fleet/test_growth.c host/lib/fleet/growth.h host/lib/fleet/hypergeometric.h $(LIBGNOMON_ASAN)
	@mkdir -p $(@D)
	$(CC) $(HOST_CFLAGS) -O1 $(SANITIZE) -o $@ $< $(LIBGNOMON_ASAN) $$(pkg-config --cflags --libs cmocka) $(HOST_LIBS)
.PHONY: test-growth
TESTS += test-growth
test-growth: $(FLEET)/test_growth ## laws of growth: the best fit; thousands of random costs judged right or said to be ambiguous
	$< 1
$(FLEET)/sizes.elf: tests/host/fleet/sizes.c $(FLEET)/zlib.elf
	gnomon cc --gnomon-off -O2 -g -Wall -Wextra -Werror -isystem $(ZLIB) -o $@ $< $(@D)/crc32.o
.PHONY: test-classes
CI_TESTS += test-classes
test-classes: export GNOMON_SIM_DIR := $(CURDIR)/$(BUILD)/sim
test-classes: $(GNOMON_ASAN) $(FLEET)/sizes.elf $(E2E_SIM) ## gnomon api classes: fits beside exact arithmetic, what is not told, starts; sorts, a search, a table and zlib's crc32
	python3 tests/host/fleet/test_classes.py --gnomon $(GNOMON_ASAN) --out $(FLEET)/classes --program $(FLEET)/sizes.elf
.PHONY: test-api-by
TESTS += test-api-by
test-api-by: export GNOMON_SIM_DIR := $(CURDIR)/$(BUILD)/sim
test-api-by: $(GNOMON_ASAN) $(FLEET_RECORDINGS) $(FLEET)/sizes.elf $(E2E_SIM) ## gnomon api list --by: own cycles are the report's self cycles and add up to the run, difference 0; folders, namespaces, libraries
	python3 tests/host/fleet/test_by.py --gnomon $(GNOMON_ASAN) --out $(FLEET)/by --program $(FLEET)/sizes.elf $(FLEET_RECORDINGS)
# The service of a fleet.
FLEET_TOOLS := $(addprefix $(FLEET)/,fleet_load fleet_random fleet_times)
$(FLEET_TOOLS): $(FLEET)/%: tests/host/fleet/%.c host/lib/fleet/api_file.h host/lib/fleet/api_profile.h $(LIBGNOMON)
	@mkdir -p $(@D)
	$(CC) $(HOST_CFLAGS) -O1 -o $@ $< $(LIBGNOMON) $(HOST_LIBS)
FLEET_PYTHON := FLEET_TOOLS=$(FLEET) $(BUILD)/venv/bin/python3 -u
.PHONY: test-fleet-quick
CI_TESTS += test-fleet-quick
test-fleet-quick: setup $(GNOMON_ASAN) $(FLEET_TOOLS) ## gnomon fleet serve under ASan, on SQLite and PostgreSQL: killed service and database, hostile requests, limits; what is published is what gnomon merge makes of the submissions, byte for byte
	tools/setup.sh fleet
	$(FLEET_PYTHON) tests/host/fleet/test_fleet_service.py --gnomon $(GNOMON_ASAN) --out $(FLEET)/service --openapi docs/reference/fleet.yaml

# ShardingSphere-Proxy, for the tests: Maven fetches it.
FLEET_PROXY := $(BUILD)/fleet-proxy
$(FLEET_PROXY)/.fetched: tests/host/fleet/proxy.xml
	tools/setup.sh proxy
	mkdir -p $(@D)
	mvn -q -B -f $< dependency:copy-dependencies -DoutputDirectory=$(CURDIR)/$(@D)/lib
	@touch $@
FLEET_SUBMISSIONS ?= 20000
FLEET_STORAGES ?= sqlite,postgresql,sharded
.PHONY: test-fleet
DEEP_TESTS += test-fleet
test-fleet: setup $(GNOMON) $(FLEET_TOOLS) $(FLEET_PROXY)/.fetched ## 200 collectors and FLEET_SUBMISSIONS=N submissions on SQLite, on PostgreSQL, and divided by ShardingSphere-Proxy, while services and databases are killed and disks are full: equal bytes, and those of gnomon merge; needs root, for a small disk
	$(FLEET_PYTHON) tests/host/fleet/test_fleet.py --gnomon $(GNOMON) --out $(FLEET)/whole --jars $(FLEET_PROXY)/lib --submissions $(FLEET_SUBMISSIONS) --storages $(FLEET_STORAGES)
FLEET_ROWS ?= 100000
.PHONY: bench-fleet
bench-fleet: setup $(GNOMON) $(FLEET_TOOLS) $(FLEET_PROXY)/.fetched ## submissions a second and latency of each storage of gnomon fleet beside the same statement in pgbench; growth of their cost up to FLEET_ROWS=N rows; figures in build/fleet.json
	$(FLEET_PYTHON) tests/host/fleet/bench_fleet.py --gnomon $(GNOMON) --out $(FLEET)/bench --jars $(FLEET_PROXY)/lib --submissions $(FLEET_SUBMISSIONS) --rows $(FLEET_ROWS) --json $(BUILD)/fleet.json
