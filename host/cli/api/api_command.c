/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/api/api_command.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/util/array.h"

/* Where this command's own file is: what it starts must not be of another version. */
#define SELF "/proc/self/exe"

void api_words_take(struct api_words *words, char *word) {
    if (!word || !gnomon_array_room(&words->list, &words->room, words->count + 2, sizeof *words->list)) {
        words->failed = true;
        free(word);
        return;
    }
    words->list[words->count++] = word;
    words->list[words->count] = NULL;
}

void api_words_add(struct api_words *words, const char *text) {
    api_words_take(words, strdup(text));
}

void api_words_free(struct api_words *words) {
    for (size_t i = 0; i < words->count; i++)
        free(words->list[i]);
    free(words->list);
}

int api_command_start(pid_t *child, const struct api_words *words, const char *folder, const char *output,
                      const char *errors) {
    const int how = O_WRONLY | O_CREAT | O_TRUNC;
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t defaults;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGINT);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    int failed = folder ? posix_spawn_file_actions_addchdir_np(&actions, folder) : 0;
    failed = failed ? failed : posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    failed = failed ? failed : posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output, how, 0666);
    failed = failed ? failed : posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, errors, how, 0666);
    if (!failed)
        failed = posix_spawn(child, SELF, &actions, &attributes, words->list, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return failed;
}

void api_command_said(char *text, size_t size, const char *path) {
    FILE *file = path ? fopen(path, "r") : NULL;
    const size_t got = file ? fread(text, 1, size - 1, file) : 0;
    text[got] = '\0';
    for (size_t i = 0; i < got; i++)
        if (text[i] == '\n')
            text[i] = ' ';
    if (file)
        fclose(file);
}
