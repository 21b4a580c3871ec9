/* SPDX-License-Identifier: Apache-2.0 */
#include_next <stdio.h>

#ifndef GNOMON_STDIO_H
#define GNOMON_STDIO_H

#include <sys/types.h>

#ifndef FILENAME_MAX
#define FILENAME_MAX 1024
#endif
#ifndef FOPEN_MAX
#define FOPEN_MAX 32
#endif

#ifdef __cplusplus
extern "C" {
#endif

ssize_t getdelim(char **__restrict line, size_t *__restrict size, int end, FILE *__restrict stream);
ssize_t getline(char **__restrict line, size_t *__restrict size, FILE *__restrict stream);
FILE *popen(const char *command, const char *mode); /* there are no commands to run: returns NULL, ENOSYS */
int pclose(FILE *stream);

#ifdef __cplusplus
}
#endif

#endif
