/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the programs of the matrix. The first comment of each program lists its calls (test_matrix.py). */
#ifndef MATRIX_H
#define MATRIX_H

/* Called as often as the source calls it, whatever the compiler knows. */
#define KEEP __attribute__((noinline, noclone, noipa))

#ifdef __cplusplus
extern "C" {
#endif
extern volatile int sink;
#ifdef __cplusplus
}
#endif

#endif
