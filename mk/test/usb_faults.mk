# SPDX-License-Identifier: Apache-2.0
# The USB device on a cable with random faults of every kind; and its throughput without faults.

USB_HOST_LINE := sim/usb/usb_bus.cpp sim/usb/usb_host.cpp sim/usb/fault_injector.cpp sim/usb/line_bus.cpp sim/usb/line_packet.cpp
USB_HOST_FUNCTIONAL := sim/usb/usb_bus.cpp sim/usb/usb_host.cpp sim/usb/fault_injector.cpp sim/usb/functional_bus.cpp
USB_FAULTS_TEST := tests/rtl/usb/bench_board.cpp tests/rtl/usb/faults.cpp
$(eval $(call usb-bench,faults-line,0,0,1,$(USB_FAULTS_TEST),$(USB_HOST_LINE)))
$(eval $(call usb-bench,faults-functional,1,2,0,$(USB_FAULTS_TEST),$(USB_HOST_FUNCTIONAL)))

##@ USB under faults
# SEED=N repeats a run. A round that fails prints the seed that repeats that round alone.
SEED ?= 1
.PHONY: test-usb-faults test-usb-faults-deep
TESTS += test-usb-faults
SIM_TESTS += test-usb-faults
DEEP_TESTS += test-usb-faults-deep
test-usb-faults: $(USB_BUILD)/faults-line/Vusb_bench $(USB_BUILD)/faults-functional/Vusb_bench ## USB: thousands of random faults on the wire, no byte lost or doubled (SEED=N)
	$< $(SEED) 8000
	$(word 2,$^) $(SEED) 8000
test-usb-faults-deep: $(USB_BUILD)/faults-line/Vusb_bench $(USB_BUILD)/faults-functional/Vusb_bench ## the same, 100,000 faults
	$< $(SEED)000 100000
	$(word 2,$^) $(SEED)000 100000
.PHONY: test-usb-faults-mutants
DEEP_TESTS += test-usb-faults-mutants
test-usb-faults-mutants: $(USB_BUILD)/faults-line/Vusb_bench ## devices broken on purpose: the test of faults must notice each
	python3 tests/rtl/usb/mutants.py --bench $< --out $(USB_BUILD)/mutants --seed $(SEED) --faults 40000

# A frame that is more or less full holds one packet more or less: the test counts packets, in a tenth of the bench's time.
$(eval $(call usb-bench,wire,0,2,0,tests/rtl/usb/bench_board.cpp tests/rtl/usb/wire.cpp,$(USB_HOST_LINE)))
.PHONY: test-usb-wire bench-usb-wire
TESTS += test-usb-wire
test-usb-wire: $(USB_BUILD)/wire/Vusb_bench ## USB: every frame on the wire is as full as it can be
	$< 100
bench-usb-wire: $(USB_BUILD)/wire/Vusb_bench ## USB: bytes a second at bit level, packet by packet; also in build/bench-usb-wire.json
	$< 1000 $(BUILD)/bench-usb-wire.json
