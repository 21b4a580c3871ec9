# SPDX-License-Identifier: Apache-2.0
# Style of all C and C++, rooms, RTL, words.

##@ Host
C_FILES := $(wildcard $(foreach d,host/lib/* host/cli host/cli/* host/api host/include host/examples tests/host tests/host/* include/gnomon firmware/runtime firmware/runtime/* firmware/plugin firmware/apps \
  sim sim/usb tests/cosim tests/e2e/programs tests/rtl,$d/*.c $d/*.h $d/*.cpp $d/*.cc))
.PHONY: lint-host lint-format lint-rooms lint-rtl lint-words lint-locks format-c
LINTS += lint-host lint-format lint-rooms lint-rtl lint-words lint-locks
FORMATS += format-c
# $(call tidy,OPTIONS): two processes at a time
tidy = printf '%s\n' $(HOST_LIB_SOURCES) $(HOST_CLI_SOURCES) $(HOST_API_SOURCES) | xargs -P 2 -n 4 sh -c \
  'clang-tidy --quiet $1 "$$@" -- -std=c11 -D_GNU_SOURCE -Iinclude -Ihost -I$(GEN) $(shell pkg-config --cflags $(HOST_PACKAGES)) 2>/dev/null' tidy
lint-host: $(HOST_GENERATED) ## clang-tidy over library and command, except for its static analyser
	$(call tidy,--checks=-clang-analyzer-*)
.PHONY: lint-host-deep
DEEP_TESTS += lint-host-deep
lint-host-deep: $(HOST_GENERATED) ## all of clang-tidy over them
	$(call tidy,)
lint-rooms: ## does each room of host and RTL use only those that it may? no headers that include each other
	tools/lint_rooms.py
lint-rtl: ## style of the RTL: columns, indents, names of instances and files
	tools/lint_rtl.py
lint-words: setup ## banned names and turns of speech (tools/words.txt), and spelling
	tools/lint_words.py --codespell $(BUILD)/venv/bin/codespell
lint-locks: ## no lock file of npm says from which registry its packages came: each takes them from its own
	! git grep -n '"resolved":' -- '*package-lock.json'
lint-format: ## is all C and C++ formatted?
	clang-format --dry-run -Werror $(C_FILES)
format-c:
	clang-format -i $(C_FILES)
