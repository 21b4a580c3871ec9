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
FLEET_RECORDINGS := $(addprefix $(HEAP)/,random.gnt threads.gnt zlib.gnt lossy.gnt) $(FLEET)/records.gnt
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
TESTS += test-toml
test-toml: $(FLEET)/toml_dump ## the reader of api.toml beside Python's, with files put together at random
	python3 tests/host/fleet/test_toml.py --dump $< --seeds 400
