
/*
 * Copyright (C) The detemplate authors
 *
 * The command learner, which nginx executes to learn.  It reads a job from
 * standard input and writes the answer to standard output, see
 * core/base/wire.h. It connects to nothing but the site.  nginx has set the
 * limits of time.  The limit of memory is set here, since only the program
 * knows how much it starts with.  System calls are restricted once the job is
 * read.
 */


#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "core/base/wire.h"
#include "core/base/arena.h"
#include "core/web/fetch.h"
#include "core/web/url.h"
#include "core/learn/learn.h"
#include "core/template/template.h"
#include "cli.h"


#define DT_CLI_ROBOTS ((size_t) 16 << 20) /* bytes for robots.txt */

_Static_assert(DT_JOB_TEMPLATE == DT_TEMPLATE_MAX, "any template can be sent");
_Static_assert(DT_JOB_ONCE == DT_FETCH_ONCE, "as many as can be fetched");


/* limits memory; what is mapped already does not count */
static void
dt_cli_limit_memory(uint32_t mb)
{
    FILE *f;
    unsigned long pages = 0;
    struct rlimit r;

    f = fopen("/proc/self/statm", "r");

    if (f == NULL) {
        return;
    }

    if (fscanf(f, "%lu", &pages) == 1) {
        r.rlim_cur =
            pages * (rlim_t) sysconf(_SC_PAGESIZE) + ((rlim_t) mb << 20);
        r.rlim_max = r.rlim_cur;
        (void) setrlimit(RLIMIT_AS, &r);
    }

    fclose(f);
}


/* reads the whole job from standard input; the caller frees it; NULL: it is
   not a job */
static char *
dt_cli_read_job(size_t *len)
{
    size_t n = dt_wire_head(&dt_wire_job);
    char *p, *buf;

    buf = malloc(n);
    *len = 0;

    if (buf != NULL && fread(buf, n, 1, stdin) == 1) {
        *len = dt_wire_promise(&dt_wire_job, buf, n);
    }

    p = *len && *len != SIZE_MAX ? realloc(buf, *len) : NULL;

    /* nothing may follow the job */

    if (p == NULL || fread(p + n, *len - n, 1, stdin) != 1
        || fgetc(stdin) != EOF) {
        free(p ? p : buf);
        return NULL;
    }

    return p;
}


/* the lines of the text, which are ended by it; returns how many there are */
static size_t
dt_cli_lines(char *text, const char *lines[DT_JOB_VISITED])
{
    size_t n = 0;

    for (char *p = strtok(text, "\n"); p && n < DT_JOB_VISITED;
         p = strtok(NULL, "\n"))
    {
        lines[n++] = p;
    }

    return n;
}


/* reads robots.txt, whose text also names sitemaps, for all that is fetched
   from the site */
static dt_status_t
dt_cli_obey(const dt_job_t *job, dt_fetcher_t *fetcher, dt_arena_t *a,
            dt_robots_t **robots)
{
    dt_url_t url;
    dt_status_t rc;

    rc = dt_url_resolve(NULL, job->url, a, &url);
    rc = rc == DT_OK
             ? dt_robots_get(dt_fetcher_get_raw, fetcher, &url, a, robots)
             : rc;

    if (rc == DT_OK && !job->robots) {
        dt_robots_ignore(*robots);
    }

    if (rc == DT_OK) {
        dt_fetcher_obey(fetcher, *robots);
    }

    return rc;
}


static dt_status_t
dt_cli_learn_job(const dt_job_t *job, dt_learned_t *out, unsigned *requests)
{
    char *visited;
    const char *lines[DT_JOB_VISITED];
    dt_status_t rc;
    dt_arena_t *arena;
    dt_robots_t *robots = NULL;
    dt_fetcher_t *fetcher;
    dt_fetch_opts_t fo;
    dt_learn_opts_t lo;

    dt_fetch_opts_init(&fo);
    fo.origin = job->origin.len ? job->origin.data : NULL;
    fo.connect_to = job->connect.len ? job->connect.data : NULL;
    fo.header = job->header.len ? job->header.data : NULL;
    fo.total_ms = job->page_ms;
    fo.all_ms = job->fetch_ms;
    fo.tls_insecure = job->insecure != 0;
    fo.max_requests = job->requests;
    fo.shared = job->shared != 0;
    fo.paced = 1;
    fo.learns = 1;

    dt_learn_opts_init(&lo);
    lo.url = job->url.data;
    lo.candidates = job->candidates;
    lo.votes = job->votes;
    lo.loads = job->loads;
    lo.once = job->once;
    lo.detector = dt_detector_find(job->detector);
    lo.prev = job->prev.len ? job->prev.data : NULL;
    lo.prev_len = job->prev.len;

    if (lo.detector == NULL) {
        out->reason = "detector";
        return DT_EINVAL;
    }

    arena = dt_arena_create(DT_CLI_ROBOTS);
    fetcher = dt_fetcher_create(&fo);
    visited = strdup(job->visited.data);

    rc = arena != NULL && fetcher != NULL && visited != NULL
             ? dt_cli_obey(job, fetcher, arena, &robots)
             : DT_ENOMEM;

    if (rc == DT_OK) {
        lo.robots = robots;
        lo.fetch_many = dt_fetcher_get_many;
        lo.fetch_raw = dt_fetcher_get_raw;
        lo.fetch_data = fetcher;
        lo.visited = lines;
        lo.nvisited = dt_cli_lines(visited, lines);
        rc = dt_learn(&lo, out);

    } else {
        out->reason = rc == DT_ENOMEM ? "memory" : "url";
    }

    *requests = fetcher != NULL ? dt_fetcher_requests(fetcher) : 0;

    free(visited);
    dt_fetcher_destroy(fetcher);
    dt_arena_destroy(arena);

    return rc;
}


static dt_status_t
dt_cli_do_job(dt_learned_t *out, unsigned *requests)
{
    char *buf;
    size_t len;
    dt_job_t job;
    dt_status_t rc = DT_EINVAL;
    const char *why = "cut";

    out->reason = "job";
    buf = dt_cli_read_job(&len);

    if (buf != NULL
        && dt_wire_decode(&dt_wire_job, buf, len, &job, &why) == DT_OK
        && (job.prev.len == 0
            || dt_template_check(job.prev.data, job.prev.len, &why) == DT_OK))
    {
        dt_cli_limit_memory(job.memory_mb);

        /* on a kernel that cannot confine, the limits must be enough */
        (void) dt_confine();

        rc = dt_cli_learn_job(&job, out, requests);

    } else {
        (void) snprintf(out->errstr, sizeof(out->errstr), "%s", why);
    }

    free(buf);

    return rc;
}


int
dt_cli_learner(const dt_cli_args_t *args)
{
    char *buf;
    size_t size;
    unsigned requests = 0;
    dt_answer_t answer;
    dt_learned_t l = { 0 };
    dt_status_t rc;

    (void) args;

    /* an nginx of another version sees this at once, and need not wait */

    fputs(DT_JOB_HELLO, stdout);
    fflush(stdout);

    rc = dt_cli_do_job(&l, &requests);

    dt_answer_init(&answer, rc, (dt_str_t){ l.len, l.bytes }, l.reason,
                   l.errstr);
    answer.loads = l.loads;
    answer.candidates = l.candidates;
    answer.retry_after = l.retry_after;
    answer.requests = requests;
    answer.tries = l.tries;
    answer.beyond = l.beyond;
    answer.redesigned = l.redesigned;
    answer.fresh = l.fresh;

    size = dt_wire_size(&dt_wire_answer, &answer);
    buf = size ? malloc(size) : NULL;

    if (buf != NULL) {
        dt_wire_encode(&dt_wire_answer, &answer, buf);
    }

    if (buf == NULL || fwrite(buf, size, 1, stdout) != 1) {
        (void) dt_cli_error(0, "standard output: %s", strerror(errno));
    }

    free(buf);
    dt_learned_free(&l);

    return DT_EXIT_OK;
}
