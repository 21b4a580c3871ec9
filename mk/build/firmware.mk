# SPDX-License-Identifier: Apache-2.0
# The compiler side: GCC plugin, runtime library, start-up, linker script and headers. build/firmware has the layout in which `gnomon cc`
# finds them next to its own bin directory.

FW := $(BUILD)/firmware
RISCV := riscv64-unknown-elf-
# rv32imc has no multilib of its own and uses that of rv32im. Neither that multilib nor the core has atomics.
FW_TARGET := -march=rv32imc -misa-spec=2.2 -mabi=ilp32 --specs=picolibc.specs --picolibc-buildtype=release
FW_CFLAGS := $(FW_TARGET) -std=gnu11 -O2 -g -fasynchronous-unwind-tables -ffunction-sections -fdata-sections -fno-lto -Wall -Wextra $(WERROR)

FW_PLUGIN := $(FW)/plugin/gnomon.so
# These objects are always on the command line, before libc is searched. --gc-sections drops unused parts.
FW_START := start main memory
FW_START_OBJECTS := $(FW_START:%=$(FW)/obj/start/%.o)
RECORDS_PARTS := records.c records_graph.c records_file.c records.S
FW_RUNTIME_SOURCES := $(filter-out $(FW_START:%=firmware/runtime/start/%.c) firmware/runtime/records/% firmware/runtime/zephyr/% firmware/runtime/threads/harts% firmware/runtime/heap/heap_free.c firmware/runtime/heap/guard%,$(wildcard firmware/runtime/*/*.c))
FW_RUNTIME_OBJECTS := $(FW_RUNTIME_SOURCES:firmware/runtime/%.c=$(FW)/obj/%.o) $(patsubst firmware/runtime/%.cc,$(FW)/obj/%.o,$(wildcard firmware/runtime/libc/*.cc)) $(FW)/obj/threads/switch.o $(FW)/obj/freertos/records_trap.o
# The same with threads and locks for two harts, for --gnomon-harts.
FW_HARTS_PARTS := $(filter $(FW)/obj/threads/%,$(FW_RUNTIME_OBJECTS)) $(patsubst %,$(FW)/obj/%.o,locks/locks locks/tables locks/annotations \
  $(patsubst firmware/runtime/%.c,%,$(wildcard firmware/runtime/locks/wrap*.c)) libc/console libc/request)
FW_HARTS_OBJECTS := $(patsubst $(FW)/obj/%,$(FW)/obj/harts-2/%,$(FW_HARTS_PARTS)) $(FW)/obj/harts-2/threads/harts.o $(FW)/obj/harts-2/threads/harts_limit.o
FW_PUBLIC := $(addprefix $(FW)/include/gnomon,.h _records.h _module.h _pmu.h _tag.h _tags.h _scan.h _unwind.h _monitor.h _harts.h _locks.h _freertos.h)
FW_POSIX := $(patsubst firmware/runtime/libc/posix/%,$(FW)/include/posix/%,$(wildcard firmware/runtime/libc/posix/*.h firmware/runtime/libc/posix/*/*.h firmware/runtime/libc/c++/bits/*.h))
FW_HEADERS := $(FW_PUBLIC) $(FW_POSIX) $(addprefix $(FW)/include/gnomon/,param.h locks.h heap.h registers.h events.h trace.h monitor.h stacks.h module_tags.h) $(FW)/freertos/portmacro.h
# Files with which the compiler finds headers and libraries, for gnomon cc and for the rules of this file.
FW_CXX := $(patsubst firmware/runtime/libc/c++/%,$(FW)/c++/config/%,$(filter-out %/bits,$(wildcard firmware/runtime/libc/c++/* firmware/runtime/libc/c++/bits/*)))
FW_SPECS := $(FW_CXX) $(FW)/c++/found $(addprefix $(FW)/lib/,gnomon.specs rv32im.specs rv32imac.specs)
FW_FILES := $(FW_PLUGIN) $(FW)/lib/crt0.o $(FW)/lib/libgnomon.a $(FW)/lib/libgnomon-harts.a $(FW)/lib/gnomon.ld $(FW)/lib/overlays.ld $(FW)/lib/monitor.ld $(FW)/lib/flash.ld $(FW)/lib/module.ld $(FW)/module/ld $(FW_HEADERS) $(FW_SPECS)
# With --gnomon-records one of these libraries is linked: the hooks, and the code that makes the array.
FW_RECORDS_KINDS := array pointers array-graph pointers-graph
FW_RECORDS := $(FW_RECORDS_KINDS:%=$(FW)/lib/records-%.o)
FW_FILES += $(FW_RECORDS) $(FW)/lib/module-records.o $(FW)/lib/heap.o $(FW)/lib/heap-guard.o
# What a Zephyr application compiles itself.
FW_ZEPHYR := $(addprefix $(FW)/zephyr/,gnomon_zephyr.c locks/handles.h locks/locks_internal.h)
FW_FILES += $(FW_ZEPHYR)

##@ Firmware
.PHONY: firmware
firmware: $(FW_FILES) ## build the GCC plugin and the runtime

$(FW_PLUGIN): firmware/plugin/gnomon.cc firmware/plugin/filter.h firmware/plugin/tag_attributes.h $(GEN)/gnomon/trace.h
	@mkdir -p $(@D)
	g++ -std=c++17 -O2 -fPIC -shared -fno-rtti -Wall -Wextra $(WERROR) -Wno-unused-parameter \
	  -I$(GEN) -isystem "$$($(RISCV)gcc -print-file-name=plugin)/include" -o $@ $<

$(FW_PUBLIC): $(FW)/include/%: firmware/runtime/include/%
	@mkdir -p $(@D) && cp $< $@
$(FW)/include/gnomon/%.h: include/gnomon/%.h
	@mkdir -p $(@D) && cp $< $@
$(addprefix $(FW)/include/gnomon/,registers.h events.h trace.h): $(FW)/include/%: $(GEN)/%
	@mkdir -p $(@D) && cp $< $@
$(FW)/include/posix/%.h: firmware/runtime/libc/posix/%.h
	@mkdir -p $(@D) && cp $< $@
$(FW)/freertos/%: firmware/runtime/freertos/%
	@mkdir -p $(@D) && cp $< $@
$(FW)/zephyr/%.c: firmware/runtime/zephyr/%.c
	@mkdir -p $(@D) && cp $< $@
$(FW)/zephyr/locks/%.h: firmware/runtime/locks/%.h
	@mkdir -p $(@D) && cp $< $@
$(FW)/lib/rv32im.specs $(FW)/lib/rv32imac.specs: $(FW)/lib/%.specs: firmware/runtime/start/multilib.specs
	@mkdir -p $(@D) && sed 's/@SET@/$*/' $< >$@
# With --gnomon-heap this is linked in place of the library's __wrap_free.
$(FW)/lib/heap.o: $(FW)/obj/heap/heap_free.o
	@cp $< $@
# With --gnomon-heap=guard this is linked in place of the library's wrappers.
$(FW)/lib/heap-guard.o: $(FW)/obj/heap/guard.o $(FW)/obj/heap/guard_libc.o $(FW)/obj/heap/guard_port.o
	$(RISCV)ld -m elf32lriscv -r -o $@ $^
$(FW)/lib/module.ld: firmware/runtime/modules/module.ld
	@mkdir -p $(@D) && cp $< $@
$(FW)/lib/gnomon.specs: firmware/runtime/start/gnomon.specs
	@mkdir -p $(@D) && cp $< $@
# One source for four scripts: without options, with overlays, with call frame information, and for flash memory.
$(FW)/lib/overlays.ld: FW_LD_FLAGS := -DGNOMON_OVERLAYS
$(FW)/lib/monitor.ld: FW_LD_FLAGS := -DGNOMON_FRAMES
$(FW)/lib/flash.ld: FW_LD_FLAGS := -DGNOMON_FLASH
$(FW)/lib/gnomon.ld $(FW)/lib/overlays.ld $(FW)/lib/monitor.ld $(FW)/lib/flash.ld: firmware/runtime/start/gnomon.ld
	@mkdir -p $(@D)
	$(RISCV)gcc -E -P -undef -x c $(FW_LD_FLAGS) -o $@ $<
$(FW)/c++/config/%: firmware/runtime/libc/c++/%
	@mkdir -p $(@D) && cp $< $@
# C++ headers of this machine's compiler, in the version of the cross compiler. "machine" has the machine-dependent headers.
$(FW)/c++/found: tools/find_cxx.sh
	@mkdir -p $(@D)
	tools/find_cxx.sh $(@D) "$$($(RISCV)g++ -dumpversion)"
	@touch $@
# The linker for modules. The cross compiler's own linker makes no shared objects.
$(FW)/module/ld:
	@mkdir -p $(@D) && ln -sf "$$(command -v riscv64-linux-gnu-ld)" $@

FW_INCLUDES := -Ifirmware/runtime -specs=$(FW)/lib/gnomon.specs --gnomon-posix=$(FW)/include/posix -I$(FW)/include
$(FW)/obj/%.o: firmware/runtime/%.c $(wildcard firmware/runtime/*.h firmware/runtime/*/*.h) $(FW_HEADERS) $(FW_SPECS)
	@mkdir -p $(@D)
	$(RISCV)gcc $(FW_CFLAGS) $(FW_INCLUDES) -c -o $@ $<
# A deadlock's message shows the waiting thread's calls: the host reads these objects' call frame information from .debug_frame.
$(FW)/obj/threads/%.o: FW_CFLAGS += -fno-asynchronous-unwind-tables
$(FW)/obj/harts-2/%.o: firmware/runtime/%.c $(wildcard firmware/runtime/*.h firmware/runtime/*/*.h) $(FW_HEADERS) $(FW_SPECS)
	@mkdir -p $(@D)
	$(RISCV)gcc $(FW_CFLAGS) -DGNOMON_HARTS=2 $(FW_INCLUDES) -c -o $@ $<
$(FW)/obj/harts-2/threads/%.o: FW_CFLAGS += -fno-asynchronous-unwind-tables
$(FW)/obj/harts-2/threads/switch.o: firmware/runtime/threads/switch.S
	@mkdir -p $(@D)
	$(RISCV)gcc $(FW_TARGET) -DGNOMON_HARTS=2 -g -c -o $@ $<
$(FW)/obj/%.o: firmware/runtime/%.cc $(FW_HEADERS) $(FW_SPECS)
	@mkdir -p $(@D)
	$(RISCV)g++ $(filter-out -std=%,$(FW_CFLAGS)) -std=gnu++17 -fno-exceptions -fno-rtti --gnomon-cxx=$(FW)/c++ $(FW_INCLUDES) -c -o $@ $<
$(FW)/obj/start/start.o $(FW)/obj/threads/switch.o $(FW)/obj/freertos/records_trap.o: $(FW)/obj/%.o: firmware/runtime/%.S firmware/runtime/records/records.h
	@mkdir -p $(@D)
	$(RISCV)gcc $(FW_TARGET) -Ifirmware/runtime -g -c -o $@ $<
$(FW)/lib/crt0.o: $(FW_START_OBJECTS)
	@mkdir -p $(@D)
	$(RISCV)ld -m elf32lriscv -r -o $@ $^
# $(call records,OUTPUT,KIND,FLAGS): KIND is array or pointers, optionally followed by -graph.
define records
	@mkdir -p $(dir $1) $(FW)/obj
	for part in $(RECORDS_PARTS); do $(RISCV)gcc $(FW_CFLAGS) -DGNOMON_RECORDS_POINTERS=$(if $(findstring pointers,$2),1,0) \
	  -DGNOMON_RECORDS_GRAPH=$(if $(findstring graph,$2),1,0) $3 -Ifirmware/runtime -I$(FW)/include -c -o $1.$$part.o firmware/runtime/records/$$part || exit 1; done
	$(RISCV)ld -m elf32lriscv -r -o $1 $1.records*.o
	rm $1.records*.o
endef
RECORDS_SOURCES := $(wildcard firmware/runtime/records/*) firmware/runtime/internal.h $(FW_HEADERS)
$(FW_RECORDS): $(FW)/lib/records-%.o: $(RECORDS_SOURCES)
	$(call records,$@,$*)
$(FW)/lib/module-records.o: firmware/runtime/modules/module_records.S
	@mkdir -p $(@D)
	$(RISCV)gcc $(FW_TARGET) -g -fPIC -c -o $@ $<
$(FW)/lib/libgnomon.a: $(FW_RUNTIME_OBJECTS)
$(FW)/lib/libgnomon-harts.a: $(filter-out $(FW_HARTS_PARTS),$(FW_RUNTIME_OBJECTS)) $(FW_HARTS_OBJECTS)
$(FW)/lib/libgnomon.a $(FW)/lib/libgnomon-harts.a:
	@mkdir -p $(@D) && rm -f $@
	$(RISCV)ar rcs $@ $^
