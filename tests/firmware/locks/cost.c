/* SPDX-License-Identifier: Apache-2.0 */
/* Cycles of a lock and an unlock of a mutex: of the only one, and of the last of as many as there is room for. */
#include <gnomon.h>
#include <stdio.h>

#include "stand_in.h"

#define ROUNDS 20
#define LOCKS 255

static int locks[LOCKS];

static unsigned rounds(int *lock) {
    pthread_mutex_lock(lock);
    pthread_mutex_unlock(lock);
    const uint32_t begin = (uint32_t)gnomon_cycles();
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(lock);
        pthread_mutex_unlock(lock);
    }
    return (unsigned)((uint32_t)gnomon_cycles() - begin);
}

int main(void) {
    const unsigned one = rounds(&locks[0]);
    unsigned most = 0;
    for (int i = 0; i < LOCKS; i++) {
        const unsigned cycles = rounds(&locks[i]);
        most = cycles > most ? cycles : most;
    }
    printf("%u %u\n", one, most);
    return 0;
}
