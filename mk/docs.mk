# SPDX-License-Identifier: Apache-2.0
# The commands of the documents, run.

# Two pages are generated, and have no commands.
DOCS_PAGES := README.md CONTRIBUTING.md $(filter-out docs/registers.md docs/events.md,$(sort $(wildcard docs/*.md)))
DOCS_BOARDS := $(sort $(wildcard docs/boards/*.md))
DOCS_NEEDS := $(FW_FILES) $(GNOMON) $(E2E_SIM) $(SIM)/full-lean/gnomon-sim $(DEMO)/zlib.elf $(E2E)/interrupts-O2

##@ Documents
.PHONY: test-docs test-docs-boards
TESTS += test-docs
test-docs: $(DOCS_NEEDS) ## every command line of README and docs: runs, and prints what they show, other numbers aside
	python3 tests/docs/test_docs.py $(BUILD)/docs $(DOCS_PAGES)
CI_TESTS += test-docs-boards
test-docs-boards: $(DOCS_NEEDS) $(SIM)/fomu/gnomon-sim ## the same of the boards' pages
	python3 tests/docs/test_docs.py $(BUILD)/docs $(DOCS_BOARDS)
