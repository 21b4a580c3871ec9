# SPDX-License-Identifier: Apache-2.0
# Set-up.

##@ Set-up
.PHONY: setup
setup: $(BUILD)/.setup ## install what tests and bitstreams need (Debian packages; PyPI tools into build/venv); make demo needs less
$(BUILD)/.setup: tools/setup.sh tools/requirements.txt
	@mkdir -p $(BUILD)
	tools/setup.sh tests $(BUILD)/venv
	@touch $@
