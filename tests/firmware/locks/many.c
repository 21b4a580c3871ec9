/* SPDX-License-Identifier: Apache-2.0 */
/* Argument: up to 10,000 locks, more than there are places. The program goes on; what has no place has
 * the last index. */
#include <gnomon_locks.h>
#include <stdio.h>
#include <stdlib.h>

#include "stand_in.h"

#define LOCKS 10000

#ifdef ROOM
GNOMON_LOCKS_ROOM(ROOM);
#endif

extern struct gnomon_locks __gnomon_locks;

static int locks[LOCKS];

int main(int argc, char **argv) {
    const unsigned many = argc > 1 ? (unsigned)atoi(argv[1]) : LOCKS;
    for (unsigned i = 0; i < many; i++) {
        pthread_mutex_lock(&locks[i]);
        pthread_mutex_unlock(&locks[i]);
    }
    printf("locks %u room %u refused %u\n", (unsigned)__gnomon_locks.locks, (unsigned)__gnomon_locks.locks_room,
           (unsigned)__gnomon_locks.locks_refused);
    return 0;
}
