# SPDX-License-Identifier: Apache-2.0
# Real programs by other authors, compiled by `gnomon cc`, recorded on the simulated board, reported.

DEMO := $(BUILD)/demo
DEMO_DEVICE := $(or $(GNOMON_DEVICE),sim:full)
DEMO_SIM := $(BUILD)/sim/full-lean/gnomon-sim
# No fused multiply-add, so that both machines compute the same results.
DEMO_CFLAGS := -O2 -g -ffp-contract=off -Wall -Wextra

##@ The two commands
# tools/demo.sh runs the targets below as its steps; the first step installs the packages.
.PHONY: demo demo-headers demo-simulator demo-command demo-runtime demo-programs
demo: ## set up, build, record and report two real programs on the simulated board; results in build/demo
	@tools/demo.sh $(BUILD) $(DEMO_DEVICE)
demo-headers: $(REGISTERS_VH) $(HOST_GENERATED)
demo-simulator: $(DEMO_SIM)
demo-command: $(BUILD)/bin/gnomon
demo-runtime: $(FW_FILES)
demo-programs: $(DEMO)/logo.elf $(DEMO)/zlib.elf $(DEMO)/native/logo $(DEMO)/native/zlib

$(DEMO)/logo.elf: firmware/apps/logo.c $(FW_FILES) | $(BUILD)/bin/gnomon
	@mkdir -p $(@D)
	gnomon cc $(DEMO_CFLAGS) -isystem /usr/include/stb -o $@ $< -lm
$(DEMO)/native/logo: firmware/apps/logo.c
	@mkdir -p $(@D)
	cc $(DEMO_CFLAGS) -isystem /usr/include/stb -o $@ $< -lm

# zlib from Debian's source, built by its own configure and make.
ZLIB := $(DEMO)/zlib/source
$(ZLIB)/configure: firmware/apps/fetch_source.sh
	firmware/apps/fetch_source.sh --package zlib1g --source zlib --out $(DEMO)/zlib
	@touch $@
$(ZLIB)/libz.a: $(ZLIB)/configure $(FW_FILES) | $(BUILD)/bin/gnomon
	cd $(ZLIB) && CC="gnomon cc" CHOST=riscv64-unknown-elf CFLAGS="-O2 -g" ./configure --static
	$(MAKE) -C $(ZLIB) clean
	$(MAKE) -C $(ZLIB)
$(DEMO)/zlib.elf: firmware/apps/roundtrip.c $(ZLIB)/libz.a
	gnomon cc $(DEMO_CFLAGS) -isystem $(ZLIB) -o $@ $< $(ZLIB)/libz.a
$(DEMO)/native/zlib: firmware/apps/roundtrip.c
	@mkdir -p $(@D)
	cc $(DEMO_CFLAGS) -o $@ $< -lz

##@ Sampled beside counted
DEMO_DISTANCES := 1999 4999 9973
.PHONY: demo-sample demo-sample-program
demo-sample-program: $(BUILD)/sim/full/gnomon-sim $(DEMO)/logo.elf $(BUILD)/bin/gnomon
demo-sample: ## set up, build and record the logo program, counted and with samples: the sampled cycles of each function beside the exact ones (four runs of a minute)
	@mkdir -p $(BUILD)/log $(DEMO)
	@echo "Building the board and the program (build/log/demo-sample.log)"
	@{ tools/setup.sh demo && $(MAKE) --no-print-directory demo-sample-program; } >$(BUILD)/log/demo-sample.log 2>&1 || { tail -n 40 $(BUILD)/log/demo-sample.log; exit 1; }
	@echo "Recording it four times"
	@tools/demo_sample.sh $(DEMO) $(DEMO_DISTANCES)

##@ What the functions of a library cost
# All of zlib, without hooks.
API_DEMO_PARTS := adler32 compress crc32 deflate gzclose gzlib gzread gzwrite infback inffast inflate inftrees trees uncompr zutil
API_DEMO_REPETITIONS := 100
$(DEMO)/api/libz.a: $(ZLIB)/libz.a
	@mkdir -p $(@D)/zlib
	for source in $(API_DEMO_PARTS); do gnomon cc --gnomon-off -O2 -g -c -o $(@D)/zlib/$$source.o $(ZLIB)/$$source.c || exit 1; done
	rm -f $@ && riscv64-unknown-elf-ar rcs $@ $(API_DEMO_PARTS:%=$(@D)/zlib/%.o)
.PHONY: demo-api demo-api-program
demo-api-program: $(BUILD)/sim/full/gnomon-sim $(DEMO)/api/libz.a $(BUILD)/bin/gnomon
demo-api: ## set up, build zlib and measure what its functions cost: alone and at once, in words, by the size of the input; and how often 3 % more are found (API_DEMO_REPETITIONS=100: a quarter of an hour)
	@mkdir -p $(BUILD)/log $(DEMO)/api
	@echo "Building the board and zlib (build/log/demo-api.log)"
	@{ tools/setup.sh demo && $(MAKE) --no-print-directory demo-api-program; } >$(BUILD)/log/demo-api.log 2>&1 || { tail -n 40 $(BUILD)/log/demo-api.log; exit 1; }
	@GNOMON_SIM_DIR=$(CURDIR)/$(BUILD)/sim tools/demo_api.py --gnomon $(GNOMON) --zlib $(ZLIB) --libz $(DEMO)/api/libz.a --program firmware/apps/pieces.c --out $(DEMO)/api --repetitions $(API_DEMO_REPETITIONS)

##@ Locks on two harts
# zlib compresses blocks in four threads. Only the program's own functions have hooks: zlib's would be more than the link takes.
LOCKS_DEMO_TEXT := /usr/share/common-licenses/GPL-3
LOCKS_DEMO_ZLIB := $(addprefix $(DEMO)/locks/,adler32.o crc32.o deflate.o trees.o zutil.o)
.PHONY: demo-locks demo-locks-program
demo-locks-program: $(BUILD)/sim/duo/gnomon-sim $(DEMO)/locks/block_pool $(DEMO)/locks/native $(BUILD)/bin/gnomon
demo-locks: ## set up, build and run a pool of threads on two harts, and one of FreeRTOS tasks: who waits for which lock, and an order of locks that can end in a deadlock
	@mkdir -p $(BUILD)/log $(DEMO)
	@echo "Building the board of two harts and the program (build/log/demo-locks.log)"
	@{ tools/setup.sh demo && $(MAKE) --no-print-directory demo-locks-program; } >$(BUILD)/log/demo-locks.log 2>&1 || { tail -n 40 $(BUILD)/log/demo-locks.log; exit 1; }
	@tools/demo_locks.sh $(DEMO)/locks $(LOCKS_DEMO_TEXT)
	@echo "The same on FreeRTOS:"
	@$(MAKE) --no-print-directory demo-locks-freertos
$(LOCKS_DEMO_ZLIB): $(DEMO)/locks/%.o: $(ZLIB)/configure $(FW_FILES) | $(BUILD)/bin/gnomon
	@mkdir -p $(@D)
	gnomon cc --gnomon-off -O2 -g -c -o $@ $(ZLIB)/$*.c
$(DEMO)/locks/block_pool: firmware/apps/block_pool.c $(LOCKS_DEMO_ZLIB)
	gnomon cc --gnomon-harts --gnomon-locks $(DEMO_CFLAGS) -isystem $(ZLIB) -o $@ $^
$(DEMO)/locks/native: firmware/apps/block_pool.c
	@mkdir -p $(@D)
	cc $(DEMO_CFLAGS) -Iinclude -Ifirmware/runtime/include -o $@ $< -lz -lpthread
