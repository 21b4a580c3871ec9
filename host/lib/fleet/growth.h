/* SPDX-License-Identifier: Apache-2.0 */
/* How a cost grows with the size of an input: laws of the form base + factor * f(n), with neither of the two below 0,
 * fitted to some sizes, and which of the laws the figures tell. */
#ifndef GNOMON_LIB_GROWTH_H
#define GNOMON_LIB_GROWTH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* In the order of how fast they grow. Logarithms are to the base 2. */
enum gnomon_growth {
    GNOMON_GROWTH_CONSTANT,
    GNOMON_GROWTH_LOG,
    GNOMON_GROWTH_ROOT,
    GNOMON_GROWTH_LINEAR,
    GNOMON_GROWTH_N_LOG,
    GNOMON_GROWTH_N_ROOT,
    GNOMON_GROWTH_SQUARE,
    GNOMON_GROWTH_CUBE,
    GNOMON_GROWTHS
};

struct gnomon_growth_point {
    double size; /* 1 or more */
    double cost; /* 0 or more */
};

struct gnomon_growth_fit {
    double base, factor; /* cost = base + factor * f(size); of CONSTANT the factor is 0 */
    double squares;      /* the sum of the squares of the relative errors */
    double error;        /* their root mean square: 0.02 is 2 % */
    double r2;           /* the share of the costs' weighted variance that the law explains; 1 without any variance */
};

/* Least squares of the relative errors. A cost below a thousandth of the highest one counts with that thousandth.
 * `count` is at least 1. */
struct gnomon_growth_fit gnomon_growth_fit(const struct gnomon_growth_point *points, size_t count,
                                           enum gnomon_growth law);

/* f(n) of a law, "n log2 n", as a formula has it; of CONSTANT "". */
const char *gnomon_growth_term(enum gnomon_growth law);
/* Its name as a class: "n log n", "constant". */
const char *gnomon_growth_name(enum gnomon_growth law);
double gnomon_growth_value(const struct gnomon_growth_fit *fit, enum gnomon_growth law, double size);

/* Why no law is told. */
enum gnomon_growth_reason {
    GNOMON_GROWTH_TOLD,
    GNOMON_GROWTH_FEW,       /* fewer than 3 different sizes */
    GNOMON_GROWTH_AMBIGUOUS, /* several laws describe the costs about equally well: `possible` */
    GNOMON_GROWTH_NO_LAW,    /* the best law, `law`, is wrong by more than 10 % */
};

struct gnomon_growth_verdict {
    enum gnomon_growth_reason reason;
    enum gnomon_growth law;       /* the best one */
    unsigned possible;            /* bit N: the law N is not excluded; with TOLD only that of `law` */
    size_t sizes;                 /* different ones */
    struct gnomon_growth_fit fit; /* of `law` */
};

/* A law is told if all others are excluded, and its error is at most 10 %.
 * - Costs that differ by 5 % at most are constant over these sizes.
 * - A law of growth must be better than a constant: the t-test of its factor has p of 1 % at most. With p above
 *   10 %, and growth of 20 % at most over these sizes, it is a constant.
 * - It must be 20 times as likely as each other law of growth: (squares / squares of the best) ^ ((points - 2) / 2),
 *   which is the ratio of their likelihoods when nothing is known of how large errors are; and its error must be
 * smaller by a third. Errors below a thousandth are no evidence. */
struct gnomon_growth_verdict gnomon_growth_judge(const struct gnomon_growth_point *points, size_t count);

/* The probability that |t| of Student's distribution with that many degrees of freedom, 1 or more, is at least this. */
double gnomon_student_tail(double t, size_t freedom);

#endif
