# SPDX-License-Identifier: Apache-2.0
# Tests of tags on the host's side: their syntax, their place in a program, the command.

TAGS_TEST := $(HOST_TEST)/tags
TAGGED := $(TAGS_TEST)/tagged.elf
# No inlining, so that there are functions to tag.
$(TAGGED): $(addprefix tests/host/tags/,tagged.c other.c) $(FW)/lib/gnomon.ld
	@mkdir -p $(@D)
	riscv64-unknown-elf-gcc -march=rv32imc -misa-spec=2.2 -mabi=ilp32 -O2 -fno-inline -fno-ipa-sra -ffunction-sections -g -nostdlib \
	  -T $(FW)/lib/gnomon.ld -Wl,--build-id=sha1,--gc-sections -o $@ $(filter %.c,$^)
$(TAGS_TEST)/resolve: tests/host/tags/resolve.c $(LIBGNOMON_ASAN)
	@mkdir -p $(@D)
	$(CC) $(HOST_CFLAGS) -Ihost -O1 $(SANITIZE) -o $@ $< $(LIBGNOMON_ASAN) $(HOST_LIBS)

##@ Tags
.PHONY: test-tag-names
TESTS += test-tag-names
test-tag-names: $(TAGS_TEST)/resolve $(TAGGED) $(BUILD)/demo/zlib.elf $(BUILD)/demo/logo.elf ## what can have a tag, as addresses: against nm and objdump
	python3 tests/host/tags/test_resolve.py --resolve $(TAGS_TEST)/resolve --tagged $(TAGGED) $(BUILD)/demo/zlib.elf $(BUILD)/demo/logo.elf
.PHONY: test-tag
TESTS += test-tag
test-tag: $(GNOMON_ASAN) $(FAKE_SIM) $(TAGGED) ## gnomon tag on a fake device with tags, against a model; what it refuses
	python3 tests/host/tags/test_tag.py --gnomon $(GNOMON_ASAN) --simulators $(HOST_TEST)/fake --program $(TAGGED) --out $(TAGS_TEST)

.PHONY: test-tag-interrupt
TESTS += test-tag-interrupt
test-tag-interrupt: $(GNOMON) $(GNOMON_ASAN) $(FAKE_SIM) $(FW_FILES) $(TAGGED) ## tags that ask for the profile interrupt: refused if the program does not handle it
	python3 tests/host/tags/test_interrupt.py --gnomon $(GNOMON_ASAN) --simulators $(HOST_TEST)/fake --foreign $(TAGGED) --out $(TAGS_TEST)/interrupt

# Tags in the source.
TAGS_FUZZ ?= 20000
$(TAGS_TEST)/fuzz_section: tests/host/tags/fuzz_section.c $(LIBGNOMON_ASAN)
	@mkdir -p $(@D)
	$(CC) $(HOST_CFLAGS) -Ihost -O1 $(SANITIZE) -o $@ $< $(LIBGNOMON_ASAN) $(HOST_LIBS)
$(TAGS_TEST)/asked-%.section: tests/host/tags/asked.c $(FW_FILES) $(GNOMON)
	@mkdir -p $(@D)
	gnomon cc -g -$* -o $(TAGS_TEST)/asked-$* $<
	riscv64-unknown-elf-objcopy --dump-section .gnomon.tags=$@ $(TAGS_TEST)/asked-$* $(TAGS_TEST)/asked-$*.copy
.PHONY: test-tag-metadata test-tag-fuzz
TESTS += test-tag-metadata test-tag-fuzz
test-tag-metadata: $(GNOMON) $(GNOMON_ASAN) $(FAKE_SIM) $(FW_FILES) $(TAGS_TEST)/resolve ## tags in the source: no byte of code changes, and they are where the source says
	python3 tests/host/tags/test_metadata.py --gnomon $(GNOMON_ASAN) --simulators $(HOST_TEST)/fake --resolve $(TAGS_TEST)/resolve --source tests/host/tags/asked.c \
	  --out $(TAGS_TEST)/metadata
test-tag-fuzz: $(TAGS_TEST)/fuzz_section $(TAGGED) $(TAGS_TEST)/asked-O0.section $(TAGS_TEST)/asked-O2.section ## damaged tags of programs, and damaged words: refused, and no crash
	$(TAGS_TEST)/fuzz_section $(TAGS_FUZZ) 1 $(TAGGED) $(TAGS_TEST)/asked-O0.section $(TAGS_TEST)/asked-O2.section

# Tests on a simulated board with tags.
.PHONY: test-tag-exact
CI_TESTS += test-tag-exact
test-tag-exact: $(GNOMON) $(E2E)/counted-O2 $(E2E)/hinted-O2 $(DEMO)/zlib.elf $(TAGS_TEST)/asked-O2.section $(E2E)/text $(E2E_SIM) ## gnomon tag equals the simulator's reference model of each instruction, the ranges' counters, the lengths of calls
	GNOMON_SIM_DIR=$(BUILD)/sim python3 tests/e2e/tags.py --out $(E2E)/tags --counted $(E2E)/counted-O2 --zlib $(DEMO)/zlib.elf --hinted $(E2E)/hinted-O2 \
	  --asked $(TAGS_TEST)/asked-O2 --text $(E2E)/text
.PHONY: test-tag-source
CI_TESTS += test-tag-source
test-tag-source: $(GNOMON) $(FW_FILES) $(E2E_SIM) ## tags that the source of a program and of its modules asks for, thresholds, with -flto: against the simulator's reference models
	GNOMON_SIM_DIR=$(BUILD)/sim python3 tests/e2e/source_tags.py --out $(E2E)/source-tags
