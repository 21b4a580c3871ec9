/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/service/tokens.h"

#include <errno.h>
#include <nettle/memops.h>
#include <nettle/sha2.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>

#include "lib/util/array.h"
#include "lib/util/bytes.h"
#include "lib/util/file.h"

#define PREFIX "gnomon_" /* so that a token that went astray is known for what it is */
#define RANDOM_BYTES 32
#define LABEL_BYTES 200
#define HASH_DIGITS (2 * SHA256_DIGEST_SIZE)

struct gnomon_tokens {
    pthread_mutex_t mutex;
    char *path;
    struct stat seen; /* of the file, when it was read */
    uint8_t (*hashes)[SHA256_DIGEST_SIZE];
    size_t count, room;
};

/* ---- Hexadecimal digits ---- */

static void put_digits(char *to, const uint8_t *bytes, size_t count) {
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < count; i++) {
        to[2 * i] = digits[bytes[i] >> 4];
        to[2 * i + 1] = digits[bytes[i] & 15];
    }
    to[2 * count] = 0;
}

static int digit_of(char digit) {
    if (digit >= '0' && digit <= '9')
        return digit - '0';
    return digit >= 'a' && digit <= 'f' ? digit - 'a' + 10 : -1;
}

static bool read_digits(const char *text, uint8_t *bytes, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const int high = digit_of(text[2 * i]), low = high < 0 ? -1 : digit_of(text[2 * i + 1]);
        if (low < 0)
            return false;
        bytes[i] = (uint8_t)(high << 4 | low);
    }
    return true;
}

static void hash_of(const char *token, uint8_t hash[SHA256_DIGEST_SIZE]) {
    struct sha256_ctx context;
    sha256_init(&context);
    sha256_update(&context, strlen(token), (const uint8_t *)token);
    sha256_digest(&context, SHA256_DIGEST_SIZE, hash);
}

/* ---- Making ---- */

static bool is_label(const char *label) {
    if (strlen(label) > LABEL_BYTES)
        return false;
    for (; *label; label++)
        if ((unsigned char)*label < ' ')
            return false;
    return true;
}

/* The file, with a line more. */
static enum gnomon_status append(const char *path, const char *line, struct gnomon_error *error) {
    uint8_t *data = NULL;
    size_t size = 0;
    struct stat about;
    enum gnomon_status status =
        stat(path, &about) && errno == ENOENT ? GNOMON_OK : gnomon_read_file(path, &data, &size, error);
    const bool open_end = size && data[size - 1] != '\n';
    char *all = NULL;
    const int length =
        status ? 0 : asprintf(&all, "%.*s%s%s", (int)size, data ? (const char *)data : "", open_end ? "\n" : "", line);
    if (!status)
        status = length < 0 ? gnomon_fail_memory(error) : gnomon_write_file(path, all, (size_t)length, error);
    if (length > 0)
        free(all);
    free(data);
    return status;
}

enum gnomon_status gnomon_token_make(const char *path, const char *label, char token[GNOMON_TOKEN_BYTES],
                                     struct gnomon_error *error) {
    uint8_t bytes[RANDOM_BYTES], hash[SHA256_DIGEST_SIZE];
    char digits[HASH_DIGITS + 1], line[HASH_DIGITS + LABEL_BYTES + 3];
    if (!is_label(label))
        return gnomon_fail(error, GNOMON_ERR_ARGUMENT, "a label is one line of at most %d bytes", LABEL_BYTES);
    if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes)
        return gnomon_fail_errno(error, GNOMON_ERR_SYSTEM, "there are no random numbers");
    put_digits(digits, bytes, sizeof bytes);
    snprintf(token, GNOMON_TOKEN_BYTES, PREFIX "%s", digits);
    hash_of(token, hash);
    put_digits(digits, hash, sizeof hash);
    snprintf(line, sizeof line, "%s%s%s\n", digits, *label ? " " : "", label);
    return append(path, line, error);
}

/* ---- Reading ---- */

/* A line is a hash, and perhaps a space and a label; or it is empty, or a comment. */
static enum gnomon_status take_line(struct gnomon_tokens *tokens, const char *line, unsigned number,
                                    struct gnomon_error *error) {
    if (!*line || *line == '#')
        return GNOMON_OK;
    if (!gnomon_array_room(&tokens->hashes, &tokens->room, tokens->count + 1, sizeof *tokens->hashes))
        return gnomon_fail_memory(error);
    if (!read_digits(line, tokens->hashes[tokens->count], SHA256_DIGEST_SIZE) ||
        (line[HASH_DIGITS] && line[HASH_DIGITS] != ' '))
        return gnomon_fail(error, GNOMON_ERR_FORMAT, "line %u of %s is no hash of a token", number, tokens->path);
    tokens->count++;
    return GNOMON_OK;
}

static enum gnomon_status read_tokens(struct gnomon_tokens *tokens, struct gnomon_error *error) {
    uint8_t *data = NULL;
    size_t size;
    enum gnomon_status status = gnomon_read_file(tokens->path, &data, &size, error);
    if (status)
        return status;
    data[size] = 0;
    tokens->count = 0;
    char *rest = (char *)data;
    for (unsigned number = 1; rest && !status; number++) {
        const char *line = strsep(&rest, "\n");
        status = take_line(tokens, line, number, error);
    }
    free(data);
    return status;
}

enum gnomon_status gnomon_tokens_open(struct gnomon_tokens **tokens, const char *path, struct gnomon_error *error) {
    struct gnomon_tokens *made = calloc(1, sizeof *made);
    *tokens = NULL;
    if (!made)
        return gnomon_fail_memory(error);
    pthread_mutex_init(&made->mutex, NULL);
    made->path = strdup(path);
    stat(path, &made->seen);
    const enum gnomon_status status = made->path ? read_tokens(made, error) : gnomon_fail_memory(error);
    if (status)
        gnomon_tokens_close(made);
    else
        *tokens = made;
    return status;
}

void gnomon_tokens_close(struct gnomon_tokens *tokens) {
    if (!tokens)
        return;
    pthread_mutex_destroy(&tokens->mutex);
    free(tokens->hashes);
    free(tokens->path);
    free(tokens);
}

size_t gnomon_tokens_count(const struct gnomon_tokens *tokens) {
    return tokens->count;
}

/* A file that cannot be read, or is damaged, lets in only those whose lines came before the damage. */
static void read_again(struct gnomon_tokens *tokens) {
    struct stat about;
    struct gnomon_error ignored;
    if (stat(tokens->path, &about)) {
        tokens->count = 0;
        memset(&tokens->seen, 0, sizeof tokens->seen);
        return;
    }
    if (about.st_ino == tokens->seen.st_ino && about.st_size == tokens->seen.st_size &&
        about.st_mtim.tv_sec == tokens->seen.st_mtim.tv_sec && about.st_mtim.tv_nsec == tokens->seen.st_mtim.tv_nsec)
        return;
    tokens->seen = about;
    if (read_tokens(tokens, &ignored) == GNOMON_ERR_SYSTEM)
        tokens->count = 0;
}

bool gnomon_tokens_know(struct gnomon_tokens *tokens, const char *token, int64_t *id) {
    uint8_t hash[SHA256_DIGEST_SIZE];
    bool known = false;
    hash_of(token, hash);
    pthread_mutex_lock(&tokens->mutex);
    read_again(tokens);
    for (size_t i = 0; i < tokens->count; i++)
        known |= memeql_sec(tokens->hashes[i], hash, sizeof hash);
    pthread_mutex_unlock(&tokens->mutex);
    *id = (int64_t)gnomon_little(hash, 8);
    return known;
}
