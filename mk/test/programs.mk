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
