/* SPDX-License-Identifier: Apache-2.0 */
/* Declarations that the files of `gnomon check` share. */
#ifndef GNOMON_CLI_CHECK_H
#define GNOMON_CLI_CHECK_H

#include "cli/compare/compare.h"
#include "lib/compare/limits.h"

struct check_values {
    const char *baseline, *elf, *baseline_elf, *hart, *junit;
    struct cli_list limits[GNOMON_LIMIT_KINDS]; /* by kind */
    struct cli_list budgets;
    bool inexact, all;
};

struct check {
    struct cli_context *context;
    const struct check_values *values;
    struct compare_runs now, before; /* `before` is empty without a baseline */
    struct gnomon_comparison comparison;
    size_t limit_count, limit_room;
    struct gnomon_limit *limits;
    size_t count, room;
    struct gnomon_judgement *judgements;
    size_t failed;
};

/* Does the judgement make the check fail? */
bool check_fails(const struct check *check, const struct gnomon_judgement *judgement);
/* "within", "over", "not-exact", "not-recorded". */
const char *check_verdict(const struct gnomon_judgement *judgement);
/* "main", or "the run". */
const char *check_name(const struct gnomon_judgement *judgement);
/* "total cycles", "calls" ... */
const char *check_figure(const struct gnomon_judgement *judgement);
/* "1,300 of at most 1,250 (1,225 before)"; `buffer` has CHECK_TEXT_BYTES. */
#define CHECK_TEXT_BYTES 256
const char *check_text(char *buffer, const struct check *check, const struct gnomon_judgement *judgement);

/* Writes the result for programs that read JUnit's XML. */
enum gnomon_status check_junit(const struct check *check, const char *path, struct gnomon_error *error);

#endif
