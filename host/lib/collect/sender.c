/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/collect/sender.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "lib/collect/durable.h"
#include "lib/collect/service.h"
#include "lib/fleet/api_file.h"
#include "lib/fleet/api_redact.h"
#include "lib/util/file.h"

#define LEDGER_NAME "service.json"
#define POLICY_S 3600         /* it is asked for at most so often */
#define FIRST_WAIT_S 60       /* after a failure; each further one doubles it */
#define LONGEST_WAIT_S 21600  /* of our own */
#define SERVICE_WAIT_S 172800 /* a longer one is of another clock */

enum { STORED = 201, STORED_BEFORE = 200, BAD = 400, UNKNOWN = 401, FORBIDDEN = 403, TOO_LARGE = 413 };

struct sender {
    const struct gnomon_collect_settings *settings;
    struct gnomon_service service;
    struct gnomon_spool spool;
    struct gnomon_collect_ledger ledger;
    struct gnomon_sending *sending;
    int64_t now;
};

/* ---- The folder of results ---- */

struct gnomon_spool gnomon_collect_spool(const struct gnomon_collect_settings *settings,
                                         const struct gnomon_collect_places *places,
                                         const struct gnomon_collect_policy *policy) {
    return (struct gnomon_spool){.folder = places->state,
                                 .member = places->settings,
                                 .most_bytes = settings->most_bytes,
                                 .pack_bytes = policy->submit_bytes,
                                 .pack_seconds = policy->submit_seconds};
}

static void path_of(char path[PATH_MAX], const char *folder, const char *name) {
    snprintf(path, PATH_MAX, "%s/%s", folder, name);
}

void gnomon_collect_ledger(struct gnomon_collect_ledger *ledger, const struct gnomon_collect_places *places) {
    char path[PATH_MAX];
    path_of(path, places->state, LEDGER_NAME);
    gnomon_collect_ledger_read(ledger, path);
}

/* Is a time to come, of this clock? */
static bool waits(const struct gnomon_collect_ledger *ledger, int64_t now) {
    return ledger->next > now && ledger->next - now <= SERVICE_WAIT_S;
}

static bool asks_policy(const struct gnomon_collect_ledger *ledger, int64_t now) {
    return ledger->policy_asked > now || now - ledger->policy_asked >= POLICY_S;
}

bool gnomon_collect_due(const struct gnomon_collect_settings *settings, const struct gnomon_collect_places *places) {
    struct gnomon_collect_ledger ledger;
    struct gnomon_spool_file *files = NULL;
    size_t count = 0;
    const int64_t now = time(NULL);
    gnomon_collect_ledger(&ledger, places);
    if (waits(&ledger, now))
        return false;
    const struct gnomon_spool spool = gnomon_collect_spool(settings, places, &ledger.policy);
    const bool listed = !gnomon_spool_list(&spool, &files, &count, NULL);
    const bool due = asks_policy(&ledger, now) || (listed && count && *files[0].id);
    free(files);
    return due;
}

/* ---- Answers ---- */

/* Between 3/4 and 5/4 of it: hosts that failed together do not come back together. */
static int64_t spread(int64_t seconds) {
    uint16_t random = 0;
    if (getrandom(&random, sizeof random, 0) < 0)
        random = UINT16_MAX / 2;
    return seconds * 3 / 4 + seconds / 2 * random / UINT16_MAX;
}

static void note_failure(struct sender *sender, const char *said, uint64_t asked_s) {
    struct gnomon_collect_ledger *ledger = &sender->ledger;
    const unsigned doublings = ledger->failures < 10 ? ledger->failures : 10;
    const int64_t own = (int64_t)FIRST_WAIT_S << doublings;
    ledger->failures++;
    ledger->service_waits = asked_s > 0;
    ledger->next = sender->now + (asked_s ? (int64_t)asked_s : spread(own < LONGEST_WAIT_S ? own : LONGEST_WAIT_S));
    snprintf(ledger->said, sizeof ledger->said, "%s", said);
}

static void note_success(struct sender *sender, const char *said) {
    struct gnomon_collect_ledger *ledger = &sender->ledger;
    ledger->failures = 0;
    ledger->next = 0;
    ledger->service_waits = false;
    snprintf(ledger->said, sizeof ledger->said, "%s", said);
}

static enum gnomon_status refused_by(struct sender *sender, const struct gnomon_service_answer *answer,
                                     struct gnomon_error *error) {
    note_failure(sender, answer->summary, answer->wait_s);
    if (answer->status == UNKNOWN || answer->status == FORBIDDEN) {
        gnomon_fail(error, GNOMON_ERR_PERMISSION, "%s does not take this token (%s)", sender->service.address,
                    answer->summary);
        return gnomon_remedy(error, GNOMON_ERR_PERMISSION, "join again with another one: gnomon collect --join");
    }
    gnomon_fail(error, GNOMON_ERR_PROTOCOL, "%s answered %s", sender->service.address, answer->summary);
    return gnomon_remedy(error, GNOMON_ERR_PROTOCOL, "what waits is kept, and sent later");
}

static enum gnomon_status ask(struct sender *sender, const char *path, const struct gnomon_service_body *body,
                              struct gnomon_service_answer *answer, struct gnomon_error *error) {
    struct gnomon_error own;
    const enum gnomon_status status = gnomon_service_ask(&sender->service, path, body, answer, error ? error : &own);
    sender->ledger.tried = sender->now;
    if (!status)
        return GNOMON_OK;
    note_failure(sender, error ? error->what : own.what, 0);
    return gnomon_remedy(error, status, "what waits is kept, and sent later");
}

/* ---- Policy ---- */

static enum gnomon_status refresh_policy(struct sender *sender, struct gnomon_error *error) {
    struct gnomon_service_answer answer = {0};
    if (!asks_policy(&sender->ledger, sender->now))
        return GNOMON_OK;
    sender->ledger.policy_asked = sender->now;
    enum gnomon_status status = ask(sender, "/v1/policy", NULL, &answer, error);
    if (!status && answer.status == 200 && json_is_object(answer.json)) {
        sender->ledger.policy = gnomon_collect_policy_of(answer.json);
        note_success(sender, answer.summary);
    } else if (!status) {
        status = refused_by(sender, &answer, error);
    }
    gnomon_service_answer_free(&answer);
    return status;
}

/* ---- Submissions ---- */

static enum gnomon_status put_aside(struct sender *sender, const struct gnomon_spool_file *file,
                                    struct gnomon_error *error) {
    sender->sending->refused++;
    return gnomon_spool_refused(&sender->spool, file, error);
}

/* Only an answer of this service takes a submission off the disk: a page of someone between says "200", too. */
static enum gnomon_status judge(struct sender *sender, const struct gnomon_spool_file *file,
                                const struct gnomon_service_answer *answer, struct gnomon_error *error) {
    const bool ours = json_is_boolean(json_object_get(answer->json, "stored"));
    if (answer->status == BAD || answer->status == TOO_LARGE) {
        note_success(sender, answer->summary);
        return put_aside(sender, file, error);
    }
    if ((answer->status != STORED && answer->status != STORED_BEFORE) || !ours)
        return refused_by(sender, answer, error);
    note_success(sender, answer->summary);
    sender->sending->sent += answer->status == STORED;
    sender->sending->known += answer->status == STORED_BEFORE;
    gnomon_spool_sent(file);
    return GNOMON_OK;
}

static bool may_be_sent(const uint8_t *data, size_t size, const char *name) {
    struct gnomon_api_profile *profile = gnomon_api_profile_new();
    const bool may =
        profile && !gnomon_api_file_read(profile, data, size, name, NULL) && !gnomon_api_redact_check(profile, NULL);
    gnomon_api_profile_free(profile);
    return may;
}

static enum gnomon_status submit(struct sender *sender, const struct gnomon_spool_file *file,
                                 struct gnomon_error *error) {
    uint8_t *data = NULL;
    size_t size;
    struct gnomon_service_answer answer = {0};
    enum gnomon_status status = gnomon_read_file(file->path, &data, &size, error);
    if (!status && !may_be_sent(data, size, file->path)) {
        status = put_aside(sender, file, error);
    } else if (!status) {
        const struct gnomon_service_body body = {.id = file->id, .data = data, .size = size};
        status = ask(sender, "/v1/submissions", &body, &answer, error);
        if (!status)
            status = judge(sender, file, &answer, error);
    }
    gnomon_service_answer_free(&answer);
    free(data);
    return status;
}

static enum gnomon_status submit_all(struct sender *sender, bool due, struct gnomon_error *error) {
    struct gnomon_spool_file *files = NULL;
    size_t count = 0, done = 0;
    enum gnomon_status status = gnomon_spool_pack(&sender->spool, !due, error);
    if (!status)
        status = gnomon_spool_list(&sender->spool, &files, &count, error);
    while (count && !*files[count - 1].id)
        count--;
    while (!status && done < count) {
        status = submit(sender, &files[done], error);
        done += !status;
    }
    sender->sending->left = count - done;
    free(files);
    return status;
}

/* ---- All of it ---- */

static enum gnomon_status send_all(struct sender *sender, const char *ledger, bool due, struct gnomon_error *error) {
    struct gnomon_error of_ledger;
    sender->now = time(NULL);
    gnomon_collect_ledger_read(&sender->ledger, ledger);
    if (waits(&sender->ledger, sender->now) && due)
        return GNOMON_OK;
    if (waits(&sender->ledger, sender->now) && sender->ledger.service_waits) {
        gnomon_fail(error, GNOMON_ERR_BUSY, "%s has asked for a pause of %lld s more (%s)", sender->service.address,
                    (long long)(sender->ledger.next - sender->now), sender->ledger.said);
        return gnomon_remedy(error, GNOMON_ERR_BUSY, "what waits is kept, and sent later");
    }
    enum gnomon_status status = refresh_policy(sender, error);
    sender->spool.pack_bytes = sender->ledger.policy.submit_bytes;
    sender->spool.pack_seconds = sender->ledger.policy.submit_seconds;
    if (!status)
        status = submit_all(sender, due, error);
    const enum gnomon_status kept = access(sender->spool.member, F_OK)
                                        ? GNOMON_OK
                                        : gnomon_collect_ledger_write(&sender->ledger, ledger, &of_ledger);
    if (!status && kept && error)
        *error = of_ledger;
    return status ? status : kept;
}

enum gnomon_status gnomon_collect_send(const struct gnomon_collect_settings *settings,
                                       const struct gnomon_collect_places *places, bool due,
                                       struct gnomon_sending *sending, struct gnomon_error *error) {
    const struct gnomon_collect_policy usual = gnomon_collect_policy_of(NULL);
    struct sender sender = {.settings = settings,
                            .service = {settings->service, settings->token, settings->ca},
                            .spool = gnomon_collect_spool(settings, places, &usual),
                            .sending = sending};
    char lock[PATH_MAX], ledger[PATH_MAX];
    *sending = (struct gnomon_sending){0};
    path_of(lock, places->state, "sending");
    path_of(ledger, places->state, LEDGER_NAME);
    enum gnomon_status status = gnomon_durable_folder(places->state, error);
    if (status)
        return status;
    const int held = gnomon_durable_lock(lock, !due);
    if (held < 0)
        return due ? GNOMON_OK : gnomon_fail_errno(error, GNOMON_ERR_SYSTEM, "cannot lock %s", lock);
    status = send_all(&sender, ledger, due, error);
    close(held);
    return status;
}
