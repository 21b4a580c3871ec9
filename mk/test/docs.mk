# SPDX-License-Identifier: Apache-2.0
# Tests the documents by running their commands.

# The generated pages contain no commands.
DOCS_PAGES := README.md CONTRIBUTING.md docs/README.md \
  $(filter-out $(addprefix docs/reference/,registers.md events.md trace-constants.md),$(sort $(wildcard docs/*/*.md)))
DOCS_BOARDS := $(sort $(wildcard docs/guide/boards/*.md))
DOCS_NEEDS := $(FW_FILES) $(GNOMON) $(E2E_SIM) $(SIM)/full-lean/gnomon-sim $(DEMO)/zlib.elf $(E2E)/interrupts-O2

##@ Documents
.PHONY: docs-picture test-docs test-docs-boards
docs-picture: $(DOCS_NEEDS) ## draw docs/guide/report.svg again, the README's picture: a real report of zlib
	@mkdir -p $(BUILD)/docs
	gnomon record -q -d sim:full -o $(BUILD)/docs/picture.gnt $(DEMO)/zlib.elf -- $(GPL3) $(BUILD)/docs/GPL-3.z
	gnomon report -i $(BUILD)/docs/picture.gnt --flat --limit 8 >$(BUILD)/docs/picture.txt
	tools/text_svg.py "gnomon report --flat --limit 8" <$(BUILD)/docs/picture.txt >docs/guide/report.svg
TESTS += test-docs
test-docs: $(DOCS_NEEDS) ## every command line of README and docs: runs, and prints what they show, except for numbers; every link leads somewhere
	python3 tests/docs/test_docs.py $(BUILD)/docs $(DOCS_PAGES)
CI_TESTS += test-docs-boards
test-docs-boards: $(DOCS_NEEDS) $(SIM)/fomu/gnomon-sim $(SIM)/fomu-flash/gnomon-sim ## the same of the boards' pages
	python3 tests/docs/test_docs.py $(BUILD)/docs $(DOCS_BOARDS)
