/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/fleet/growth.h"

#include <math.h>

#define FEWEST_SIZES 3
#define NEARLY_CONSTANT 0.05 /* costs that differ by this share at most do not grow */
#define NO_LAW 0.1           /* a law that is wrong by more than this share describes nothing */
#define NO_EVIDENCE 0.001    /* errors below this share are of no meaning */
#define LEVEL 0.01           /* of the test that a cost grows at all */
#define NO_GROWTH 0.1        /* above it the test does not show that a cost grows, */
#define LITTLE_GROWTH 0.2    /* if it could only be by this share */
#define LIKELIER 20.0
#define SMALLER_ERROR 1.5
#define LEAST_COST 0.001 /* of the highest one */

static const struct law {
    const char *name, *term;
} laws[GNOMON_GROWTHS] = {
    [GNOMON_GROWTH_CONSTANT] = {"constant", ""},     [GNOMON_GROWTH_LOG] = {"log n", "log2 n"},
    [GNOMON_GROWTH_ROOT] = {"sqrt n", "sqrt n"},     [GNOMON_GROWTH_LINEAR] = {"n", "n"},
    [GNOMON_GROWTH_N_LOG] = {"n log n", "n log2 n"}, [GNOMON_GROWTH_N_ROOT] = {"n sqrt n", "n sqrt n"},
    [GNOMON_GROWTH_SQUARE] = {"n^2", "n^2"},         [GNOMON_GROWTH_CUBE] = {"n^3", "n^3"},
};

const char *gnomon_growth_name(enum gnomon_growth law) {
    return laws[law].name;
}

const char *gnomon_growth_term(enum gnomon_growth law) {
    return laws[law].term;
}

static double value_of(enum gnomon_growth law, double n) {
    switch (law) {
    case GNOMON_GROWTH_LOG:
        return log2(n);
    case GNOMON_GROWTH_ROOT:
        return sqrt(n);
    case GNOMON_GROWTH_LINEAR:
        return n;
    case GNOMON_GROWTH_N_LOG:
        return n * log2(n);
    case GNOMON_GROWTH_N_ROOT:
        return n * sqrt(n);
    case GNOMON_GROWTH_SQUARE:
        return n * n;
    case GNOMON_GROWTH_CUBE:
        return n * n * n;
    default:
        return 0;
    }
}

double gnomon_growth_value(const struct gnomon_growth_fit *fit, enum gnomon_growth law, double size) {
    return fit->base + fit->factor * value_of(law, size);
}

/* ---- Least squares ---- */

static double highest(const struct gnomon_growth_point *points, size_t count) {
    double most = 0;
    for (size_t i = 0; i < count; i++)
        most = points[i].cost > most ? points[i].cost : most;
    return most;
}

/* The weight of a point's error: 1 / cost, so that it is relative. All costs 0: any weight does. */
static double weight_of(const struct gnomon_growth_point *point, double most) {
    const double least = most * LEAST_COST, cost = point->cost > least ? point->cost : least;
    return cost > 0 ? 1 / cost : 1;
}

/* Sums of weighted squares and products, of 1, f(n) / scale, and the cost. */
struct sums {
    double ones, f, ff, y, fy;
};

static struct sums sums_of(const struct gnomon_growth_point *points, size_t count, enum gnomon_growth law,
                           double scale) {
    const double most = highest(points, count);
    struct sums sums = {0};
    for (size_t i = 0; i < count; i++) {
        const double w = weight_of(&points[i], most), f = value_of(law, points[i].size) / scale, y = points[i].cost;
        sums.ones += w * w;
        sums.f += w * w * f;
        sums.ff += w * w * f * f;
        sums.y += w * w * y;
        sums.fy += w * w * f * y;
    }
    return sums;
}

static void measure_errors(struct gnomon_growth_fit *fit, const struct gnomon_growth_point *points, size_t count,
                           enum gnomon_growth law, double mean) {
    const double most = highest(points, count);
    double variance = 0;
    for (size_t i = 0; i < count; i++) {
        const double w = weight_of(&points[i], most);
        const double error = w * (points[i].cost - gnomon_growth_value(fit, law, points[i].size));
        fit->squares += error * error;
        variance += w * w * (points[i].cost - mean) * (points[i].cost - mean);
    }
    fit->error = sqrt(fit->squares / (double)count);
    fit->r2 = variance > 0 ? 1 - fit->squares / variance : 1;
}

/* Where the best base or factor would be below 0, the best one that is not is on the border: it is 0. */
struct gnomon_growth_fit gnomon_growth_fit(const struct gnomon_growth_point *points, size_t count,
                                           enum gnomon_growth law) {
    double scale = 0;
    for (size_t i = 0; i < count; i++)
        scale = fmax(scale, value_of(law, points[i].size));
    scale = scale > 0 ? scale : 1;
    const struct sums sums = sums_of(points, count, law, scale);
    const double mean = sums.y / sums.ones, determinant = sums.ones * sums.ff - sums.f * sums.f;
    struct gnomon_growth_fit fit = {.base = mean};
    if (determinant > sums.ones * sums.ff * 1e-12) {
        fit.factor = (sums.ones * sums.fy - sums.f * sums.y) / determinant;
        fit.base = (sums.ff * sums.y - sums.f * sums.fy) / determinant;
        if (fit.factor < 0) {
            fit.factor = 0;
            fit.base = mean;
        } else if (fit.base < 0) {
            fit.factor = sums.fy / sums.ff;
            fit.base = 0;
        }
    }
    fit.factor /= scale;
    measure_errors(&fit, points, count, law, mean);
    return fit;
}

/* ---- Which law ---- */

static size_t count_sizes(const struct gnomon_growth_point *points, size_t count) {
    size_t sizes = 0;
    for (size_t i = 0; i < count; i++) {
        size_t j = 0;
        while (points[j].size != points[i].size)
            j++;
        sizes += j == i;
    }
    return sizes;
}

/* Abramowitz and Stegun, 26.7.3 and 26.7.4. */
double gnomon_student_tail(double t, size_t freedom) {
    const double angle = atan(t / sqrt((double)freedom)), cosine = cos(angle), odd = (double)(freedom % 2);
    double term = odd > 0 ? cosine : 1, sum = 0;
    for (size_t k = freedom % 2; k + 2 <= freedom; k += 2) {
        sum += term;
        term *= cosine * cosine * (double)(k + 1) / (double)(k + 2);
    }
    return 1 - (odd > 0 ? (angle + sin(angle) * sum) * M_2_PI : sin(angle) * sum);
}

static double with_floor(double squares, size_t count) {
    return fmax(squares, NO_EVIDENCE * NO_EVIDENCE * (double)count);
}

/* If a cost does not grow, the chance that a law of growth is better than a constant by this much. */
static double chance(const struct gnomon_growth_fit *constant, const struct gnomon_growth_fit *law, size_t count) {
    const double squares = with_floor(law->squares, count);
    if (law->factor <= 0 || constant->squares <= squares)
        return 1;
    return gnomon_student_tail(sqrt((constant->squares - squares) * (double)(count - 2) / squares), count - 2);
}

static bool excluded(double squares, double best, size_t count) {
    const double ratio = with_floor(squares, count) / with_floor(best, count);
    return ratio >= SMALLER_ERROR * SMALLER_ERROR && pow(ratio, (double)(count - 2) / 2) >= LIKELIER;
}

static bool nearly_constant(const struct gnomon_growth_point *points, size_t count) {
    const double most = highest(points, count);
    double least = most;
    for (size_t i = 0; i < count; i++)
        least = fmin(least, points[i].cost);
    return most - least <= NEARLY_CONSTANT * least;
}

struct judged {
    const struct gnomon_growth_point *points;
    size_t count;
    struct gnomon_growth_fit fits[GNOMON_GROWTHS];
};

/* The laws of growth that are not excluded by the best one. */
static unsigned possible_laws(const struct judged *judged, enum gnomon_growth best) {
    unsigned possible = 0;
    for (enum gnomon_growth law = GNOMON_GROWTH_LOG; law < GNOMON_GROWTHS; law++)
        if (!excluded(judged->fits[law].squares, judged->fits[best].squares, judged->count))
            possible |= 1U << law;
    return possible;
}

static void take_law(struct gnomon_growth_verdict *verdict, const struct judged *judged, enum gnomon_growth law,
                     unsigned possible) {
    verdict->law = law;
    verdict->fit = judged->fits[law];
    verdict->possible = possible;
    verdict->reason = verdict->fit.error > NO_LAW ? GNOMON_GROWTH_NO_LAW
                      : possible & (possible - 1) ? GNOMON_GROWTH_AMBIGUOUS
                                                  : GNOMON_GROWTH_TOLD;
}

/* How much a law grows over the sizes, as a share of its lowest value. */
static double growth_of(const struct judged *judged, enum gnomon_growth law) {
    double least = INFINITY, most = 0;
    for (size_t i = 0; i < judged->count; i++) {
        const double value = gnomon_growth_value(&judged->fits[law], law, judged->points[i].size);
        least = fmin(least, value);
        most = fmax(most, value);
    }
    return least > 0 ? most / least - 1 : INFINITY;
}

static void judge(struct gnomon_growth_verdict *verdict, const struct judged *judged) {
    const struct gnomon_growth_fit *constant = &judged->fits[GNOMON_GROWTH_CONSTANT];
    const unsigned one = 1U << GNOMON_GROWTH_CONSTANT;
    enum gnomon_growth best = GNOMON_GROWTH_LOG;
    for (enum gnomon_growth law = best + 1; law < GNOMON_GROWTHS; law++)
        if (judged->fits[law].squares < judged->fits[best].squares)
            best = law;
    const double p =
        nearly_constant(judged->points, judged->count) ? 1 : chance(constant, &judged->fits[best], judged->count);
    if (p <= LEVEL)
        take_law(verdict, judged, best, possible_laws(judged, best));
    else if (p == 1 || (p > NO_GROWTH && growth_of(judged, best) <= LITTLE_GROWTH))
        take_law(verdict, judged, GNOMON_GROWTH_CONSTANT, one);
    else
        take_law(verdict, judged, best, one | possible_laws(judged, best));
}

struct gnomon_growth_verdict gnomon_growth_judge(const struct gnomon_growth_point *points, size_t count) {
    struct gnomon_growth_verdict verdict = {.sizes = count_sizes(points, count)};
    struct judged judged = {.points = points, .count = count};
    if (verdict.sizes < FEWEST_SIZES) {
        verdict.reason = GNOMON_GROWTH_FEW;
        return verdict;
    }
    for (enum gnomon_growth law = 0; law < GNOMON_GROWTHS; law++)
        judged.fits[law] = gnomon_growth_fit(points, count, law);
    judge(&verdict, &judged);
    return verdict;
}
