/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/fleet/hypergeometric.h"

#include <math.h>

#define LARGE_VARIANCE 1e4
#define LARGE_COUNT 1000000000

void gnomon_random_start(struct gnomon_random *random, uint64_t seed) {
    for (int i = 0; i < 4; i++) {
        uint64_t mixed = seed += UINT64_C(0x9E3779B97F4A7C15);
        mixed = (mixed ^ mixed >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
        mixed = (mixed ^ mixed >> 27) * UINT64_C(0x94D049BB133111EB);
        random->state[i] = mixed ^ mixed >> 31;
    }
}

static uint64_t rotate(uint64_t value, int bits) {
    return value << bits | value >> (64 - bits);
}

uint64_t gnomon_random_next(struct gnomon_random *random) {
    uint64_t *state = random->state;
    const uint64_t result = rotate(state[1] * 5, 7) * 9, shifted = state[1] << 17;
    state[2] ^= state[0];
    state[3] ^= state[1];
    state[1] ^= state[2];
    state[0] ^= state[3];
    state[2] ^= shifted;
    state[3] = rotate(state[3], 45);
    return result;
}

double gnomon_random_unit(struct gnomon_random *random) {
    return (double)(gnomon_random_next(random) >> 11) * 0x1p-53;
}

double gnomon_random_normal(struct gnomon_random *random) {
    double x, y, square;
    do { /* Marsaglia's polar method */
        x = 2 * gnomon_random_unit(random) - 1;
        y = 2 * gnomon_random_unit(random) - 1;
        square = x * x + y * y;
    } while (square >= 1 || square == 0);
    return x * sqrt(-2 * log(square) / square);
}

/* lgamma of 10^9 is 2 * 10^10, so that a double's last digits are worth 10^-6; beyond that a longer one is needed,
 * which takes ten times as long. */
static long double log_factorial(uint64_t number) {
    return number < LARGE_COUNT ? (long double)lgamma((double)number + 1) : lgammal((long double)number + 1);
}

static long double log_choose(uint64_t all, uint64_t some) {
    return log_factorial(all) - log_factorial(some) - log_factorial(all - some);
}

double gnomon_log_choose(uint64_t all, uint64_t some) {
    return (double)log_choose(all, some);
}

/* The probabilities that follow each other, from that of `count`: that of count + 1 is this many times as large. */
static double next_ratio(double all, double marked, double drawn, double count) {
    return (marked - count) * (drawn - count) / ((count + 1) * (all - marked - drawn + count + 1));
}

/* Takes away the probabilities from the most likely number to both sides until `part` is used up. */
static uint64_t invert(double all, double marked, double drawn, double least, double most, double part) {
    const double mode = fmin(most, fmax(least, floor((drawn + 1) * (marked + 1) / (all + 2))));
    const double first = (double)expl(log_choose((uint64_t)marked, (uint64_t)mode) +
                                      log_choose((uint64_t)(all - marked), (uint64_t)(drawn - mode)) -
                                      log_choose((uint64_t)all, (uint64_t)drawn));
    double up = mode, down = mode, above = first, below = first;
    part -= first;
    while (part > 0 && (up < most || down > least)) {
        if (up < most) {
            above *= next_ratio(all, marked, drawn, up);
            up++;
            if ((part -= above) <= 0)
                return (uint64_t)up;
        }
        if (down > least) {
            below /= next_ratio(all, marked, drawn, down - 1);
            down--;
            if ((part -= below) <= 0)
                return (uint64_t)down;
        }
    }
    return (uint64_t)mode;
}

uint64_t gnomon_hypergeometric(struct gnomon_random *random, uint64_t all, uint64_t marked, uint64_t drawn) {
    const double n = (double)all, k = (double)marked, d = (double)drawn;
    const double least = fmax(0, k + d - n), most = fmin(k, d);
    if (least >= most)
        return (uint64_t)least;
    const double mean = d * k / n, variance = mean * (1 - k / n) * (n - d) / (n - 1);
    if (variance > LARGE_VARIANCE)
        return (uint64_t)fmin(most, fmax(least, round(mean + sqrt(variance) * gnomon_random_normal(random))));
    return invert(n, k, d, least, most, gnomon_random_unit(random));
}
