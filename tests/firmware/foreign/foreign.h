/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FOREIGN_H
#define FOREIGN_H

#define KEEP __attribute__((noinline, noclone, noipa))

extern volatile int sink;

int back(int x);
int instrumented(int x);
void instrumented_jumps(void);
int instrumented_catches(void);
void between(void);
void instrumented_goes_back(void);
int counted(int x);
int patched(int x);
int patched_long(int x);
int patched_short(int x);

#endif
