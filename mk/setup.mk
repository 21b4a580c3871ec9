# SPDX-License-Identifier: Apache-2.0
# Set-up, and the artefacts that many tests share.

##@ Set-up
.PHONY: setup prebuild
setup: $(BUILD)/.setup ## install what is missing (Debian packages; PyPI tools into build/venv)
$(BUILD)/.setup: tools/setup.sh tools/requirements.txt
	@mkdir -p $(BUILD)
	tools/setup.sh $(BUILD)/venv
	@touch $@

# Rooms add to PREBUILD_ROOMS the files that several of their tests use.
PREBUILD = $(REGISTERS_VH) $(REGISTERS_H) $(PREBUILD_ROOMS)
PREBUILD_ROOMS :=
prebuild: ; @$(MAKE) --no-print-directory $(PREBUILD)
