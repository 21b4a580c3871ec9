/* SPDX-License-Identifier: Apache-2.0 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/export/labels.h"
#include "lib/export/vcd.h"
#include "lib/util/array.h"

struct change {
    uint64_t time, value, signal; /* no padding: it is written as it is */
};

bool vcd_signals_open(struct vcd_signals *signals) {
    *signals = (struct vcd_signals){.changes = tmpfile()};
    return signals->changes;
}

void vcd_signals_close(struct vcd_signals *signals) {
    if (signals->changes)
        fclose(signals->changes);
    profile_map_free(&signals->map);
    free(signals->list);
}

static struct vcd_signal *find(struct vcd_signals *signals, enum vcd_kind kind, uint32_t number, uint32_t *index) {
    const uint32_t known = signals->map.count;
    *index = profile_map_find(&signals->map, (uint64_t)kind << 32 | number);
    if (*index == PROFILE_MAP_NONE ||
        !gnomon_array_room(&signals->list, &signals->room, (size_t)*index + 1, sizeof *signals->list)) {
        signals->failed = true;
        return NULL;
    }
    if (*index == known)
        signals->list[*index] = (struct vcd_signal){.kind = kind, .number = number};
    return &signals->list[*index];
}

void vcd_set(struct vcd_signals *signals, uint64_t time, enum vcd_kind kind, uint32_t number, uint64_t value) {
    uint32_t index;
    struct vcd_signal *signal = signals->failed ? NULL : find(signals, kind, number, &index);
    if (!signal || (signal->known && signal->value == value))
        return;
    signal->known = true;
    signal->value = value;
    if (time > signals->time)
        signals->time = time;
    const struct change change = {.time = signals->time, .value = value, .signal = index};
    if (fwrite(&change, sizeof change, 1, signals->changes) != 1 && !signals->reason)
        signals->reason = errno;
}

/* ---- Names ---- */

static const struct {
    const char *scope, *name;
    enum { TEXT, BIT, WORD, LONG } type;
} kinds[VCD_KINDS] = {
    [VCD_HART_THREAD] = {"harts", "thread", TEXT},
    [VCD_HART_FUNCTION] = {"harts", "function", TEXT},
    [VCD_HART_TRAP] = {"harts", "trap", TEXT},
    [VCD_HART_LOST] = {"harts", "lost_events", LONG},
    [VCD_THREAD_RUNS] = {"threads", "runs", BIT},
    [VCD_THREAD_FUNCTION] = {"threads", "function", TEXT},
    [VCD_THREAD_WAITS] = {"threads", "waits_for", TEXT},
    [VCD_LOCK_OWNER] = {"locks", "owner", TEXT},
    [VCD_MARK] = {"messages", "mark", WORD},
    [VCD_VALUE] = {"messages", "value", WORD},
};

static const char *const types[] = {[TEXT] = "string 1", [BIT] = "wire 1", [WORD] = "wire 32", [LONG] = "integer 64"};

struct vcd {
    struct vcd_signals *signals;
    struct gnomon_export *export;
    struct export_labels threads, locks;
    FILE *stream;
};

static void add_thread(struct vcd *vcd, uint32_t number) {
    char text[GNOMON_LOCK_NAME_BYTES];
    if (!export_labels_add(&vcd->threads, number, gnomon_thread_name(&vcd->export->names, number, text)))
        vcd->signals->failed = true;
}

/* Every thread that any signal names has a signal of its own. */
static bool name_all(struct vcd *vcd) {
    char text[GNOMON_LOCK_NAME_BYTES];
    for (uint32_t i = 0; i < vcd->signals->map.count; i++) {
        const struct vcd_signal *signal = &vcd->signals->list[i];
        if (signal->kind == VCD_THREAD_RUNS)
            add_thread(vcd, signal->number);
        else if (signal->kind == VCD_LOCK_OWNER &&
                 !export_labels_add(&vcd->locks, signal->number,
                                    gnomon_lock_name(&vcd->export->names, signal->number, text)))
            return false;
    }
    return !vcd->signals->failed && export_labels_finish(&vcd->threads) && export_labels_finish(&vcd->locks);
}

/* A name of a signal or scope has no spaces or brackets, which would be a range of bits. */
static void put_name(FILE *stream, const char *name) {
    for (; *name; name++)
        fputc(isalnum((unsigned char)*name) || strchr("_.:*&~+-", *name) ? *name : '_', stream);
}

/* A text has no spaces: they are written as in C, as gtkwave does. */
static void put_text(FILE *stream, const char *text) {
    for (; *text; text++)
        if (*text > 0x20 && *text < 0x7F && *text != '\\')
            fputc(*text, stream);
        else
            fprintf(stream, "\\x%02x", (unsigned char)*text);
}

/* The short name of a signal in the file. */
static const char *code_of(uint64_t index, char text[8]) {
    enum { FIRST = '!', CODES = '~' - '!' + 1 };
    char *at = text;
    do {
        *at++ = (char)(FIRST + index % CODES);
        index /= CODES;
    } while (index-- > 0 && at < text + 7);
    *at = '\0';
    return text;
}

/* ---- The file ---- */

static void put_comment(void *context, const char *line) {
    FILE *stream = context;
    fputs("$comment ", stream);
    for (; *line; line++)
        fputc(*line == '$' ? '?' : *line, stream);
    fputs(" $end\n", stream);
}

static void open_scope(struct vcd *vcd, const struct vcd_signal *signal) {
    fputs("$scope module ", vcd->stream);
    if (signal->kind <= VCD_HART_LOST)
        fprintf(vcd->stream, "hart_%" PRIu32, signal->number);
    else
        put_name(vcd->stream,
                 export_labels_find(signal->kind == VCD_LOCK_OWNER ? &vcd->locks : &vcd->threads, signal->number));
    fputs(" $end\n", vcd->stream);
}

static bool has_scope(const struct vcd_signal *signal) {
    return signal->kind < VCD_MARK;
}

static bool same_scope(const struct vcd_signal *a, const struct vcd_signal *b) {
    return kinds[a->kind].scope == kinds[b->kind].scope && (!has_scope(a) || a->number == b->number);
}

static int by_scope(const void *a, const void *b, void *context) {
    const struct vcd_signal *list = context;
    const struct vcd_signal *left = &list[*(const uint32_t *)a], *right = &list[*(const uint32_t *)b];
    const int scopes = strcmp(kinds[left->kind].scope, kinds[right->kind].scope);
    if (scopes)
        return scopes;
    if (left->number != right->number)
        return left->number < right->number ? -1 : 1;
    return left->kind < right->kind ? -1 : left->kind > right->kind;
}

static void put_signal(struct vcd *vcd, uint32_t index) {
    const struct vcd_signal *signal = &vcd->signals->list[index];
    char code[8];
    fprintf(vcd->stream, "$var %s %s %s", types[kinds[signal->kind].type], code_of(index, code),
            kinds[signal->kind].name);
    if (!has_scope(signal))
        fprintf(vcd->stream, "_%" PRIu32, signal->number);
    fputs(" $end\n", vcd->stream);
}

static bool put_signals(struct vcd *vcd) {
    const uint32_t count = vcd->signals->map.count;
    const struct vcd_signal *before = NULL, *list = vcd->signals->list;
    uint32_t *order = calloc((size_t)count + 1, sizeof *order);
    if (!order)
        return false;
    for (uint32_t i = 0; i < count; i++)
        order[i] = i;
    qsort_r(order, count, sizeof *order, by_scope, vcd->signals->list);
    for (uint32_t i = 0; i < count; i++) {
        const struct vcd_signal *signal = &list[order[i]];
        const bool outer = !before || kinds[before->kind].scope != kinds[signal->kind].scope;
        const bool inner = !before || !same_scope(before, signal);
        if (before && inner && has_scope(before))
            fputs("$upscope $end\n", vcd->stream);
        if (before && outer)
            fputs("$upscope $end\n", vcd->stream);
        if (outer)
            fprintf(vcd->stream, "$scope module %s $end\n", kinds[signal->kind].scope);
        if (inner && has_scope(signal))
            open_scope(vcd, signal);
        put_signal(vcd, order[i]);
        before = signal;
    }
    for (unsigned i = 0; before && i < (has_scope(before) ? 2 : 1); i++)
        fputs("$upscope $end\n", vcd->stream);
    free(order);
    return true;
}

static const char *text_of(const struct vcd *vcd, enum vcd_kind kind, uint64_t value) {
    if (value == VCD_NONE)
        return "";
    if (value == VCD_LOST)
        return GNOMON_EXPORT_LOST;
    switch (kind) {
    case VCD_HART_THREAD:
    case VCD_LOCK_OWNER:
        return export_labels_find(&vcd->threads, (uint32_t)value);
    case VCD_THREAD_WAITS:
        return export_labels_find(&vcd->locks, (uint32_t)value);
    default:
        return gnomon_export_label(vcd->export, (uint32_t)value);
    }
}

static void put_change(const struct vcd *vcd, const struct change *change) {
    const struct vcd_signal *signal = &vcd->signals->list[change->signal];
    char code[8];
    code_of(change->signal, code);
    switch (kinds[signal->kind].type) {
    case TEXT:
        fputc('s', vcd->stream);
        put_text(vcd->stream, text_of(vcd, signal->kind, change->value));
        fprintf(vcd->stream, " %s\n", code);
        return;
    case BIT:
        fprintf(vcd->stream, "%u%s\n", (unsigned)change->value, code);
        return;
    default:
        fputc('b', vcd->stream);
        for (int bit = change->value ? 63 - __builtin_clzll(change->value) : 0; bit >= 0; bit--)
            fputc(change->value >> bit & 1 ? '1' : '0', vcd->stream);
        fprintf(vcd->stream, " %s\n", code);
    }
}

static enum gnomon_status put_changes(const struct vcd *vcd, uint64_t end, struct gnomon_error *error) {
    struct change change;
    uint64_t time = UINT64_MAX;
    FILE *changes = vcd->signals->changes;
    errno = vcd->signals->reason;
    if (errno || fflush(changes) || fseek(changes, 0, SEEK_SET))
        return gnomon_fail_errno(error, GNOMON_ERR_SYSTEM, "cannot write a temporary file");
    while (!ferror(vcd->stream) && fread(&change, sizeof change, 1, changes)) {
        if (change.time != time)
            fprintf(vcd->stream, "#%" PRIu64 "\n", change.time);
        time = change.time;
        put_change(vcd, &change);
    }
    if (ferror(changes))
        return gnomon_fail_errno(error, GNOMON_ERR_SYSTEM, "cannot read a temporary file");
    if (time == UINT64_MAX || end > time)
        fprintf(vcd->stream, "#%" PRIu64 "\n", end);
    return GNOMON_OK;
}

enum gnomon_status vcd_signals_write(struct vcd_signals *signals, struct gnomon_export *export, uint64_t end,
                                     FILE *stream, struct gnomon_error *error) {
    struct vcd vcd = {.signals = signals, .export = export, .stream = stream};
    enum gnomon_status status = GNOMON_OK;
    fputs("$version gnomon $end\n", stream);
    gnomon_export_remarks(export, put_comment, stream);
    put_comment(stream, "a unit of time is a cycle");
    fputs("$timescale 1 ns $end\n", stream);
    if (signals->failed || !name_all(&vcd) || !put_signals(&vcd))
        status = gnomon_fail_memory(error);
    fputs("$enddefinitions $end\n", stream);
    if (!status)
        status = put_changes(&vcd, end, error);
    export_labels_free(&vcd.threads);
    export_labels_free(&vcd.locks);
    return status;
}
