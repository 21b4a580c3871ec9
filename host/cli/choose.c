/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/choose.h"

#include <stdlib.h>

enum gnomon_status cli_hart_number(const char *wanted, const char *takes, uint64_t *number,
                                   struct gnomon_error *error) {
    char *end;
    const unsigned long hart = wanted ? strtoul(wanted, &end, 10) : 0;
    if (wanted && (*wanted < '0' || *wanted > '9' || *end))
        return gnomon_fail(error, GNOMON_ERR_ARGUMENT, "--hart takes %s, not \"%s\"", takes, wanted);
    if (wanted)
        *number = hart;
    return GNOMON_OK;
}

enum gnomon_status cli_choose_hart(struct gnomon_analysis *analysis, const char *wanted, const char *takes,
                                   struct gnomon_error *error) {
    uint64_t hart = GNOMON_BOTH_HARTS;
    enum gnomon_status status = cli_hart_number(wanted, takes, &hart, error);
    return status ? status : gnomon_analysis_select(analysis, hart, error);
}

/* The number of the thread that --thread names. */
static bool find_thread(const struct gnomon_lock_names *names, const char *wanted, uint32_t *thread) {
    char *end;
    const unsigned long number = strtoul(wanted, &end, 10);
    for (*thread = 0; *thread < GNOMON_THREADS_MOST; ++*thread)
        if (gnomon_thread_is(names, *thread, wanted))
            return true;
    *thread = (uint32_t)number;
    return *wanted && !*end && number <= UINT32_MAX;
}

static enum gnomon_status no_thread(const char *wanted, struct gnomon_error *error) {
    gnomon_fail(error, GNOMON_ERR_NOT_FOUND, "no thread named %s ran", wanted);
    return gnomon_remedy(error, GNOMON_ERR_NOT_FOUND, "gnomon report --threads lists the threads");
}

/* The device's records are those of all threads together, its samples are not. */
enum gnomon_status cli_choose_thread(struct gnomon_analysis *analysis, struct gnomon_lock_tables *tables,
                                     struct gnomon_lock_names *names, const char *wanted, struct gnomon_error *error) {
    enum gnomon_status status = gnomon_analysis_tables(analysis, tables, error);
    if (!status && !gnomon_lock_names_open(names, tables, analysis))
        status = gnomon_fail_memory(error);
    if (status || !wanted)
        return status;
    if ((analysis->aggregates && !analysis->sampled) || analysis->memory) {
        gnomon_fail(error, GNOMON_ERR_UNSUPPORTED, "%s has function records, which are of all threads together",
                    analysis->path);
        return gnomon_remedy(error, GNOMON_ERR_UNSUPPORTED,
                             "record again with gnomon record --events; --threads shows the threads' own cycles");
    }
    analysis->one_thread = find_thread(names, wanted, &analysis->thread);
    return analysis->one_thread ? GNOMON_OK : no_thread(wanted, error);
}

enum gnomon_status cli_check_thread(const struct gnomon_analysis *analysis, const struct gnomon_profile *profile,
                                    const char *wanted, struct gnomon_error *error) {
    size_t count;
    const struct gnomon_profile_thread *threads = gnomon_profile_threads(profile, &count);
    for (size_t i = 0; i < count; i++)
        if (threads[i].thread == analysis->thread && threads[i].runs)
            return GNOMON_OK;
    return analysis->one_thread ? no_thread(wanted, error) : GNOMON_OK;
}
