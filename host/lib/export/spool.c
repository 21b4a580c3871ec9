/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/export/spool.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A piece in the file: the number + 1 of the text's next piece, which is written when it is known, and characters. */
#define NEXT_BYTES sizeof(uint64_t)
#define BLOCK_BYTES (NEXT_BYTES + SPOOL_PIECE)

enum gnomon_status spool_open(struct spool *spool, struct gnomon_error *error) {
    *spool = (struct spool){.file = tmpfile()};
    return spool->file ? GNOMON_OK : gnomon_fail_errno(error, GNOMON_ERR_SYSTEM, "cannot make a temporary file");
}

void spool_close(struct spool *spool) {
    if (spool->file)
        fclose(spool->file);
    spool->file = NULL;
}

static void fail(struct spool *spool, int reason) {
    if (!spool->reason)
        spool->reason = reason ? reason : EIO;
}

static bool seek(struct spool *spool, uint64_t piece) {
    return !fseeko(spool->file, (off_t)(piece * BLOCK_BYTES), SEEK_SET);
}

/* Puts the full piece into the file. */
static void store(struct spool *spool, struct spool_text *text) {
    const uint64_t next = spool->pieces + 1, none = 0;
    bool good = !text->last || (seek(spool, text->last - 1) && fwrite(&next, NEXT_BYTES, 1, spool->file) == 1);
    good = good && seek(spool, spool->pieces) && fwrite(&none, NEXT_BYTES, 1, spool->file) == 1 &&
           fwrite(text->piece, SPOOL_PIECE, 1, spool->file) == 1;
    if (!good)
        fail(spool, errno);
    spool->pieces++;
    text->last = next;
    if (!text->first)
        text->first = next;
    text->used = 0;
}

void spool_put(struct spool *spool, struct spool_text *text, const char *characters, size_t count) {
    if (!text->piece && !(text->piece = malloc(SPOOL_PIECE))) {
        fail(spool, ENOMEM);
        return;
    }
    const size_t room = SPOOL_PIECE - text->used, now = count < room ? count : room;
    memcpy(text->piece + text->used, characters, now);
    text->used += (uint32_t)now;
    if (text->used < SPOOL_PIECE)
        return;
    store(spool, text);
    memcpy(text->piece, characters + now, count - now);
    text->used = (uint32_t)(count - now);
}

void spool_write(struct spool *spool, struct spool_text *text, FILE *stream) {
    char piece[SPOOL_PIECE];
    uint64_t next = text->first;
    while (next && !spool->reason) {
        if (!seek(spool, next - 1) || fread(&next, NEXT_BYTES, 1, spool->file) != 1 ||
            fread(piece, SPOOL_PIECE, 1, spool->file) != 1)
            fail(spool, errno);
        else
            fwrite(piece, 1, SPOOL_PIECE, stream);
    }
    if (text->used)
        fwrite(text->piece, 1, text->used, stream);
}

void spool_free(struct spool_text *text) {
    free(text->piece);
    *text = (struct spool_text){0};
}
