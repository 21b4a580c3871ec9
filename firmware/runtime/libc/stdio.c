/* SPDX-License-Identifier: Apache-2.0 */
/* The standard streams, line buffered, on file descriptors 0 to 2. Compile this file without -flto: picolibc refers to
 * the streams by names that the LTO of a program would find too late. */
#include <stdio-bufio.h>
#include <stdio.h>
#include <unistd.h>

enum { BUFFER_BYTES = 128 };

static _Alignas(4) char in_buffer[BUFFER_BYTES]; /* aligned: the host writes to it */
static char out_buffer[BUFFER_BYTES], error_buffer[BUFFER_BYTES];

static struct __file_bufio out =
    FDEV_SETUP_BUFIO(1, out_buffer, BUFFER_BYTES, read, write, lseek, close, __SWR, __BLBF);
static struct __file_bufio error =
    FDEV_SETUP_BUFIO(2, error_buffer, BUFFER_BYTES, read, write, lseek, close, __SWR, __BLBF);

/* Does not use fflush, which may be picolibc's or ours (fflush.c). */
static void flush(struct __file_bufio *stream) {
    __bufio_flush(&stream->xfile.cfile.file);
}

/* Flushes output before input, so that the user sees a question before the program waits for the answer. */
static ssize_t flush_and_read(int fd, void *data, size_t size) {
    flush(&out);
    flush(&error);
    return read(fd, data, size);
}

static struct __file_bufio in =
    FDEV_SETUP_BUFIO(0, in_buffer, BUFFER_BYTES, flush_and_read, write, lseek, close, __SRD, 0);

FILE *const stdin = &in.xfile.cfile.file;
FILE *const stdout = &out.xfile.cfile.file;
FILE *const stderr = &error.xfile.cfile.file;

__attribute__((destructor(101))) static void flush_at_exit(void) {
    flush(&out);
    flush(&error);
}
