/* SPDX-License-Identifier: Apache-2.0 */
/* In a file of its own: programs have the wrappers of wrap_heap.c or those of guard.c. */
#include "heap/lock.h"

bool __gnomon_heap_inside;
