/* SPDX-License-Identifier: Apache-2.0 */
/* Preemption, time slices, priorities, priority inheritance, and how exact waiting is. */
#include <sched.h>
#include <semaphore.h>

#include "check.h"

enum { SLICE = 400 }; /* microseconds */
static long slack;    /* what code around a wait may take; most of it reads the time */
const unsigned gnomon_threads_slice = SLICE;

static pthread_t start_as(int policy, int priority, void *(*start)(void *), void *argument) {
    pthread_attr_t attr;
    struct sched_param param = {.sched_priority = priority};
    pthread_t thread = 0;
    pthread_attr_init(&attr);
    IS(pthread_attr_setinheritsched(&attr, PTHREAD_EXPLICIT_SCHED), 0);
    IS(pthread_attr_setschedpolicy(&attr, policy), 0);
    IS(pthread_attr_setschedparam(&attr, &param), 0);
    IS(pthread_create(&thread, &attr, start, argument), 0);
    return thread;
}

static void become(int policy, int priority) {
    const struct sched_param param = {.sched_priority = priority};
    IS(pthread_setschedparam(pthread_self(), policy, &param), 0);
}

/* ---- Preemption ---- */

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static volatile int counter;

static void *increments(void *locks) {
    for (int i = 0; i < 40; i++) {
        if (locks)
            pthread_mutex_lock(&mutex);
        const int value = counter;
        busy(50);
        counter = value + 1;
        if (locks)
            pthread_mutex_unlock(&mutex);
    }
    return NULL;
}

static int count_with(void *locks) {
    counter = 0;
    pthread_t a = begin(increments, locks), b = begin(increments, locks);
    end(a);
    end(b);
    return counter;
}

static volatile int stop;
static void *waits_for_stop(void *argument) {
    while (!stop)
        ;
    return argument;
}

/* The longest time in which the thread did not run, and how often it did not. */
static long longest;
static int gaps;
static void *measures_gaps(void *argument) {
    long last = now_us();
    const long start = last;
    while (last - start < 10 * SLICE) {
        const long now = now_us();
        if (now - last > SLICE * 3 / 4) {
            gaps++;
            if (now - last > longest)
                longest = now - last;
        }
        last = now;
    }
    stop = 1;
    return argument;
}

static void test_slices(void) {
    pthread_t a = begin(waits_for_stop, NULL), b = begin(measures_gaps, NULL);
    end(b);
    end(a);
    CHECK(gaps >= 4 && gaps <= 6); /* every second slice */
    CHECK(longest >= SLICE && longest <= SLICE + slack);
}

static char order[32];
static int orders;
static void *notes(void *letter) {
    order[orders++] = *(char *)letter;
    busy(3 * SLICE);
    order[orders++] = *(char *)letter;
    return NULL;
}

static int order_is(const char *wanted) {
    for (int i = 0; i <= orders; i++)
        if (order[i] != wanted[i]) {
            printf("order %s, not %s\n", order, wanted);
            return 0;
        }
    return 1;
}

static void begin_orders(void) {
    orders = 0;
    for (size_t i = 0; i < sizeof order; i++)
        order[i] = 0;
}

static void test_policies(void) {
    become(SCHED_FIFO, 10);
    begin_orders();
    pthread_t a = start_as(SCHED_FIFO, 2, notes, "a"), b = start_as(SCHED_FIFO, 2, notes, "b");
    pthread_t c = start_as(SCHED_FIFO, 3, notes, "c");
    end(a);
    end(b);
    end(c);
    CHECK(order_is("ccaabb"));
    begin_orders();
    a = start_as(SCHED_RR, 2, notes, "a"), b = start_as(SCHED_RR, 2, notes, "b");
    c = start_as(SCHED_OTHER, 0, notes, "c");
    end(a);
    end(b);
    end(c);
    CHECK(order_is("ababcc"));
    become(SCHED_OTHER, 0);
}

static sem_t semaphore;
static void *waits_twice(void *letter) {
    for (int i = 0; i < 2; i++) {
        sem_wait(&semaphore);
        order[orders++] = *(char *)letter;
    }
    return NULL;
}

static void test_wake_order(void) {
    sem_init(&semaphore, 0, 0);
    begin_orders();
    become(SCHED_RR, 20);
    pthread_t low = start_as(SCHED_RR, 3, waits_twice, "l"), high = start_as(SCHED_RR, 9, waits_twice, "h");
    usleep(100); /* both wait */
    for (int i = 0; i < 4; i++)
        sem_post(&semaphore);
    CHECK(order_is("")); /* they have lower priorities */
    end(low);
    end(high);
    CHECK(order_is("hhll")); /* the second time, neither waits */
    begin_orders();
    high = start_as(SCHED_RR, 30, waits_twice, "h");
    order[orders++] = '1';
    sem_post(&semaphore);
    order[orders++] = '2';
    sem_post(&semaphore);
    order[orders++] = '3';
    end(high);
    CHECK(order_is("1h2h3"));
    /* A thread that gets a lower priority gives way, one that gets a higher one takes over. */
    begin_orders();
    low = start_as(SCHED_RR, 10, notes, "l");
    order[orders++] = '1';
    IS(pthread_setschedprio(pthread_self(), 5), 0);
    order[orders++] = '2';
    end(low);
    CHECK(order_is("1ll2"));
    begin_orders();
    low = start_as(SCHED_RR, 2, notes, "l");
    order[orders++] = '1';
    IS(pthread_setschedprio(low, 6), 0);
    order[orders++] = '2';
    end(low);
    CHECK(order_is("1ll2"));
    become(SCHED_OTHER, 0);
}

/* ---- Priority inversion ---- */

static pthread_mutex_t contested, outer;
static volatile int medium_done;

static void *holds(void *argument) {
    pthread_mutex_lock(&contested);
    sem_post(&semaphore);
    busy(3 * SLICE);
    pthread_mutex_unlock(&contested);
    return argument;
}
static void *holds_both(void *argument) {
    pthread_mutex_lock(&outer);
    pthread_mutex_lock(&contested);
    pthread_mutex_unlock(&contested);
    pthread_mutex_unlock(&outer);
    return argument;
}
static void *medium(void *argument) {
    busy(8 * SLICE);
    medium_done = 1;
    return argument;
}

/* Returns whether a thread of high priority got a mutex from one of low priority before one of medium priority, which
 * needs no mutex, had finished. */
static int gets_first(int protocol, int chain) {
    pthread_mutexattr_t attr;
    pthread_t middle = 0;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_setprotocol(&attr, protocol);
    pthread_mutex_init(&contested, &attr);
    pthread_mutex_init(&outer, &attr);
    become(SCHED_RR, 30);
    medium_done = 0;
    pthread_t low = start_as(SCHED_RR, 1, holds, NULL);
    sem_wait(&semaphore); /* low has the mutex */
    if (chain) {
        middle = start_as(SCHED_RR, 2, holds_both, NULL);
        usleep(SLICE); /* it has `outer` and waits for `contested` */
    }
    pthread_t busy_one = start_as(SCHED_RR, 5, medium, NULL);
    pthread_mutex_t *wanted = chain ? &outer : &contested;
    pthread_mutex_lock(wanted);
    const int first = !medium_done;
    pthread_mutex_unlock(wanted);
    end(low);
    if (chain)
        end(middle);
    end(busy_one);
    become(SCHED_OTHER, 0);
    return first;
}

/* When the waiting thread gives up, the owner loses the priority. */
static void *holds_long(void *argument) {
    pthread_mutex_lock(&contested);
    sem_post(&semaphore);
    busy(3 * SLICE);
    order[orders++] = 'l';
    pthread_mutex_unlock(&contested);
    return argument;
}
static void *medium_notes(void *argument) {
    order[orders++] = 'm';
    return argument;
}

static void test_inherited_ends(void) {
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_setprotocol(&attr, PTHREAD_PRIO_INHERIT);
    pthread_mutex_init(&contested, &attr);
    become(SCHED_RR, 30);
    begin_orders();
    pthread_t low = start_as(SCHED_RR, 1, holds_long, NULL);
    sem_wait(&semaphore);
    pthread_t middle = start_as(SCHED_RR, 5, medium_notes, NULL);
    const struct timespec soon = in(SLICE);
    IS(pthread_mutex_timedlock(&contested, &soon), ETIMEDOUT);
    order[orders++] = 't';
    end(low);
    end(middle);
    CHECK(order_is("tml"));
    become(SCHED_OTHER, 0);
}

/* ---- Waiting ---- */

static int late(long from, long us, long more) {
    const long took = now_us() - from;
    if (took < us || took > us + more)
        printf("%ld microseconds, not %ld\n", took, us);
    return took < us || took > us + more;
}

static void test_waits(long more) {
    static const struct timespec wrong = {0, -1}, none = {0, 0};
    pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
    struct timespec time, left = {1, 1};
    long from = now_us();
    IS(usleep(700), 0);
    CHECK(!late(from, 700, more));
    from = now_us();
    IS(nanosleep(&(struct timespec){0, 333000}, &left), 0);
    CHECK(!late(from, 333, more));
    IS(left.tv_sec + left.tv_nsec, 0);
    from = now_us();
    time = in(900);
    IS(clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &time, NULL), 0);
    CHECK(!late(from, 900, more));
    from = now_us();
    time = in(600);
    pthread_mutex_lock(&mutex);
    IS(pthread_cond_timedwait(&cond, &mutex, &time), ETIMEDOUT);
    pthread_mutex_unlock(&mutex);
    CHECK(!late(from, 600, more));
    errno = 0;
    IS(nanosleep(&wrong, NULL), -1);
    IS(errno, EINVAL);
    IS(clock_nanosleep(77, 0, &none, NULL), EINVAL);
    IS(clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &none, NULL), 0); /* long ago */
}

static void measure_slack(void) {
    const long from = now_us();
    for (int i = 0; i < 10; i++)
        now_us();
    slack = 20 + (now_us() - from);
}

/* The checks count on threads that take turns on one hart. */
static void stay_on_one_hart(void) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(0, &set);
    IS(pthread_setaffinity_np(pthread_self(), sizeof set, &set), 0);
}

int main(void) {
    stay_on_one_hart();
    sem_init(&semaphore, 0, 0);
    measure_slack();
    IS(count_with(&mutex), 80);
    CHECK(count_with(NULL) < 80);
    test_slices();
    test_policies();
    test_wake_order();
    IS(gets_first(PTHREAD_PRIO_NONE, 0), 0);
    IS(gets_first(PTHREAD_PRIO_INHERIT, 0), 1);
    IS(gets_first(PTHREAD_PRIO_NONE, 1), 0);
    IS(gets_first(PTHREAD_PRIO_INHERIT, 1), 1);
    test_inherited_ends();
    test_waits(slack);
    stop = 0;
    pthread_t spins = begin(waits_for_stop, NULL);
    test_waits(SLICE + slack); /* takes turns with a thread that never waits */
    become(SCHED_RR, 1);
    test_waits(slack); /* above it */
    become(SCHED_OTHER, 0);
    stop = 1;
    end(spins);
    return FINISH();
}
