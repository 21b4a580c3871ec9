# SPDX-License-Identifier: Apache-2.0
# The USB device and the simulator's USB host.

USB_RTL := $(wildcard rtl/usb/*.v)
USB_SIM := $(wildcard sim/usb/*.cpp sim/usb/*.h)
USB_TESTS := $(wildcard tests/rtl/usb/*.cpp tests/rtl/usb/*.h tests/rtl/usb/*.v)
USB_BUILD := $(BUILD)/usb
USB_CXXFLAGS := -std=c++17 -O2 -Wall -Wextra -Werror -I$(CURDIR)/sim/usb -I$(CURDIR)/tests/rtl/usb

# $(call usb-bench,NAME,FUNCTIONAL,CONFIG,TEST SOURCES,HOST SOURCES)
define usb-bench
$(USB_BUILD)/$1/Vusb_bench: $(USB_RTL) $(USB_SIM) $(USB_TESTS) mk/usb.mk
	@mkdir -p $$(@D)
	verilator --cc --exe --build -Wall -O3 --top-module usb_bench -GFUNCTIONAL=$2 -GCONFIG=$3 -Mdir $$(@D) \
	  -CFLAGS "$(USB_CXXFLAGS) -DUSB_LINE=$(if $(filter 0,$2),1,0) -DUSB_CONFIG=$3" \
	  -y rtl/usb tests/rtl/usb/usb_bench.v $(addprefix $(CURDIR)/,$4 $5)
endef
USB_COMMON := tests/rtl/usb/board.cpp tests/rtl/usb/common_cases.cpp
$(eval $(call usb-bench,functional,1,2,$(USB_COMMON) tests/rtl/usb/test_functional.cpp,\
  sim/usb/usb_bus.cpp sim/usb/usb_host.cpp sim/usb/functional_bus.cpp))
$(eval $(call usb-bench,line,0,0,$(USB_COMMON) tests/rtl/usb/line_cases.cpp,\
  sim/usb/usb_bus.cpp sim/usb/usb_host.cpp sim/usb/line_bus.cpp sim/usb/line_packet.cpp))

##@ USB
TESTS += test-usb-line
SIM_TESTS += test-usb-line
.PHONY: test-usb-functional test-usb-line
TESTS += test-usb-functional
SIM_TESTS += test-usb-functional
test-usb-functional: $(USB_BUILD)/functional/Vusb_bench ## USB device and host model, packet level
	$<
test-usb-line: $(USB_BUILD)/line/Vusb_bench ## USB device and host model, bit level, with errors injected
	$<
