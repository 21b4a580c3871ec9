/* SPDX-License-Identifier: Apache-2.0 */
/* For pbzip2: it has a thread that waits for signals, and the runtime's signals do not reach a thread. */
#include <pthread.h>
#include <signal.h>

#ifdef __cplusplus
extern "C" {
#endif
int pthread_kill(pthread_t thread, int number);
#ifdef __cplusplus
}
#endif
