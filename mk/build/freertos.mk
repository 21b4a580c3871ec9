# SPDX-License-Identifier: Apache-2.0
# The unmodified FreeRTOS kernel of the package registry, and the demonstration of its locks.

FREERTOS := $(BUILD)/freertos
FREERTOS_APP := firmware/apps/freertos
FREERTOS_KERNEL := $(FREERTOS)/vendor/freertos-next/FreeRTOS-Kernel
FREERTOS_PORT := $(FREERTOS_KERNEL)/portable/GCC/RISC-V
FREERTOS_INCLUDES := $(addprefix -isystem ,$(FREERTOS_KERNEL)/include $(FREERTOS_PORT) $(FREERTOS_PORT)/chip_specific_extensions/RISCV_MTIME_CLINT_no_extensions)
FREERTOS_SOURCES := $(addprefix $(FREERTOS_KERNEL)/,tasks.c list.c queue.c) $(FREERTOS_PORT)/port.c $(FREERTOS_PORT)/portASM.S
$(FREERTOS)/fetched:
	@mkdir -p $(FREERTOS)/crate/src && touch $(FREERTOS)/crate/src/lib.rs
	printf '[package]\nname = "kernel"\nversion = "0.0.0"\n[dependencies]\nfreertos-next = "=0.12.0"\n' > $(FREERTOS)/crate/Cargo.toml
	cargo vendor --quiet --manifest-path $(FREERTOS)/crate/Cargo.toml $(FREERTOS)/vendor > $(FREERTOS)/vendor.log
	touch $@


DEMO_LOCKS := $(DEMO)/block_pool-freertos
DEMO_TEXT := /usr/share/common-licenses/GPL-3
DEMO_LOCKS_LOG := $(BUILD)/log/demo-locks-freertos.log
$(DEMO_LOCKS).elf: $(FREERTOS)/fetched $(wildcard $(FREERTOS_APP)/*) $(ZLIB)/libz.a
	gnomon cc --gnomon-freertos -O2 -g -w -DPICOLIBC_INTEGER_PRINTF_SCANF -I$(FREERTOS_APP) -isystem $(ZLIB) $(FREERTOS_INCLUDES) -o $@ $(FREERTOS_APP)/block_pool.c $(FREERTOS_APP)/handlers.c $(FREERTOS_SOURCES) $(ZLIB)/libz.a
.PHONY: demo-locks-freertos demo-locks-freertos-program
demo-locks-freertos-program: demo-simulator demo-command $(DEMO_LOCKS).elf
demo-locks-freertos: ## set up, build and run four FreeRTOS tasks that compress blocks with zlib; who waits for whom; results in build/demo
	@mkdir -p $(BUILD)/log $(DEMO)
	@{ tools/setup.sh freertos && $(MAKE) --no-print-directory demo-locks-freertos-program; } >$(DEMO_LOCKS_LOG) 2>&1 || { tail -n 40 $(DEMO_LOCKS_LOG); exit 1; }
	@gnomon record --events -q -d $(DEMO_DEVICE) -o $(DEMO_LOCKS).gnt $(DEMO_LOCKS).elf -- $(DEMO_TEXT)
	@gnomon locks --json -i $(DEMO_LOCKS).gnt >$(DEMO_LOCKS).locks.json
	@gnomon locks -i $(DEMO_LOCKS).gnt | tee $(DEMO_LOCKS).locks.txt
	@grep -q '^Lock order both ways: total then largest in work .*; largest then total in control ' $(DEMO_LOCKS).locks.txt || { echo "the planted lock order was not found"; exit 1; }
