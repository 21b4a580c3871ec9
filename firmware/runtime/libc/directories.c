/* SPDX-License-Identifier: Apache-2.0 */
/* Folders. A folder exists if a file's name begins with it, or if mkdir made it. A file can be made in a folder that
 * does not exist. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "files.h"

struct gnomon_directory {
    size_t count, room, at;
    struct dirent *entries;
};

/* ---- Existence ---- */

/* A folder: its plain name without slashes at the end, and the length of the name. Length 0 is the working
 * directory. */
struct folder {
    const char *name;
    size_t length;
};

static struct folder folder_of(const char *name) {
    struct folder folder = {__gnomon_files_plain(name), 0};
    folder.length = strlen(folder.name);
    while (folder.length > 1 && folder.name[folder.length - 1] == '/')
        folder.length--;
    if (folder.length == 1 && folder.name[0] == '.')
        folder.length = 0;
    return folder;
}

/* The part of `plain` below the folder; NULL if `plain` is not in the folder. */
static const char *below(const struct folder *folder, const char *plain) {
    if (folder->length == 0)
        return plain[0] == '/' ? NULL : plain;
    if (strncmp(plain, folder->name, folder->length) != 0)
        return NULL;
    if (folder->name[folder->length - 1] == '/') /* the root */
        return plain + folder->length;
    return plain[folder->length] == '/' ? plain + folder->length + 1 : NULL;
}

static bool is_elsewhere(const char *plain, bool directory, void *to) {
    const struct folder *folder = to;
    const bool itself = directory && strlen(plain) == folder->length && !strncmp(plain, folder->name, folder->length);
    return !itself && !below(folder, plain);
}

bool __gnomon_files_is_directory(const char *name) {
    if (!*name)
        return false;
    struct folder folder = folder_of(name);
    if (folder.length == 0 || (folder.length == 1 && folder.name[0] == '/'))
        return true;
    return !__gnomon_files_each(is_elsewhere, &folder);
}

/* ---- Making and removing ---- */

int mkdir(const char *name, mode_t mode) {
    if (__gnomon_files_is_directory(name) || __gnomon_files_find(name))
        return __gnomon_files_fail(EEXIST);
    const struct folder folder = folder_of(name);
    char *plain = strndup(folder.name, folder.length);
    struct file *file = plain && *plain ? __gnomon_files_add(plain) : NULL;
    const bool named = plain && *plain;
    free(plain);
    if (!file)
        return __gnomon_files_fail(named ? ENOSPC : ENOENT);
    file->directory = true;
    file->mode = mode & 0777 & ~__gnomon_files_mask;
    return 0;
}

static bool is_outside(const char *plain, bool directory, void *to) {
    (void)directory;
    return !below(to, plain);
}

int rmdir(const char *name) {
    struct folder folder = folder_of(name);
    if (!__gnomon_files_is_directory(name))
        return __gnomon_files_fail(__gnomon_files_find(name) ? ENOTDIR : ENOENT);
    if (folder.length == 0 || !__gnomon_files_each(is_outside, &folder))
        return __gnomon_files_fail(ENOTEMPTY);
    char *plain = strndup(folder.name, folder.length);
    struct file *file = plain ? __gnomon_files_find(plain) : NULL;
    free(plain);
    if (!file)
        return __gnomon_files_fail(EACCES);
    __gnomon_files_remove(file);
    return 0;
}

/* ---- Reading ---- */

struct listing {
    struct folder folder;
    DIR *stream;
};

static bool add_entry(DIR *stream, const char *name, size_t length, unsigned char type) {
    if (length > MAXNAMLEN)
        length = MAXNAMLEN;
    for (size_t i = 0; i < stream->count; i++)
        if (!strncmp(stream->entries[i].d_name, name, length) && !stream->entries[i].d_name[length])
            return true;
    if (stream->count == stream->room) {
        const size_t room = stream->room ? 2 * stream->room : 16;
        struct dirent *entries = realloc(stream->entries, room * sizeof *entries);
        if (!entries)
            return false;
        stream->entries = entries;
        stream->room = room;
    }
    struct dirent *entry = &stream->entries[stream->count++];
    *entry = (struct dirent){.d_ino = (ino_t)stream->count, .d_type = type};
    memcpy(entry->d_name, name, length);
    return true;
}

static bool list(const char *plain, bool directory, void *to) {
    const struct listing *listing = to;
    const char *name = below(&listing->folder, plain);
    if (!name || !*name)
        return true;
    const size_t length = strcspn(name, "/");
    return add_entry(listing->stream, name, length, name[length] || directory ? DT_DIR : DT_REG);
}

DIR *opendir(const char *name) {
    if (!__gnomon_files_is_directory(name)) {
        errno = __gnomon_files_find(name) ? ENOTDIR : ENOENT;
        return NULL;
    }
    struct listing listing = {folder_of(name), calloc(1, sizeof(DIR))};
    DIR *stream = listing.stream;
    if (stream && add_entry(stream, ".", 1, DT_DIR) && add_entry(stream, "..", 2, DT_DIR) &&
        __gnomon_files_each(list, &listing))
        return stream;
    if (stream)
        closedir(stream);
    errno = ENOMEM;
    return NULL;
}

struct dirent *readdir(DIR *stream) {
    return stream->at < stream->count ? &stream->entries[stream->at++] : NULL;
}

void rewinddir(DIR *stream) {
    stream->at = 0;
}

long telldir(DIR *stream) {
    return (long)stream->at;
}

void seekdir(DIR *stream, long place) {
    stream->at = (size_t)place;
}

int closedir(DIR *stream) {
    free(stream->entries);
    free(stream);
    return 0;
}
