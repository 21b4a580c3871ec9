# SPDX-License-Identifier: Apache-2.0
# Simulates the netlists of the bitstreams (docs/verification/netlist.md): a board's top as RTL and as netlist after synthesis, each linked with the
# gnomon command. The outputs at the pins are compared.

NETLIST := $(BUILD)/netlist
NETLIST_CXX := $(wildcard tests/netlist/*.cpp)
NETLIST_SIM := $(NETLIST_CXX) $(addprefix sim/usb/,line_bus.cpp line_packet.cpp usb_bus.cpp usb_host.cpp)
NETLIST_SOURCES := $(NETLIST_SIM) $(wildcard tests/netlist/*.h sim/usb/*.h tests/netlist/models/*.v) tests/netlist/netlist_tb.v mk/test/netlist.mk
# Simulation models of the vendors' cells, from yosys.
YOSYS_SHARE := $(abspath $(dir $(shell readlink -f "$$(command -v yosys)"))/../share/yosys)
NETLIST_CELLS_ice40 := $(YOSYS_SHARE)/ice40/cells_sim.v
NETLIST_CELLS_ecp5 := $(YOSYS_SHARE)/ecp5/cells_sim.v
# Verilator's warnings about netlists do not matter: synthesis has checked the design.
NETLIST_WARNINGS := -Wno-fatal -Wno-lint -Wno-style -Wno-MULTITOP -Wno-COMBDLY -Wno-MODDUP -Wno-TIMESCALEMOD
# The model runs only once or twice: -O2 would cost the compiler several times what it saves.
NETLIST_MAKEFLAGS := "OPT_FAST=-O1 CXX=$(SIM_COMPILER) LINK=$(SIM_COMPILER)"

# $(call netlist-sim,NAME,BOARD,FAMILY,PINS,TOP'S SOURCES[,FILE WITH ITS PARAMETERS]): build/netlist/NAME/gnomon, the command that contains that board.
# PINS: names of clock, D+, D- and pull-up in the top, the clock's rate in MHz, and `sdram` if the board has that chip.
define netlist-sim
$(NETLIST)/$1/gnomon: $5 $(if $(word 6,$4),sim/gnomon_sdram_chip.v) $6 $(NETLIST_SOURCES) $(HOST_CLI_SOURCES:host/%.c=$(HOST)/%.o) $(LIBGNOMON)
	@mkdir -p $$(@D)
	verilator --cc --exe --build -j 2 -O3 --x-assign unique --x-initial unique $(NETLIST_WARNINGS) --top-module netlist_tb \
	  +define+BOARD=$(call board-top,$2) "+define+BOARD_SET=$(if $6,$$$$(cat $6))" +define+BOARD_CLOCK=$(word 1,$4) +define+BOARD_DP=$(word 2,$4) +define+BOARD_DN=$(word 3,$4) \
	  +define+BOARD_PULLUP=$(word 4,$4) +define+BOARD_MHZ=$(word 5,$4) $(if $(word 6,$4),+define+BOARD_SDRAM) $($2.defines:-D%=+define+%) +define+NO_ICE40_DEFAULT_ASSIGNMENTS -I$(YOSYS_SHARE)/$3 -Mdir $$(@D)/obj -o ../gnomon \
	  -CFLAGS "-std=c++17 -O1 -I$(CURDIR)/sim -I$(CURDIR)/host -I$(CURDIR)/include -I$(CURDIR)/$(GEN)" \
	  -LDFLAGS "$$(addprefix $(CURDIR)/,$$(filter %.o %.a,$$^)) $$(HOST_LIBS)" -MAKEFLAGS $(NETLIST_MAKEFLAGS) \
	  $(SOC_INCLUDES) -I$(BOARD_DIR) $$(filter %.v,$$^) -v $(NETLIST_CELLS_$3) \
	  $(addprefix $(CURDIR)/,$(NETLIST_SIM)) >$$(@D)/build.log 2>&1 || { tail -n 40 $$(@D)/build.log; exit 1; }
	@touch $$@
endef
NETLIST_MUTANTS := 60
# $(call netlist-board,BOARD,FAMILY,PINS)
define netlist-board
$(NETLIST)/$1.v: $(FPGA)/$1.json
	@mkdir -p $$(@D)
	$(YOSYS) -q -p 'read_json $$<; delete t:$$$$scopeinfo; write_verilog -noattr -selected -siminit $$@'
$(NETLIST)/$1.set: $(FPGA)/$1.serial $(RTL_HASH)
	@mkdir -p $$(@D)
	@echo "#(.SERIAL(\"$$$$(cat $(FPGA)/$1.serial)\"),.RTL_HASH(32'h$$$$(cat $(RTL_HASH))))" >$$@
$(call netlist-sim,$1/rtl,$1,$2,$3,$(board-sources) $(SOC_RTL) $(REGISTERS_VH),$(NETLIST)/$1.set)
$(call netlist-sim,$1/netlist,$1,$2,$3,$(NETLIST)/$1.v)
$(NETLIST)/$1-mutants.v: $(NETLIST)/$1.v tests/netlist/mutate.py
	python3 tests/netlist/mutate.py --count $(NETLIST_MUTANTS) --seed 1 <$$< >$$@
$(call netlist-sim,$1/mutants,$1,$2,$3,$(NETLIST)/$1-mutants.v)
endef
$(foreach board,fomu fomu-counters fomu-tags fomu-bus,$(eval $(call netlist-board,$(board),ice40,clki usb_dp usb_dn usb_dp_pu 48)))
$(eval $(call netlist-board,orangecrab,ecp5,clk48 usb_d_p usb_d_n usb_pullup 48))
$(eval $(call netlist-board,ulx3s-25f,ecp5,clk25 usb_dp usb_dn usb_pullup_dp 25 sdram))
$(eval $(call netlist-board,ulx3s-85f-duo,ecp5,clk25 usb_dp usb_dn usb_pullup_dp 25))

# The iCE40 board also from its packed bitstream: icestorm converts the bits back to Verilog.
ICEPACK ?= $(BUILD)/venv/bin/yowasp-icepack
ICEUNPACK ?= $(BUILD)/venv/bin/yowasp-iceunpack
ICEBOX ?= /usr/share/fpga-icestorm/python
# $(call netlist-bits,BOARD,PACKAGE,PINS)
define netlist-bits
$(NETLIST)/$1.bin: $(FPGA)/$1.report.json
	@mkdir -p $$(@D)
	$(ICEPACK) $(FPGA)/$1.asc $$@
$(NETLIST)/$1-bits.v: $(NETLIST)/$1.bin constraints/$1.pcf tests/netlist/asc_to_verilog.py
	$(ICEUNPACK) $$< $$(@:.v=.asc)
	python3 -W ignore tests/netlist/asc_to_verilog.py --icebox $(ICEBOX) --asc $$(@:.v=.asc) --package $2 --pcf constraints/$1.pcf --top $(board-top) >$$@
$(call netlist-sim,$1/bits,$1,ice40,$3,$(NETLIST)/$1-bits.v)
endef
$(eval $(call netlist-bits,fomu,uwg30,clki usb_dp usb_dn usb_dp_pu 48))

# The programs: enough calls for meaningful events and records, interrupts, and more data than the cable carries; lock accesses; a program that tags itself; locks of two harts.
NETLIST_PROGRAMS := storm-O2 interrupts-O2 lock_accesses-O2 reduced-O2 hart_locks
# These tests share their models and may run in parallel: one test builds the models, the others wait.
# $(call netlist-made,BOARD,FORMS)
netlist-made = @mkdir -p $(NETLIST) && flock $(NETLIST)/lock \
  $(MAKE) --no-print-directory $(foreach form,$2,$(NETLIST)/$1/$(form)/gnomon) $(NETLIST_PROGRAMS:%=$(E2E)/%)
# $(call netlist-compare,BOARD,FORMS,SESSIONS): SESSIONS as compare.py names them
netlist-compare = python3 tests/netlist/compare.py --out $(NETLIST)/$1/run-$@ --programs $(E2E) --sessions $3 $(foreach form,$2,$(NETLIST)/$1/$(form)/gnomon)

##@ Netlists
.PHONY: test-netlist test-netlist-variants test-netlist-full test-netlist-harts test-netlist-bits
CI_TESTS += test-netlist
test-netlist: ## `small` as synthesised for the UP5K says on its pins what the RTL says, to the tick
	$(call netlist-made,fomu,rtl netlist)
	$(call netlist-compare,fomu,rtl netlist,events+records+locks)
DEEP_TESTS += test-netlist-variants test-netlist-full test-netlist-harts test-netlist-bits
test-netlist-variants: ## the same of the Fomu's other bitstreams: two counters, reduced tags, bus filter
	$(call netlist-made,fomu-counters,rtl netlist)
	$(call netlist-compare,fomu-counters,rtl netlist,locks+stat-reduced)
	$(call netlist-made,fomu-tags,rtl netlist)
	$(call netlist-compare,fomu-tags,rtl netlist,locks+tag-reduced+tag-self)
	$(call netlist-made,fomu-bus,rtl netlist)
	$(call netlist-compare,fomu-bus,rtl netlist,events+locks+bus)
test-netlist-full: ## the same of `full` for the ECP5, with locks, counters and tags; one board with SDRAM
	$(call netlist-made,orangecrab,rtl netlist)
	$(call netlist-compare,orangecrab,rtl netlist,events+records+locks+stat+tag)
	$(call netlist-made,ulx3s-25f,rtl netlist)
	$(call netlist-compare,ulx3s-25f,rtl netlist,locks+stat+tag)
test-netlist-harts: ## the same of two harts in an ECP5-85F: what gnomon locks shows of both, calls in events, with counters and tags
	$(call netlist-made,ulx3s-85f-duo,rtl netlist)
	$(call netlist-compare,ulx3s-85f-duo,rtl netlist,harts+locks+clock+stat+tag)
test-netlist-bits: ## the same of the UP5K's packed bitstream, bits to netlist
	$(call netlist-made,fomu,rtl bits)
	$(call netlist-compare,fomu,rtl bits,events+records+locks)

# How much of a netlist a session tests: of a number of look-up tables with one wrong bit each, how many differ visibly from the RTL.
.PHONY: bench-netlist-mutants
bench-netlist-mutants: ## of the UP5K's netlist, which faults of one bit in a look-up table are noticed (COUNT=24, of 60)
	$(call netlist-made,fomu,rtl mutants)
	python3 tests/netlist/mutants.py --out $(NETLIST)/fomu/run-mutants --program $(E2E)/storm-O2 --argument 12 \
	  $(foreach form,rtl mutants,--$(form) $(NETLIST)/fomu/$(form)/gnomon) --count $(or $(COUNT),24)

# The same sources must give the same bytes. Placement is not tested: it takes minutes, and its seed is an argument.
DEEP_TESTS += test-netlist-again
.PHONY: test-netlist-again
test-netlist-again: $(FPGA)/fomu.json ## synthesis of the UP5K's board, once more, gives the same netlist
	@mkdir -p $(NETLIST)/again
	$(call board-netlist,fomu,$(call board-sources,fomu) $(SOC_RTL),$(NETLIST)/again/fomu.json)
	cmp $< $(NETLIST)/again/fomu.json

TESTS += test-netlist-models
.PHONY: test-netlist-models lint-netlist format-netlist
test-netlist-models: ## our models of the vendors' cells against plain ones
	@mkdir -p $(NETLIST)
	sed -n '/^module SB_LUT4 /,/^endmodule/p' $(NETLIST_CELLS_ice40) | sed 's/module SB_/module yosys_SB_/' >$(NETLIST)/tables.v
	sed -n '/^module LUT4(/,/^endmodule/p' $(NETLIST_CELLS_ecp5) | sed 's/module LUT4/module yosys_LUT4/' >>$(NETLIST)/tables.v
	iverilog -g2012 '-DICE40_DEFAULT_ASSIGNMENT_0=' -s tb_models -o $(NETLIST)/models.vvp \
	  $(addprefix tests/netlist/models/,DP16KD.v MULT18X18D.v lut.v) tests/netlist/tb_models.v \
	  $(NETLIST)/tables.v
	timeout 300 vvp -n $(NETLIST)/models.vvp

NETLIST_FORMATTED := $(wildcard tests/netlist/*.cpp tests/netlist/*.h)
LINTS += lint-netlist
lint-netlist:
	clang-format --dry-run -Werror $(NETLIST_FORMATTED)
FORMATS += format-netlist
format-netlist:
	clang-format -i $(NETLIST_FORMATTED)
