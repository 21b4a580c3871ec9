/* SPDX-License-Identifier: Apache-2.0 */
/* Collectors that submit, as many as there are tokens, each with a connection of its own. Submission N has the body and
 * the id that N gives. A collector submits again until it is told that the submission is stored, whatever happens
 * meanwhile; with --rough it also submits some twice, and closes some connections before the answer.
 *
 * usage: fleet_load [--rough] PORT FIRST COUNT TOKENS BODY...
 *   TOKENS: a file with a token in each line
 * Prints, as JSON, the seconds, the latencies, what was answered, and how often each body was submitted. Exit status 1:
 * an answer was not one that may be given. */
#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "lib/util/clock.h"
#include "lib/util/file.h"

enum { ANSWER_BYTES = 4096, PATIENCE_S = 60, WAIT_US = 100000, STATUSES = 600 };

struct body {
    const char *path;
    uint8_t *data;
    size_t size;
    atomic_uint_fast64_t times;
};

static struct body *bodies;
static char **tokens;
static size_t body_count, token_count;
static uint64_t first, count, *latencies; /* us, of submissions that were answered at once; 0: others */
static uint16_t port;
static bool rough;
static atomic_uint_fast64_t answers[STATUSES], cut, wrong;

static uint64_t mix(uint64_t value) {
    value += UINT64_C(0x9E3779B97F4A7C15);
    value = (value ^ value >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    value = (value ^ value >> 27) * UINT64_C(0x94D049BB133111EB);
    return value ^ value >> 31;
}

/* -1: nothing listens. */
static int open_connection(void) {
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), on = 1;
    const struct sockaddr_in to = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    const struct timeval patience = {.tv_sec = PATIENCE_S};
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (fd >= 0 && !connect(fd, (const struct sockaddr *)&to, sizeof to))
        return fd;
    close(fd);
    return -1;
}

static bool send_all(int fd, const void *data, size_t size) {
    for (const char *at = data; size;) {
        const ssize_t done = send(fd, at, size, MSG_NOSIGNAL);
        if (done <= 0)
            return false;
        at += done;
        size -= (size_t)done;
    }
    return true;
}

/* Reads one answer with a Content-Length. The status; 0: the connection has ended. */
static int read_answer(int fd, char answer[ANSWER_BYTES]) {
    size_t have = 0;
    for (;;) {
        const ssize_t done = recv(fd, answer + have, ANSWER_BYTES - 1 - have, 0);
        if (done <= 0)
            return 0;
        have += (size_t)done;
        answer[have] = 0;
        const char *end = strstr(answer, "\r\n\r\n"), *length = strcasestr(answer, "content-length:");
        if (end && length && have >= (size_t)(end + 4 - answer) + strtoul(length + 15, NULL, 10))
            return (int)strtoul(answer + 9, NULL, 10);
    }
}

/* Sends submission `number`, and the status of the answer; 0: none, and *fd is closed. */
static int submit(int *fd, const char *token, uint64_t number, bool hang_up, char answer[ANSWER_BYTES]) {
    const struct body *body = &bodies[mix(number) % body_count];
    char head[512];
    const int length = snprintf(head, sizeof head,
                                "POST /v1/submissions HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer %s\r\n"
                                "Submission-Id: %016" PRIx64 "%016" PRIx64 "\r\nContent-Length: %zu\r\n\r\n",
                                token, mix(~number), number, body->size);
    if (*fd < 0)
        *fd = open_connection();
    int status = 0;
    if (*fd >= 0 && send_all(*fd, head, (size_t)length) && send_all(*fd, body->data, body->size) && !hang_up)
        status = read_answer(*fd, answer);
    if (!status && *fd >= 0) {
        close(*fd);
        *fd = -1;
    }
    atomic_fetch_add(status ? &answers[status % STATUSES] : &cut, 1);
    return status;
}

static bool may_come(int status) {
    return status == 429 || status == 503 || status == 507;
}

static void complain(uint64_t number, int status, const char *answer) {
    if (atomic_fetch_add(&wrong, 1) < 5)
        fprintf(stderr, "submission %" PRIu64 ": status %d\n%s\n", number, status, answer);
}

/* Until it is stored. Only one that was perhaps stored before may be answered by 200. */
static void deliver(int *fd, const char *token, uint64_t number) {
    char answer[ANSWER_BYTES] = "";
    bool perhaps = false;
    for (bool at_once = true;; at_once = false) {
        const bool hang_up = rough && at_once && mix(number * 3) % 16 == 0;
        const uint64_t before = gnomon_now_us();
        const int status = submit(fd, token, number, hang_up, answer);
        if (status == 201 || status == 200) {
            if (status == 200 && !perhaps)
                complain(number, status, answer);
            if (at_once)
                latencies[number - first] = gnomon_now_us() - before;
            return;
        }
        perhaps |= !status || status == 503 || status == 507;
        if (status && !may_come(status)) {
            complain(number, status, answer);
            return;
        }
        if (!hang_up)
            usleep(WAIT_US);
    }
}

/* One that is stored is never stored again. */
static void deliver_again(int *fd, const char *token, uint64_t number) {
    char answer[ANSWER_BYTES] = "";
    const int status = submit(fd, token, number, false, answer);
    if (status && status != 200 && !may_come(status))
        complain(number, status, answer);
}

static void *collect(void *context) {
    const size_t own = (size_t)(uintptr_t)context;
    int fd = -1;
    for (uint64_t i = own; i < count; i += token_count) {
        const uint64_t number = first + i;
        deliver(&fd, tokens[own], number);
        atomic_fetch_add(&bodies[mix(number) % body_count].times, 1);
        if (rough && mix(number * 5) % 8 == 0) /* this one, or one from long before */
            deliver_again(&fd, tokens[own], mix(number) % 2 ? number : first + own);
    }
    if (fd >= 0)
        close(fd);
    return NULL;
}

static int compare(const void *a, const void *b) {
    const uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
    return (left > right) - (left < right);
}

static void print(uint64_t us) {
    uint64_t known = 0;
    for (uint64_t i = 0; i < count; i++)
        if (latencies[i])
            latencies[known++] = latencies[i];
    qsort(latencies, known, sizeof *latencies, compare);
    printf("{\"submissions\": %" PRIu64 ", \"seconds\": %.6f, \"p50_us\": %" PRIu64 ", \"p99_us\": %" PRIu64
           ", \"unanswered\": %" PRIuFAST64 ", \"answers\": {",
           count, (double)us / 1e6, known ? latencies[known / 2] : 0, known ? latencies[known * 99 / 100] : 0, cut);
    const char *comma = "";
    for (int i = 0; i < STATUSES; i++)
        if (answers[i]) {
            printf("%s\"%d\": %" PRIuFAST64, comma, i, answers[i]);
            comma = ", ";
        }
    printf("}, \"times\": {");
    for (size_t i = 0; i < body_count; i++)
        printf("%s\"%s\": %" PRIuFAST64, i ? ", " : "", bodies[i].path, bodies[i].times);
    printf("}}\n");
}

static void read_tokens(const char *path) {
    char *line = NULL;
    size_t room = 0;
    FILE *file = fopen(path, "r");
    for (ssize_t length; file && (length = getline(&line, &room, file)) > 0; line = NULL, room = 0) {
        line[strcspn(line, "\n")] = 0;
        tokens = realloc(tokens, (token_count + 1) * sizeof *tokens);
        tokens[token_count++] = line;
    }
    free(line);
    if (file)
        fclose(file);
}

int main(int argc, char **argv) {
    struct gnomon_error error;
    rough = argc > 1 && !strcmp(argv[1], "--rough");
    argv += rough;
    argc -= rough;
    if (argc < 6)
        return 2;
    port = (uint16_t)strtoul(argv[1], NULL, 10);
    first = strtoull(argv[2], NULL, 10);
    count = strtoull(argv[3], NULL, 10);
    read_tokens(argv[4]);
    body_count = (size_t)argc - 5;
    bodies = calloc(body_count, sizeof *bodies);
    latencies = calloc(count + 1, sizeof *latencies);
    for (size_t i = 0; i < body_count; i++) {
        bodies[i].path = argv[5 + i];
        if (gnomon_read_file(bodies[i].path, &bodies[i].data, &bodies[i].size, &error))
            return 2;
    }
    pthread_t *threads = calloc(token_count, sizeof *threads);
    const uint64_t start = gnomon_now_us();
    for (size_t i = 0; i < token_count; i++)
        if (pthread_create(&threads[i], NULL, collect, (void *)(uintptr_t)i))
            return 2;
    for (size_t i = 0; i < token_count; i++)
        pthread_join(threads[i], NULL);
    print(gnomon_now_us() - start);
    return wrong ? 1 : 0;
}
