/* SPDX-License-Identifier: Apache-2.0 */
/* POSIX calls that picolibc declares or lacks: they link, and behave as POSIX defines. usage: posix INPUT */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
#include <utime.h>
#include <wchar.h>

#include "check.h"

static void put(const char *name, const char *text) {
    FILE *file = fopen(name, "w");
    CHECK(file && fputs(text, file) >= 0 && fclose(file) == 0);
}

static void status(const char *input) {
    struct stat of_input, of_made, again;
    CHECK(lstat(input, &of_input) == 0 && S_ISREG(of_input.st_mode));
    put("made", "12345");
    CHECK(lstat("./made", &of_made) == 0 && of_made.st_size == 5 && of_made.st_ino != of_input.st_ino);
    CHECK(lstat("no-such-file", &again) == -1 && errno == ENOENT);
    CHECK(chmod("made", 0600) == 0 && stat("made", &again) == 0 && (again.st_mode & 0777) == 0600);
    const int fd = open("made", O_RDWR);
    CHECK(fchmod(fd, 0644) == 0 && fstat(fd, &again) == 0 && (again.st_mode & 0777) == 0644);
    CHECK(fchmod(99, 0644) == -1 && errno == EBADF);
    CHECK(fchown(fd, geteuid(), getegid()) == 0 && chown("made", getuid(), getgid()) == 0);
    CHECK(fchown(99, 0, 0) == -1 && errno == EBADF);
    CHECK(ftruncate(fd, 3) == 0 && fstat(fd, &again) == 0 && again.st_size == 3);
    CHECK(ftruncate(fd, 10) == 0 && fstat(fd, &again) == 0 && again.st_size == 10);
    char bytes[10];
    CHECK(read(fd, bytes, 10) == 10 && memcmp(bytes, "123\0\0\0\0\0\0", 10) == 0);
    CHECK(fsync(fd) == 0 && close(fd) == 0 && fsync(fd) == -1);
    CHECK(truncate("made", 1) == 0 && stat("made", &again) == 0 && again.st_size == 1);
    const struct utimbuf times = {1000, 2000};
    CHECK(utime("made", &times) == 0 && stat("made", &again) == 0 && again.st_mtime == 2000);
    CHECK(utime("made", NULL) == 0 && utime("no-such-file", NULL) == -1 && errno == ENOENT);
    char target[8];
    CHECK(readlink("made", target, sizeof target) == -1 && errno == EINVAL);
    CHECK(symlink("made", "other") == -1 && errno == EPERM && link("made", "other") == -1 && errno == EPERM);
    CHECK(getpwuid(getuid()) == NULL && getpwnam("root") == NULL);
}

static void control(void) {
    const int fd = open("made", O_RDWR | O_CREAT, 0644);
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_len = 1};
    CHECK(fcntl(fd, F_SETLK, &lock) == 0 && fcntl(fd, F_GETLK, &lock) == 0 && lock.l_type == F_UNLCK);
    CHECK((fcntl(fd, F_GETFL) & O_ACCMODE) == O_RDWR);
    CHECK(fcntl(fd, F_SETFD, FD_CLOEXEC) == 0 && fcntl(fd, F_SETFL, O_APPEND) == 0);
    CHECK(fcntl(fd, F_GETFL) & O_APPEND);
    CHECK(fcntl(99, F_GETFL) == -1 && errno == EBADF);
    struct winsize size;
    CHECK(ioctl(fd, TIOCGWINSZ, &size) == -1 && errno == ENOTTY);
    CHECK(ioctl(99, TIOCGWINSZ, &size) == -1 && errno == EBADF);
    CHECK(close(fd) == 0);
}

/* Returns how often `name` is in the folder. */
static int listed(const char *folder, const char *name) {
    int times = 0;
    DIR *stream = opendir(folder);
    CHECK(stream != NULL);
    for (const struct dirent *entry; stream && (entry = readdir(stream));)
        times += strcmp(entry->d_name, name) == 0;
    CHECK(stream && closedir(stream) == 0);
    return times;
}

static void directories(const char *input) {
    struct stat status;
    char path[100];
    put("in/the/depth", "x");
    put("in/the/other", "x");
    CHECK(listed(".", input) == 1 && listed(".", "in") == 1 && listed("in", "the") == 1 && listed("in", "depth") == 0);
    CHECK(listed("in/the/", "depth") == 1 && listed("./in/the", "other") == 1 && listed("in", ".") == 1);
    CHECK(opendir("nowhere") == NULL && errno == ENOENT);
    CHECK(opendir(input) == NULL && errno == ENOTDIR);
    CHECK(stat("in/the", &status) == 0 && S_ISDIR(status.st_mode) && open("in/the", O_WRONLY) == -1 && errno == EISDIR);
    CHECK(mkdir("made-folder", 0755) == 0 && mkdir("made-folder", 0755) == -1 && errno == EEXIST);
    CHECK(stat("made-folder", &status) == 0 && S_ISDIR(status.st_mode) && listed(".", "made-folder") == 1);
    put("made-folder/file", "x");
    CHECK(rmdir("made-folder") == -1 && errno == ENOTEMPTY);
    CHECK(unlink("made-folder/file") == 0 && rmdir("made-folder") == 0 && listed(".", "made-folder") == 0);
    CHECK(unlink("in/the/depth") == 0 && unlink("in/the/other") == 0 && access("in", F_OK) == -1);
    CHECK(getcwd(path, sizeof path) && chdir(path) == 0 && chdir("nowhere") == -1);
    strcat(path, "/made");
    CHECK(stat(path, &status) == 0 && stat("made", &status) == 0);
}

/* A removed file stays removed, and its name can be used again. */
static void removed(const char *input) {
    const int held = open("made", O_RDWR);
    char byte;
    CHECK(write(held, "!", 1) == 1 && unlink("made") == 0 && access("made", F_OK) == -1);
    CHECK(lseek(held, 0, SEEK_SET) == 0 && read(held, &byte, 1) == 1 && byte == '!');
    put("made", "again");
    CHECK(close(held) == 0 && access("made", F_OK) == 0);
    CHECK(rename("made", "moved") == 0 && access("made", F_OK) == -1 && access("moved", F_OK) == 0);
    put("made", "new");
    CHECK(rename("made", "moved") == 0 && access("made", F_OK) == -1);
    CHECK(unlink(input) == 0 && fopen(input, "r") == NULL && errno == ENOENT && listed(".", input) == 0);
    while (sbrk(1 << 14) !=
           (void *)-1) /* what is removed leaves its memory to the next: there is less than 16 KiB from here on */
        ;
    for (int i = 0; i < 20; i++) {
        const int fd = open("scratch", O_RDWR | O_CREAT, 0600);
        CHECK(ftruncate(fd, 1 << 12) == 0 && unlink("scratch") == 0 && close(fd) == 0);
    }
}

static void mapped(void) {
    char *block = mmap(NULL, 10000, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(block != MAP_FAILED && block[0] == 0 && block[9999] == 0 && munmap(block, 10000) == 0);
    const int fd = open("made", O_RDONLY);
    CHECK(mmap(NULL, 1, PROT_READ, MAP_SHARED, fd, 0) == MAP_FAILED && errno == ENODEV && close(fd) == 0);
    CHECK(sysconf(_SC_PAGESIZE) == getpagesize());
}

static void clocks(void) {
    struct timespec first, then, resolution;
    CHECK(clock_gettime(CLOCK_MONOTONIC, &first) == 0 && clock_getres(CLOCK_MONOTONIC, &resolution) == 0);
    CHECK(resolution.tv_sec == 0 && resolution.tv_nsec > 0 && resolution.tv_nsec < 1000);
    CHECK(nanosleep(&(struct timespec){0, 50000}, NULL) == 0 && usleep(50) == 0);
    CHECK(clock_gettime(CLOCK_REALTIME, &then) == 0);
    const long passed = (long)(then.tv_sec - first.tv_sec) * 1000000000 + then.tv_nsec - first.tv_nsec;
    CHECK(passed >= 100000 && passed < 200000);
    CHECK(clock_gettime((clockid_t)77, &then) == -1 && errno == EINVAL);
    struct rusage usage;
    struct timeval now;
    CHECK(getrusage(RUSAGE_SELF, &usage) == 0 && gettimeofday(&now, NULL) == 0);
    CHECK(usage.ru_utime.tv_sec == now.tv_sec && usage.ru_utime.tv_usec <= now.tv_usec);
}

static void wide(void) {
    wchar_t text[20];
    CHECK(swprintf(text, 20, L"%d-%s-%.2f", 42, "x", 1.5) == 9 && wcscmp(text, L"42-x-1.50") == 0);
    CHECK(swprintf(text, 4, L"%d", 12345) < 0);
    CHECK(wprintf(L"wide %d %s\n", 7, "words") == 13 && fputws(L"more\n", stdout) >= 0 && putwchar(L'!') == L'!');
    FILE *file = fopen("wide.txt", "w");
    CHECK(file && fwprintf(file, L"%c%d", 'a', 1) == 2 && fclose(file) == 0);
}

static void streams(void) {
    char text[20];
    FILE *file = tmpfile();
    CHECK(file && fputs("temporary", file) >= 0 && fflush(NULL) == 0);
    rewind(file);
    CHECK(fgets(text, sizeof text, file) && strcmp(text, "temporary") == 0 && fclose(file) == 0);
    char *line = NULL;
    size_t room = 0;
    file = fopen("lines", "w+");
    CHECK(file && fprintf(file, "%s\n\nlast", "first") == 11 && fseek(file, 0, SEEK_SET) == 0);
    CHECK(getline(&line, &room, file) == 6 && strcmp(line, "first\n") == 0);
    CHECK(getline(&line, &room, file) == 1 && getline(&line, &room, file) == 4 && strcmp(line, "last") == 0);
    CHECK(getline(&line, &room, file) == -1 && feof(file) && fclose(file) == 0);
    CHECK(popen("ls", "r") == NULL && errno == ENOSYS);
    CHECK(fopen("made-once", "wx") != NULL && fopen("made-once", "wx") == NULL && errno == EEXIST);
    CHECK(fopen("x", "nonsense") == NULL && errno == EINVAL);
    file = fopen("two-ways", "w+");
    CHECK(file && fputs("abc", file) >= 0 && fseek(file, 1, SEEK_SET) == 0 && fgetc(file) == 'b' && fclose(file) == 0);
    file = fopen("made", "r");
    CHECK(file && freopen("two-ways", "r", file) && fgetc(file) == 'a' && fclose(file) == 0);
}

int main(int argc, char **argv) {
    const char *input = argc > 1 ? argv[1] : "input";
    status(input);
    control();
    directories(input);
    mapped();
    clocks();
    wide();
    streams();
    FILE *left_open = fopen("out/left-open.txt", "w"),
         *also = fdopen(open("out/also.txt", O_WRONLY | O_CREAT, 0644), "w");
    fputs("not closed\n", left_open);
    fputs("nor this\n", also);
    removed(input);
    printf("%d failed\n", check_failed);
    return check_failed != 0;
}
