/* SPDX-License-Identifier: Apache-2.0 */
/* Argument: up to 10,000 locks; and 300 threads: more than there are places. The program goes on; what has no place has
 * the last index. */
#include <gnomon_locks.h>
#include <stdio.h>
#include <stdlib.h>

#include "stand_in.h"

#define LOCKS 10000
#define THREADS 300

#ifdef ROOM
GNOMON_LOCKS_ROOM(ROOM);
GNOMON_THREADS_ROOM(10);
#endif

uint32_t __gnomon_thread_add(const char *name, const void *start, const void *handle);
extern struct gnomon_locks __gnomon_locks;

static int locks[LOCKS];

int main(int argc, char **argv) {
    const unsigned many = argc > 1 ? (unsigned)atoi(argv[1]) : LOCKS;
    unsigned wrong = 0;
    for (unsigned i = 1; i <= THREADS; i++) {
        const uint32_t most = __gnomon_locks.threads_room ? __gnomon_locks.threads_room : 255;
        wrong += __gnomon_thread_add(NULL, NULL, NULL) != (i < most ? i : 255);
    }
    for (unsigned i = 0; i < many; i++) {
        pthread_mutex_lock(&locks[i]);
        pthread_mutex_unlock(&locks[i]);
    }
    printf("wrong %u locks %u room %u refused %u threads %u room %u refused %u\n", wrong, (unsigned)__gnomon_locks.locks,
           (unsigned)__gnomon_locks.locks_room, (unsigned)__gnomon_locks.locks_refused,
           (unsigned)__gnomon_locks.threads, (unsigned)__gnomon_locks.threads_room,
           (unsigned)__gnomon_locks.threads_refused);
    return wrong != 0;
}
