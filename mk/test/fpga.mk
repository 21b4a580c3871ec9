# SPDX-License-Identifier: Apache-2.0
# Area and clocks of the configurations, and DSP blocks as synthesised.

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

DEEP_TESTS += test-up5k-dsp
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
