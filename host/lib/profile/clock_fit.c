/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/profile/clock_fit.h"

#include <math.h>

#define STAMP_NS 1.0    /* a host time is cut to whole ns */
#define PERIOD_MOST 1.1 /* a clock's period is at most this multiple of the nominal one */

/* A sample relative to the first one: the counter became `cycle` at a time from `least` to `most`. */
struct limits {
    double cycle, least, most;
};

struct lines {
    struct limits limits[GNOMON_CLOCK_SAMPLES];
    size_t count;
    double slowest, fastest; /* ns per cycle: the largest and smallest slopes of the lines between all limits */
};

static uint64_t round_trip(const struct gnomon_clock_sample *sample) {
    return sample->after - sample->before;
}

static void halve(struct gnomon_clock_samples *samples) {
    for (size_t i = 0; i < GNOMON_CLOCK_SAMPLES / 2; i++) {
        const struct gnomon_clock_sample *pair = &samples->kept[2 * i];
        samples->kept[i] = round_trip(&pair[1]) < round_trip(&pair[0]) ? pair[1] : pair[0];
    }
    samples->count = GNOMON_CLOCK_SAMPLES / 2;
    samples->group *= 2;
}

void gnomon_clock_samples_add(struct gnomon_clock_samples *samples, const struct gnomon_clock_sample *sample) {
    samples->host_back |= sample->after < sample->before || (samples->taken && sample->before < samples->last.after);
    samples->counter_back |= samples->taken && sample->cycle < samples->last.cycle;
    if (!samples->group)
        samples->group = 1;
    if (samples->grouped == samples->group)
        samples->grouped = 0;
    if (!samples->grouped && samples->count == GNOMON_CLOCK_SAMPLES)
        halve(samples);
    if (!samples->grouped)
        samples->kept[samples->count++] = *sample;
    else if (round_trip(sample) < round_trip(&samples->kept[samples->count - 1]))
        samples->kept[samples->count - 1] = *sample;
    samples->grouped++;
    samples->taken++;
    samples->last = *sample;
}

/* The counter showed its value from the time when it became it until one period later. */
static void set_limits(struct lines *lines, const struct gnomon_clock_samples *samples, uint32_t nominal_hz) {
    const struct gnomon_clock_sample *origin = samples->kept;
    const double period = PERIOD_MOST * 1e9 / nominal_hz;
    lines->count = samples->count;
    for (size_t i = 0; i < samples->count; i++) {
        const struct gnomon_clock_sample *sample = &samples->kept[i];
        lines->limits[i] = (struct limits){
            .cycle = (double)(sample->cycle - origin->cycle),
            .least = (double)(sample->before - origin->before) - period,
            .most = (double)(sample->after - origin->before) + STAMP_NS,
        };
    }
}

/* The slopes that all pairs of limits allow. For any slope among them there is a line: its lowest and its highest place
 * are set by one limit each, and these two are a pair. */
static void find_slopes(struct lines *lines) {
    lines->fastest = 0;
    lines->slowest = INFINITY;
    for (size_t i = 0; i < lines->count; i++)
        for (size_t j = i + 1; j < lines->count; j++) {
            const struct limits *from = &lines->limits[i], *to = &lines->limits[j];
            lines->slowest = fmin(lines->slowest, (to->most - from->least) / (to->cycle - from->cycle));
            lines->fastest = fmax(lines->fastest, (to->least - from->most) / (to->cycle - from->cycle));
        }
}

/* The limits mirrored in time, whose highest line is the lowest line of `lines`. */
static void mirror(struct lines *lines) {
    for (size_t i = 0; i < lines->count; i++) {
        const struct limits limits = lines->limits[i];
        lines->limits[i] = (struct limits){limits.cycle, -limits.most, -limits.least};
    }
}

/* The highest place at `cycle` of a line between all limits. Two limits decide: the upper ones on both sides of the
 * cycle, or the upper one of the nearer and the lower one of the farther on one side. */
static double highest(const struct lines *lines, double cycle) {
    double found = INFINITY;
    for (size_t i = 0; i < lines->count; i++)
        for (size_t j = 0; j < lines->count; j++) {
            const struct limits *near = &lines->limits[i], *other = &lines->limits[j];
            const double to_near = near->cycle - cycle, to_other = other->cycle - cycle;
            const bool opposite = to_near * to_other<0, beyond = to_near * (to_other - to_near)> 0;
            if (to_near == 0)
                found = fmin(found, near->most);
            else if (opposite || beyond)
                found = fmin(found, near->most - to_near * ((opposite ? other->most : other->least) - near->most) /
                                                     (other->cycle - near->cycle));
        }
    return found;
}

/* The middle of the lines with the middle slope: its place at cycle 0. */
static double middle(const struct lines *lines, double slope) {
    double low = -INFINITY, high = INFINITY;
    for (size_t i = 0; i < lines->count; i++) {
        low = fmax(low, lines->limits[i].least - slope * lines->limits[i].cycle);
        high = fmin(high, lines->limits[i].most - slope * lines->limits[i].cycle);
    }
    return (low + high) / 2;
}

/* The distance of the fit from the farthest line at one cycle. It is a convex function of the cycle, so in an interval
 * it is largest at an end. */
static double error_at(struct lines *lines, double cycle, double place) {
    const double above = highest(lines, cycle) - place;
    mirror(lines);
    const double below = highest(lines, cycle) + place;
    mirror(lines);
    return fmax(above, below);
}

/* Can the samples have a fit at all? */
static enum gnomon_status check_samples(const struct gnomon_clock_samples *samples, const char *name,
                                        struct gnomon_error *error) {
    if (samples->host_back) {
        gnomon_fail(error, GNOMON_ERR_SYSTEM, "the host's clock went back during the calibration of %s", name);
        return gnomon_remedy(error, GNOMON_ERR_SYSTEM, "calibrate again");
    }
    if (samples->counter_back) {
        gnomon_fail(error, GNOMON_ERR_PROTOCOL, "the cycle counter of %s went back during the calibration", name);
        return gnomon_remedy(error, GNOMON_ERR_PROTOCOL, "the board was reset: check its supply, then calibrate again");
    }
    if (samples->count < GNOMON_CLOCK_FEWEST_SAMPLES) {
        gnomon_fail(error, GNOMON_ERR_UNSUPPORTED,
                    "too few samples of the cycle counter of %s: %llu, and %d are needed", name,
                    (unsigned long long)samples->taken, GNOMON_CLOCK_FEWEST_SAMPLES);
        return gnomon_remedy(error, GNOMON_ERR_UNSUPPORTED, "calibrate for a longer time");
    }
    for (size_t i = 1; i < samples->count; i++)
        if (samples->kept[i].cycle == samples->kept[i - 1].cycle) {
            gnomon_fail(error, GNOMON_ERR_PROTOCOL, "the cycle counter of %s stands still", name);
            return gnomon_remedy(error, GNOMON_ERR_PROTOCOL, "check the board's clock");
        }
    return GNOMON_OK;
}

/* Is there a line between all limits, and one that rises? */
static enum gnomon_status check_lines(const struct gnomon_clock_samples *samples, const struct lines *lines,
                                      const char *name, struct gnomon_error *error) {
    if (lines->fastest > lines->slowest) {
        gnomon_fail(error, GNOMON_ERR_PROTOCOL,
                    "no constant rate fits the cycles of %s: its counter or the host's clock jumped, or one of them "
                    "changed its rate",
                    name);
        return gnomon_remedy(error, GNOMON_ERR_PROTOCOL, "calibrate again, for a shorter time");
    }
    if (lines->fastest > 0)
        return GNOMON_OK;
    gnomon_fail(error, GNOMON_ERR_UNSUPPORTED, "the samples of %s (%llu) cover too short a time for a rate", name,
                (unsigned long long)samples->taken);
    return gnomon_remedy(error, GNOMON_ERR_UNSUPPORTED, "calibrate for a longer time");
}

static uint64_t shortest_round_trip(const struct gnomon_clock_samples *samples) {
    uint64_t shortest = UINT64_MAX;
    for (size_t i = 0; i < samples->count; i++)
        if (round_trip(&samples->kept[i]) < shortest)
            shortest = round_trip(&samples->kept[i]);
    return shortest;
}

static double signed_difference(uint64_t a, uint64_t b) {
    return a >= b ? (double)(a - b) : -(double)(b - a);
}

static void fill(struct gnomon_clock_fit *fit, struct lines *lines, const struct gnomon_clock_samples *samples,
                 uint32_t nominal_hz) {
    const struct gnomon_clock_sample *origin = samples->kept, *end = &samples->kept[samples->count - 1];
    const double slope = (lines->fastest + lines->slowest) / 2, zero = middle(lines, slope);
    const double from = signed_difference(fit->first_cycle, origin->cycle);
    const double to = signed_difference(fit->last_cycle, origin->cycle);
    fit->cycle = origin->cycle + (end->cycle - origin->cycle) / 2;
    const double reference = floor(zero + slope * (double)(fit->cycle - origin->cycle));
    fit->host_ns = origin->before + (uint64_t)(int64_t)reference;
    fit->ns_per_cycle = slope;
    /* 1 ns: the reference is cut to a whole ns. */
    fit->error_ns = 1 + fmax(error_at(lines, from, zero + slope * from), error_at(lines, to, zero + slope * to));
    fit->drift_ppm = fmax(lines->slowest - slope, slope - lines->fastest) * nominal_hz * 1e-3;
    const double most = 1e15 / (lines->fastest * nominal_hz), least = 1e15 / (lines->slowest * nominal_hz);
    fit->rate_ppm = (most + least) / 2 - 1e6;
    fit->rate_error_ppm = (most - least) / 2;
    fit->round_trip_ns = (double)shortest_round_trip(samples);
    fit->taken = samples->taken;
    fit->used = samples->count;
}

enum gnomon_status gnomon_clock_fit(const struct gnomon_clock_samples *samples, uint32_t nominal_hz,
                                    uint64_t first_cycle, uint64_t last_cycle, const char *name,
                                    struct gnomon_clock_fit *fit, struct gnomon_error *error) {
    struct lines lines;
    enum gnomon_status status = check_samples(samples, name, error);
    if (status)
        return status;
    set_limits(&lines, samples, nominal_hz);
    find_slopes(&lines);
    status = check_lines(samples, &lines, name, error);
    if (status)
        return status;
    *fit = (struct gnomon_clock_fit){.first_cycle = first_cycle, .last_cycle = last_cycle};
    fill(fit, &lines, samples, nominal_hz);
    return GNOMON_OK;
}

double gnomon_clock_fit_host(const struct gnomon_clock_fit *fit, uint64_t cycle) {
    return signed_difference(cycle, fit->cycle) * fit->ns_per_cycle;
}

json_t *gnomon_clock_fit_json(const struct gnomon_clock_fit *fit) {
    return json_pack("{s:I, s:I, s:f, s:I, s:I, s:f, s:f, s:f, s:f, s:f, s:I, s:I}", "cycle", (json_int_t)fit->cycle,
                     "host_ns", (json_int_t)fit->host_ns, "ns_per_cycle", fit->ns_per_cycle, "first_cycle",
                     (json_int_t)fit->first_cycle, "last_cycle", (json_int_t)fit->last_cycle, "error_ns", fit->error_ns,
                     "drift_ppm", fit->drift_ppm, "rate_ppm", fit->rate_ppm, "rate_error_ppm", fit->rate_error_ppm,
                     "round_trip_ns", fit->round_trip_ns, "samples", (json_int_t)fit->taken, "used",
                     (json_int_t)fit->used);
}

bool gnomon_clock_fit_parse(const json_t *json, struct gnomon_clock_fit *fit) {
    json_int_t cycle, host, first, last, taken, used;
    if (json_unpack((json_t *)json, "{s:I, s:I, s:F, s:I, s:I, s:F, s:F, s:F, s:F, s:F, s:I, s:I}", "cycle", &cycle,
                    "host_ns", &host, "ns_per_cycle", &fit->ns_per_cycle, "first_cycle", &first, "last_cycle", &last,
                    "error_ns", &fit->error_ns, "drift_ppm", &fit->drift_ppm, "rate_ppm", &fit->rate_ppm,
                    "rate_error_ppm", &fit->rate_error_ppm, "round_trip_ns", &fit->round_trip_ns, "samples", &taken,
                    "used", &used) ||
        cycle < 0 || host < 0 || first < 0 || last < first || taken < 0 || used < 0 || !(fit->ns_per_cycle > 0) ||
        !(fit->error_ns >= 0))
        return false;
    fit->cycle = (uint64_t)cycle;
    fit->host_ns = (uint64_t)host;
    fit->first_cycle = (uint64_t)first;
    fit->last_cycle = (uint64_t)last;
    fit->taken = (uint64_t)taken;
    fit->used = (size_t)used;
    return true;
}

/* The cycle at a host time, in ns after the fit's reference. */
static double cycle_at(const struct gnomon_clock_fit *fit, double host) {
    return (double)fit->cycle + host / fit->ns_per_cycle;
}

enum gnomon_status gnomon_clock_pair(const struct gnomon_clock_fit *a, const struct gnomon_clock_fit *b,
                                     struct gnomon_clock_pair *pair, struct gnomon_error *error) {
    const double between = signed_difference(a->host_ns, b->host_ns);
    const double begin =
        fmax(gnomon_clock_fit_host(a, a->first_cycle), gnomon_clock_fit_host(b, b->first_cycle) - between);
    const double end = fmin(gnomon_clock_fit_host(a, a->last_cycle), gnomon_clock_fit_host(b, b->last_cycle) - between);
    if (begin >= end) {
        gnomon_fail(error, GNOMON_ERR_MISMATCH, "the two calibrations have no time in common");
        return gnomon_remedy(error, GNOMON_ERR_MISMATCH, "calibrate both boards at the same time");
    }
    const double whole = floor(between / b->ns_per_cycle);
    pair->a_cycle = a->cycle;
    pair->b_cycle = (int64_t)b->cycle + (int64_t)whole;
    pair->ratio = a->ns_per_cycle / b->ns_per_cycle;
    pair->error_ns = a->error_ns + b->error_ns;
    /* 1: b_cycle is cut to a whole cycle. */
    pair->error_cycles = 1 + pair->error_ns / b->ns_per_cycle;
    pair->first_cycle = (uint64_t)ceil(cycle_at(a, begin));
    pair->last_cycle = (uint64_t)floor(cycle_at(a, end));
    return GNOMON_OK;
}
