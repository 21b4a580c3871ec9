/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of a fleet's service share. */
#ifndef GNOMON_LIB_SERVICE_INTERNAL_H
#define GNOMON_LIB_SERVICE_INTERNAL_H

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

#include "lib/service/quota.h"
#include "lib/service/rate.h"
#include "lib/service/service.h"
#include "lib/service/tokens.h"
#include "lib/service/writer.h"

struct gnomon_fleet_service {
    struct gnomon_fleet_settings settings;
    struct gnomon_tokens *tokens; /* NULL: none are asked for */
    struct gnomon_rate *rate;
    struct gnomon_quota *quota;
    struct gnomon_writer *writer;
    sem_t unpacking; /* of submissions, at a time: one takes many times its size in memory */
    pthread_mutex_t reading;
    struct gnomon_fleet_store *reader; /* of `reading` */
    pthread_mutex_t comparing;         /* of two builds, one at a time */
    atomic_bool closing;
    struct gnomon_http *http;
    pthread_mutex_t noting;
    uint64_t noted_ms; /* when settings.note was called last; 0: never */
};

/* Makes the reply that of a failure. */
void service_fail(struct gnomon_fleet_service *service, struct gnomon_http_reply *reply, enum gnomon_status status,
                  const struct gnomon_error *error);
void service_unavailable(struct gnomon_http_reply *reply, unsigned status, unsigned seconds, const char *what);
/* The reply is this text, which the server frees; NULL: out of memory. */
void service_reply_json(struct gnomon_http_reply *reply, unsigned status, char *text);

/* Who sends the request? False: no one who may, and `reply` says so. */
bool service_knows(struct gnomon_fleet_service *service, const struct gnomon_http_request *request, int64_t *token,
                   struct gnomon_http_reply *reply);

void service_submit(struct gnomon_fleet_service *service, const struct gnomon_http_request *request,
                    struct gnomon_http_reply *reply);
/* Before the body of a submission is read: may it come? */
bool service_admit_submission(struct gnomon_fleet_service *service, const struct gnomon_http_request *request,
                              struct gnomon_http_reply *reply);
void service_profile(struct gnomon_fleet_service *service, const struct gnomon_http_request *request,
                     struct gnomon_http_reply *reply);
void service_compare(struct gnomon_fleet_service *service, const struct gnomon_http_request *request,
                     struct gnomon_http_reply *reply);
void service_policy(struct gnomon_fleet_service *service, const struct gnomon_http_request *request,
                    struct gnomon_http_reply *reply);
void service_status(struct gnomon_fleet_service *service, const struct gnomon_http_request *request,
                    struct gnomon_http_reply *reply);

#endif
