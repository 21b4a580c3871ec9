# SPDX-License-Identifier: Apache-2.0
# Modules that a program loads and unloads.

MODULES_NEEDS := $(FW_FILES) $(BUILD)/bin/gnomon $(BUILD)/sim/full/gnomon-sim

MODULES := $(BUILD)/modules-fuzz
$(MODULES)/fuzz: tests/firmware/modules/fuzz.c firmware/runtime/modules/module_elf.c firmware/runtime/modules/module_elf.h include/gnomon/module_tags.h $(GEN)/gnomon/trace.h
	@mkdir -p $(@D)
	cc -std=c11 -D_GNU_SOURCE -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -Wall -Wextra -Werror \
	  -Iinclude -I$(GEN) -Ifirmware/runtime -DGNOMON_RUNTIME_INTERNAL_H -DGNOMON_SYSCTL_MISA=0 '-DGNOMON_REG(address)=0x00001104u' -o $@ $(filter %.c,$^)
$(MODULES)/m%.so: tests/firmware/modules/module.c $(FW_FILES) $(BUILD)/bin/gnomon
	@mkdir -p $(@D)
	gnomon cc -O2 -g0 --gnomon-module -DWHICH=$* -o $@ $<
$(MODULES)/tagged.so: tests/e2e/programs/source_tags_module.c $(FW_FILES) $(BUILD)/bin/gnomon
	@mkdir -p $(@D)
	gnomon cc -O2 -g --gnomon-module -DWHICH=1 -o $@ $<
##@ Firmware
.PHONY: test-modules-fuzz
TESTS += test-modules-fuzz
test-modules-fuzz: $(MODULES)/fuzz $(MODULES)/m0.so $(MODULES)/m1.so $(MODULES)/tagged.so ## damaged modules, 60,000 times, before the loader's checks
	$(MODULES)/fuzz 20000 1 $(filter %.so,$^)

.PHONY: test-modules test-modules-deep
CI_TESTS += test-modules
DEEP_TESTS += test-modules-deep
test-modules: $(MODULES_NEEDS) ## modules: names, numbers, oracle, records in memory, files from the host, what is refused
	python3 tests/firmware/test_modules.py $(BUILD)/modules
test-modules-deep: $(MODULES_NEEDS) ## 10,000 loads and unloads: all are named, nothing leaks
	python3 tests/firmware/test_modules.py $(BUILD)/modules-deep --deep
