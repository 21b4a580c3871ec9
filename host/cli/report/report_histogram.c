/* SPDX-License-Identifier: Apache-2.0 */
/* Prints how long the calls of each function were. */
#include <string.h>

#include "cli/report/report.h"
#include "cli/screen.h"
#include "lib/util/histogram.h"

#define BAR 40
#define VALUE_WIDTH 13   /* of the first columns: from and to */
#define FIGURES_WIDTH 74 /* characters of a line before the bar, including the gap */

static void put_head(const struct report *report, FILE *stream, const struct report_row *row,
                     const struct gnomon_bucket *sum) {
    char where[CLI_WHERE_BYTES], calls[CLI_COUNT_BYTES], spread[96] = "", shortened[SCREEN_TEXT_BYTES];
    char text[CLI_CLEAN_BYTES + CLI_WHERE_BYTES + 200];
    const bool placed = *cli_where(where, &row->name);
    if (!row->figures->histogram->counts_only)
        snprintf(spread, sizeof spread, ", mean %.6g %s, standard deviation %.6g", gnomon_bucket_mean(sum),
                 report_unit(report), gnomon_bucket_deviation(sum));
    snprintf(text, sizeof text, "%.1000s%s%s%s  %s call%s%s",
             screen_shorten(shortened, row->name.text, screen_width(stream)), placed ? "  (" : "", where,
             placed ? ")" : "", cli_count(calls, sum->calls), sum->calls == 1 ? "" : "s", spread);
    fputs(cli_style(report->context, stream, CLI_BOLD), stream);
    screen_sentence(stream, text, "  ");
    fputs(cli_style(report->context, stream, CLI_PLAIN), stream);
}

/* Characters that a line has left for the bar. */
static int bar_width(FILE *stream) {
    int width = screen_width(stream), room = width - FIGURES_WIDTH;
    return !width || room > BAR ? BAR : room > 0 ? room : 0;
}

static void put_bucket(FILE *stream, const struct gnomon_histogram *histogram, unsigned index, uint64_t all) {
    const struct gnomon_bucket *bucket = &histogram->buckets[index];
    static const char bar[BAR + 1] = "########################################";
    char from[CLI_COUNT_BYTES], to[CLI_COUNT_BYTES] = "", calls[CLI_COUNT_BYTES];
    double part = (double)bucket->calls / (double)all;
    int length = (int)(part * bar_width(stream) + 0.5);
    if (index < GNOMON_BUCKETS - 1)
        cli_count(to, gnomon_bucket_from(index + 1) - 1);
    fprintf(stream, "%13s - %-13s %11s", cli_count(from, gnomon_bucket_from(index)), to,
            cli_count(calls, bucket->calls));
    if (bucket->calls)
        fprintf(stream, "  %6.2f", 100 * part);
    if (bucket->calls && !histogram->counts_only)
        fprintf(stream, " %10.6g %10.6g", gnomon_bucket_mean(bucket), gnomon_bucket_deviation(bucket));
    if (length)
        fprintf(stream, "  %.*s", length, bar);
    fputc('\n', stream);
}

/* Prints the buckets from the first to the last one that has calls. Returns false if there are no calls, or none were
 * counted. */
static bool put_function(const struct report *report, FILE *stream, const struct report_row *row) {
    const struct gnomon_histogram *histogram = row->figures->histogram;
    struct gnomon_bucket sum = histogram ? gnomon_histogram_sum(histogram) : (struct gnomon_bucket){0};
    unsigned first = 0, last = GNOMON_BUCKETS - 1;
    if (!sum.calls)
        return false;
    while (!histogram->buckets[first].calls)
        first++;
    while (!histogram->buckets[last].calls)
        last--;
    put_head(report, stream, row, &sum);
    const int length = screen_length(report_unit(report)), over = length > VALUE_WIDTH ? length - VALUE_WIDTH : 0;
    fprintf(stream, "%*s   %-*s %11s  %6s%s\n", VALUE_WIDTH, report_unit(report), VALUE_WIDTH - over, "", "calls", "%",
            histogram->counts_only ? "" : "       mean  deviation");
    for (unsigned i = first; i <= last; i++)
        put_bucket(stream, histogram, i, sum.calls);
    fputc('\n', stream);
    return true;
}

void report_histogram(const struct report *report, FILE *stream) {
    size_t shown = 0, without = 0;
    for (size_t i = 0; i < report->count && (!report->values->limit || shown < report->values->limit); i++) {
        if (!report_wanted(report, report->order[i]))
            continue;
        bool any = put_function(report, stream, &report->rows[report->order[i]]);
        shown += any;
        without += !any;
    }
    if (without)
        fprintf(stream, "%zu function%s without a histogram: the device kept none, or no call was seen as a whole.\n",
                without, without == 1 ? "" : "s");
}
