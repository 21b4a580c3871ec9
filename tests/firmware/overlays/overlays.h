/* SPDX-License-Identifier: Apache-2.0 */
/* Four overlays and the resident functions. Each file begins with its first function, so that these functions share
 * an address. */
#include <gnomon.h>

int one(int n);      /* overlay 0: calls `same` and `resident` n times */
int visits(void);    /* overlay 0: number of its calls since the overlay was loaded */
int two(int n);      /* overlay 3: recursive, calls `same` in each turn */
int only(int x);     /* overlay 14: its only function, besides a byte of data */
int three(int n);    /* overlay 15: calls itself through `bounce`, n times */
int resident(int x); /* in no overlay */
int bounce(int n);   /* in no overlay, calls `three` */
