/* SPDX-License-Identifier: Apache-2.0 */
/* Starts this command itself again, for another of its subcommands. */
#ifndef GNOMON_CLI_API_COMMAND_H
#define GNOMON_CLI_API_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* The words of a command line. Starts as zeros. */
struct api_words {
    size_t count, room;
    char **list; /* each owned; the last is NULL */
    bool failed; /* out of memory */
};

void api_words_add(struct api_words *words, const char *text);
/* Takes ownership of `word`; NULL: out of memory. */
void api_words_take(struct api_words *words, char *word);
void api_words_free(struct api_words *words);

/* Starts the command in the folder (NULL: in this one); its standard output and standard error go into these files,
 * whose names are as the command sees them. Returns an error number, 0: it runs. */
int api_command_start(pid_t *child, const struct api_words *words, const char *folder, const char *output,
                      const char *errors);

/* The beginning of a file in one line, for a message; "" if there is none. */
void api_command_said(char *text, size_t size, const char *path);

#endif
