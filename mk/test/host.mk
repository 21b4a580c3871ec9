# SPDX-License-Identifier: Apache-2.0
# Tests of the host's library and command.

##@ Host
HOST_TEST := $(BUILD)/host-test
FAKE_SIM := $(HOST_TEST)/fake/full/gnomon-sim
FAKE_SOURCES := tests/host/device/fake_device.c tests/host/device/fake_clock.c tests/host/device/fake_faults.c tests/host/device/fake_tags.c tests/host/device/fake_usbip.c
FAKE_HEADERS := tests/host/device/fake_clock.h host/lib/util/clock.h tests/host/device/fake_faults.h tests/host/device/fake_tags.h tests/host/device/fake_usbip.h host/lib/transport/usbip_wire.h
$(FAKE_SIM): $(FAKE_SOURCES) $(FAKE_HEADERS) $(REGISTERS_H)
	@mkdir -p $(@D)
	$(CC) $(HOST_CFLAGS) -O1 -MF $@.d -o $@ $(FAKE_SOURCES)
# A board that is updated through its loader.
FAKE_LOADER := $(HOST_TEST)/fake_loader
$(FAKE_LOADER): tests/host/device/fake_loader.c tests/host/device/fake_usbip.c $(FAKE_HEADERS)
	@mkdir -p $(@D)
	$(CC) $(HOST_CFLAGS) -O1 -MF $@.d -o $@ $(filter %.c,$^)

.PHONY: test-host-device
TESTS += test-host-device
test-host-device: $(GNOMON_ASAN) $(FAKE_SIM) ## devices and programs that are wrong in every way: messages and exit codes
	python3 tests/host/device/test_device.py --gnomon $(GNOMON_ASAN) --simulators $(HOST_TEST)/fake --out $(HOST_TEST)/device

UMOCKDEV_BRIDGE := $(HOST_TEST)/umockdev_bridge
$(UMOCKDEV_BRIDGE): tests/host/umockdev_bridge.c host/lib/transport/usbip_wire.h
	@mkdir -p $(@D)
	$(CC) -std=gnu11 -D_GNU_SOURCE -Wall -Wextra $(WERROR) -Ihost -g -O1 $$(pkg-config --cflags umockdev-1.0) -o $@ $< \
	  $$(pkg-config --libs umockdev-1.0) -lpthread

.PHONY: test-umockdev
TESTS += test-umockdev
test-umockdev: $(GNOMON) $(UMOCKDEV_BRIDGE) $(BUILD)/sim/full/gnomon-sim $(FW_FILES) ## the real libusb reaches the simulated board
	tests/host/test_umockdev.sh --gnomon $(GNOMON) --bridge $(UMOCKDEV_BRIDGE) --simulator $(BUILD)/sim/full/gnomon-sim --out $(HOST_TEST)/umockdev
# A deep test: an error in the order of the polls' rounds appears only now and then, on a busy machine (docs/guide/sim.md, "Time").
.PHONY: test-umockdev-lossy
DEEP_TESTS += test-umockdev-lossy
test-umockdev-lossy: $(GNOMON) $(UMOCKDEV_BRIDGE) $(BUILD)/sim/full/gnomon-sim $(FW_FILES) ## and loses the same events each time
	tests/host/test_umockdev.sh --gnomon $(GNOMON) --bridge $(UMOCKDEV_BRIDGE) --simulator $(BUILD)/sim/full/gnomon-sim --out $(HOST_TEST)/umockdev-lossy --lossy

.PHONY: test-flash
TESTS += test-flash
test-flash: $(GNOMON_ASAN) $(UMOCKDEV_BRIDGE) $(FAKE_LOADER) ## gnomon flash against a board with a loader, and loaders that fail; install-udev
	python3 tests/host/device/test_flash.py --gnomon $(GNOMON_ASAN) --bridge $(UMOCKDEV_BRIDGE) --loader $(FAKE_LOADER) --rules host/udev/70-gnomon.rules --out $(HOST_TEST)/flash

$(HOST_TEST)/test_reply_packets: tests/host/device/test_reply_packets.c host/lib/device/reply_packets.h $(LIBGNOMON_ASAN)
	@mkdir -p $(@D)
	$(CC) $(HOST_CFLAGS) $(SANITIZE) -o $@ $< $(LIBGNOMON_ASAN) $$(pkg-config --cflags --libs cmocka) $(HOST_LIBS)
.PHONY: test-host-reply-packets
TESTS += test-host-reply-packets
test-host-reply-packets: $(HOST_TEST)/test_reply_packets ## the reader of reply packets
	$<

$(HOST_TEST)/test_clock_fit: tests/host/device/test_clock_fit.c host/lib/profile/clock_fit.h $(LIBGNOMON_ASAN)
	@mkdir -p $(@D)
	$(CC) $(HOST_CFLAGS) $(SANITIZE) -o $@ $< $(LIBGNOMON_ASAN) $$(pkg-config --cflags --libs cmocka) $(HOST_LIBS)
.PHONY: test-calibrate
DEEP_TESTS += test-calibrate
test-calibrate: $(HOST_TEST)/test_clock_fit $(GNOMON_ASAN) $(FAKE_SIM) ## gnomon calibrate: the truth is within the printed error, for one board and two; clocks that jump are refused
	$<
	python3 tests/host/device/test_calibrate.py --gnomon $(GNOMON_ASAN) --device $(FAKE_SIM) --out $(HOST_TEST)/calibrate

# The command under valgrind: starts the fake device, runs a program, fetches a file.
.PHONY: test-host-valgrind
TESTS += test-host-valgrind
test-host-valgrind: $(GNOMON) $(FAKE_SIM) ## no leak and no invalid access in info and run
	python3 tests/host/device/test_valgrind.py --gnomon $(GNOMON) --simulators $(HOST_TEST)/fake --out $(HOST_TEST)/valgrind

.PHONY: test-host-man
TESTS += test-host-man
test-host-man: man ## every command has a page without warnings, and the completion is good bash
	for page in $(BUILD)/man/*.1; do \
	  ! LC_ALL=C.UTF-8 groff -man -Tutf8 -ww -z "$$page" 2>&1 | grep . || exit 1; done
	for command in $$($(GNOMON) --help | sed -n 's/^  \([a-z+-]*\) .*/\1/p'); do test -s "$(BUILD)/man/gnomon-$$command.1" || exit 1; done
	bash -n $(BUILD)/man/gnomon.bash
	bash -c 'source $(BUILD)/man/gnomon.bash; COMP_WORDS=(gnomon record --flu); COMP_CWORD=2; _gnomon; test "$${COMPREPLY[*]}" = --flush-cycles'

# The example, compiled as a user would compile it.
$(HOST)/example: host/examples/count.c host/include/libgnomon.h $(LIBGNOMON_SO)
	$(CC) -std=c99 -pedantic -Wall -Wextra -Werror -O2 -Ihost/include -o $@ $< -L$(HOST) -lgnomon -Wl,-rpath,$(abspath $(HOST))
$(HOST_ASAN)/example: host/examples/count.c host/include/libgnomon.h $(LIBGNOMON_SO_ASAN)
	$(CC) -std=c99 -pedantic -Wall -Wextra -Werror -O1 $(SANITIZE) -Ihost/include -o $@ $< -L$(HOST_ASAN) -lgnomon -Wl,-rpath,$(abspath $(HOST_ASAN))

# libgnomon: the results of the example and of Python must equal those of the command.
$(HOST_TEST)/api/program: tests/firmware/callers/ways.c $(FW_FILES) | $(GNOMON)
	@mkdir -p $(@D)
	gnomon cc -O2 -g -o $@ $<
.PHONY: test-api
TESTS += test-api
test-api: $(GNOMON) $(LIBGNOMON_SO) $(HOST)/example $(HOST_ASAN)/example $(HOST_TEST)/api/program $(BUILD)/demo/zlib.elf $(BUILD)/e2e/text $(BUILD)/sim/full/gnomon-sim ## the library for other tools, from C and Python: figures are those of the command
	GNOMON_SIM_DIR=$(BUILD)/sim PYTHONPATH=host/python:$(PYTHONPATH) LIBGNOMON=$(LIBGNOMON_SO) python3 tests/host/api/test_api.py --out $(HOST_TEST)/api --example $(HOST)/example \
	  --example-asan $(HOST_ASAN)/example --library $(LIBGNOMON_SO) --program $(HOST_TEST)/api/program --zlib $(BUILD)/demo/zlib.elf --text $(BUILD)/e2e/text

.PHONY: test-host-session
TESTS += test-host-session
test-host-session: $(GNOMON) $(BUILD)/sim/full/gnomon-sim $(BUILD)/sim/small/gnomon-sim $(FW_FILES) ## Ctrl-C, killed simulator, slow reader, full disk
	tests/host/test_session.sh $(GNOMON) $(HOST_TEST)/session

.PHONY: test-input
CI_TESTS += test-input
test-input: $(GNOMON) $(BUILD)/sim/full/gnomon-sim $(FW_FILES) ## what programs read: pipe, file, terminal, Ctrl-C meanwhile; outputs of an earlier run are no inputs
	python3 tests/host/test_input.py $(GNOMON) $(HOST_TEST)/input

.PHONY: test-ending
CI_TESTS += test-ending
test-ending: $(GNOMON) $(BUILD)/sim/full/gnomon-sim $(FW_FILES) ## every command that runs a program: exit status, Ctrl-C, --duration, kill -9, short programs, terminal
	python3 tests/host/test_ending.py $(GNOMON) $(HOST_TEST)/ending

# ---- The device on a real USB stack, in a virtual machine ----
GUEST_KERNEL := $(BUILD)/kernel
USBREDIR_BRIDGE := $(HOST_TEST)/usbredir_bridge
$(GUEST_KERNEL)/vmlinux: tests/host/guest/make_kernel.sh
	$< $(GUEST_KERNEL)
$(USBREDIR_BRIDGE): tests/host/usbredir_bridge.c host/lib/transport/usbip_wire.h
	@mkdir -p $(@D)
	$(CC) -std=gnu11 -D_GNU_SOURCE -Wall -Wextra $(WERROR) -Ihost -g -O1 $$(pkg-config --cflags libusbredirparser-0.5) -o $@ $< \
	  $$(pkg-config --libs libusbredirparser-0.5)
.PHONY: test-real-stack
DEEP_TESTS += test-real-stack
test-real-stack: $(GNOMON) $(USBREDIR_BRIDGE) $(BUILD)/sim/full/gnomon-sim $(GUEST_KERNEL)/vmlinux $(FW_FILES) ## Debian's kernel in QEMU enumerates the simulated board over xHCI; gnomon in there takes the same trace
	tests/host/test_real_stack.sh --gnomon $(GNOMON) --bridge $(USBREDIR_BRIDGE) --simulator $(BUILD)/sim/full/gnomon-sim --kernel $(GUEST_KERNEL) --out $(HOST_TEST)/real-stack

# The board on one machine, gnomon on another.
.PHONY: test-two-machines
CI_TESTS += test-two-machines
test-two-machines: $(GNOMON) $(BUILD)/sim/full/gnomon-sim $(FW_FILES) ## the same trace from a board on another machine; bad network, pulled cable
	tests/host/test_two_machines.sh --gnomon $(GNOMON) --simulator $(BUILD)/sim/full/gnomon-sim --out $(HOST_TEST)/two-machines

.PHONY: test-hostile
TESTS += test-hostile
test-hostile: $(GNOMON_ASAN) $(UMOCKDEV_BRIDGE) $(FAKE_SIM) ## devices that lie, over USB/IP and over libusb: an error with a remedy, no hang, earlier files intact
	python3 tests/host/device/test_hostile.py --gnomon $(GNOMON_ASAN) --bridge $(UMOCKDEV_BRIDGE) --simulators $(HOST_TEST)/fake --out $(HOST_TEST)/hostile

$(HOST_TEST)/fuzz_usbip: tests/host/device/fuzz_usbip.c host/lib/transport/usbip.h host/lib/transport/usbip_wire.h host/lib/device/reply_packets.h $(LIBGNOMON_ASAN)
	@mkdir -p $(@D)
	$(CC) $(HOST_CFLAGS) $(SANITIZE) -MF $@.d -Wl,--wrap=send,--wrap=recv,--wrap=poll -o $@ $< $(LIBGNOMON_ASAN) $(HOST_LIBS)
.PHONY: test-fuzz-usbip
TESTS += test-fuzz-usbip
test-fuzz-usbip: $(HOST_TEST)/fuzz_usbip ## the USB/IP client and the reader of reply packets against damaged answers
	$< 100000 1

# A board on a UART link: its device against the library's host (rules: mk/test/usb.mk, which comes before this file).
$(foreach divider,4 12,$(eval $(call serial-bench,$(divider))))
.PHONY: test-usb-serial test-usb-serial-deep
TESTS += test-usb-serial
DEEP_TESTS += test-usb-serial-deep
test-usb-serial: $(foreach divider,4 12,$(USB_BUILD)/serial-$(divider)/Vusb_bench) ## UART link: packets, garbage, errors, rates off, bytes a second
	for bench in $^; do $$bench || exit 1; done
test-usb-serial-deep: $(USB_BUILD)/serial-4/Vusb_bench ## the same with ten thousand errors
	$< deep

$(HOST_TEST)/test_serial: tests/host/device/test_serial.c $(wildcard host/lib/transport/*serial*.h) $(LIBGNOMON_ASAN)
	@mkdir -p $(@D)
	$(CC) $(HOST_CFLAGS) $(SANITIZE) -o $@ $< $(LIBGNOMON_ASAN) $$(pkg-config --cflags --libs cmocka) $(HOST_LIBS)
.PHONY: test-serial-host
TESTS += test-serial-host
test-serial-host: $(HOST_TEST)/test_serial ## UART link, host: damaged frames, boards that answer nonsense, under ASan and UBSan
	$<
