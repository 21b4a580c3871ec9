# SPDX-License-Identifier: Apache-2.0
# The profiler: lint, benches, proofs.

PROFILE_V := $(wildcard rtl/profile/*.v)
PROFILE_OUT := $(BUILD)/profile

##@ Profiler
LINTS += lint-profile
.PHONY: lint-profile
lint-profile: $(REGISTERS_VH) ## lint of rtl/profile in the parameters of small, mid and full
	@for p in "8 0 0" "9 2 1" "11 6 1"; do set -- $$p; \
	  verilator --lint-only -Wall -I$(GEN) -GFIFO_LOG2=$$1 -GHPM=$$2 -GLOCKS=$$3 --top-module gnomon_profile $(PROFILE_V) || exit 1; done
