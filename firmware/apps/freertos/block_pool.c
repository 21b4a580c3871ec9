/* SPDX-License-Identifier: Apache-2.0 */
/* Compresses a file in blocks with zlib, on FreeRTOS: four tasks take blocks from a queue. At the end each block is
 * decompressed and compared. One lock order is the wrong way round, for `gnomon locks` to find.
 * usage: block_pool FILE */
#include <FreeRTOS.h>
#include <fcntl.h>
#include <queue.h>
#include <semphr.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <task.h>
#include <unistd.h>
#include <zlib.h>

#include "handlers.h"

enum { WORKERS = 4, BLOCK = 2048, MOST_BLOCKS = 32, MOST_PACKED = BLOCK + 64, QUEUED = 3, STACK = 1024 };
enum { WINDOW_BITS = 11, MEMORY_LEVEL = 4, END = -1 };

struct block {
    uLong plain_size, packed_size;
    unsigned char packed[MOST_PACKED];
};
static unsigned char plain[MOST_BLOCKS * BLOCK];
static struct block blocks[MOST_BLOCKS];
static int block_count;

static QueueHandle_t queue;              /* numbers of blocks, then END for each worker */
static SemaphoreHandle_t ended;          /* given by each worker */
static SemaphoreHandle_t heap;           /* the C library's malloc knows nothing of FreeRTOS */
static SemaphoreHandle_t total, largest; /* guard what follows */
static uLong packed_bytes, checksum, largest_block;

static voidpf take_memory(voidpf unused, uInt items, uInt size) {
    (void)unused;
    xSemaphoreTake(heap, portMAX_DELAY);
    void *memory = calloc(items, size);
    xSemaphoreGive(heap);
    return memory;
}
static void give_memory(voidpf unused, voidpf memory) {
    (void)unused;
    xSemaphoreTake(heap, portMAX_DELAY);
    free(memory);
    xSemaphoreGive(heap);
}

static void fail(const char *what) {
    printf("block_pool: %s\n", what);
    exit(1);
}

static void compress_block(z_stream *stream, int number) {
    struct block *block = &blocks[number];
    stream->next_in = &plain[number * BLOCK];
    stream->avail_in = (uInt)block->plain_size;
    stream->next_out = block->packed;
    stream->avail_out = MOST_PACKED;
    if (deflate(stream, Z_FINISH) != Z_STREAM_END)
        fail("a block does not fit");
    block->packed_size = stream->total_out;
    deflateReset(stream);
}

/* The checksum is made with the lock held: that is where the workers meet. First total, then largest. */
static void add_up(const struct block *block) {
    xSemaphoreTake(total, portMAX_DELAY);
    packed_bytes += block->packed_size;
    checksum ^= crc32(0, block->packed, (uInt)block->packed_size);
    xSemaphoreTake(largest, portMAX_DELAY);
    if (block->packed_size > largest_block)
        largest_block = block->packed_size;
    xSemaphoreGive(largest);
    xSemaphoreGive(total);
}

static void work(void *argument) {
    (void)argument;
    z_stream stream = {.zalloc = take_memory, .zfree = give_memory};
    if (deflateInit2(&stream, 6, Z_DEFLATED, WINDOW_BITS, MEMORY_LEVEL, Z_DEFAULT_STRATEGY) != Z_OK)
        fail("no memory");
    for (int number; xQueueReceive(queue, &number, portMAX_DELAY), number != END;) {
        compress_block(&stream, number);
        add_up(&blocks[number]);
    }
    deflateEnd(&stream);
    xSemaphoreGive(ended);
    vTaskDelete(NULL);
}

/* The wrong way round: largest, then total. It does no harm here, because no worker has begun. */
static void clear_totals(void) {
    xSemaphoreTake(largest, portMAX_DELAY);
    xSemaphoreTake(total, portMAX_DELAY);
    packed_bytes = checksum = largest_block = 0;
    xSemaphoreGive(total);
    xSemaphoreGive(largest);
}

static void compare(void) {
    static unsigned char again[BLOCK];
    for (int i = 0; i < block_count; i++) {
        uLongf size = BLOCK;
        if (uncompress(again, &size, blocks[i].packed, blocks[i].packed_size) != Z_OK || size != blocks[i].plain_size ||
            memcmp(again, &plain[i * BLOCK], size) != 0)
            fail("a block is not what it was");
    }
}

static void control(void *argument) {
    (void)argument;
    const int end = END;
    clear_totals();
    for (int i = 0; i < block_count; i++)
        xQueueSend(queue, &i, portMAX_DELAY);
    for (int i = 0; i < WORKERS; i++)
        xQueueSend(queue, &end, portMAX_DELAY);
    for (int i = 0; i < WORKERS; i++)
        xSemaphoreTake(ended, portMAX_DELAY);
    compare();
    printf("%d blocks, compressed to %lu bytes, the largest to %lu, checksum %08lx\n", block_count, packed_bytes,
           largest_block, checksum);
    exit(0);
}

static void split(const char *path) {
    const int fd = open(path, O_RDONLY);
    const ssize_t size = fd < 0 ? -1 : read(fd, plain, sizeof plain);
    if (size <= 0)
        fail("cannot read the file");
    for (ssize_t at = 0; at < size; at += BLOCK)
        blocks[block_count++].plain_size = (uLong)(size - at < BLOCK ? size - at : BLOCK);
}

static void start_tasks(void) {
    static StackType_t stacks[WORKERS + 1][STACK];
    static StaticTask_t tasks[WORKERS + 1];
    for (int i = 0; i < WORKERS; i++) {
        char name[16];
        snprintf(name, sizeof name, "worker %d", i + 1);
        xTaskCreateStatic(work, name, STACK, NULL, 1, stacks[i], &tasks[i]);
    }
    xTaskCreateStatic(control, "control", STACK, NULL, 2, stacks[WORKERS], &tasks[WORKERS]);
}

int main(int argc, char **argv) {
    static StaticQueue_t memory[5];
    static uint8_t numbers[QUEUED * sizeof(int)];
    if (argc != 2)
        fail("usage: block_pool FILE");
    split(argv[1]);
    take_traps();
    queue = xQueueCreateStatic(QUEUED, sizeof(int), numbers, &memory[0]);
    ended = xSemaphoreCreateCountingStatic(WORKERS, 0, &memory[1]);
    heap = xSemaphoreCreateMutexStatic(&memory[2]);
    total = xSemaphoreCreateMutexStatic(&memory[3]);
    largest = xSemaphoreCreateMutexStatic(&memory[4]);
    vQueueAddToRegistry(queue, "blocks");
    vQueueAddToRegistry(ended, "ended");
    vQueueAddToRegistry(heap, "heap");
    vQueueAddToRegistry(total, "total");
    vQueueAddToRegistry(largest, "largest");
    start_tasks();
    vTaskStartScheduler();
    return 1;
}
