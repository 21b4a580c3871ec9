# SPDX-License-Identifier: Apache-2.0
# Real boards: makes bitstreams that meet their clocks, and flashes them. mk/build/fpga.mk has the tools.
#
# A board NAME consists of
#   rtl/soc/boards/NAME.vh          the parameters of its SoC, for the bitstream and for build/sim/NAME
#   rtl/soc/boards/gnomon_TOP.v     its clocks and pins; TOP is NAME with _ for -, or NAME.top
#   constraints/NAME.pcf or .lpf    its pin constraints, or the file NAME.pins
#   the variables below: family, nextpnr's name of the part, default for SERIAL, loader of its owners
# SERIAL=XXXXXXXX sets the board's serial number, eight characters. SEEDS="3 2 4" sets the seeds of the placement: the first seed that meets the clocks
# is used.

# Memories that become distributed RAM where block RAM is what runs out, and not logic.
ecp5.spread := *.u_trace_encoder/m:image *.u_pmu/m:memory *.u_csr/m:words *.u_stall_causes/m:highs *.u_arcs/m:list *.u_watch/m:queue *.u_icache/m:*tags

fomu.family := ice40
fomu.part := --up5k --package uwg30
fomu.args := --placer static
fomu.seeds := 8 5 20 10 14
fomu.serial := FOMU0001
fomu.loader := dfu 1209:5bf0

# The same board with other bitstreams (rtl/soc/boards/fomu-*.vh).
$(foreach variant,flash counters tags bus,$(foreach v,family part args serial loader,$(eval fomu-$(variant).$v := $(fomu.$v)))\
  $(eval fomu-$(variant).top := fomu))
fomu-flash.defines := -DFOMU_FLASH
fomu-flash.pins := constraints/fomu-flash.pcf
fomu-flash.seeds := 5 3 2 20 11
fomu-counters.defines := -DFOMU_COUNTERS
fomu-counters.pins := constraints/fomu.pcf
fomu-counters.seeds := 10 20 14 3 5
fomu-bus.defines := -DFOMU_BUS
fomu-bus.pins := constraints/fomu.pcf
fomu-bus.seeds := 8 13 2 1 3
fomu-tags.defines := -DFOMU_TAGS
fomu-tags.pins := constraints/fomu.pcf
fomu-tags.seeds := 7 5 9 10 14

icebreaker.family := ice40
icebreaker.part := --up5k --package sg48
icebreaker.args := --placer static
icebreaker.seeds := 8 9 10 11 12
icebreaker.serial := ICEB0001
icebreaker.loader := iceprog

icebreaker-serial.family := ice40
icebreaker-serial.part := --up5k --package sg48
icebreaker-serial.args := --placer static
icebreaker-serial.seeds := 1 2 3 4 5
icebreaker-serial.serial := ICES0001
icebreaker-serial.loader := iceprog

icebreaker-bitsy.family := ice40
icebreaker-bitsy.part := --up5k --package sg48
icebreaker-bitsy.args := --placer static
icebreaker-bitsy.seeds := 8 9 10 11 12
icebreaker-bitsy.serial := BITS0001
icebreaker-bitsy.loader := dfu 1d50:6146

tinyfpga-bx.family := ice40
tinyfpga-bx.part := --lp8k --package cm81
tinyfpga-bx.seeds := 1 2 3
tinyfpga-bx.serial := TINY0001
tinyfpga-bx.loader := tinyprog

orangecrab.family := ecp5
orangecrab.part := --25k --package CSFBGA285 --speed 8
orangecrab.refine := setattr -set ram_style "distributed" $(ecp5.spread) *.u_aggregator/m:opens *.u_aggregator/m:frames *.u_sysctl/m:values
orangecrab.pack := --compress --freq 38.8
orangecrab.seeds := 1 2 3
orangecrab.serial := ORNG0001
orangecrab.loader := dfu 1209:5af0

ulx3s-25f.family := ecp5
ulx3s-25f.part := --25k --package CABGA381 --speed 6
ulx3s-25f.top := ulx3s
ulx3s-25f.refine := setattr -set ram_style "distributed" $(ecp5.spread)
ulx3s-25f.pins := constraints/ulx3s.lpf
ulx3s-25f.pack := --compress --freq 62.0
ulx3s-25f.seeds := 1 2 3
ulx3s-25f.serial := ULX25001
ulx3s-25f.loader := openfpgaloader

ulx3s-85f.family := ecp5
ulx3s-85f.part := --85k --package CABGA381 --speed 6
ulx3s-85f.args := --placer static
ulx3s-85f.top := ulx3s
# A block RAM delivers its word 5.8 ns after the clock: late for the tags of the data cache, which decide whether M stalls. The 25F is too full for this.
ulx3s-85f.refine := setattr -set ram_style "distributed" *.u_dcache/m:*tags
ulx3s-85f.defines := -DULX3S_85F
ulx3s-85f.pins := constraints/ulx3s.lpf
ulx3s-85f.pack := --compress --freq 62.0
ulx3s-85f.seeds := 1 2 3
ulx3s-85f.serial := ULX85001
ulx3s-85f.loader := openfpgaloader

# The same board with two harts. Half of the block RAM is main memory, so small memories become distributed RAM, as on a 25F.
$(foreach v,family part args top pins pack seeds loader,$(eval ulx3s-85f-duo.$v := $(ulx3s-85f.$v)))
ulx3s-85f-duo.refine := setattr -set ram_style "distributed" $(ecp5.spread) *.u_aggregator/m:opens *.u_aggregator/m:frames *.u_sysctl/m:values *.u_lock_words/m:*memory
# The usual router makes no progress with this netlist; the other one is not guided by timing, which is loose here.
ulx3s-85f-duo.args += --router router2
ulx3s-85f-duo.seeds := 2 1 3
ulx3s-85f-duo.defines := -DULX3S_85F_DUO
ulx3s-85f-duo.serial := ULX85002

# Settings common to a family: nextpnr, its options, kinds of files.
ice40.nextpnr = $(NEXTPNR_ICE40)
ice40.pins := pcf
ice40.placed := asc
ice40.sources := gnomon_ice40_clocks.v
ice40.pack = $(BUILD)/venv/bin/yowasp-icepack $(PACK) $1 $2
ice40.packed := bin
ecp5.nextpnr = $(NEXTPNR_ECP5)
ecp5.pins := lpf
ecp5.placed := config
ecp5.sources := gnomon_ecp5_pll.v
ecp5.pack = $(BUILD)/venv/bin/yowasp-ecppack $($(BOARD_NAME).pack) $(PACK) --input $1 --bit $2
ecp5.packed := bit

board-family = $($1.family)
board-part = $(FPGA)/$1.$($(board-family).$2)
board-top = gnomon_$(or $($1.top),$(subst -,_,$1))
# The top and the sources that boards of the family share.
board-sources = $(addprefix $(BOARD_DIR)/,$(board-top).v gnomon_reset.v $($(board-family).sources))
board-pins = $(or $($1.pins),constraints/$1.$($(board-family).pins))
board-loader = $(firstword $($1.loader))
# The file that the board's loader takes.
board-image = $(if $(filter dfu,$(board-loader)),$(FPGA)/$1.dfu,$(call board-part,$1,packed))
# Sets the parameters of the top module.
board-set = chparam -set SERIAL "'"$$(cat $(FPGA)/$1.serial)"'" -set RTL_HASH 32'\''h'$$(cat $(RTL_HASH))' $(board-top)

# $(call board-netlist,NAME,SOURCES,OUT.json): synthesizes the board
board-netlist = $(call $(board-family),$($1.defines) -I$(BOARD_DIR) $2,$(board-top),$3,$(call board-set,$1),$($1.refine))

# $(call board-place,NAME,OUT.log,SEED)
board-place = $($(board-family).nextpnr) -q -l $2 $($1.part) $($1.args) --json $(FPGA)/$1.json --$($(board-family).pins) $(board-pins) --seed $3 --timing-allow-fail

# $(call real-board,NAME)
define real-board
$(FPGA)/$1.json: $(board-sources) $(SOC_RTL) $(SOC_HEADERS) \
    $(BOARD_DIR)/$1.vh $(FPGA)/$1.serial $(RTL_HASH) tools/ice40_area.abc
	$$(call board-netlist,$1,$$(filter %.v,$$^),$$@)
$(FPGA)/$1.serial: board-serial
	@tools/boards.py serial "$$(or $$(SERIAL),$($1.serial))" $$@
# Keeps the result of the first seed that meets the clocks, or of the last seed.
$(FPGA)/$1.report.json: $(FPGA)/$1.json $(board-pins)
	for seed in $$(or $$(SEEDS),$($1.seeds)); do \
	  $$(call board-place,$1,$(FPGA)/$1.place.log,$$$$seed) --$(if $(filter ecp5,$(board-family)),textcfg,asc) $(call board-part,$1,placed) --report $$@ || exit 1; \
	  ! tools/boards.py clocks $1 $$@ || break; done
$(call board-part,$1,packed): BOARD_NAME := $1
$(call board-part,$1,packed): $(FPGA)/$1.report.json tools/boards.py
	@tools/boards.py clocks $1 $$<
	$$(call $(board-family).pack,$(call board-part,$1,placed),$$@)
$(FPGA)/$1.dfu: $(call board-part,$1,packed)
	cp $$< $$@.tmp
	dfu-suffix -v $(firstword $(subst :, ,$(lastword $($1.loader)))) -p $(lastword $(subst :, ,$(lastword $($1.loader)))) -a $$@.tmp >/dev/null
	mv $$@.tmp $$@
endef
$(foreach board,$(BOARDS),$(eval $(call real-board,$(board))))

##@ Boards
.PHONY: bitstream seeds flash boards board-serial board-known
board-serial: ; @mkdir -p $(FPGA)
board-known:
	@tools/boards.py known "$(BOARD)" $(BOARDS)
bitstream: setup board-known ## build a board's bitstream (BOARD=NAME, SERIAL=8 characters); an error if it misses a clock
	@$(MAKE) --no-print-directory $(call board-image,$(BOARD))
	@echo "$(call board-image,$(BOARD)): to be flashed with make flash BOARD=$(BOARD)"
seeds: setup board-known ## clocks to be expected of placements, before they are routed (BOARD=NAME SEEDS="1 2 3"; 16 unless given)
	@$(MAKE) --no-print-directory $(FPGA)/$(BOARD).json
	@rm -rf $(FPGA)/seeds/$(BOARD) && mkdir -p $(FPGA)/seeds/$(BOARD)
	@printf '%s\n' $(or $(SEEDS),$(shell seq 16)) | xargs -P $$(nproc) -I {} $(call board-place,$(BOARD),$(FPGA)/seeds/$(BOARD)/{}.log,{}) --no-route
	@tools/boards.py seeds $(BOARD) $(FPGA)/seeds/$(BOARD)/*.log
flash: board-known ## bring it into the board (BOARD=NAME, DRYRUN=1: print the command only)
	@$(if $(DRYRUN),,$(MAKE) --no-print-directory bitstream)
	@tools/boards.py flash $(if $(DRYRUN),--dry-run) $(BOARD) $(call board-image,$(BOARD)) $($(BOARD).loader)
boards: setup $(foreach board,$(BOARDS),$(FPGA)/$(board).report.json) ## place and pack every board; table of clocks, sizes, what is left out; also in build/boards.json
	@tools/boards.py table $(BUILD)/boards.json $(foreach board,$(BOARDS),$(BOARD_DIR)/$(board).vh=$(FPGA)/$(board).report.json)
	@$(MAKE) --no-print-directory $(foreach board,$(BOARDS),$(call board-image,$(board)))
