/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/run/crash.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "gnomon/param.h"

#define INTERRUPT (UINT32_C(1) << 31)
#define CRASH_WORDS (sizeof(struct gnomon_param_crash) / 4)

enum { RA = 1, SP = 2, S0 = 8, S1 = 9, S2 = 18 };

static void take(struct gnomon_crash *crash, const uint32_t words[CRASH_WORDS]) {
#define WORD(member) words[offsetof(struct gnomon_param_crash, member) / 4]
    const uint32_t *saved = &WORD(s);
    crash->died = true;
    crash->kind = WORD(kind);
    crash->trapped = crash->kind == GNOMON_CRASH_TRAP;
    crash->cause = WORD(cause);
    crash->value = WORD(value);
    crash->pc = WORD(pc);
    crash->registers[RA] = WORD(ra);
    crash->registers[SP] = WORD(sp);
    crash->registers[S0] = saved[0];
    crash->registers[S1] = saved[1];
    for (unsigned i = 2; i < 12; i++)
        crash->registers[S2 + i - 2] = saved[i];
#undef WORD
}

/* The words that the program left. Missing or invalid ones are all 0. */
static enum gnomon_status read_words(struct gnomon_device *device, const struct gnomon_board *board, uint32_t param,
                                     uint32_t words[CRASH_WORDS], struct gnomon_error *error) {
    uint32_t at = 0;
    memset(words, 0, CRASH_WORDS * sizeof *words);
    enum gnomon_status status =
        gnomon_device_get(device, param + (uint32_t)offsetof(struct gnomon_param, crash), &at, error);
    if (status || at % 4 || !gnomon_board_holds(board, at, CRASH_WORDS * sizeof *words))
        return status;
    return gnomon_device_read(device, at, words, CRASH_WORDS, error);
}

static enum gnomon_status read_name(struct gnomon_device *device, const struct gnomon_board *board, uint32_t at,
                                    char name[GNOMON_CRASH_THREAD_BYTES], struct gnomon_error *error) {
    uint32_t words[GNOMON_CRASH_THREAD_BYTES / 4];
    if (at % 4 || !gnomon_board_holds(board, at, sizeof words))
        return GNOMON_OK;
    const enum gnomon_status status = gnomon_device_read(device, at, words, GNOMON_CRASH_THREAD_BYTES / 4, error);
    if (status)
        return status;
    memcpy(name, words, GNOMON_CRASH_THREAD_BYTES);
    name[GNOMON_CRASH_THREAD_BYTES - 1] = 0;
    for (; *name; name++)
        if (*name < ' ' || *name > '~') /* for terminals and JSON */
            *name = '?';
    return GNOMON_OK;
}

enum gnomon_status gnomon_crash_read(struct gnomon_crash *crash, struct gnomon_device *device,
                                     const struct gnomon_board *board, uint32_t param, struct gnomon_error *error) {
    uint32_t words[CRASH_WORDS];
    *crash = (struct gnomon_crash){0};
    enum gnomon_status status = read_words(device, board, param, words, error);
    if (status || words[0] != GNOMON_PARAM_CRASH_MAGIC || words[1] > GNOMON_CRASH_STACK)
        return status;
    take(crash, words);
    return crash->kind == GNOMON_CRASH_STACK ? read_name(device, board, crash->value, crash->thread, error) : GNOMON_OK;
}

enum gnomon_status gnomon_crash_thread(struct gnomon_device *device, const struct gnomon_board *board, uint32_t param,
                                       char name[GNOMON_CRASH_THREAD_BYTES], struct gnomon_error *error) {
    uint32_t words[CRASH_WORDS];
    *name = 0;
    const enum gnomon_status status = read_words(device, board, param, words, error);
    if (status || words[offsetof(struct gnomon_param_crash, kind) / 4] != GNOMON_CRASH_STACK)
        return status;
    return read_name(device, board, words[offsetof(struct gnomon_param_crash, value) / 4], name, error);
}

/* ---- As text ---- */

static const struct {
    const char *name;
    bool address; /* mtval is an address */
} traps[] = {
    {"jump to a misaligned address", true},
    {"jump to where no code is", true},
    {"illegal instruction", false},
    {"breakpoint", false},
    {"misaligned load", true},
    {"load access fault", true},
    {"misaligned store", true},
    {"store access fault", true},
    {"environment call", false},
    {NULL, false},
    {NULL, false},
    {"environment call", false},
};

static const char *signal_name(uint32_t number) {
    static const struct {
        uint32_t number;
        const char *name;
    } signals[] = {{2, "SIGINT"}, {4, "SIGILL"},   {5, "SIGTRAP"},  {10, "SIGBUS"},
                   {8, "SIGFPE"}, {11, "SIGSEGV"}, {15, "SIGTERM"}, {12, "SIGSYS"}};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        if (signals[i].number == number)
            return signals[i].name;
    return NULL;
}

static void signal_text(uint32_t number, char text[GNOMON_CRASH_BYTES]) {
    const char *name = signal_name(number);
    if (number == 6)
        snprintf(text, GNOMON_CRASH_BYTES, "aborted");
    else if (name)
        snprintf(text, GNOMON_CRASH_BYTES, "signal %s", name);
    else
        snprintf(text, GNOMON_CRASH_BYTES, "signal %u", (unsigned)number);
}

const char *gnomon_crash_text(const struct gnomon_crash *crash, char text[GNOMON_CRASH_BYTES]) {
    uint32_t cause = crash->cause;
    if (crash->kind == GNOMON_CRASH_DEADLOCK)
        snprintf(text, GNOMON_CRASH_BYTES, "all threads wait: deadlock");
    else if (crash->kind == GNOMON_CRASH_STACK && *crash->thread)
        snprintf(text, GNOMON_CRASH_BYTES, "stack overflow of thread %s", crash->thread);
    else if (crash->kind == GNOMON_CRASH_STACK)
        snprintf(text, GNOMON_CRASH_BYTES, "stack overflow of a thread without a name");
    else if (!crash->trapped)
        signal_text(cause, text);
    else if (cause & INTERRUPT)
        snprintf(text, GNOMON_CRASH_BYTES, "interrupt %u without a handler", (unsigned)(cause & ~INTERRUPT));
    else if (cause >= sizeof traps / sizeof *traps || !traps[cause].name)
        snprintf(text, GNOMON_CRASH_BYTES, "trap of cause %u", (unsigned)cause);
    else if (traps[cause].address)
        snprintf(text, GNOMON_CRASH_BYTES, "%s, address 0x%08x", traps[cause].name, (unsigned)crash->value);
    else
        snprintf(text, GNOMON_CRASH_BYTES, "%s", traps[cause].name);
    return text;
}
