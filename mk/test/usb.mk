# SPDX-License-Identifier: Apache-2.0
# The USB device and the simulator's USB host.

USB_RTL := $(wildcard rtl/usb/*.v)
USB_HEADERS := $(wildcard rtl/usb/*.vh)
USB_SIM := $(wildcard sim/usb/*.cpp sim/usb/*.h)
USB_TESTS := $(filter-out tests/rtl/usb/serial_%,$(wildcard tests/rtl/usb/*.cpp tests/rtl/usb/*.h tests/rtl/usb/*.v))
USB_BUILD := $(BUILD)/usb
# No -Werror, because these options also apply to Verilator's generated code. `make lint-usb` checks our code strictly.
USB_CXXFLAGS := -std=c++17 -O2 -Wall -Wextra -I$(CURDIR)/sim/usb -I$(CURDIR)/tests/rtl/usb

# $(call usb-bench,NAME,FUNCTIONAL,CONFIG,DFU,TEST SOURCES,HOST SOURCES)
define usb-bench
$(USB_BUILD)/$1/Vusb_bench: $(USB_RTL) $(USB_HEADERS) $(USB_SIM) $(USB_TESTS) mk/test/usb.mk
	@mkdir -p $$(@D)
	verilator --cc --exe --build -Wall -O3 --top-module usb_bench -GFUNCTIONAL=$2 -GCONFIG=$3 -GDFU=$4 -Mdir $$(@D) -MAKEFLAGS OPT_FAST=-O2 \
	  -CFLAGS "$(USB_CXXFLAGS) -DUSB_LINE=$(if $(filter 0,$2),1,0) -DUSB_CONFIG=$3 -DUSB_DFU=$4" \
	  -y rtl/usb tests/rtl/usb/usb_bench.v $(addprefix $(CURDIR)/,$5 $6)
endef
USB_COMMON := $(addprefix tests/rtl/usb/,bench_board.cpp descriptors.cpp control_cases.cpp common_cases.cpp speed.cpp)
USB_FUNCTIONAL := sim/usb/usb_bus.cpp sim/usb/usb_host.cpp sim/usb/functional_bus.cpp
USB_LINE := sim/usb/usb_bus.cpp sim/usb/usb_host.cpp sim/usb/line_bus.cpp sim/usb/line_packet.cpp
$(eval $(call usb-bench,functional,1,2,2,$(USB_COMMON) tests/rtl/usb/test_functional.cpp,$(USB_FUNCTIONAL)))
$(eval $(call usb-bench,functional-mid,1,1,2,$(USB_COMMON) tests/rtl/usb/test_functional.cpp,$(USB_FUNCTIONAL)))
$(eval $(call usb-bench,line,0,0,1,$(USB_COMMON) tests/rtl/usb/line_cases.cpp,$(USB_LINE)))
$(eval $(call usb-bench,line-full,0,2,0,$(USB_COMMON) tests/rtl/usb/line_cases.cpp,$(USB_LINE)))

# The UART link with the product's own host at the other end: $(call serial-bench,DIVIDER)
define serial-bench
$(USB_BUILD)/serial-$1/Vusb_bench: $(USB_RTL) tests/rtl/usb/usb_bench.v $(wildcard tests/rtl/usb/serial_*) $(wildcard sim/serial/uart.*) $(LIBGNOMON) mk/test/usb.mk
	@mkdir -p $$(@D)
	verilator --cc --exe --build -Wall -O3 --top-module usb_bench -GLINE=1 -GSERIAL_DIVIDER=$1 -Mdir $$(@D) -MAKEFLAGS OPT_FAST=-O2 \
	  -CFLAGS "$(USB_CXXFLAGS) -I$(CURDIR)/host -I$(CURDIR)/sim/serial -DDIVIDER=$1" -LDFLAGS "$(CURDIR)/$(LIBGNOMON) $$(HOST_LIBS)" \
	  -y rtl/usb tests/rtl/usb/usb_bench.v $(addprefix $(CURDIR)/,$(wildcard tests/rtl/usb/serial_*.cpp) sim/serial/uart.cpp)
endef

##@ USB
.PHONY: test-usb-functional test-usb-line test-usb-line-full test-usb-formal lint-usb format-usb bench-usb usb-area
TESTS += test-usb-functional test-usb-line
DEEP_TESTS += test-usb-line-full
CI_TESTS += test-usb-formal
SIM_TESTS += test-usb-functional test-usb-line test-usb-line-full
test-usb-functional: $(USB_BUILD)/functional/Vusb_bench $(USB_BUILD)/functional-mid/Vusb_bench ## USB device and host model, packet level, `full` and `mid`
	$(USB_BUILD)/functional/Vusb_bench
	$(USB_BUILD)/functional-mid/Vusb_bench
test-usb-line: $(USB_BUILD)/line/Vusb_bench ## USB device and host model, bit level, with errors injected, `small`
	$<
test-usb-line-full: $(USB_BUILD)/line-full/Vusb_bench ## the same of `full`
	$<
test-usb-formal: ## USB: proofs of the clock crossing, and of a bus reset from any state, with mutants
	tests/rtl/usb/prove_handover.sh $(USB_BUILD)/formal
	tests/rtl/usb/prove_reset.sh $(USB_BUILD)/formal

USB_CXX := $(wildcard sim/usb/*.cpp sim/usb/*.h tests/rtl/usb/*.cpp tests/rtl/usb/*.h)
LINTS += lint-usb
lint-usb:
	for functional in 0 1; do for config in 0 1 2; do \
	  for dfu in 0 1 2; do \
	  verilator --lint-only -Wall -GFUNCTIONAL=$$functional -GCONFIG=$$config -GDFU=$$dfu -y rtl/usb rtl/usb/gnomon_usb.v; done; done; done
	for config in 0 1; do for dfu in 0 1; do \
	  verilator --lint-only -Wall -GLINE=1 -GCONFIG=$$config -GDFU=$$dfu -y rtl/usb rtl/usb/gnomon_usb.v; done; done
	! verilator --lint-only -Wall -GLINE=1 -GCONFIG=2 -y rtl/usb rtl/usb/gnomon_usb.v >/dev/null 2>&1
	iverilog -g2005 -Wall -t null -s gnomon_usb -Irtl/usb $(USB_RTL)
	iverilog -g2005 -Wall -t null -s gnomon_usb -Pgnomon_usb.LINE=1 -Irtl/usb $(USB_RTL)
	g++ -std=c++17 -O2 -Wall -Wextra -Werror -fsyntax-only $(filter %.cpp,$(filter sim/%,$(USB_CXX)))
	clang-format --dry-run -Werror $(USB_CXX)
FORMATS += format-usb
format-usb:
	clang-format -i $(USB_CXX)

bench-usb: $(USB_BUILD)/functional/Vusb_bench $(USB_BUILD)/line/Vusb_bench ## USB: simulation speed of both levels
	for level in $^; do echo $$level; $$level speed; done

usb-area: ## USB device alone on UP5K: size and speed (it needs 48 MHz)
	@mkdir -p $(USB_BUILD)/area
	$(YOSYS) -q -l $(USB_BUILD)/area/size.log -p 'read_verilog $(USB_RTL); synth_ice40 -top gnomon_usb'
	$(YOSYS) -q -p 'read_verilog $(USB_RTL) tests/rtl/usb/usb_bench.v tests/rtl/usb/usb_place.v; synth_ice40 -top usb_place -json $(USB_BUILD)/area/place.json'
	$(NEXTPNR_ICE40) -q -l $(USB_BUILD)/area/place.log --up5k --package sg48 --json $(USB_BUILD)/area/place.json \
	  --pcf-allow-unconstrained --freq 48 --timing-allow-fail
	grep -E '^ +[0-9]+ +SB_' $(USB_BUILD)/area/size.log | tail -n 9
	grep -E 'ICESTORM_(LC|RAM)' $(USB_BUILD)/area/place.log | tail -n 2
	grep 'Max frequency' $(USB_BUILD)/area/place.log | tail -n 2

.PHONY: lint-cdc
CI_TESTS += lint-cdc
lint-cdc: $(REGISTERS_VH) ## every way from one clock into the other is by a known cell; four mutants must be found
	tests/cdc/cdc.sh $(BUILD)/cdc $(GEN)
