/* SPDX-License-Identifier: Apache-2.0 */
/* What the programs of the matrix share. The calls that a program makes stand in its first comment (test_matrix.py). */
#ifndef MATRIX_H
#define MATRIX_H

/* Called as often as the source says, whatever the compiler knows of it. */
#define KEEP __attribute__((noinline, noclone, noipa))

#ifdef __cplusplus
extern "C" {
#endif
extern volatile int sink;
#ifdef __cplusplus
}
#endif

#endif
