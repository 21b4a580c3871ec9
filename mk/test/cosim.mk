# SPDX-License-Identifier: Apache-2.0
# Co-simulation of the core against QEMU (docs/verification/cosim.md).

COSIM := $(BUILD)/cosim
COSIM_RTL ?= rtl/core
COSIM_GEN_C := $(addprefix tests/cosim/,gen.c program.c blocks_data.c blocks_flow.c blocks_system.c blocks_options.c blocks_user.c blocks_cross.c)
COSIM_CPP := $(addprefix tests/cosim/,bus checker checker_reference decode execute loader)
COSIM_OBJECTS := $(patsubst tests/cosim/%,$(COSIM)/%.o,$(COSIM_CPP))
COSIM_HEADERS := $(wildcard tests/cosim/*.h tests/cosim/*.hpp)
COSIM_CXXFLAGS := -std=c++17 -O2 -Wall -Wextra $(WERROR) -Wno-error=int-in-bool-context
COSIM_MODELS := fast nosplit o0 slow compact compactopt predict alias user compact-user
COSIM_SEED := $(or $(SEED),1)

# The core with its fast multiplier and the options, in three builds of Verilator; and the core with the smaller units of the other
# configurations.
COSIM_OPTIONS := -GATOMIC=1 -GBITS=1
COSIM_FLAGS_fast := -O3 $(COSIM_OPTIONS)
COSIM_FLAGS_nosplit := -O3 -fno-split $(COSIM_OPTIONS)
COSIM_FLAGS_o0 := -O0 $(COSIM_OPTIONS)
COSIM_FLAGS_slow := -O3 -GMUL_FAST=0
# With the branch predictor of full; and with a predictor so small that it confuses most instructions.
COSIM_FLAGS_predict := -O3 -GLUTRAM=1 -GPREDICT=9 -GLATE=1 $(COSIM_OPTIONS)
COSIM_FLAGS_alias := -O3 -GPREDICT=3 -GPREDICT_TAG=1 -GLATE=1
COSIM_FLAGS_compact := -O3 -GMUL_FAST=0 -GCOMPACT=1
COSIM_FLAGS_compactopt := -O3 -GMUL_FAST=0 -GCOMPACT=1 $(COSIM_OPTIONS)
# With U mode, PMP, triggers (which stay off) and the counters' interrupt (which never comes): one build like full, one compact build with the largest numbers.
COSIM_FLAGS_user := -O3 -GLUTRAM=1 -GPREDICT=9 -GLATE=1 $(COSIM_OPTIONS) -GUSER=1 -GPMP=4 -GTRIGGERS=2 -GOVERFLOW=1
COSIM_FLAGS_compact-user := $(COSIM_FLAGS_compact) -GUSER=1 -GPMP=16 -GTRIGGERS=4

$(COSIM)/qemu_trace.so: tests/cosim/qemu_trace.c tests/cosim/reference.h
	@mkdir -p $(@D)
	gcc -std=c11 -O2 -Wall -Wextra $(WERROR) -fPIC -shared -fvisibility=hidden $$(pkg-config --cflags glib-2.0) $< -o $@

$(COSIM)/cosim_gen: $(COSIM_GEN_C) $(COSIM_HEADERS)
	@mkdir -p $(@D)
	gcc -std=c11 -O2 -Wall -Wextra $(WERROR) $(COSIM_GEN_C) -o $@

$(COSIM)/%.o: tests/cosim/%.cpp $(COSIM_HEADERS)
	@mkdir -p $(@D)
	g++ $(COSIM_CXXFLAGS) -c $< -o $@

$(COSIM_MODELS:%=$(COSIM)/%/cosim): $(COSIM)/%/cosim: $(COSIM_OBJECTS) tests/cosim/main.cpp tests/cosim/debugger.cpp \
		$(wildcard $(COSIM_RTL)/*.v $(COSIM_RTL)/*.vh)
	@mkdir -p $(@D) && rm -f $@ # what Verilator links does not depend on the objects from here
	verilator --cc --exe --build $(COSIM_FLAGS_$*) --x-assign unique --x-initial unique --Mdir $(@D) -o cosim \
	  --top-module gnomon_core -CFLAGS "$(COSIM_CXXFLAGS) -I$(CURDIR)/tests/cosim" -Wno-lint -y $(COSIM_RTL) \
	  $(COSIM_RTL)/gnomon_core.v $(addprefix $(CURDIR)/tests/cosim/,main.cpp debugger.cpp) \
	  $(addprefix $(CURDIR)/,$(COSIM_OBJECTS)) >$(@D).log || { cat $(@D).log; exit 1; }
	@touch $@

# The check of two harts' log.
$(COSIM)/%.o: COSIM_CXXFLAGS += -Isim
$(COSIM)/cosim_harts: $(addprefix $(COSIM)/,harts.o hart_model.o memory_order.o execute.o decode.o)
	g++ -o $@ $^
$(addprefix $(COSIM)/,harts.o hart_model.o memory_order.o): sim/retired_log.h

COSIM_TOOLS := $(COSIM)/qemu_trace.so $(COSIM)/cosim_gen $(COSIM_MODELS:%=$(COSIM)/%/cosim)

##@ Co-simulation
.PHONY: test-cosim test-cosim-deep cosim-tools
TESTS += test-cosim
SIM_TESTS += test-cosim
DEEP_TESTS += test-cosim-deep
cosim-tools: $(COSIM_TOOLS) ## build what tests/cosim/cosim.py needs
test-cosim: $(COSIM_TOOLS) ## random programs on the core and in QEMU, over 1,000,000 instructions (SEED=)
	tests/cosim/cosim.py run --build $(COSIM) --instructions $(or $(N),1000000) --seed $(COSIM_SEED)
test-cosim-deep: $(COSIM_TOOLS) ## the same with N instructions (100,000,000)
	tests/cosim/cosim.py run --build $(COSIM) --instructions $(or $(N),100000000) --seed $(or $(SEED),2)

COSIM_HARTS := $(COSIM)/qemu_trace.so $(COSIM)/cosim_harts $(SIM)/duo/gnomon-sim $(BUILD)/bin/gnomon $(FW_FILES)
.PHONY: test-cosim-harts test-cosim-harts-deep
TESTS += test-cosim-harts
SIM_TESTS += test-cosim-harts
DEEP_TESTS += test-cosim-harts-deep
test-cosim-harts: $(COSIM_HARTS) ## random programs on both harts of duo, each instruction against a reference model and QEMU, memory in one order (SEED=, N= programs)
	python3 tests/cosim/harts.py --build $(COSIM) --simulators $(SIM) --programs $(or $(N),2) --seed $(COSIM_SEED)
test-cosim-harts-deep: $(COSIM_HARTS) ## the same with N programs (40), and the programs of test-harts
	@mkdir -p $(COSIM)/harts
	for name in atomics litmus interrupts; do gnomon cc -march=rv32imac -O2 -DLITMUS_SAME_CODE -Itests/firmware/runtime -o $(COSIM)/harts/$$name tests/firmware/harts/$$name.c || exit 1; done
	python3 tests/cosim/harts.py --build $(COSIM) --simulators $(SIM) --programs $(or $(N),40) --seed $(or $(SEED),1000) $(addprefix $(COSIM)/harts/,atomics litmus interrupts)

.PHONY: cosim-mutants
cosim-mutants: $(COSIM_TOOLS) ## show that co-simulation finds bugs: copies of the core with one defect each
	tests/cosim/mutants.py --tools $(COSIM)

COSIM_FORMATTED := $(wildcard tests/cosim/*.c tests/cosim/*.h tests/cosim/*.cpp tests/cosim/*.hpp)
.PHONY: lint-cosim format-cosim
LINTS += lint-cosim
FORMATS += format-cosim
lint-cosim: ## style of the co-simulation
	clang-format --dry-run -Werror $(COSIM_FORMATTED)
	python3 -c "import ast,sys; [ast.parse(open(f).read(), f) for f in sys.argv[1:]]" tests/cosim/*.py
format-cosim:
	clang-format -i $(COSIM_FORMATTED)
