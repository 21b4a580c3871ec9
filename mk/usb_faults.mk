# SPDX-License-Identifier: Apache-2.0
# The USB device on a cable on which everything goes wrong, and what it carries when nothing does.

USB_HOST_LINE := sim/usb/usb_bus.cpp sim/usb/usb_host.cpp sim/usb/fault_injector.cpp sim/usb/line_bus.cpp sim/usb/line_packet.cpp
USB_HOST_FUNCTIONAL := sim/usb/usb_bus.cpp sim/usb/usb_host.cpp sim/usb/fault_injector.cpp sim/usb/functional_bus.cpp
USB_FAULTS_TEST := tests/rtl/usb/board.cpp tests/rtl/usb/faults.cpp
$(eval $(call usb-bench,faults-line,0,0,$(USB_FAULTS_TEST),$(USB_HOST_LINE)))
$(eval $(call usb-bench,faults-functional,1,2,$(USB_FAULTS_TEST),$(USB_HOST_FUNCTIONAL)))

##@ USB under faults
# SEED=N repeats a run; a round that fails says which seed repeats it alone.
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
