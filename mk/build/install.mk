# SPDX-License-Identifier: Apache-2.0
# Installs command, library, runtime and simulated boards. PREFIX is their final place; DESTDIR is where they are put now (for packages).

PREFIX ?= /usr/local
INSTALL_ROOT = $(DESTDIR)$(PREFIX)
# The command looks for its runtime and its simulators next to its own folder.
INSTALL_HOME = $(INSTALL_ROOT)/lib/gnomon
INSTALL_SIMS := $(CONFIGS) full-lean

INSTALL_NEEDS := $(GNOMON) $(LIBGNOMON_SO) $(BUILD)/man/gnomon.1 $(FW_FILES) $(INSTALL_SIMS:%=$(SIM)/%/gnomon-sim)

##@ Install
.PHONY: install install-files uninstall
install: ## install the command, its runtime, simulated boards and libgnomon (PREFIX=/usr/local, DESTDIR=)
	tools/setup.sh demo
	@$(MAKE) --no-print-directory install-files
install-files: $(INSTALL_NEEDS)
	rm -rf $(INSTALL_HOME)
	install -d $(INSTALL_HOME)/bin $(INSTALL_HOME)/firmware $(addprefix $(INSTALL_ROOT)/,bin lib include share/man/man1 share/bash-completion/completions)
	install $(GNOMON) $(INSTALL_HOME)/bin/gnomon
	ln -sf ../lib/gnomon/bin/gnomon $(INSTALL_ROOT)/bin/gnomon
	cp -a $(addprefix $(FW)/,c++ freertos include lib module plugin zephyr) $(INSTALL_HOME)/firmware
	$(foreach sim,$(INSTALL_SIMS),install -D $(SIM)/$(sim)/gnomon-sim $(INSTALL_HOME)/sim/$(sim)/gnomon-sim;)
	install -m 644 $(LIBGNOMON_SO) $(INSTALL_ROOT)/lib
	ln -sf $(notdir $(LIBGNOMON_SO)) $(INSTALL_ROOT)/lib/libgnomon.so
	install -m 644 host/include/libgnomon.h $(INSTALL_ROOT)/include
	install -m 644 $(BUILD)/man/*.1 $(INSTALL_ROOT)/share/man/man1
	install -m 644 $(BUILD)/man/gnomon.bash $(INSTALL_ROOT)/share/bash-completion/completions/gnomon
uninstall: ## remove what install put there
	rm -rf $(INSTALL_HOME) $(addprefix $(INSTALL_ROOT)/,bin/gnomon lib/libgnomon.so lib/libgnomon.so.2 include/libgnomon.h share/bash-completion/completions/gnomon)
	rm -f $(INSTALL_ROOT)/share/man/man1/gnomon.1 $(INSTALL_ROOT)/share/man/man1/gnomon-*.1
