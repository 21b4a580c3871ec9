# SPDX-License-Identifier: Apache-2.0
# The page of gnomon ui in a browser: Chromium, driven by playwright-core, which asks for Node 20 or later. NODE and CHROMIUM can name others than the system's.

##@ Page
UI := $(HOST_TEST)/ui
UI_NODE := $(UI)/node
NODE ?= node
UI_SCRIPT = NODE_PATH=$(UI_NODE)/node_modules $(NODE) tests/host/ui
UI_RECORD = @mkdir -p $(@D); gnomon record -q -d sim:$(or $3,full) $1 -o $@ $2 >$@.log || test -s $@

$(UI_NODE)/version: tests/host/ui/package-lock.json
	tools/setup.sh ui
	@mkdir -p $(@D)
	cp tests/host/ui/package.json $< $(@D)
	cd $(@D) && npm ci --ignore-scripts --no-audit --no-fund
	@touch $@

# SQLite as Debian has it, with a database in memory: no file, no clock, no threads.
SQLITE := $(UI)/sqlite
SQLITE_CFLAGS := -DSQLITE_OS_OTHER=1 -DSQLITE_THREADSAFE=0 -DSQLITE_TEMP_STORE=3 -DSQLITE_DEFAULT_MEMSTATUS=0 \
  $(addprefix -DSQLITE_OMIT_,LOAD_EXTENSION WAL LOCALTIME DEPRECATED)
$(SQLITE)/made/sqlite3.c: firmware/apps/fetch_source.sh
	tools/setup.sh ui
	$< --package libsqlite3-0 --source sqlite3 --out $(SQLITE)
	@mkdir -p $(@D)
	cd $(@D) && ../source/configure --disable-readline --disable-load-extension >configure.log 2>&1 && $(MAKE) sqlite3.c >make.log 2>&1
$(UI)/database.elf: tests/host/ui/programs/database.c $(SQLITE)/made/sqlite3.c $(FW_FILES) | $(BUILD)/bin/gnomon
	gnomon cc $(DEMO_CFLAGS) -w $(SQLITE_CFLAGS) -I$(SQLITE)/made -o $@ $< $(SQLITE)/made/sqlite3.c -lm
$(UI)/hostile.elf: tests/host/ui/programs/hostile.c $(FW_FILES) | $(BUILD)/bin/gnomon
	@mkdir -p $(@D)
	gnomon cc -O2 -o $@ $<
	riscv64-unknown-elf-objcopy --redefine-sym 'element=<img src=x onerror="window.broken=1">' --redefine-sym "script=</script><script>window.broken=1</script>'&amp;" $@

UI_FILES := $(foreach name,sqlite logo locks harts threads,$(UI)/$(name).gnt)
UI_OTHERS := $(foreach name,earlier lossy hostile sampled storm alone,$(UI)/$(name).gnt)
UI_LOSSLESS := $(foreach word,--usb-speedup 64 --usb-rate lossless,--sim-option $(word))
$(UI_FILES) $(UI_OTHERS): export GNOMON_SIM_DIR := $(BUILD)/sim
$(UI_FILES) $(UI_OTHERS): $(E2E_SIM)
$(UI)/sqlite.gnt: $(UI)/database.elf
	$(call UI_RECORD,--cpi all --events $(UI_LOSSLESS),$< -- 100)
$(UI)/logo.gnt: $(DEMO)/logo.elf
	$(call UI_RECORD,--cpi all,$< -- /usr/share/pixmaps/debian-logo.png /usr/share/fonts/truetype/dejavu/DejaVuSans.ttf $(UI)/logo.png)
$(UI)/locks.gnt: $(E2E)/locks
	$(call UI_RECORD,--events,$<)
$(UI)/harts.gnt: $(E2E)/hart_locks $(SIM)/duo/gnomon-sim
	$(call UI_RECORD,--cpi all --events $(UI_LOSSLESS),$< -- 60 1,duo)
$(UI)/threads.gnt: $(E2E)/hart_threads $(SIM)/duo/gnomon-sim
	$(call UI_RECORD,--cpi all --events $(UI_LOSSLESS),$< -- pinned 12,duo)
$(UI)/alone.gnt: $(E2E)/locks $(SIM)/duo/gnomon-sim
	$(call UI_RECORD,--cpi all --events $(UI_LOSSLESS),$<,duo)
$(UI)/earlier.gnt: $(UI)/database.elf
	$(call UI_RECORD,,$< -- 90)
$(UI)/lossy.gnt: $(E2E)/storm-O2
	$(call UI_RECORD,--events --sim-option --rate-divisor --sim-option 10,$< -- 40)
$(UI)/sampled.gnt: $(E2E)/storm-O2
	$(call UI_RECORD,--sample --count 1000,$< -- 40)
$(UI)/storm.gnt: $(E2E)/storm-O2
	$(call UI_RECORD,,$< -- 40)
$(UI)/hostile.gnt: $(UI)/hostile.elf
	$(call UI_RECORD,--cpi all --events,$<)
$(UI)/big-events.gnt: tests/host/ui/make_big.py $(HT)/gnt_encoder.py $(TRACE_PY) $(HTB)/program.elf
	@mkdir -p $(@D)
	$(HT_PYTHON) $< events 10000000 $(HTB)/program.elf $@
$(UI)/big-functions.gnt: tests/host/ui/make_big.py $(HT)/gnt_encoder.py $(TRACE_PY) $(HTB)/program.elf
	@mkdir -p $(@D)
	$(HT_PYTHON) $< functions 1000000 $(HTB)/program.elf $@

# API profiles: of a recording, and such that a program makes.
$(UI)/sqlite.gnp: $(UI)/sqlite.gnt | $(BUILD)/bin/gnomon
	gnomon merge -q -o $@ $<
UI_PROFILES := $(foreach name,kinds later hostile big,$(UI)/$(name).gnp)
$(UI_PROFILES): tests/host/ui/make_profile.py tests/host/ui/profile_file.py
	@mkdir -p $(@D)
	$(HT_PYTHON) $< $(basename $(@F)) $@

.PHONY: test-ui test-ui-page test-ui-big test-ui-api docs-ui
DEEP_TESTS += test-ui
test-ui: test-ui-page test-ui-big test-ui-api ## gnomon ui in Chromium: every view of the logo, SQLite, locks and programs on two harts has the figures of report, annotate, locks and diff; keyboard, links, themes; from a disk; no request to others; 1,000,000 functions, 10,000,000 events
test-ui-page: export GNOMON_SIM_DIR := $(BUILD)/sim
test-ui-page: $(GNOMON_ASAN) $(E2E_SIM) $(UI_FILES) $(UI_OTHERS) $(UI_NODE)/version
	$(UI_SCRIPT)/test_ui.js --gnomon $(GNOMON_ASAN) --out $(UI)/pictures --old $(UI)/earlier.gnt --lossy $(UI)/lossy.gnt --hostile $(UI)/hostile.gnt --sampled $(UI)/sampled.gnt \
	  --program $(E2E)/storm-O2 --recorded $(UI)/storm.gnt --alone $(UI)/alone.gnt $(UI_FILES)
test-ui-big: $(GNOMON) $(UI)/big-events.gnt $(UI)/big-functions.gnt $(UI_NODE)/version
	$(UI_SCRIPT)/test_big.js --gnomon $(GNOMON) --out $(UI)/pictures --events $(UI)/big-events.gnt --functions $(UI)/big-functions.gnt
test-ui-api: $(GNOMON_ASAN) $(UI_PROFILES) $(UI)/sqlite.gnt $(UI)/sqlite.gnp $(UI_NODE)/version ## the page of API profiles in Chromium: every number is that of gnomon api list and check; spectrum, costly functions on a stack, hostile names, 10,000 functions, from a disk, from a fleet's service
	$(UI_SCRIPT)/test_api.js --gnomon $(GNOMON_ASAN) --out $(UI)/pictures --kinds $(UI)/kinds.gnp --later $(UI)/later.gnp --hostile $(UI)/hostile.gnp --big $(UI)/big.gnp \
	  --measured $(UI)/sqlite.gnp --recording $(UI)/sqlite.gnt --recorded $(UI)/sqlite.gnp
	$(UI_SCRIPT)/test_api_fleet.js --gnomon $(GNOMON_ASAN) --out $(UI)/pictures --kinds $(UI)/kinds.gnp --later $(UI)/later.gnp
docs-ui: $(GNOMON) $(UI_FILES) $(UI)/earlier.gnt $(UI)/sqlite.gnp $(UI_NODE)/version ## take the pictures of docs/guide/ui.md again
	$(UI_SCRIPT)/pictures.js --gnomon $(GNOMON) --out docs/guide/ui --old $(UI)/earlier.gnt --sqlite $(UI)/sqlite.gnt --logo $(UI)/logo.gnt --locks $(UI)/locks.gnt --profile $(UI)/sqlite.gnp
