# SPDX-License-Identifier: Apache-2.0
# Taking part in a fleet.

##@ API profiles
COLLECT := $(HOST_TEST)/collect
$(COLLECT)/test_%: tests/host/collect/test_%.c $(LIBGNOMON_ASAN)
	@mkdir -p $(@D)
	$(CC) $(HOST_CFLAGS) $(SANITIZE) -o $@ $< $(LIBGNOMON_ASAN) $$(pkg-config --cflags --libs cmocka) $(HOST_LIBS)
.PHONY: test-api-redact
TESTS += test-api-redact
test-api-redact: $(COLLECT)/test_api_redact ## what of an API profile may leave a machine: odd and hostile paths and names; what is reduced passes, and loses no call
	$<
.PHONY: test-collect-choice
TESTS += test-collect-choice
test-collect-choice: $(COLLECT)/test_choice $(COLLECT)/station.elf ## which functions a collector measures: each one, and each pair, is drawn equally often; what they jump to is watched
	$< $(COLLECT)/station.elf

.PHONY: test-collect-spool
CI_TESTS += test-collect-spool
test-collect-spool: $(COLLECT)/test_spool ## results of a collector on disk: processes that add, pack and send at the same time; each run is there once
	$<

$(COLLECT)/station.elf: tests/host/collect/station.c $(FW_FILES) | $(BUILD)/bin/gnomon
	@mkdir -p $(@D)
	gnomon cc --gnomon-off -O2 -g -Wall -Wextra -Werror -o $@ $<
$(COLLECT)/waits.elf: tests/host/collect/station.c $(FW_FILES) | $(BUILD)/bin/gnomon
	@mkdir -p $(@D)
	gnomon cc --gnomon-off -O2 -g -DWAITS -o $@ $<
.PHONY: test-collect
CI_TESTS += test-collect
test-collect: export GNOMON_SIM_DIR := $(CURDIR)/$(BUILD)/sim
test-collect: $(GNOMON_ASAN) $(COLLECT)/station.elf $(COLLECT)/waits.elf $(FLEET)/hooked.elf $(FLEET)/zlib.elf $(E2E)/text $(E2E_SIM) $(SIM)/small/gnomon-sim ## gnomon collect: consent; the program as with gnomon run, also when it is killed or the disk is full; figures as with all functions watched; declining
	python3 tests/host/collect/test_collect.py --gnomon $(GNOMON_ASAN) --out $(COLLECT)/collect --station $(COLLECT)/station.elf --waits $(COLLECT)/waits.elf --hooked $(FLEET)/hooked.elf --zlib $(FLEET)/zlib.elf --text $(E2E)/text
$(COLLECT)/heap.elf: firmware/apps/roundtrip.c $(FLEET)/zlib.elf
	@mkdir -p $(@D)
	gnomon cc --gnomon-off --gnomon-heap -O2 -g -isystem $(ZLIB) -o $@ $< $(foreach source,adler32 compress crc32 deflate inflate inftrees inffast trees uncompr zutil,$(FLEET)/$(source).o)
.PHONY: test-collect-costs
CI_TESTS += test-collect-costs
test-collect-costs: export GNOMON_SIM_DIR := $(CURDIR)/$(BUILD)/sim
test-collect-costs: $(GNOMON_ASAN) $(COLLECT)/station.elf $(COLLECT)/heap.elf $(FLEET)/hooked.elf $(FLEET)/zlib.elf $(E2E)/text $(E2E_SIM) ## gnomon collect in the costs of the service's policy: each start in one of them, as with all functions watched in it; policies of other versions
	PYTHONPATH=tests/host/fleet:$(PYTHONPATH) python3 tests/host/collect/test_collect_costs.py --gnomon $(GNOMON_ASAN) --out $(COLLECT)/costs --station $(COLLECT)/station.elf --hooked $(FLEET)/hooked.elf --zlib $(FLEET)/zlib.elf --heap $(COLLECT)/heap.elf --text $(E2E)/text
.PHONY: bench-collect
COLLECT_FUNCTIONS ?= 20000
bench-collect: export GNOMON_SIM_DIR := $(CURDIR)/$(BUILD)/sim
bench-collect: $(GNOMON) $(FW_FILES) $(SIM_BOARDS) ## what a start takes of a processor with gnomon collect and with gnomon run, without the simulated board: for 20 functions, and for COLLECT_FUNCTIONS=N
	python3 tests/host/collect/bench_collect.py --gnomon $(GNOMON) --out $(COLLECT)/bench --functions $(COLLECT_FUNCTIONS)
# Tasks of a kernel that says which one runs, and of one that does not.
COLLECT_KERNEL := $(COLLECT)/told.elf $(COLLECT)/untold.elf
$(COLLECT)/told.elf: FREERTOS_FLAGS := --gnomon-freertos
$(COLLECT_KERNEL): $(FREERTOS)/fetched tests/firmware/freertos/two.c tests/firmware/freertos/FreeRTOSConfig.h $(wildcard $(FREERTOS_APP)/handlers.*) $(FW_FILES) | $(BUILD)/bin/gnomon
	@mkdir -p $(@D)
	gnomon cc --gnomon-off -O2 -g -w -Itests/firmware/freertos -I$(FREERTOS_APP) $(FREERTOS_INCLUDES) $(FREERTOS_FLAGS) -o $@ tests/firmware/freertos/two.c $(FREERTOS_APP)/handlers.c $(FREERTOS_SOURCES)
$(COLLECT)/deep.elf: tests/host/fleet/deep.c $(FW_FILES) | $(BUILD)/bin/gnomon
	@mkdir -p $(@D)
	gnomon cc --gnomon-off -O1 -g -o $@ $<
COLLECT_DEVICES := $(GNOMON_ASAN) $(addprefix $(COLLECT)/,station.elf deep.elf) $(COLLECT_KERNEL) $(addprefix $(E2E)/,hart_locks-watched hart_threads)
COLLECT_DEVICES_RUN = python3 tests/host/collect/test_collect_devices.py --gnomon $(GNOMON_ASAN) --out $(COLLECT)/devices-$1 --station $(COLLECT)/station.elf --deep $(COLLECT)/deep.elf \
  --told $(COLLECT)/told.elf --untold $(COLLECT)/untold.elf --watched $(E2E)/hart_locks-watched --moving $(E2E)/hart_threads $1
.PHONY: test-collect-devices test-collect-board
CI_TESTS += test-collect-devices
DEEP_TESTS += test-collect-board
test-collect-devices test-collect-board: export GNOMON_SIM_DIR := $(CURDIR)/$(BUILD)/sim
test-collect-devices: $(COLLECT_DEVICES) $(E2E_SIM) $(SIM)/small/gnomon-sim $(SIM)/duo/gnomon-sim ## gnomon collect with FreeRTOS, two harts, deep calls, a device without a watch table: exact figures as in the reference model in the same run, difference 0
	$(call COLLECT_DEVICES_RUN,full)
test-collect-board: $(COLLECT_DEVICES) $(SIM)/ulx3s-25f/gnomon-sim ## the same in the sizes of the ULX3S-25F: a small watch table, no histograms, no events in place of cycles
	$(call COLLECT_DEVICES_RUN,board)
.PHONY: test-collect-sends
CI_TESTS += test-collect-sends
test-collect-sends: export GNOMON_SIM_DIR := $(CURDIR)/$(BUILD)/sim
test-collect-sends: $(GNOMON_ASAN) $(COLLECT)/station.elf $(FW_FILES) $(E2E_SIM) ## what gnomon collect sends: what --show shows and nothing private, each submission once whatever the service and the network do, within the bounds of the policy
	python3 tests/host/collect/test_collect_sends.py --gnomon $(GNOMON_ASAN) --out $(COLLECT)/sends --station $(COLLECT)/station.elf
.PHONY: test-collect-fleet
CI_TESTS += test-collect-fleet
test-collect-fleet: export GNOMON_SIM_DIR := $(CURDIR)/$(BUILD)/sim
test-collect-fleet: $(GNOMON_ASAN) $(COLLECT)/station.elf $(FLEET)/zlib.elf $(E2E)/text $(E2E_SIM) ## collectors and the real service, through connections that break between commit and answer: the service's sum is that of all hosts, byte for byte
	PYTHONPATH=tests/host/fleet:$(PYTHONPATH) python3 tests/host/collect/test_collect_fleet.py --gnomon $(GNOMON_ASAN) --out $(COLLECT)/fleet --station $(COLLECT)/station.elf --zlib $(FLEET)/zlib.elf --text $(E2E)/text
