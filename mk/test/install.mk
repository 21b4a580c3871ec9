# SPDX-License-Identifier: Apache-2.0
# Test of make install.

##@ Install
TESTS += test-install
.PHONY: test-install
test-install: $(INSTALL_NEEDS) ## make install for a package; what is installed compiles, runs and records; make uninstall leaves nothing
	MAKE="$(MAKE)" tests/host/test_install.sh $(BUILD)/test/install
