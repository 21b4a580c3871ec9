# SPDX-License-Identifier: Apache-2.0
# Taking part in a fleet.

##@ API profiles
COLLECT := $(HOST_TEST)/collect
$(COLLECT)/test_%: tests/host/collect/test_%.c $(LIBGNOMON_ASAN)
	@mkdir -p $(@D)
	$(CC) $(HOST_CFLAGS) $(SANITIZE) -o $@ $< $(LIBGNOMON_ASAN) $$(pkg-config --cflags --libs cmocka) $(HOST_LIBS)
.PHONY: test-api-redact
TESTS += test-api-redact
test-api-redact: $(COLLECT)/test_api_redact ## what of an API profile may leave a machine: odd and hostile paths and names; what is reduced passes, and loses no call
	$<
