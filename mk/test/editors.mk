# SPDX-License-Identifier: Apache-2.0
# Extensions of editors.

##@ Editors
VSCODE := $(BUILD)/vscode
VSCODE_FILES := $(addprefix editors/vscode/,package.json README.md .vscodeignore costs.js extension.js) LICENSE
VSCODE_VERSION := $(shell sed -n 's/^  "version": "\(.*\)",/\1/p' editors/vscode/package.json)
VSIX := $(VSCODE)/gnomon-$(VSCODE_VERSION).vsix

# The packager is vsce 2, and the overrides of package.json hold back what it uses: they run with node 18, Debian 12's.
$(VSCODE)/node/version: editors/vscode/package-lock.json
	tools/setup.sh ui
	@mkdir -p $(@D)
	cp editors/vscode/package.json $< $(@D)
	cd $(@D) && npm ci --ignore-scripts --no-audit --no-fund
	@touch $@
$(VSIX): $(VSCODE_FILES) $(VSCODE)/node/version
	rm -rf $(VSCODE)/extension
	mkdir -p $(VSCODE)/extension
	cp $(VSCODE_FILES) $(VSCODE)/extension
	cd $(VSCODE)/extension && ../node/node_modules/.bin/vsce package --no-dependencies --allow-missing-repository -o $(CURDIR)/$@
.PHONY: vscode test-vscode
vscode: $(VSIX) ## the extension for Visual Studio Code: build/vscode/gnomon-VERSION.vsix
$(VSCODE)/gnomon-api.json: $(FLEET)/records.gnt $(GNOMON)
	@mkdir -p $(@D)
	gnomon merge -q -o $(@:.json=.gnp) $<
	gnomon api doc --form json $(@:.json=.gnp) >$@
CI_TESTS += test-vscode
test-vscode: $(VSIX) $(VSCODE)/gnomon-api.json ## the extension: what it reads and finds, with a file of gnomon api doc; its types; what is in the package
	COSTS=$(CURDIR)/$(VSCODE)/gnomon-api.json $(NODE) --test editors/vscode/test
	rm -rf $(VSCODE)/types && mkdir -p $(VSCODE)/types && cp editors/vscode/*.js $(VSCODE)/types && ln -s ../node/node_modules $(VSCODE)/types
	cd $(VSCODE)/types && node_modules/.bin/tsc --noEmit --allowJs --checkJs --strict --target es2022 --module commonjs --skipLibCheck --types node,vscode *.js
	python3 tests/editors/test_vsix.py --vsix $(VSIX) --gnomon $(GNOMON)

# The extension in the editor itself: code-server is Visual Studio Code for a browser. It is compiled where it has native parts, with the headers of node.
VSCODE_HOST := $(VSCODE)/host
VSCODE_REBUILD = npm_config_nodedir=$$($(NODE) -p 'path.dirname(path.dirname(process.execPath))') npm rebuild
$(VSCODE_HOST)/version: tests/editors/package-lock.json
	tools/setup.sh ui
	@mkdir -p $(@D)
	cp tests/editors/package.json $< $(@D)
	cd $(@D) && npm ci --ignore-scripts --no-audit --no-fund && $(VSCODE_REBUILD) argon2
	cd $(@D)/node_modules/code-server/lib/vscode && npm ci --ignore-scripts --legacy-peer-deps --omit=dev --no-audit --no-fund && $(VSCODE_REBUILD) @vscode/spdlog native-watchdog && ln -sfn node_modules node_modules.asar
	@touch $@
$(VSCODE)/sizes.json: $(FLEET)/sizes.elf $(E2E_SIM) | $(GNOMON)
	@mkdir -p $(@D)
	for size in 16 64 256 1024; do gnomon record -q --watch --records -d sim:full -o $(@D)/size.gnt $< -- $$size >$(@D)/size.log && \
	  gnomon merge -q --size $$size -o $(@D)/size-$$size.gnp $(@D)/size.gnt || exit 1; done
	gnomon merge -q -o $(@D)/sizes.gnp $(foreach size,16 64 256 1024,$(@D)/size-$(size).gnp)
	gnomon api doc --form json $(@D)/sizes.gnp >$@
$(VSCODE)/sizes.json: export GNOMON_SIM_DIR := $(BUILD)/sim
.PHONY: test-vscode-editor
DEEP_TESTS += test-vscode-editor
test-vscode-editor: $(VSIX) $(VSCODE)/sizes.json $(VSCODE_HOST)/version ## the extension in Visual Studio Code (code-server) and Chromium: hover, texts above declarations, a file of costs that changes or is wrong
	NODE_PATH=$(VSCODE_HOST)/node_modules $(NODE) tests/editors/test_vscode.js $(VSCODE)/editor $(VSIX) tests/host/fleet/sizes.c $(VSCODE)/sizes.json
