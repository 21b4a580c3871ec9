# SPDX-License-Identifier: Apache-2.0
# The host's library and command. Wildcards find new files in the folders of host/lib and host/cli.

HOST := $(BUILD)/host
HOST_ASAN := $(BUILD)/host-asan
GNOMON := $(BUILD)/bin/gnomon
GNOMON_ASAN := $(HOST_ASAN)/bin/gnomon
LIBGNOMON := $(HOST)/libgnomon.a
LIBGNOMON_ASAN := $(HOST_ASAN)/libgnomon.a
HOST_PACKAGES := libusb-1.0 jansson libelf libdw zlib libmicrohttpd ncursesw libprotobuf-c

HOST_CFLAGS = -std=c11 -D_GNU_SOURCE -Wall -Wextra -Wshadow -Wstrict-prototypes $(WERROR) -g -Iinclude -Ihost -I$(GEN) \
  $(shell pkg-config --cflags $(HOST_PACKAGES)) -MMD -MP
HOST_LIBS = $(shell pkg-config --libs $(HOST_PACKAGES)) -lm -lstdc++
SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer

# Texts as C strings: the udev rule for gnomon install-udev, the script in flame graphs, a part of gnomon api exhaust's program, the page of gnomon ui.
UDEV_RULES_H := $(GEN)/gnomon/udev_rules.h
FLAMEGRAPH_JS_H := $(GEN)/gnomon/flamegraph_js.h
EXHAUST_RUNTIME_H := $(GEN)/gnomon/exhaust_runtime_h.h
UI_PAGE_HTML_H := $(GEN)/gnomon/ui_page_html.h
UI_PAGE_CSS_H := $(GEN)/gnomon/ui_page_css.h
UI_PAGE_JS_H := $(GEN)/gnomon/ui_page_js.h
STRINGS_H := $(UDEV_RULES_H) $(FLAMEGRAPH_JS_H) $(EXHAUST_RUNTIME_H) $(UI_PAGE_HTML_H) $(UI_PAGE_CSS_H) $(UI_PAGE_JS_H)
# Messages of API profiles.
GNP_C := $(GEN)/gnp.pb-c.c
GNP_H := $(GEN)/gnp.pb-c.h
$(GNP_C) $(GNP_H) &: host/lib/fleet/gnp.proto
	@mkdir -p $(@D)
	protoc-c --proto_path=host/lib/fleet --c_out=$(GEN) gnp.proto

HOST_GENERATED := $(REGISTERS_H) $(STRINGS_H) $(GNP_H)
$(UDEV_RULES_H): host/udev/70-gnomon.rules
$(UDEV_RULES_H): STRING := GNOMON_UDEV_RULES
$(FLAMEGRAPH_JS_H): host/lib/export/flamegraph.js
$(FLAMEGRAPH_JS_H): STRING := GNOMON_FLAMEGRAPH_JS
$(EXHAUST_RUNTIME_H): host/cli/api/exhaust_runtime.h
$(EXHAUST_RUNTIME_H): STRING := EXHAUST_RUNTIME
$(UI_PAGE_HTML_H): host/web/index.html
$(UI_PAGE_HTML_H): STRING := GNOMON_UI_HTML
$(UI_PAGE_CSS_H): host/web/gnomon.css
$(UI_PAGE_CSS_H): STRING := GNOMON_UI_CSS
# The views register themselves, so their order is that of their names; what they use comes before them, what shows them after.
$(UI_PAGE_JS_H): $(addprefix host/web/,base.js data.js draw.js table.js) $(sort $(wildcard host/web/views/*.js)) host/web/main.js
$(UI_PAGE_JS_H): STRING := GNOMON_UI_JS
$(STRINGS_H): mk/build/host.mk
	@mkdir -p $(@D)
	@{ echo '/* Made from $(filter-out %.mk,$^). */'; echo '#define $(STRING) \'; \
	  sed 's/\\/\\\\/g; s/"/\\"/g; s/.*/  "&\\n" \\/' $(filter-out %.mk,$^); echo; } >$@

HOST_LIB_SOURCES := $(wildcard host/lib/*/*.c)
HOST_CLI_SOURCES := $(wildcard host/cli/*.c host/cli/*/*.c)
HOST_API_SOURCES := $(wildcard host/api/*.c)

# $(call host_variant,FOLDER,FLAGS,COMMAND): one build of library and command.
define host_variant
$(1)/%.o: host/%.c mk/build/host.mk | $(HOST_GENERATED)
	@mkdir -p $$(@D)
	$$(CC) $$(HOST_CFLAGS) $(2) $$(CPPFLAGS) $$(CFLAGS) -c -o $$@ $$<
$(1)/libgnomon.a: $(HOST_LIB_SOURCES:host/%.c=$(1)/%.o)
	@rm -f $$@ && $$(AR) rcs $$@ $$^
$(3): $(HOST_CLI_SOURCES:host/%.c=$(1)/%.o) $(1)/libgnomon.a
	@mkdir -p $$(@D)
	$$(CC) $(2) $$(CFLAGS) $$(LDFLAGS) -o $$@ $$^ $$(HOST_LIBS)
-include $$(wildcard $(1)/*/*.d $(1)/*/*/*.d)
endef
$(eval $(call host_variant,$(HOST),-O2,$(GNOMON)))
$(eval $(call host_variant,$(HOST_ASAN),-O1 $(SANITIZE),$(GNOMON_ASAN)))

# The library for other tools (docs/reference/api.md): one shared object that exports the names in host/api/libgnomon.map.
LIBGNOMON_SO := $(HOST)/libgnomon.so.2
LIBGNOMON_SO_ASAN := $(HOST_ASAN)/libgnomon.so.2
define host_shared
$(1)/pic/%.o: host/%.c mk/build/host.mk | $(HOST_GENERATED)
	@mkdir -p $$(@D)
	$$(CC) $$(HOST_CFLAGS) -fPIC $(2) $$(CPPFLAGS) $$(CFLAGS) -c -o $$@ $$<
$(1)/libgnomon.so.2: $(patsubst host/%.c,$(1)/pic/%.o,$(HOST_LIB_SOURCES) $(HOST_API_SOURCES)) host/api/libgnomon.map
	$$(CC) $(2) $$(CFLAGS) $$(LDFLAGS) -shared -Wl,-soname,libgnomon.so.2 -Wl,--version-script,host/api/libgnomon.map -o $$@ $$(filter %.o,$$^) $$(HOST_LIBS)
	@ln -sf libgnomon.so.2 $$(@D)/libgnomon.so
-include $$(wildcard $(1)/pic/*/*.d $(1)/pic/*/*/*.d)
endef
$(eval $(call host_shared,$(HOST),-O2))
$(eval $(call host_shared,$(HOST_ASAN),-O1 $(SANITIZE)))
##@ Host
.PHONY: host man
host: $(GNOMON) $(LIBGNOMON_SO) ## build the command, build/bin/gnomon, and the library for other tools
man: $(BUILD)/man/gnomon.1 ## man pages and bash completion, in build/man
$(BUILD)/man/gnomon.1: $(GNOMON)
	@mkdir -p $(@D) && $(GNOMON) --generate-man $(@D)
