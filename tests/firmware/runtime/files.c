/* SPDX-License-Identifier: Apache-2.0 */
/* File calls, by file descriptor and by stream. usage: files INPUT (a file of at least 1000 bytes) */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"

static void descriptors(const char *input) {
    char first[100], again[100];
    struct stat status;
    const int fd = open(input, O_RDONLY);
    CHECK(fd >= 3);
    CHECK(fstat(fd, &status) == 0 && status.st_size >= 1000 && S_ISREG(status.st_mode));
    CHECK(read(fd, first, sizeof first) == sizeof first);
    CHECK(lseek(fd, 0, SEEK_SET) == 0 && read(fd, again, sizeof again) == sizeof again);
    CHECK(memcmp(first, again, sizeof first) == 0);
    CHECK(lseek(fd, -1, SEEK_END) == status.st_size - 1 && read(fd, again, sizeof again) == 1);
    CHECK(read(fd, again, 1) == 0);
    CHECK(write(fd, again, 1) == -1 && errno == EBADF);
    CHECK(lseek(fd, -5, SEEK_SET) == -1 && errno == EINVAL);
    CHECK(close(fd) == 0 && close(fd) == -1 && errno == EBADF);
    CHECK(open("no-such-file", O_RDONLY) == -1 && errno == ENOENT);
    CHECK(access("no-such-file", F_OK) == -1 && access(input, R_OK) == 0);
    CHECK(isatty(fd) == 0);
}

static void growing(void) {
    char block[1000];
    const int fd = open("out/big.bin", O_RDWR | O_CREAT | O_TRUNC, 0644);
    CHECK(fd >= 3);
    for (int i = 0; i < 100; i++) {
        memset(block, i, sizeof block);
        CHECK(write(fd, block, sizeof block) == sizeof block);
    }
    CHECK(lseek(fd, 50500, SEEK_SET) == 50500 && read(fd, block, 1000) == 1000);
    CHECK((unsigned char)block[0] == 50 && (unsigned char)block[999] == 51);
    CHECK(lseek(fd, 10, SEEK_SET) == 10 && write(fd, "patched", 7) == 7);
    CHECK(lseek(fd, 100100, SEEK_SET) == 100100 && write(fd, "!", 1) == 1);
    CHECK(lseek(fd, 100050, SEEK_SET) == 100050 && read(fd, block, 51) == 51 && block[0] == 0 && block[50] == '!');
    CHECK(close(fd) == 0);
}

static void streams(void) {
    char line[40];
    FILE *file = fopen("out/text.txt", "w");
    CHECK(file != NULL);
    for (int i = 0; i < 100; i++)
        fprintf(file, "line %d\n", i);
    CHECK(fclose(file) == 0);
    file = fopen("out/text.txt", "a");
    CHECK(file && fputs("appended\n", file) >= 0 && fclose(file) == 0);
    file = fopen("out/text.txt", "r");
    int lines = 0;
    while (file && fgets(line, sizeof line, file))
        lines++;
    CHECK(lines == 101 && strcmp(line, "appended\n") == 0);
    CHECK(file && fseek(file, 7, SEEK_SET) == 0 && fgets(line, sizeof line, file) && strcmp(line, "line 1\n") == 0);
    CHECK(file && ftell(file) == 14 && feof(file) == 0 && fclose(file) == 0);
    CHECK(fopen("no-such-file", "r") == NULL);
}

static void names(const char *input) {
    FILE *file = fopen("out/temporary", "w");
    CHECK(file && fputs("gone", file) >= 0 && fclose(file) == 0);
    CHECK(rename("out/temporary", "out/renamed.txt") == 0);
    CHECK(access("out/temporary", F_OK) == -1 && access("out/renamed.txt", F_OK) == 0);
    file = fopen("out/deleted", "w");
    CHECK(file && fclose(file) == 0 && remove("out/deleted") == 0 && remove("out/deleted") == -1);
    CHECK(fopen("out/deleted", "r") == NULL);
    file = fopen("out/empty", "w");
    CHECK(file && fclose(file) == 0);
    CHECK(open(input, O_CREAT | O_EXCL | O_WRONLY, 0644) == -1 && errno == EEXIST);
}

static void many_open(const char *input) {
    int fds[100], count = 0;
    while (count < 20 && (fds[count] = open(input, O_RDONLY)) >= 0)
        count++;
    CHECK(count == 20);
    while (count > 0)
        CHECK(close(fds[--count]) == 0);
}

int main(int argc, char **argv) {
    if (argc != 2)
        return 99;
    descriptors(argv[1]);
    growing();
    streams();
    names(argv[1]);
    many_open(argv[1]);
    printf("files: %d failed\n", check_failed);
    return check_failed;
}
