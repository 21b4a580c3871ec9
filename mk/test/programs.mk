# SPDX-License-Identifier: Apache-2.0
# Programs by other authors: Debian's sources, built with `gnomon cc` and `gnomon c++` by their own build systems, then run and
# recorded. All tests are deep, because the builds take minutes.

PROGRAMS := $(BUILD)/programs
PROGRAM_NEEDS := $(FW_FILES) $(BUILD)/bin/gnomon $(BUILD)/sim/full/gnomon-sim
$(PROGRAMS)/%/source: firmware/apps/fetch_source.sh
	firmware/apps/fetch_source.sh --package $(PROGRAM_PACKAGE) --source $* --out $(PROGRAMS)/$*
	@touch $@
$(PROGRAMS)/sqlite3/source: PROGRAM_PACKAGE := sqlite3
$(PROGRAMS)/lua5.4/source: PROGRAM_PACKAGE := lua5.4
$(PROGRAMS)/tinyxml2/source: PROGRAM_PACKAGE := libtinyxml2-dev

# Built by its own configure and make, which need tclsh. UINT32_TYPE: SQLite 3.40 assumes that uint32_t is unsigned int; here it is unsigned long.
$(PROGRAMS)/sqlite3/build/sqlite3: $(PROGRAMS)/sqlite3/source $(FW_FILES) | $(BUILD)/bin/gnomon
	@command -v tclsh >/dev/null || { echo "the sources of SQLite are put together by tclsh: install the Debian package tcl" >&2; exit 1; }
	rm -rf $(@D) && mkdir -p $(@D)
	cd $(@D) && CC="gnomon cc" CFLAGS="-O2 -g -DUINT32_TYPE=unsigned" ../source/configure --build="$$(gcc -dumpmachine)" --host=riscv32-unknown-elf \
	  --disable-tcl --disable-readline --disable-threadsafe --disable-load-extension --disable-shared >configure.log
	$(MAKE) -C $(@D) CROSS_BUILDING=yes sqlite3 >$(@D)/make.log
$(PROGRAMS)/lua5.4/lua: $(PROGRAMS)/lua5.4/source $(FW_FILES) | $(BUILD)/bin/gnomon
	mkdir -p $(@D)/include && echo '#define DEB_HOST_MULTIARCH "riscv32-unknown-elf"' >$(@D)/include/lua5.4-deb-multiarch.h
	gnomon cc -O2 -g -DLUA_COMPAT_5_3 -I$(@D)/include -o $@ $$(ls $</src/*.c | grep -v '/luac\.c$$') -lm
$(PROGRAMS)/tinyxml2/xml: tests/firmware/programs/xml.cc $(PROGRAMS)/tinyxml2/source $(FW_FILES) | $(BUILD)/bin/gnomon
	gnomon c++ -O2 -g -I$(PROGRAMS)/tinyxml2/source -o $@ $< $(PROGRAMS)/tinyxml2/source/tinyxml2.cpp
	g++ -O1 -I$(PROGRAMS)/tinyxml2/source -o $@.native $< $(PROGRAMS)/tinyxml2/source/tinyxml2.cpp

##@ Programs of others
.PHONY: test-sqlite test-lua test-tinyxml2
DEEP_TESTS += test-sqlite test-lua test-tinyxml2
test-sqlite: $(PROGRAMS)/sqlite3/build/sqlite3 $(PROGRAM_NEEDS) ## SQLite's shell from Debian's sources runs a script; sums of arcs equal the calls
	python3 tests/firmware/test_programs.py --out $(PROGRAMS)/sqlite3 --program $< sqlite
test-lua: $(PROGRAMS)/lua5.4/lua $(PROGRAM_NEEDS) ## Lua from Debian's sources, the same way
	python3 tests/firmware/test_programs.py --out $(PROGRAMS)/lua5.4 --program $< lua
test-tinyxml2: $(PROGRAMS)/tinyxml2/xml $(PROGRAM_NEEDS) ## tinyxml2 (C++) from Debian's sources, the same way
	python3 tests/firmware/test_programs.py --out $(PROGRAMS)/tinyxml2 --program $< xml

# Programs with threads, for the account of their locks. pbzip2 decompresses small pieces; poolTests is zstd's own test of its pool of threads.
$(PROGRAMS)/pbzip2/source: PROGRAM_PACKAGE := pbzip2
$(PROGRAMS)/bzip2/source: PROGRAM_PACKAGE := bzip2
$(PROGRAMS)/libzstd/source: PROGRAM_PACKAGE := zstd
PBZIP2 := $(PROGRAMS)/pbzip2
BZ2 := $(PROGRAMS)/bzip2/source
POOL := $(PROGRAMS)/libzstd
bz2-sources = $(foreach f,blocksort huffman crctable randtable compress decompress bzlib,$(CURDIR)/$(BZ2)/$f.c)
pbzip2-sources = $(foreach f,pbzip2 BZ2StreamScanner ErrorContext,$(CURDIR)/$(PBZIP2)/source/$f.cpp)
PBZIP2_FLAGS := -O2 -g -w -DPBZIP_NO_LOADAVG -I$(CURDIR)/$(BZ2)
SIGNALS := tests/firmware/programs/signals
$(PBZIP2)/pbzip2: $(PBZIP2)/source $(BZ2) $(SIGNALS).c $(SIGNALS).h $(FW_FILES) | $(BUILD)/bin/gnomon
	rm -rf $(@D)/objects && mkdir -p $(@D)/objects
	cd $(@D)/objects && gnomon cc -O2 -g -c $(bz2-sources) $(CURDIR)/$(SIGNALS).c
	cd $(@D)/objects && gnomon c++ $(PBZIP2_FLAGS) -include $(CURDIR)/$(SIGNALS).h -c $(pbzip2-sources)
	gnomon c++ --gnomon-locks --gnomon-harts -o $@-harts $(@D)/objects/*.o
	gnomon c++ --gnomon-locks -o $@ $(@D)/objects/*.o
$(PBZIP2)/native/pbzip2: $(PBZIP2)/source $(BZ2)
	mkdir -p $(@D)
	cd $(@D) && gcc -O1 -c $(bz2-sources) && g++ $(PBZIP2_FLAGS) -pthread -o pbzip2 $(pbzip2-sources) *.o
# Eight pieces, each a stream of its own.
$(PBZIP2)/pieces.bz2: $(BZ2)
	for piece in 0 1 2 3 4 5 6 7; do tail -c +$$((300 * piece + 1)) $</LICENSE | head -c 300 | bzip2 -1; done >$@
POOL_FLAGS := -w -DZSTD_MULTITHREAD -DPLATFORM_POSIX_VERSION=200112L -DZSTD_NANOSLEEP_SUPPORT=1 -I$(POOL)/source/lib -I$(POOL)/source/lib/common -I$(POOL)/source/programs
POOL_SOURCES := $(addprefix $(POOL)/source/,tests/poolTests.c programs/util.c programs/timefn.c $(foreach f,pool threading zstd_common error_private,lib/common/$f.c))
SHORT_SLEEPS := tests/firmware/programs/short_sleeps.h
$(POOL)/pool: $(POOL)/source $(SHORT_SLEEPS) $(FW_FILES) | $(BUILD)/bin/gnomon
	gnomon cc --gnomon-locks -O2 -g -include $(SHORT_SLEEPS) $(POOL_FLAGS) -o $@ $(POOL_SOURCES)
	gnomon cc --gnomon-locks --gnomon-harts -O2 -g -include $(SHORT_SLEEPS) $(POOL_FLAGS) -o $@-harts $(POOL_SOURCES)
	gcc -O1 $(POOL_FLAGS) -pthread -o $@.native $(POOL_SOURCES)
OTHERS := python3 tests/e2e/locks_others.py --simulators $(SIM) --out $(PROGRAMS)/locks
PBZIP2_OTHERS = $(OTHERS) --native $(PBZIP2)/native/pbzip2 --input $(PBZIP2)/pieces.bz2
POOL_OTHERS = $(OTHERS) --native $(POOL)/pool.native --input /dev/null
.PHONY: test-locks-others
DEEP_TESTS += test-locks-others
.PHONY: test-lock-calls-others
DEEP_TESTS += test-lock-calls-others
test-lock-calls-others: $(PBZIP2)/pbzip2 $(PBZIP2)/pieces.bz2 $(E2E_SIM) ## locks of pbzip2 without messages, by hookless call tracing: the counts of each lock are those with messages
	@mkdir -p $(PROGRAMS)/locks
	gnomon c++ -o $<-plain $(<D)/objects/*.o
	GNOMON_SIM_DIR=$(SIM) python3 tests/e2e/lock_calls.py --out $(PROGRAMS)/locks -- $<-plain $< $(PBZIP2)/pieces.bz2 -d -p2 -m8 -c
test-locks-others: $(PBZIP2)/pbzip2 $(PBZIP2)/native/pbzip2 $(PBZIP2)/pieces.bz2 $(POOL)/pool $(PROGRAM_NEEDS) $(SIM)/duo/gnomon-sim ## gnomon locks of pbzip2 and of zstd's pool of threads, on one hart and two: each figure equals the reference model, difference 0
	@mkdir -p $(PROGRAMS)/locks
	$(PBZIP2_OTHERS) -- $(PBZIP2)/pbzip2 full -d -p2 -m8 -c
	$(PBZIP2_OTHERS) -- $(PBZIP2)/pbzip2-harts duo -d -p2 -m8 -c
	$(POOL_OTHERS) -- $(POOL)/pool full
	$(POOL_OTHERS) -- $(POOL)/pool-harts duo
