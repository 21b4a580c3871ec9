/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/collect/choice.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "lib/elf/callgraph.h"
#include "lib/elf/declared.h"
#include "lib/fleet/api_redact.h"
#include "lib/util/array.h"

/* ---- Drawing ---- */

/* From 0 to before `below`, each as probable as the others: numbers of an incomplete last round are not taken. */
static uint64_t draw_below(struct gnomon_random *random, uint64_t below) {
    const uint64_t first = -below % below; /* 2^64 modulo `below` */
    uint64_t drawn;
    do
        drawn = gnomon_random_next(random);
    while (drawn < first);
    return drawn % below;
}

void gnomon_collect_draw(struct gnomon_random *random, size_t *numbers, size_t count, size_t some) {
    for (size_t i = 0; i < count; i++)
        numbers[i] = i;
    for (size_t i = 0; i < some && i + 1 < count; i++) {
        const size_t other = i + (size_t)draw_below(random, count - i), number = numbers[i];
        numbers[i] = numbers[other];
        numbers[other] = number;
    }
}

/* ---- What can be chosen ---- */

struct choosing {
    const struct gnomon_symbols *symbols;
    const struct gnomon_collect_filter *filter;
    struct gnomon_name_set declared;
    size_t count;
    const struct gnomon_function **functions; /* by name, then by address */
    size_t *first;                            /* of each name, its first function */
    struct gnomon_collect_choice *choice;
    bool failed; /* out of memory */
};

static bool passes(const struct choosing *choosing, const struct gnomon_function *function) {
    const struct gnomon_collect_filter *filter = choosing->filter;
    bool passes = !filter->function_count && !filter->header_count;
    if (function->label || !gnomon_api_redact_function_fits(function->symbol))
        return false;
    for (size_t i = 0; i < filter->function_count && !passes; i++)
        passes =
            !fnmatch(filter->functions[i], function->name, 0) || !fnmatch(filter->functions[i], function->symbol, 0);
    return passes || (filter->header_count && gnomon_name_set_has(&choosing->declared, function->symbol));
}

static int by_name(const void *a, const void *b) {
    const struct gnomon_function *left = *(const struct gnomon_function *const *)a,
                                 *right = *(const struct gnomon_function *const *)b;
    const int order = strcmp(left->symbol, right->symbol);
    return order ? order : (left->address > right->address) - (left->address < right->address);
}

/* Functions of one name are chosen together: rows do not always tell them apart. */
static enum gnomon_status list_candidates(struct choosing *choosing, struct gnomon_error *error) {
    size_t size = 0, cursor = 0;
    const struct gnomon_function *function;
    while (gnomon_symbols_unhooked(choosing->symbols, &cursor))
        size++;
    choosing->functions = calloc(size + 1, sizeof(const struct gnomon_function *));
    choosing->first = calloc(size + 2, sizeof *choosing->first);
    if (!choosing->functions || !choosing->first)
        return gnomon_fail_memory(error);
    for (cursor = 0; (function = gnomon_symbols_unhooked(choosing->symbols, &cursor));)
        if (passes(choosing, function))
            choosing->functions[choosing->count++] = function;
    if (!choosing->count) {
        gnomon_fail(error, GNOMON_ERR_NOT_FOUND, "%s has no functions to measure",
                    gnomon_symbols_path(choosing->symbols));
        return gnomon_remedy(error, GNOMON_ERR_NOT_FOUND,
                             "only functions in its symbol table can be measured: do not strip it");
    }
    qsort(choosing->functions, choosing->count, sizeof(const struct gnomon_function *), by_name);
    size_t *names = &choosing->choice->candidates;
    for (size_t i = 0; i < choosing->count; i++)
        if (i == 0 || strcmp(choosing->functions[i]->symbol, choosing->functions[i - 1]->symbol) != 0)
            choosing->first[(*names)++] = i;
    choosing->first[*names] = choosing->count;
    return GNOMON_OK;
}

/* ---- What is watched for it ---- */

static void watch(struct choosing *choosing, uint32_t address) {
    struct gnomon_collect_choice *choice = choosing->choice;
    for (size_t i = 0; i < choice->watch_count; i++)
        if (choice->watch[i] == address)
            return;
    if (gnomon_array_room(&choice->watch, &choice->watch_room, choice->watch_count + 1, sizeof *choice->watch))
        choice->watch[choice->watch_count++] = address;
    else
        choosing->failed = true;
}

/* A part that the compiler has moved out of a function is no function of its own: what it jumps to counts. */
static bool visit(void *context, uint32_t address) {
    struct choosing *choosing = context;
    const struct gnomon_function *function = gnomon_symbols_next(choosing->symbols, address);
    if (!function || function->address != address)
        return true;
    watch(choosing, address);
    return false;
}

/* False: out of memory. */
static bool watch_name(struct choosing *choosing, const struct gnomon_callgraph *graph, size_t number) {
    for (size_t at = choosing->first[number]; at < choosing->first[number + 1] && !choosing->failed; at++) {
        watch(choosing, choosing->functions[at]->address);
        if (!gnomon_callgraph_jumps(graph, choosing->functions[at]->address, visit, choosing))
            choosing->failed = true;
    }
    return !choosing->failed;
}

static enum gnomon_status take(struct choosing *choosing, const size_t *numbers, size_t some,
                               const struct gnomon_collect_room *room, struct gnomon_error *error) {
    struct gnomon_collect_choice *choice = choosing->choice;
    struct gnomon_callgraph *graph;
    enum gnomon_status status = gnomon_callgraph_load(&graph, gnomon_symbols_path(choosing->symbols), error);
    size_t full = 0;
    for (size_t i = 0; i < some && !status; i++) {
        const size_t before = choice->watch_count,
                     alike = choosing->first[numbers[i] + 1] - choosing->first[numbers[i]];
        if (full + alike > room->full)
            continue;
        if (!watch_name(choosing, graph, numbers[i])) {
            status = gnomon_fail_memory(error);
        } else if (choice->watch_count > room->watched) {
            choice->watch_count = before;
        } else {
            choice->symbols[choice->count++] = choosing->functions[choosing->first[numbers[i]]]->symbol;
            full += alike;
        }
    }
    gnomon_callgraph_free(graph);
    return status;
}

/* ---- All of it ---- */

static int by_text(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The chosen functions come before those that are watched only because of jumps. */
static void put_first(struct choosing *choosing) {
    struct gnomon_collect_choice *choice = choosing->choice;
    size_t chosen = 0;
    for (size_t i = 0; i < choice->watch_count; i++) {
        const uint32_t address = choice->watch[i];
        if (!gnomon_collect_chosen(choice, gnomon_symbols_next(choosing->symbols, address)->symbol))
            continue;
        choice->watch[i] = choice->watch[chosen];
        choice->watch[chosen++] = address;
    }
}

static enum gnomon_status draw(struct choosing *choosing, size_t most, const struct gnomon_collect_room *room,
                               uint64_t seed, struct gnomon_error *error) {
    struct gnomon_collect_choice *choice = choosing->choice;
    const size_t some = most < choice->candidates ? most : choice->candidates;
    struct gnomon_random random;
    size_t *numbers = calloc(choice->candidates, sizeof *numbers);
    choice->symbols = calloc(some + 1, sizeof *choice->symbols);
    enum gnomon_status status = numbers && choice->symbols ? GNOMON_OK : gnomon_fail_memory(error);
    gnomon_random_start(&random, seed);
    if (!status) {
        gnomon_collect_draw(&random, numbers, choice->candidates, some);
        status = take(choosing, numbers, some, room, error);
    }
    if (!status) {
        qsort(choice->symbols, choice->count, sizeof *choice->symbols, by_text);
        put_first(choosing);
    }
    free(numbers);
    return status;
}

enum gnomon_status gnomon_collect_choose(struct gnomon_collect_choice *choice, const struct gnomon_symbols *symbols,
                                         const struct gnomon_collect_filter *filter, size_t most,
                                         const struct gnomon_collect_room *room, uint64_t seed,
                                         struct gnomon_error *error) {
    struct choosing choosing = {.symbols = symbols, .filter = filter, .choice = choice};
    *choice = (struct gnomon_collect_choice){0};
    enum gnomon_status status = GNOMON_OK;
    if (filter->header_count)
        status = gnomon_declared_read(&choosing.declared, gnomon_symbols_path(symbols), filter->headers,
                                      filter->header_count, error);
    if (!status)
        status = list_candidates(&choosing, error);
    if (!status)
        status = draw(&choosing, most, room, seed, error);
    gnomon_name_set_free(&choosing.declared);
    free(choosing.functions);
    free(choosing.first);
    return status;
}

bool gnomon_collect_chosen(const struct gnomon_collect_choice *choice, const char *symbol) {
    return bsearch(&symbol, choice->symbols, choice->count, sizeof *choice->symbols, by_text);
}

void gnomon_collect_choice_free(struct gnomon_collect_choice *choice) {
    free(choice->symbols);
    free(choice->watch);
    *choice = (struct gnomon_collect_choice){0};
}
