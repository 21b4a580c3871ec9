# SPDX-License-Identifier: Apache-2.0
# The simulated board: build/sim/CONFIG/gnomon-sim (packet level) and build/sim/CONFIG-line (bit level).

SIM := $(BUILD)/sim
SIM_RTL := $(wildcard $(foreach d,$(RTL_ROOMS),rtl/$d/*.v rtl/$d/*.vh)) $(REGISTERS_VH)
SIM_SEARCH := -I$(GEN) -Irtl/soc $(patsubst %,-y rtl/%,$(RTL_ROOMS))
SIM_CXX := $(wildcard sim/*.cpp sim/usb/*.cpp sim/serial/*.cpp)
SIM_CXX_HEADERS := $(wildcard include/gnomon/sim*.h) $(wildcard sim/*.h sim/usb/*.h sim/serial/*.h)
# Clang's code is a little faster than GCC's, and Clang compiles faster (docs/guide/sim.md).
SIM_COMPILER := $(if $(shell command -v clang++),clang++,g++)
# Verilator's code has (a && 3) as condition, | and ~ of truth values, and unused parameters. The warnings about these are not errors.
SIM_NO_ERRORS := $(if $(filter clang++,$(SIM_COMPILER)),unused-parameter unused-but-set-variable bitwise-instead-of-logical bool-operation,int-in-bool-context)
# Models have no debug information: it would add an eighth to the build time.
SIM_CXXFLAGS := -std=c++17 -O2 -Wall -Wextra $(WERROR) $(addprefix -Wno-error=,$(SIM_NO_ERRORS)) -I$(CURDIR)/sim -I$(CURDIR)/$(GEN)
SIM_MAKEFLAGS := "OPT_FAST=-O2 CXX=$(SIM_COMPILER) LINK=$(SIM_COMPILER)"
SIM_LIBS := -lelf -ljansson

# The first 32 bits of the SHA-256 of the RTL, which the device reports in RTL_HASH. Comments, indents and empty lines do not count.
RTL_HASH := $(GEN)/rtl_hash
$(RTL_HASH): $(SIM_RTL)
	@mkdir -p $(@D) && cat $(sort $^) | sed "s,//.*,,; s/^ *//; s/ *$$//; /^$$/d" | sha256sum | cut -c1-8 > $@

# The simulator without the model, built once for each kind of line. Only sim/simulated_board.cpp needs the model's headers.
SIM_AROUND := $(filter-out sim/simulated_board.cpp,$(SIM_CXX))
SIM_KINDS := packet line serial
SIM_KIND_packet := -DSIM_LINE=0 -DSIM_SERIAL=0
SIM_KIND_line := -DSIM_LINE=1 -DSIM_SERIAL=0
SIM_KIND_serial := -DSIM_LINE=0 -DSIM_SERIAL=1
define sim-around
$(SIM)/around/$1/%.o: sim/%.cpp $(SIM_CXX_HEADERS) mk/build/sim.mk $(REGISTERS_H)
	@mkdir -p $$(@D)
	$(SIM_COMPILER) -g $(SIM_CXXFLAGS) $(SIM_KIND_$1) -c -o $$@ $$<
$(SIM)/around/$1.a: $(patsubst sim/%.cpp,$(SIM)/around/$1/%.o,$(SIM_AROUND))
	@rm -f $$@ && ar rcs $$@ $$^
endef
$(foreach kind,$(SIM_KINDS),$(eval $(call sim-around,$(kind))))

# $(call sim-kind,FUNCTIONAL,VERILATOR OPTIONS)
sim-kind = $(if $(filter 1,$1),packet,$(if $(findstring -GLINE=1,$2),serial,line))
# $(call sim-board,NAME,CONFIG,FUNCTIONAL,VERILATOR OPTIONS). MAKEFLAGS is cleared: with that of a `make -j` Verilator would compile one file at a time.
define sim-board
$(SIM)/$1/gnomon-sim: $(SIM_RTL) $(wildcard sim/*.v) sim/public.vlt sim/simulated_board.cpp $(SIM_CXX_HEADERS) $(SIM)/around/$(call sim-kind,$3,$4).a $(RTL_HASH) mk/build/sim.mk
	@mkdir -p $$(@D) && rm -f $$@ # else it is not linked again when only what is around the model has changed
	env -u MAKEFLAGS verilator --cc --exe --build -j 2 -O3 --x-assign 0 --x-initial 0 -Wall -Wno-PINCONNECTEMPTY -Wno-UNUSEDPARAM --top-module gnomon_sim_top \
	  -GCONFIG=$2 -GFUNCTIONAL=$3 -GRTL_HASH="32'h$$$$(cat $(RTL_HASH))" -Mdir $$(@D)/obj -o ../gnomon-sim $4 \
	  -CFLAGS "$(SIM_CXXFLAGS) $(SIM_KIND_$(call sim-kind,$3,$4))" -LDFLAGS "$(CURDIR)/$(SIM)/around/$(call sim-kind,$3,$4).a $(SIM_LIBS)" \
	  -MAKEFLAGS $(SIM_MAKEFLAGS) $(SIM_SEARCH) sim/public.vlt sim/gnomon_sim_top.v $(CURDIR)/sim/simulated_board.cpp >$$(@D)/build.log 2>&1 \
	  || { tail -n 40 $$(@D)/build.log; exit 1; }
	@touch $$@
endef
$(eval $(call sim-board,full,2,1))
# A model without the parts that most runs do not use (docs/guide/sim.md, "Lean models"): the same cycles in less time.
$(eval $(call sim-board,full-lean,2,1,-GLEAN=1))
$(SIM)/full/gnomon-sim: | $(SIM)/full-lean/gnomon-sim # which the command takes where it can: never an old one
$(eval $(call sim-board,mid,1,1))
$(eval $(call sim-board,small,0,1))
$(eval $(call sim-board,full-line,2,0))
$(eval $(call sim-board,full-vcd,2,1,--trace))
$(eval $(call sim-board,small-serial,0,0,-GLINE=1))
$(eval $(call sim-board,slow/small-serial,0,0,-GLINE=1 -GSERIAL_DIVIDER=12))
# Without pairs of caller and callee: the board full in its own GNOMON_SIM_DIR, as the next ones.
$(eval $(call sim-board,graphless/full,2,1,-GARCS=0))
# Two harts (docs/internals/harts.md).
$(eval $(call sim-board,duo,2,1,-GHARTS=2))
# With the data cache, and with a memory that is eight cycles slower: each is the board full in its own GNOMON_SIM_DIR.
$(eval $(call sim-board,cached/full,2,1,-GDCACHE_BYTES=8192))
$(eval $(call sim-board,far/full,2,1,-GMEM_DELAY=8))
$(eval $(call sim-board,far-cached/full,2,1,-GMEM_DELAY=8 -GDCACHE_BYTES=8192))
# Main memory in an SDRAM (docs/internals/sdram.md); the chip's model checks its rules. With both caches as on boards, and without.
SIM_SDRAM := sim/gnomon_sdram_chip.v
open := (
SIM_FLASH := sim/gnomon_flash_chip.v
$(eval $(call sim-board,sdram/full,2,1,-GSDRAM=1 $(SIM_SDRAM)))
$(eval $(call sim-board,sdram-icache/full,2,1,-GSDRAM=1 -GDCACHE_BYTES=0 $(SIM_SDRAM)))
# With tag caches, and with neither (the same memory, so the program has the same addresses).
$(eval $(call sim-board,sdram-tags/full,2,1,-GSDRAM=1 -GTAG_CACHE=1 -GRAM_BYTES=16777216 $(SIM_SDRAM)))
$(eval $(call sim-board,sdram-plain/full,2,1,-GSDRAM=1 -GRAM_BYTES=16777216 $(SIM_SDRAM)))
$(eval $(call sim-board,sdram-bare/full,2,1,-GSDRAM=1 -GDCACHE_BYTES=0 -GICACHE_BYTES=0 $(SIM_SDRAM)))
# Real boards: the SoC of their bitstreams, with the same header of parameters; also with USB at bit level. A UART link is always
# at bit level.
define sim-real-board
$(call sim-board,$1,0,$(if $(call board-serial-line,$1),0,1),$(call board-header,$1))
$(if $(call board-serial-line,$1),,$(call sim-board,$1-line,0,0,$(call board-header,$1)))
endef
board-serial-line = $(findstring .LINE(1),$(board-text))
board-text = $(file <$(BOARD_DIR)/$1.vh)
board-header = -DBOARD_VH='"$1.vh"' -I$(BOARD_DIR) \
  $(if $(board-serial-line),-GLINE=1) \
  $(if $(findstring .SDRAM(1),$(board-text)),-GSDRAM=1 -GRAM_BYTES=$(shell sed -n 's/^\.RAM_BYTES(\([0-9]*\)).*/\1/p' $(BOARD_DIR)/$1.vh) $(SIM_SDRAM)) \
  $(if $(findstring .TAG_CACHE(1),$(board-text)),-GTAG_CACHE=1) \
  $(if $(findstring .HARTS(2),$(board-text)),-GHARTS=2) \
  $(if $(findstring .FLASH$(open),$(board-text)),-GFLASH=1 $(SIM_FLASH))
$(foreach board,$(BOARDS),$(eval $(call sim-real-board,$(board))) \
  $(foreach level,$(board) $(if $(call board-serial-line,$(board)),,$(board)-line),$(eval $(SIM)/$(level)/gnomon-sim: $(BOARD_DIR)/$(board).vh)))
# small with memory for large programs, to measure the effect of its instruction cache (bench-hooks).
$(eval $(call sim-board,roomy/small,0,1,-GRAM_BYTES=33554432))
SIM_BOARDS := $(foreach b,full small mid full-line full-lean,$(SIM)/$b/gnomon-sim)

##@ The simulated board
.PHONY: sim-boards sim-vcd
sim-boards: $(SIM_BOARDS) ## build the simulated boards
sim-vcd: $(SIM)/full-vcd/gnomon-sim ## one that can write waveforms (--trace-vcd)
