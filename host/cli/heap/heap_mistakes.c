/* SPDX-License-Identifier: Apache-2.0 */
/* Sentences of `gnomon heap` about wrong use of the heap. */
#include <ctype.h>
#include <inttypes.h>

#include "cli/heap/heap.h"

#define COUNT(value) cli_count((char[CLI_COUNT_BYTES]){0}, value)
#define MOST_MISTAKES 8

const char *heap_mistake_id(const struct gnomon_heap_mistake *mistake) {
    static const char *const ids[] = {
        [GNOMON_HEAP_FREED_TWICE] = "freed-twice",       [GNOMON_HEAP_NO_BLOCK] = "no-block",
        [GNOMON_HEAP_WRITTEN_BEYOND] = "written-beyond", [GNOMON_HEAP_WRITTEN_BEFORE] = "written-before",
        [GNOMON_HEAP_WRITTEN_FREED] = "written-freed",   [GNOMON_HEAP_USED_BEYOND] = "used-beyond",
        [GNOMON_HEAP_USED_BEFORE] = "used-before",       [GNOMON_HEAP_USED_FREED] = "used-freed",
    };
    return ids[mistake->kind];
}

bool heap_mistake_has_place(const struct gnomon_heap_mistake *mistake) {
    return mistake->kind >= GNOMON_HEAP_WRITTEN_BEYOND;
}

bool heap_mistake_is_use(const struct gnomon_heap_mistake *mistake) {
    return mistake->kind >= GNOMON_HEAP_USED_BEYOND;
}

const char *heap_mistake_access(const struct gnomon_heap_mistake *mistake) {
    return !mistake->writes ? "read" : mistake->reads ? "read and written" : "written";
}

/* " by f (called by g) in thread worker at cycle 123 and 4 times more" */
static void put_who(const struct heap_view *view, FILE *text, const struct gnomon_heap_mistake *mistake) {
    struct gnomon_name by, caller;
    char thread[GNOMON_LOCK_NAME_BYTES];
    const uint32_t parent = view->results->sites[mistake->site].parent;
    fprintf(text, " by %.120s", heap_function(view, mistake->site, &by));
    if (heap_mistake_is_use(mistake) && parent != GNOMON_HEAP_NO_SITE)
        fprintf(text, " (called by %.120s)", heap_function(view, parent, &caller));
    if (mistake->thread)
        fprintf(text, " in thread %.60s", gnomon_thread_name(&view->names, mistake->thread, thread));
    fprintf(text, " at cycle %s", COUNT(mistake->cycle));
    if (mistake->times > 1)
        fprintf(text, " and %s time%s more", COUNT(mistake->times - 1), mistake->times == 2 ? "" : "s");
}

static void put_history(const struct heap_view *view, FILE *text, const struct gnomon_heap_mistake *mistake) {
    struct gnomon_name before, earlier;
    const bool twice = mistake->kind == GNOMON_HEAP_FREED_TWICE;
    const bool freed = twice || mistake->kind == GNOMON_HEAP_WRITTEN_FREED || heap_mistake_is_use(mistake);
    if (freed && mistake->earlier != GNOMON_HEAP_NO_SITE)
        fprintf(text, "; %sfreed by %.120s at cycle %s", twice ? "first " : "",
                heap_function(view, mistake->earlier, &earlier), COUNT(mistake->earlier_cycle));
    if (mistake->before != GNOMON_HEAP_NO_SITE)
        fprintf(text, "; allocated by %.120s", heap_function(view, mistake->before, &before));
}

/* "Read: the block at 0x10000000 of 40 bytes, byte 5, after it was freed" */
static void put_place(FILE *text, const struct gnomon_heap_mistake *mistake) {
    static const char *const found[] = {
        [GNOMON_HEAP_WRITTEN_BEYOND] = "byte %s after its end",
        [GNOMON_HEAP_WRITTEN_BEFORE] = "byte %s before its start",
        [GNOMON_HEAP_WRITTEN_FREED] = "byte %s, after it was freed",
        [GNOMON_HEAP_USED_BEYOND] = "byte %s after its end",
        [GNOMON_HEAP_USED_BEFORE] = "byte %s before its start",
        [GNOMON_HEAP_USED_FREED] = "byte %s, after it was freed",
    };
    const char *what = heap_mistake_is_use(mistake) ? heap_mistake_access(mistake) : "overwritten";
    fprintf(text, "%c%s: the block at 0x%08" PRIx32, toupper((unsigned char)*what), what + 1, mistake->address);
    if (mistake->size)
        fprintf(text, " of %s byte%s", COUNT(mistake->size), mistake->size == 1 ? "" : "s");
    fputs(", ", text);
    /* Bytes beside a block count from 1, those in it from 0. */
    const bool beside = mistake->kind != GNOMON_HEAP_WRITTEN_FREED && mistake->kind != GNOMON_HEAP_USED_FREED;
    fprintf(text, found[mistake->kind], COUNT((uint64_t)mistake->offset + beside));
}

static void put_text(const struct heap_view *view, FILE *text, const struct gnomon_heap_mistake *mistake) {
    if (!heap_mistake_has_place(mistake)) {
        fprintf(text, "Freed %s: 0x%08" PRIx32, mistake->kind == GNOMON_HEAP_FREED_TWICE ? "twice" : "what is no block",
                mistake->address);
        put_who(view, text, mistake);
        put_history(view, text, mistake);
        fputs(mistake->kind == GNOMON_HEAP_NO_BLOCK ? ". No block had that address." : ".", text);
        return;
    }
    put_place(text, mistake);
    if (heap_mistake_is_use(mistake)) {
        fputc(',', text);
        put_who(view, text, mistake);
        put_history(view, text, mistake);
    } else {
        put_history(view, text, mistake);
        fputs("; found", text);
        put_who(view, text, mistake);
    }
    fputc('.', text);
}

static void put_mistake(const struct heap_view *view, FILE *stream, const struct gnomon_heap_mistake *mistake) {
    char text[1024] = "", clean[CLI_CLEAN_BYTES];
    FILE *memory = fmemopen(text, sizeof text, "w");
    if (!memory)
        return;
    put_text(view, memory, mistake);
    fclose(memory);
    screen_sentence(stream, cli_clean(clean, text), "  ");
}

void heap_mistakes(const struct heap_view *view, FILE *stream) {
    const struct gnomon_heap_results *results = view->results;
    const uint64_t limit = view->values->limit, most = !view->values->mistakes ? MOST_MISTAKES
                                                       : limit                 ? limit
                                                                               : results->mistake_count;
    for (size_t i = 0; i < results->mistake_count && i < most; i++)
        put_mistake(view, stream, &results->mistakes[i]);
    if (results->mistake_count > most)
        fprintf(stream, "%zu more of these; --mistakes shows all\n", results->mistake_count - (size_t)most);
    else if (!results->mistake_count && view->values->mistakes)
        fprintf(stream, "No wrong use of the heap was found%s\n", heap_doubt(view));
}
