/* SPDX-License-Identifier: Apache-2.0 */
/* How many of some marked things are among those that are drawn without putting them back, and the numbers at random
 * that drawing needs. */
#ifndef GNOMON_LIB_HYPERGEOMETRIC_H
#define GNOMON_LIB_HYPERGEOMETRIC_H

#include <stdint.h>

/* xoshiro256** of Blackman and Vigna (2018), started with splitmix64. */
struct gnomon_random {
    uint64_t state[4];
};
void gnomon_random_start(struct gnomon_random *random, uint64_t seed);
uint64_t gnomon_random_next(struct gnomon_random *random);
double gnomon_random_unit(struct gnomon_random *random);   /* from 0 to before 1 */
double gnomon_random_normal(struct gnomon_random *random); /* mean 0, deviation 1 */

/* Of `all` things `marked` are marked, and `drawn` are drawn: how many marked ones are among them. Up to a variance of
 * 10,000 from the exact distribution, beyond it from the normal one that it then is in practice. */
uint64_t gnomon_hypergeometric(struct gnomon_random *random, uint64_t all, uint64_t marked, uint64_t drawn);

/* ln of the number of ways to choose `some` of `all`. */
double gnomon_log_choose(uint64_t all, uint64_t some);

#endif
