/* SPDX-License-Identifier: Apache-2.0 */
/* In a file of its own, so that a program's own definition takes its place. */
#include <pthread.h>

const unsigned gnomon_threads_harts = 2;
