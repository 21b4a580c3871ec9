/* SPDX-License-Identifier: Apache-2.0 */
/* Names of files: open-SECONDS.gnp, queue/SECONDS-ID.gnp, refused/SECONDS-ID.gnp. SECONDS is when the first run was
 * added; so names sort by age, and no other file must be kept in step with them. */
#include "lib/collect/spool.h"

#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "lib/collect/durable.h"
#include "lib/fleet/api_file.h"
#include "lib/util/array.h"
#include "lib/util/file.h"

#define OPEN_NAME "open-%020" PRId64 ".gnp"
#define QUEUE_NAME "queue/%020" PRId64 "-%s.gnp"
#define REFUSED_KEPT 8
#define MOST_OPEN ((uint64_t)1 << 20) /* bytes of the open profile, if there is no room for submissions */

static bool path_in(char path[PATH_MAX], const char *folder, const char *name) {
    return snprintf(path, PATH_MAX, "%s/%s", folder, name) < PATH_MAX;
}

/* ---- Listing ---- */

struct listing {
    struct gnomon_spool_file *files;
    size_t count, room;
};

/* Is it a name of ours? */
static bool read_name(struct gnomon_spool_file *file, const char *name) {
    int end = 0;
    file->id[0] = '\0';
    if (sscanf(name, "open-%20" SCNd64 ".gnp%n", &file->begun, &end) == 1 && end && !name[end])
        return true;
    end = 0;
    return sscanf(name, "%20" SCNd64 "-%32[0-9a-f].gnp%n", &file->begun, file->id, &end) == 2 && end && !name[end] &&
           strlen(file->id) == GNOMON_SPOOL_ID_BYTES - 1;
}

/* False: out of memory. */
static bool list_folder(struct listing *listing, const char *folder) {
    DIR *directory = opendir(folder);
    const struct dirent *entry;
    bool good = true;
    while (good && directory && (entry = readdir(directory))) {
        struct gnomon_spool_file file;
        struct stat about;
        if (!read_name(&file, entry->d_name) || !path_in(file.path, folder, entry->d_name) || stat(file.path, &about))
            continue;
        file.bytes = (uint64_t)about.st_size;
        good = gnomon_array_room(&listing->files, &listing->room, listing->count + 1, sizeof *listing->files);
        if (good)
            listing->files[listing->count++] = file;
    }
    if (directory)
        closedir(directory);
    return good;
}

/* The open profile is the last one. */
static int by_age(const void *a, const void *b) {
    const struct gnomon_spool_file *left = a, *right = b;
    if (!*left->id != !*right->id)
        return !*left->id - !*right->id;
    return strcmp(left->path, right->path);
}

enum gnomon_status gnomon_spool_list(const struct gnomon_spool *spool, struct gnomon_spool_file **files, size_t *count,
                                     struct gnomon_error *error) {
    struct listing listing = {0};
    char queue[PATH_MAX];
    *files = NULL;
    *count = 0;
    if (!path_in(queue, spool->folder, "queue") || !list_folder(&listing, queue) ||
        !list_folder(&listing, spool->folder)) {
        free(listing.files);
        return gnomon_fail_memory(error);
    }
    if (listing.count)
        qsort(listing.files, listing.count, sizeof *listing.files, by_age);
    *files = listing.files;
    *count = listing.count;
    return GNOMON_OK;
}

/* ---- The open profile ---- */

struct opened {
    int lock;
    struct gnomon_spool_file open; /* begun 0: there is none yet */
    uint64_t waiting;              /* bytes of the submissions */
};

static enum gnomon_status look(const struct gnomon_spool *spool, struct opened *opened, struct gnomon_error *error) {
    struct gnomon_spool_file *files;
    size_t count;
    const enum gnomon_status status = gnomon_spool_list(spool, &files, &count, error);
    opened->open = (struct gnomon_spool_file){0};
    opened->waiting = 0;
    for (size_t i = 0; i < count; i++)
        if (*files[i].id)
            opened->waiting += files[i].bytes;
        else
            opened->open = files[i];
    free(files);
    return status;
}

/* Removes what a process that was killed has left half-written. */
static void tidy(const char *folder) {
    DIR *directory = opendir(folder);
    const struct dirent *entry;
    char path[PATH_MAX];
    while (directory && (entry = readdir(directory))) {
        const char *end = strrchr(entry->d_name, '.');
        if (!strncmp(entry->d_name, "open-", 5) && end && !strcmp(end, ".tmp") && path_in(path, folder, entry->d_name))
            unlink(path);
    }
    if (directory)
        closedir(directory);
}

static bool is_member(const struct gnomon_spool *spool, struct gnomon_error *error) {
    if (!access(spool->member, F_OK))
        return true;
    gnomon_error_fill(error, GNOMON_ERR_NOT_FOUND, "this host has left the fleet");
    return false;
}

static enum gnomon_status open_spool(const struct gnomon_spool *spool, struct opened *opened,
                                     struct gnomon_error *error) {
    char path[PATH_MAX], queue[PATH_MAX];
    opened->lock = -1;
    if (!path_in(path, spool->folder, "lock") || !path_in(queue, spool->folder, "queue"))
        return gnomon_fail(error, GNOMON_ERR_ARGUMENT, "the name %s is too long", spool->folder);
    if (!is_member(spool, error))
        return GNOMON_ERR_NOT_FOUND;
    const enum gnomon_status status = gnomon_durable_folder(queue, error);
    if (status)
        return status;
    opened->lock = gnomon_durable_lock(path, true);
    if (opened->lock < 0)
        return gnomon_fail_errno(error, GNOMON_ERR_SYSTEM, "cannot lock %s", path);
    if (!is_member(spool, error)) /* it may have left while this waited */
        return GNOMON_ERR_NOT_FOUND;
    tidy(spool->folder);
    return look(spool, opened, error);
}

static void close_spool(const struct opened *opened) {
    if (opened->lock >= 0)
        close(opened->lock);
}

static bool overfull(const struct gnomon_spool *spool, const struct opened *opened) {
    return opened->waiting >= spool->most_bytes && opened->open.bytes >= MOST_OPEN;
}

/* A clock that was put back makes a profile of the future: its age is not known, so it is sent. */
static bool is_time(const struct gnomon_spool *spool, const struct opened *opened) {
    const int64_t now = time(NULL), age = now - opened->open.begun;
    return opened->open.bytes >= spool->pack_bytes || age < 0 || (uint64_t)age >= spool->pack_seconds;
}

/* Random, and of all submissions of all hosts unlike any other. */
static enum gnomon_status make_id(char id[GNOMON_SPOOL_ID_BYTES], struct gnomon_error *error) {
    uint8_t bytes[(GNOMON_SPOOL_ID_BYTES - 1) / 2];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
        return gnomon_fail_errno(error, GNOMON_ERR_SYSTEM, "the system has no random numbers");
    for (size_t i = 0; i < sizeof bytes; i++)
        snprintf(id + 2 * i, 3, "%02x", bytes[i]);
    return GNOMON_OK;
}

/* The name is the whole change: the file stays as it is. */
static enum gnomon_status pack(const struct gnomon_spool *spool, const struct opened *opened,
                               struct gnomon_error *error) {
    char id[GNOMON_SPOOL_ID_BYTES], name[96], path[PATH_MAX];
    const enum gnomon_status status = make_id(id, error);
    if (status)
        return status;
    snprintf(name, sizeof name, QUEUE_NAME, opened->open.begun, id);
    if (!path_in(path, spool->folder, name))
        return gnomon_fail(error, GNOMON_ERR_ARGUMENT, "the name %s is too long", spool->folder);
    return gnomon_durable_rename(opened->open.path, path, error);
}

static enum gnomon_status pack_if(const struct gnomon_spool *spool, const struct opened *opened, bool now,
                                  struct gnomon_error *error) {
    if (!opened->open.begun || (!now && (!is_time(spool, opened) || opened->waiting >= spool->most_bytes)))
        return GNOMON_OK;
    return pack(spool, opened, error);
}

enum gnomon_status gnomon_spool_pack(const struct gnomon_spool *spool, bool now, struct gnomon_error *error) {
    struct opened opened;
    enum gnomon_status status = open_spool(spool, &opened, error);
    if (!status)
        status = pack_if(spool, &opened, now, error);
    close_spool(&opened);
    return status;
}

/* ---- Adding ---- */

/* What is there and cannot be read would hold up all that comes: it is put aside. */
static enum gnomon_status read_open(const struct gnomon_spool *spool, struct opened *opened,
                                    struct gnomon_api_profile *sum, struct gnomon_error *error) {
    bool is_profile;
    const enum gnomon_status status = gnomon_api_file_add(sum, opened->open.path, &is_profile, error);
    if (status ? status != GNOMON_ERR_FORMAT : is_profile)
        return status;
    const enum gnomon_status moved = gnomon_spool_refused(spool, &opened->open, error);
    opened->open = (struct gnomon_spool_file){0};
    return moved ? moved : GNOMON_ERR_FORMAT;
}

static enum gnomon_status write_open(const struct gnomon_spool *spool, struct opened *opened,
                                     const struct gnomon_api_profile *sum, struct gnomon_error *error) {
    char name[64];
    uint8_t *data = NULL;
    size_t size;
    if (!opened->open.begun) {
        const time_t now = time(NULL);
        opened->open.begun = now > 0 ? now : 1;
        snprintf(name, sizeof name, OPEN_NAME, opened->open.begun);
        if (!path_in(opened->open.path, spool->folder, name))
            return gnomon_fail(error, GNOMON_ERR_ARGUMENT, "the name %s is too long", spool->folder);
    }
    enum gnomon_status status = gnomon_api_file_write(sum, &data, &size, error);
    if (!status)
        status = gnomon_durable_write(opened->open.path, data, size, error);
    opened->open.bytes = size;
    free(data);
    return status;
}

static enum gnomon_status add(const struct gnomon_spool *spool, struct opened *opened,
                              const struct gnomon_api_profile *profile, struct gnomon_error *error) {
    if (overfull(spool, opened)) {
        gnomon_fail(error, GNOMON_ERR_TOO_BIG, "%s is full: the service has taken nothing for long", spool->folder);
        return gnomon_remedy(error, GNOMON_ERR_TOO_BIG, "gnomon collect --status tells what the service said");
    }
    enum gnomon_status status = GNOMON_ERR_FORMAT;
    struct gnomon_api_profile *sum = NULL;
    while (status == GNOMON_ERR_FORMAT) { /* once more after a damaged file was put aside */
        gnomon_api_profile_free(sum);
        sum = gnomon_api_profile_new();
        status = !sum                 ? gnomon_fail_memory(error)
                 : opened->open.begun ? read_open(spool, opened, sum, error)
                                      : GNOMON_OK;
    }
    if (!status && !gnomon_api_profile_add(sum, profile))
        status = gnomon_fail_memory(error);
    if (!status)
        status = write_open(spool, opened, sum, error);
    gnomon_api_profile_free(sum);
    return status ? status : pack_if(spool, opened, false, error);
}

enum gnomon_status gnomon_spool_add(const struct gnomon_spool *spool, const struct gnomon_api_profile *profile,
                                    struct gnomon_error *error) {
    struct opened opened;
    enum gnomon_status status = open_spool(spool, &opened, error);
    if (!status)
        status = add(spool, &opened, profile, error);
    close_spool(&opened);
    return status;
}

bool gnomon_spool_full(const struct gnomon_spool *spool) {
    struct opened opened;
    return !look(spool, &opened, NULL) && overfull(spool, &opened);
}

/* ---- After sending ---- */

void gnomon_spool_sent(const struct gnomon_spool_file *file) {
    unlink(file->path);
}

/* Removes the oldest. */
static void keep_few(const char *folder) {
    struct listing listing = {0};
    if (list_folder(&listing, folder) && listing.count > REFUSED_KEPT) {
        qsort(listing.files, listing.count, sizeof *listing.files, by_age);
        for (size_t i = 0; i + REFUSED_KEPT < listing.count; i++)
            unlink(listing.files[i].path);
    }
    free(listing.files);
}

enum gnomon_status gnomon_spool_refused(const struct gnomon_spool *spool, const struct gnomon_spool_file *file,
                                        struct gnomon_error *error) {
    char folder[PATH_MAX], path[PATH_MAX];
    if (!path_in(folder, spool->folder, "refused") || !path_in(path, folder, gnomon_basename(file->path)))
        return gnomon_fail(error, GNOMON_ERR_ARGUMENT, "the name %s is too long", spool->folder);
    enum gnomon_status status = gnomon_durable_folder(folder, error);
    if (!status)
        status = gnomon_durable_rename(file->path, path, error);
    keep_few(folder);
    return status;
}

static int remove_one(const char *path, const struct stat *about, int kind, struct FTW *walk) {
    (void)about;
    (void)kind;
    (void)walk;
    return remove(path) && errno != ENOENT ? -1 : 0;
}

void gnomon_spool_remove(const char *folder) {
    nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}
