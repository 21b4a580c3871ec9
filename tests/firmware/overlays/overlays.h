/* SPDX-License-Identifier: Apache-2.0 */
/* Four overlays and what is always there. Each file begins with its first function, so that these share an address. */
#include <gnomon.h>

int one(int n);      /* overlay 0: calls `same` and `resident` n times */
int visits(void);    /* overlay 0: how often it was called since the overlay was loaded */
int two(int n);      /* overlay 3: recursive, calls `same` in each turn */
int only(int x);     /* overlay 14: all that it has, and a byte */
int three(int n);    /* overlay 15: by way of `bounce`, n times */
int resident(int x); /* always there */
int bounce(int n);   /* always there, calls `three` */
