/* SPDX-License-Identifier: Apache-2.0 */
/* The requests of gnomon serve --http. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/live/serve.h"
#include "cli/print_names.h"

#define USUAL_SECONDS 30 /* as in Go's net/http/pprof */
#define MOST_BODY ((size_t)1 << 20)

enum {
    BAD_REQUEST = 400,
    FORBIDDEN = 403,
    NOT_FOUND = 404,
    WRONG_METHOD = 405,
    CONFLICT = 409,
    INTERNAL = 500,
    NOT_IMPLEMENTED = 501,
    UNAVAILABLE = 503
};

/* ---- Profiles ---- */

/* Go's pprof takes both formats, google-pprof, which fetches with curl, only the old one. */
static bool wants_legacy(const struct gnomon_http_request *request, const char *format) {
    const char *agent = gnomon_http_header(request, "User-Agent");
    if (format)
        return !strcmp(format, "legacy");
    return agent && !strncmp(agent, "curl/", 5) && !gnomon_http_header(request, "Accept-Encoding");
}

static unsigned status_of(enum gnomon_status status) {
    switch (status) {
    case GNOMON_ERR_ARGUMENT:
        return BAD_REQUEST;
    case GNOMON_ERR_NOT_FOUND:
        return NOT_FOUND;
    case GNOMON_ERR_BUSY:
        return CONFLICT;
    case GNOMON_ERR_UNSUPPORTED:
        return NOT_IMPLEMENTED;
    case GNOMON_ERR_DISCONNECTED:
        return UNAVAILABLE;
    default:
        return INTERNAL;
    }
}

static void run_job(struct serve *serve, const struct gnomon_http_request *request, struct gnomon_http_reply *reply,
                    enum serve_kind kind, uint64_t ms) {
    struct serve_job wanted = {.kind = kind, .ms = ms};
    if (!serve_sampling_parse(serve, request, &wanted.sampling, reply))
        return;
    const bool legacy = wanted.legacy = wants_legacy(request, gnomon_http_query(request, "format"));
    struct serve_job *job = serve_job_new(&wanted);
    if (!job) {
        gnomon_http_fail(reply, INTERNAL, "", "out of memory");
        return;
    }
    serve_job_wait(serve, &job, request);
    if (!job) {
        gnomon_http_fail(reply, UNAVAILABLE, "", "the client has gone");
    } else if (job->status) {
        gnomon_http_fail(reply, status_of(job->status), job->error.remedy, "%s", job->error.what);
    } else if (kind == SERVE_START || kind == SERVE_RATE) {
        static const char done[] = "done\n";
        reply->body = done;
        reply->body_bytes = strlen(done);
    } else {
        reply->type = "application/octet-stream";
        reply->file = legacy ? "profile.prof" : "profile.pb.gz";
        reply->body = job->body;
        reply->body_bytes = job->body_bytes;
        reply->owned = true;
        job->body = NULL;
        reply->said_name = "X-Gnomon-Exactness";
        snprintf(reply->said, sizeof reply->said, "%s", job->exactness);
    }
    serve_job_free(job);
}

/* A number from `least` to SERVE_MOST_SECONDS. */
static bool read_seconds(const char *text, double *seconds) {
    char *end;
    *seconds = text ? strtod(text, &end) : USUAL_SECONDS;
    return !text || (end != text && !*end && isfinite(*seconds) && *seconds >= 0 && *seconds <= SERVE_MOST_SECONDS);
}

static bool check_format(const struct gnomon_http_request *request, struct gnomon_http_reply *reply) {
    const char *format = gnomon_http_query(request, "format");
    if (!format || !strcmp(format, "legacy") || !strcmp(format, "proto"))
        return true;
    gnomon_http_fail(reply, BAD_REQUEST, "format is proto or legacy", "no profile has this format");
    return false;
}

static void answer_profile(struct serve *serve, const struct gnomon_http_request *request,
                           struct gnomon_http_reply *reply) {
    double seconds;
    if (!read_seconds(gnomon_http_query(request, "seconds"), &seconds))
        gnomon_http_fail(reply, BAD_REQUEST, "0: from the program's start up to now",
                         "seconds is a number from 0 to %d", SERVE_MOST_SECONDS);
    else if (seconds <= 0 && (!strcmp(request->path, SERVE_SAMPLED_PAGE) || gnomon_http_query(request, "frequency") ||
                              gnomon_http_query(request, "period")))
        gnomon_http_fail(reply, BAD_REQUEST, "give seconds=N", "there are no samples of the time before");
    else if (check_format(request, reply))
        run_job(serve, request, reply, seconds > 0 ? SERVE_TIMED : SERVE_SO_FAR, (uint64_t)(seconds * 1000));
}

static void answer_start(struct serve *serve, const struct gnomon_http_request *request,
                         struct gnomon_http_reply *reply) {
    run_job(serve, request, reply, SERVE_START, 0);
}

static void answer_rate(struct serve *serve, const struct gnomon_http_request *request,
                        struct gnomon_http_reply *reply) {
    if (gnomon_http_query(request, "frequency") || gnomon_http_query(request, "period"))
        run_job(serve, request, reply, SERVE_RATE, 0);
    else
        gnomon_http_fail(reply, BAD_REQUEST, "as in /pprof/rate?frequency=1000",
                         "the new frequency or period is missing");
}

static void answer_current(struct serve *serve, const struct gnomon_http_request *request,
                           struct gnomon_http_reply *reply) {
    if (check_format(request, reply))
        run_job(serve, request, reply, SERVE_CURRENT, 0);
}

static void answer_stop(struct serve *serve, const struct gnomon_http_request *request,
                        struct gnomon_http_reply *reply) {
    if (check_format(request, reply))
        run_job(serve, request, reply, SERVE_STOP, 0);
}

static void answer_account(struct serve *serve, const struct gnomon_http_request *request,
                           struct gnomon_http_reply *reply, enum serve_kind kind) {
    if (check_format(request, reply))
        run_job(serve, request, reply, kind, 0);
}

static void answer_heap(struct serve *serve, const struct gnomon_http_request *request,
                        struct gnomon_http_reply *reply) {
    answer_account(serve, request, reply, SERVE_HEAP);
}

static void answer_growth(struct serve *serve, const struct gnomon_http_request *request,
                          struct gnomon_http_reply *reply) {
    answer_account(serve, request, reply, SERVE_GROWTH);
}

static void answer_contention(struct serve *serve, const struct gnomon_http_request *request,
                              struct gnomon_http_reply *reply) {
    answer_account(serve, request, reply, SERVE_CONTENTION);
}

/* ---- The rest ---- */

static void answer_cmdline(struct serve *serve, const struct gnomon_http_request *request,
                           struct gnomon_http_reply *reply) {
    (void)request;
    serve_cmdline(serve, reply);
}

static void answer_symbol(struct serve *serve, const struct gnomon_http_request *request,
                          struct gnomon_http_reply *reply) {
    serve_symbol(serve, request, reply);
}

static void answer_index(struct serve *serve, const struct gnomon_http_request *request,
                         struct gnomon_http_reply *reply) {
    static const char text[] =
        "gnomon serve: profiles of a running program\n"
        "\n"
        "/pprof/profile?seconds=N      where the cycles of the next N seconds go (default: 30);\n"
        "                              N = 0: of the whole run, up to now\n"
        "              &format=FORMAT  proto (profile.proto, for Go's pprof) or legacy (for\n"
        "                              google-pprof, which is known by its curl)\n"
        "              &frequency=N    sampled, N times a second of the device\n"
        "              &event=E&period=N  sampled, at every N-th event E (gnomon stat -e list)\n"
        "/pprof/pmuprofile?seconds=N   the same, sampled: for google-pprof\n"
        "/pprof/heap, /pprof/growth, /pprof/contention  with --events, by call path: allocated\n"
        "                              and live memory; where the heap grew; waits for locks\n"
        "/pprof/cmdline                the program and its arguments\n"
        "/pprof/symbol                 names of addresses (POST 0x..+0x..)\n"
        "/pprof/current                what the started profile has so far\n"
        "POST /pprof/start, /pprof/stop  start a profile (&frequency, &event, &period); stop it and\n"
        "                              get it. POST /pprof/rate?frequency=N: another rate of its\n"
        "                              samples. All three with --allow-control only\n";
    (void)serve;
    (void)request;
    reply->body = text;
    reply->body_bytes = strlen(text);
}

static const struct page {
    const char *path;
    bool events; /* it needs functions as events */
    bool get, post, controls;
    const char *const known[6]; /* keys of its query; the last one is NULL */
    void (*answer)(struct serve *serve, const struct gnomon_http_request *request, struct gnomon_http_reply *reply);
} pages[] = {
    {"/", false, true, false, false, {NULL}, answer_index},
    {"/pprof/", false, true, false, false, {NULL}, answer_index},
    {"/pprof/profile",
     false,
     true,
     false,
     false,
     {"seconds", "format", "event", "period", "frequency", NULL},
     answer_profile},
    {SERVE_SAMPLED_PAGE, false, true, false, false, {"seconds", "format", "event", "period", NULL}, answer_profile},
    {"/pprof/cmdline", false, true, false, false, {NULL}, answer_cmdline},
    {"/pprof/symbol", false, true, true, false, {NULL}, answer_symbol},
    {"/pprof/heap", true, true, false, false, {"format", NULL}, answer_heap},
    {"/pprof/growth", true, true, false, false, {"format", NULL}, answer_growth},
    {"/pprof/contention", true, true, false, false, {"format", NULL}, answer_contention},
    {"/pprof/current", false, true, false, false, {"format", NULL}, answer_current},
    {"/pprof/start", false, false, true, true, {"event", "period", "frequency", NULL}, answer_start},
    {"/pprof/rate", false, false, true, true, {"period", "frequency", NULL}, answer_rate},
    {"/pprof/stop", false, false, true, true, {"format", NULL}, answer_stop},
};

static const struct page *find_page(const char *path) {
    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++)
        if (!strcmp(pages[i].path, path))
            return &pages[i];
    return NULL;
}

static void handle(void *context, const struct gnomon_http_request *request, struct gnomon_http_reply *reply) {
    struct serve *serve = context;
    const struct serve_values *values = serve->live.context->values;
    const struct page *page = find_page(request->path);
    const bool post = !strcmp(request->method, "POST"),
               get = !strcmp(request->method, "GET") || !strcmp(request->method, "HEAD");
    const char *unknown = page && page->known[0] ? gnomon_http_unknown(request, page->known) : NULL;
    char clean[CLI_CLEAN_BYTES];
    reply->own_name = "X-Go-Pprof"; /* Go's pprof shows the text of an error that has this header */
    reply->own_value = "1";
    if (!page) {
        gnomon_http_fail(reply, NOT_FOUND, "GET / lists what there is", "there is no such page");
    } else if (!((post && page->post) || (get && page->get))) {
        reply->allow = page->get && page->post ? "GET, HEAD, POST" : page->get ? "GET, HEAD" : "POST";
        gnomon_http_fail(reply, WRONG_METHOD, "GET / lists what there is", "%s is for %s", page->path, reply->allow);
    } else if (page->controls && !values->allow_control) {
        gnomon_http_fail(reply, FORBIDDEN, "start gnomon serve with --allow-control", "this server is read-only");
    } else if (page->events && !serve->live.live.events) {
        gnomon_http_fail(reply, NOT_IMPLEMENTED, "start gnomon serve with --events", "%s needs functions as events",
                         page->path);
    } else if (unknown) {
        gnomon_http_fail(reply, BAD_REQUEST, "GET / lists what there is", "%s does not know \"%.100s\"", page->path,
                         cli_clean(clean, unknown));
    } else {
        page->answer(serve, request, reply);
    }
}

enum gnomon_status serve_http_open(struct serve *serve, struct gnomon_error *error) {
    const struct serve_values *values = serve->live.context->values;
    const struct gnomon_http_settings settings = {
        .where = values->http,
        .hosts = values->hosts.items,
        .host_count = values->hosts.count,
        .clients = (unsigned)values->clients,
        .seconds = (unsigned)values->timeout,
        .body_bytes = MOST_BODY,
        .handle = handle,
        .context = serve,
    };
    return gnomon_http_open(&serve->http, &settings, error);
}
