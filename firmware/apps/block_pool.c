/* SPDX-License-Identifier: Apache-2.0 */
/* Compresses a file in blocks with zlib: four threads take blocks from a queue. The blocks follow each other in the
 * output, each with its length before it. With one lock order the wrong way round, for `gnomon locks` to find.
 * usage: block_pool FILE FILE.blocks */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <gnomon_locks.h>
#include <zlib.h>

enum {
    WORKERS = 4,
    BLOCK = 1024,
    MOST_BLOCKS = 128,
    MOST_QUEUED = 3,
    MOST_PACKED = BLOCK + 64,
    WINDOW_BITS = 11,
    MEMORY_LEVEL = 4
};

struct block {
    const unsigned char *plain;
    uLong plain_size, packed_size;
    unsigned char packed[MOST_PACKED];
};

static struct block blocks[MOST_BLOCKS];
static unsigned block_count;

/* Indices of blocks that wait for a worker. */
static pthread_mutex_t queue_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER, emptied = PTHREAD_COND_INITIALIZER;
static unsigned queue[MOST_QUEUED], queued, taken;
static int closed;

/* What the blocks have in common. */
static pthread_mutex_t total_lock = PTHREAD_MUTEX_INITIALIZER;
static uLong total_in, total_out, checksum, largest_queue;

static void put(unsigned index) {
    pthread_mutex_lock(&queue_lock);
    while (queued == MOST_QUEUED)
        pthread_cond_wait(&emptied, &queue_lock);
    queue[(taken + queued++) % MOST_QUEUED] = index;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&queue_lock);
}

static void close_queue(void) {
    pthread_mutex_lock(&queue_lock);
    closed = 1;
    pthread_cond_broadcast(&filled);
    pthread_mutex_unlock(&queue_lock);
}

/* Returns 0 if there will be no more blocks. */
static int get(unsigned *index) {
    pthread_mutex_lock(&queue_lock);
    while (queued == 0 && !closed)
        pthread_cond_wait(&filled, &queue_lock);
    const int got = queued > 0;
    if (got) {
        *index = queue[taken];
        taken = (taken + 1) % MOST_QUEUED;
        queued--;
        pthread_cond_signal(&emptied);
    }
    pthread_mutex_unlock(&queue_lock);
    return got;
}

/* The checksum keeps the lock for as long as it takes: that is where the workers meet. */
static void add_up(const struct block *block) {
    pthread_mutex_lock(&total_lock);
    total_in += block->plain_size;
    total_out += block->packed_size;
    checksum ^= crc32(crc32(0, block->plain, (uInt)block->plain_size), block->packed, (uInt)block->packed_size);
    pthread_mutex_lock(&queue_lock); /* first total_lock, then queue_lock */
    if (queued > largest_queue)
        largest_queue = queued;
    pthread_mutex_unlock(&queue_lock);
    pthread_mutex_unlock(&total_lock);
}

/* The wrong way round. It does no harm here, because no worker has begun: until somebody calls it later. */
static void clear_totals(void) {
    pthread_mutex_lock(&queue_lock);
    pthread_mutex_lock(&total_lock);
    total_in = total_out = checksum = largest_queue = 0;
    pthread_mutex_unlock(&total_lock);
    pthread_mutex_unlock(&queue_lock);
}

static int compress_block(z_stream *stream, struct block *block) {
    stream->next_in = (Bytef *)block->plain;
    stream->avail_in = (uInt)block->plain_size;
    stream->next_out = block->packed;
    stream->avail_out = MOST_PACKED;
    const int good = deflate(stream, Z_FINISH) == Z_STREAM_END;
    block->packed_size = stream->total_out;
    return deflateReset(stream) == Z_OK && good;
}

static void *work(void *failed) {
    z_stream stream;
    unsigned index;
    memset(&stream, 0, sizeof stream);
    if (deflateInit2(&stream, 6, Z_DEFLATED, WINDOW_BITS, MEMORY_LEVEL, Z_DEFAULT_STRATEGY) != Z_OK)
        exit(1);
    while (get(&index)) {
        if (!compress_block(&stream, &blocks[index]))
            *(int *)failed = 1;
        add_up(&blocks[index]);
    }
    deflateEnd(&stream);
    return NULL;
}

static int split(const char *path) {
    struct stat status;
    const int fd = open(path, O_RDONLY);
    if (fd < 0 || fstat(fd, &status) != 0 || status.st_size > MOST_BLOCKS * BLOCK)
        return 0;
    unsigned char *data = malloc((size_t)status.st_size + 1);
    if (!data || read(fd, data, (size_t)status.st_size) != status.st_size)
        return 0;
    for (uLong at = 0; at < (uLong)status.st_size; at += BLOCK) {
        const uLong left = (uLong)status.st_size - at;
        blocks[block_count++] = (struct block){.plain = data + at, .plain_size = left < BLOCK ? left : BLOCK};
    }
    return close(fd) == 0;
}

static int write_blocks(const char *path) {
    const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    int good = fd >= 0;
    for (unsigned i = 0; i < block_count && good; i++) {
        const uint32_t size = (uint32_t)blocks[i].packed_size;
        good = write(fd, &size, sizeof size) == sizeof size && write(fd, blocks[i].packed, size) == (ssize_t)size;
    }
    return good && close(fd) == 0;
}

static void compress_all(int failed[WORKERS]) {
    pthread_t workers[WORKERS];
    char name[16];
    for (int i = 0; i < WORKERS; i++) {
        pthread_create(&workers[i], NULL, work, &failed[i]);
        snprintf(name, sizeof name, "worker %d", i + 1);
        pthread_setname_np(workers[i], name);
    }
    for (unsigned i = 0; i < block_count; i++)
        put(i);
    close_queue();
    for (int i = 0; i < WORKERS; i++)
        pthread_join(workers[i], NULL);
}

int main(int argc, char **argv) {
    int failed[WORKERS] = {0};
    if (argc != 3 || !split(argv[1])) {
        fprintf(stderr, "block_pool: usage: block_pool FILE FILE.blocks; FILE of at most %d bytes\n",
                MOST_BLOCKS * BLOCK);
        return 2;
    }
    clear_totals();
    compress_all(failed);
    printf("%lu bytes in %u blocks, compressed to %lu, checksum %08lx\n", (unsigned long)total_in, block_count,
           (unsigned long)total_out, (unsigned long)checksum);
    return failed[0] | failed[1] | failed[2] | failed[3] | !write_blocks(argv[2]);
}
