/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/api/api_class_text.h"

#include <math.h>

#include "cli/cli.h"

static const struct gnomon_growth_verdict *verdict_of(const struct gnomon_api_class *class) {
    return &class->measures[class->best];
}

bool api_class_told(const struct gnomon_api_class *class) {
    return class->known && verdict_of(class)->reason == GNOMON_GROWTH_TOLD;
}

const char *api_measure_text(const struct gnomon_api_class *class) {
    static const char *const texts[GNOMON_API_MEASURES] = {"a call", "the most expensive call", "all calls together"};
    return texts[class->best];
}

/* Three digits, or all before the point. */
static void put_number(FILE *stream, double value) {
    char digits[CLI_COUNT_BYTES];
    if (value >= 1000 && value < 1e15)
        fputs(cli_count(digits, (uint64_t)llround(value)), stream);
    else
        fprintf(stream, "%.3g", value);
}

static void put_law(FILE *stream, const struct gnomon_growth_verdict *verdict) {
    const struct gnomon_growth_fit *fit = &verdict->fit;
    if (fit->base > 0 || verdict->law == GNOMON_GROWTH_CONSTANT)
        put_number(stream, fit->base);
    if (verdict->law == GNOMON_GROWTH_CONSTANT)
        return;
    if (fit->base > 0)
        fputs(" + ", stream);
    put_number(stream, fit->factor);
    fprintf(stream, " %s", gnomon_growth_term(verdict->law));
}

/* "n or n log n"; of three and more that follow one another "n to n^2". */
static void put_possible(FILE *stream, unsigned possible) {
    const unsigned first = (unsigned)__builtin_ctz(possible), last = 31 - (unsigned)__builtin_clz(possible);
    if (last - first > 1 && possible + (1U << first) == 1U << (last + 1)) {
        fprintf(stream, "%s to %s", gnomon_growth_name(first), gnomon_growth_name(last));
        return;
    }
    const char *before = "";
    for (enum gnomon_growth law = 0; law < GNOMON_GROWTHS; law++)
        if (possible >> law & 1) {
            fprintf(stream, "%s%s", before, gnomon_growth_name(law));
            before = " or ";
        }
}

static void put_reason(FILE *stream, const struct gnomon_growth_verdict *verdict) {
    if (verdict->reason == GNOMON_GROWTH_FEW)
        fprintf(stream, "%zu size%s, 3 are needed", verdict->sizes, verdict->sizes == 1 ? "" : "s");
    else if (verdict->reason == GNOMON_GROWTH_AMBIGUOUS)
        put_possible(stream, verdict->possible);
    else
        fprintf(stream, "no law (%s: error %.0f %%)", gnomon_growth_name(verdict->law), 100 * verdict->fit.error);
}

static void put_start(FILE *stream, const struct gnomon_api_class *class) {
    char digits[CLI_COUNT_BYTES];
    const uint64_t calls = class->start.calls.calls;
    fprintf(stream, "%s call%s of ", cli_count(digits, calls), calls == 1 ? "" : "s");
    put_number(stream, gnomon_bucket_mean(&class->start.calls));
    fputs(", others ", stream);
}

static double usual_mean(const struct gnomon_api_class *class) {
    return gnomon_bucket_mean(&class->usual);
}

void api_put_class(FILE *stream, const struct gnomon_api_class *class) {
    if (class->start.found)
        fputs("start-up, ", stream);
    fputs(api_class_told(class) ? gnomon_growth_name(verdict_of(class)->law)
          : class->steady       ? gnomon_growth_name(GNOMON_GROWTH_CONSTANT)
                                : "not told",
          stream);
}

void api_put_formula(FILE *stream, const struct gnomon_api_class *class) {
    if (!class->known) {
        fputs("sums are not known", stream);
        return;
    }
    if (class->start.found)
        put_start(stream, class);
    if (api_class_told(class))
        put_law(stream, verdict_of(class));
    else if (class->steady)
        put_number(stream, usual_mean(class));
    else
        put_reason(stream, verdict_of(class));
}

/* "for n = 16 to 2,048" */
static void put_sizes(FILE *stream, const struct gnomon_api_class *class) {
    char from[CLI_COUNT_BYTES], to[CLI_COUNT_BYTES];
    fprintf(stream, "for n = %s to %s", cli_count(from, class->least_size), cli_count(to, class->most_size));
}

static void put_growth(FILE *stream, const struct gnomon_api_class *class, const char *unit) {
    const struct gnomon_growth_verdict *verdict = verdict_of(class);
    if (class->best != GNOMON_API_MEAN)
        fprintf(stream, "%s ", api_measure_text(class));
    if (verdict->law == GNOMON_GROWTH_CONSTANT) {
        fputs("constant ", stream);
    } else {
        fprintf(stream, "%s with %s: ", class->best == GNOMON_API_ALL ? "grow" : "grows",
                gnomon_growth_name(verdict->law));
        put_law(stream, verdict);
        fprintf(stream, "%s, error %.1f %%, ", unit, 100 * verdict->fit.error);
    }
    put_sizes(stream, class);
}

bool api_put_class_clause(FILE *stream, const struct gnomon_api_class *class, const char *unit, const char *before) {
    if (!class->known || (!api_class_told(class) && !class->start.found))
        return false;
    fputs(before, stream);
    if (class->start.found) {
        fputs("start-up: ", stream);
        put_start(stream, class);
        put_number(stream, usual_mean(class));
        fprintf(stream, "%s on average", unit);
    }
    if (class->start.found && api_class_told(class))
        fputs(", ", stream);
    if (api_class_told(class))
        put_growth(stream, class, unit);
    return true;
}
